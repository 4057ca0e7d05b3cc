// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include <gpu/reduction_call.hpp>

/// @file
/// Discrete Fourier transforms of any length: cuFFT on a GPU, Eigen's kissfft on the host. The names and their meaning
/// are NumPy's.
///
/// Transforms take arrays, windows and expressions of every type and return new row-major arrays. float and half give
/// complex<float>, as in SciPy and CuPy; integers, bools and double give complex<double>. Axes that aren't transformed
/// are a batch. Nothing waits. The number of points may stand without a name, as in NumPy: `fft(x, 16)`,
/// `fftn(x, {16, 16})`.
/// @snippet public/fft_test.cpp points

namespace gpu::fft {

/// Which direction is divided by the number of points n: the inverse one, the forward one, or both by its square root.
enum class Norm : std::uint8_t { backward, ortho, forward };

/// The options of transforms along one axis: `fft(x, {.n = 16, .axis = 0})`.
struct FftOptions {
    std::int64_t n = -1;  ///< how many points: the axis is cut, or extended by zeros; -1: as many as it has
    int axis = -1;
    Norm norm = Norm::backward;
};

/// The options of transforms along several axes: `fftn(x, {.axes = {0, 2}})`.
struct FftnOptions {
    /// @cond internal
    [[no_unique_address]] detail::ByName by_name = detail::ByName();
    /// @endcond
    TargetShape s = {};  ///< how many points along each of `axes`, or along the last axes; -1: as many as the axis has
    Axes axes = {};      ///< `{}` means all of them, or the last ones if `s` is given
    Norm norm = Norm::backward;
};

/// The same for two axes.
struct Fft2Options {
    /// @cond internal
    [[no_unique_address]] detail::ByName by_name = detail::ByName();
    /// @endcond
    TargetShape s = {};
    Axes axes = {-2, -1};
    Norm norm = Norm::backward;
};

/// The options of fftshift(): `fftshift(x, {.axes = 0})`.
struct ShiftOptions {
    Axes axes = {};  ///< `{}` means all of them
};

}  // namespace gpu::fft

/// @cond internal
namespace gpu::detail {

enum class Transform : std::uint8_t { fft, ifft, rfft, irfft };

/// @param real the type of the parts of complex numbers: float32 or float64.
GPU_API ArrayCore transformed(const char* operation, Transform transform, DType real, const NodePointer& value,
                              const TargetShape& s, const Axes& axes, fft::Norm norm);
GPU_API ArrayCore frequencies(const char* operation, DType dtype, std::int64_t n, double d, bool half);
GPU_API ArrayCore shifted(const char* operation, const NodePointer& value, const Axes& axes, bool back);

constexpr DType transform_dtype(DType element) {
    const DType real = is_complex(element) ? real_dtype(element) : element;
    return is_short_float(real) || real == DType::float32 ? DType::float32 : DType::float64;
}
template <class A>
inline constexpr DType transform_type = transform_dtype(dtype_of<LazyElement<A>>);
template <class A>
using Spectrum = Array<typename CppType<complex_dtype(transform_type<A>)>::type>;
template <class A>
using Signal = Array<typename CppType<transform_type<A>>::type>;

template <class A>
ArrayCore transformed_along(const char* operation, Transform transform, const A& a, const fft::FftOptions& options) {
    return transformed(operation, transform, transform_type<A>, to_node(a), {options.n}, {options.axis}, options.norm);
}
template <class A, class Options>
ArrayCore transformed_along_all(const char* operation, Transform transform, const A& a, const Options& options) {
    return transformed(operation, transform, transform_type<A>, to_node(a), options.s, options.axes, options.norm);
}
/// The points of `fftn(x, {16, 16})`; a class as AxisList.
struct PointList {
    template <std::integral... I>
        requires(sizeof...(I) > 0 && !(std::is_same_v<I, bool> || ...))
    PointList(I... points) : s(points...) {}  // NOLINT(google-explicit-constructor)
    TargetShape s;
};
template <class A>
constexpr void check_real_signal() {
    static_assert(!is_complex(dtype_of<LazyElement<A>>),
                  "rfft takes real numbers: write fft(z), or rfft(gpu::real(z))");
}

}  // namespace gpu::detail
/// @endcond

namespace gpu::fft {

/// The discrete Fourier transform along an axis: element k is the sum of x(j) exp(-2 pi i j k / n).
/// @throws ShapeError for less than one point; AxisError; LibraryNotFound
/// @snippet public/fft_test.cpp fft
template <detail::ArrayLike A>
[[nodiscard]] auto fft(const A& a, const FftOptions& options = {}) {
    return detail::Spectrum<A>(detail::transformed_along("fft", detail::Transform::fft, a, options));
}
template <detail::ArrayLike A, std::integral N>
[[nodiscard]] auto fft(const A& a, N n, int axis = -1) {
    return fft::fft(a, FftOptions{.n = static_cast<std::int64_t>(n), .axis = axis});
}
/// Its inverse: element j is the sum of x(k) exp(2 pi i j k / n), divided by n.
/// @throws as fft()
/// @snippet public/fft_test.cpp fft
template <detail::ArrayLike A>
[[nodiscard]] auto ifft(const A& a, const FftOptions& options = {}) {
    return detail::Spectrum<A>(detail::transformed_along("ifft", detail::Transform::ifft, a, options));
}
template <detail::ArrayLike A, std::integral N>
[[nodiscard]] auto ifft(const A& a, N n, int axis = -1) {
    return fft::ifft(a, FftOptions{.n = static_cast<std::int64_t>(n), .axis = axis});
}

/// The first n / 2 + 1 elements of the transform of real numbers: the others are their conjugates.
/// @throws as fft()
/// @snippet public/fft_test.cpp rfft
template <detail::ArrayLike A>
[[nodiscard]] auto rfft(const A& a, const FftOptions& options = {}) {
    detail::check_real_signal<A>();
    return detail::Spectrum<A>(detail::transformed_along("rfft", detail::Transform::rfft, a, options));
}
template <detail::ArrayLike A, std::integral N>
[[nodiscard]] auto rfft(const A& a, N n, int axis = -1) {
    return fft::rfft(a, FftOptions{.n = static_cast<std::int64_t>(n), .axis = axis});
}
/// The inverse of rfft(): real numbers. `n` is how many; unless given, an even number, 2 (m - 1) for m elements. The
/// imaginary part of the first element is ignored, and of element n / 2 if n is even.
/// @throws as fft()
/// @snippet public/fft_test.cpp rfft
template <detail::ArrayLike A>
[[nodiscard]] auto irfft(const A& a, const FftOptions& options = {}) {
    return detail::Signal<A>(detail::transformed_along("irfft", detail::Transform::irfft, a, options));
}
template <detail::ArrayLike A, std::integral N>
[[nodiscard]] auto irfft(const A& a, N n, int axis = -1) {
    return fft::irfft(a, FftOptions{.n = static_cast<std::int64_t>(n), .axis = axis});
}

/// The transform along several axes, all of them unless the options say otherwise.
/// @throws ShapeError for less than one point, or if `s` and `axes` have different lengths; AxisError, also for an axis
///     that is named twice; LibraryNotFound
/// @snippet public/fft_test.cpp fftn
template <detail::ArrayLike A>
[[nodiscard]] auto fftn(const A& a, const FftnOptions& options = {}) {
    return detail::Spectrum<A>(detail::transformed_along_all("fftn", detail::Transform::fft, a, options));
}
template <detail::ArrayLike A>
[[nodiscard]] auto fftn(const A& a, const detail::PointList& points) {
    return fft::fftn(a, FftnOptions{.s = points.s});
}
/// Its inverse. @throws as fftn()
/// @snippet public/fft_test.cpp fftn
template <detail::ArrayLike A>
[[nodiscard]] auto ifftn(const A& a, const FftnOptions& options = {}) {
    return detail::Spectrum<A>(detail::transformed_along_all("ifftn", detail::Transform::ifft, a, options));
}
template <detail::ArrayLike A>
[[nodiscard]] auto ifftn(const A& a, const detail::PointList& points) {
    return fft::ifftn(a, FftnOptions{.s = points.s});
}
/// The transform of real numbers along several axes. Half of it is kept along the axis named last, as rfft() does.
/// @throws as fftn()
/// @snippet public/fft_test.cpp rfftn
template <detail::ArrayLike A>
[[nodiscard]] auto rfftn(const A& a, const FftnOptions& options = {}) {
    detail::check_real_signal<A>();
    return detail::Spectrum<A>(detail::transformed_along_all("rfftn", detail::Transform::rfft, a, options));
}
template <detail::ArrayLike A>
[[nodiscard]] auto rfftn(const A& a, const detail::PointList& points) {
    return fft::rfftn(a, FftnOptions{.s = points.s});
}
/// The inverse of rfftn(). Along the axis named last, `s` is the number of real points; unless given, it is even.
/// @throws as fftn()
/// @snippet public/fft_test.cpp rfftn
template <detail::ArrayLike A>
[[nodiscard]] auto irfftn(const A& a, const FftnOptions& options = {}) {
    return detail::Signal<A>(detail::transformed_along_all("irfftn", detail::Transform::irfft, a, options));
}
template <detail::ArrayLike A>
[[nodiscard]] auto irfftn(const A& a, const detail::PointList& points) {
    return fft::irfftn(a, FftnOptions{.s = points.s});
}

/// The transform along two axes, the last ones unless the options say otherwise: of an image, or of many.
/// @throws as fftn()
/// @snippet public/fft_test.cpp fft2
template <detail::ArrayLike A>
[[nodiscard]] auto fft2(const A& a, const Fft2Options& options = {}) {
    return detail::Spectrum<A>(detail::transformed_along_all("fft2", detail::Transform::fft, a, options));
}
template <detail::ArrayLike A>
[[nodiscard]] auto fft2(const A& a, const detail::PointList& points) {
    return fft::fft2(a, Fft2Options{.s = points.s});
}
/// Its inverse. @throws as fftn()
/// @snippet public/fft_test.cpp fft2
template <detail::ArrayLike A>
[[nodiscard]] auto ifft2(const A& a, const Fft2Options& options = {}) {
    return detail::Spectrum<A>(detail::transformed_along_all("ifft2", detail::Transform::ifft, a, options));
}
template <detail::ArrayLike A>
[[nodiscard]] auto ifft2(const A& a, const detail::PointList& points) {
    return fft::ifft2(a, Fft2Options{.s = points.s});
}
/// The transform of real numbers along two axes, see rfftn(). @throws as fftn()
/// @snippet public/fft_test.cpp rfft2
template <detail::ArrayLike A>
[[nodiscard]] auto rfft2(const A& a, const Fft2Options& options = {}) {
    detail::check_real_signal<A>();
    return detail::Spectrum<A>(detail::transformed_along_all("rfft2", detail::Transform::rfft, a, options));
}
template <detail::ArrayLike A>
[[nodiscard]] auto rfft2(const A& a, const detail::PointList& points) {
    return fft::rfft2(a, Fft2Options{.s = points.s});
}
/// The inverse of rfft2(), see irfftn(). @throws as fftn()
/// @snippet public/fft_test.cpp rfft2
template <detail::ArrayLike A>
[[nodiscard]] auto irfft2(const A& a, const Fft2Options& options = {}) {
    return detail::Signal<A>(detail::transformed_along_all("irfft2", detail::Transform::irfft, a, options));
}
template <detail::ArrayLike A>
[[nodiscard]] auto irfft2(const A& a, const detail::PointList& points) {
    return fft::irfft2(a, Fft2Options{.s = points.s});
}

/// The frequency of each element of an fft() of n points that are `d` apart: 0, 1, ..., -2, -1, divided by n d.
/// @throws ShapeError for less than one point, or if d is 0
/// @snippet public/fft_test.cpp fftfreq
template <Element T = double>
[[nodiscard]] Array<T> fftfreq(std::int64_t n, double d = 1) {
    return Array<T>(detail::frequencies("fftfreq", dtype_of<T>, n, d, false));
}
/// The same for rfft(): n / 2 + 1 frequencies, none of them negative.
/// @throws as fftfreq()
/// @snippet public/fft_test.cpp fftfreq
template <Element T = double>
[[nodiscard]] Array<T> rfftfreq(std::int64_t n, double d = 1) {
    return Array<T>(detail::frequencies("rfftfreq", dtype_of<T>, n, d, true));
}

/// A new array in which frequency 0, which transforms have first, is in the middle of each axis.
/// @throws AxisError
/// @snippet public/fft_test.cpp fftshift
template <detail::ArrayLike A>
[[nodiscard]] auto fftshift(const A& a, const ShiftOptions& options = {}) {
    return Array<detail::LazyElement<A>>(detail::shifted("fftshift", detail::to_node(a), options.axes, false));
}
template <detail::ArrayLike A>
[[nodiscard]] auto fftshift(const A& a, const detail::AxisList& axes) {
    return fft::fftshift(a, ShiftOptions{.axes = axes.axes});
}
/// Undoes fftshift(). @throws AxisError
/// @snippet public/fft_test.cpp fftshift
template <detail::ArrayLike A>
[[nodiscard]] auto ifftshift(const A& a, const ShiftOptions& options = {}) {
    return Array<detail::LazyElement<A>>(detail::shifted("ifftshift", detail::to_node(a), options.axes, true));
}
template <detail::ArrayLike A>
[[nodiscard]] auto ifftshift(const A& a, const detail::AxisList& axes) {
    return fft::ifftshift(a, ShiftOptions{.axes = axes.axes});
}

}  // namespace gpu::fft
