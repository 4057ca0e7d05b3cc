// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <vector>

#include <gpu/expression.hpp>

/// Signals: convolution and correlation of signals and images, and filters for images. As in SciPy, the mode may stand
/// without a name, and a vector's filter may be a list: `convolve(x, {1, 2, 1}, Mode::same)`.
/// @snippet functions/filter_test.cpp positions
namespace gpu::signal {

/// Which part of a convolution is computed.
enum class Mode : std::uint8_t {
    full,   ///< wherever image and filter touch: (rows + filter rows - 1, columns + filter columns - 1)
    same,   ///< the middle of `full`, of the image's shape
    valid,  ///< where the filter lies within the image: (rows - filter rows + 1, columns - filter columns + 1)
};

/// What lies beyond the image's edge, at any distance.
enum class Boundary : std::uint8_t {
    fill,  ///< the fill value
    wrap,  ///< the image again: `c d | a b c d | a b`
    symm,  ///< the image mirrored at its edge: `b a | a b c d | d c`
};

/// How an image is convolved: `convolve2d(image, filter, {.mode = Mode::same, .boundary = Boundary::symm})`.
struct ConvolveOptions {
    Mode mode = Mode::full;
    Boundary boundary = Boundary::fill;
    complex<double> fillvalue = 0;  ///< beyond the edge with Boundary::fill; the result's type must hold it
};

/// How a signal is convolved: `convolve(x, filter, {.mode = Mode::same})`.
struct ModeOptions {
    Mode mode = Mode::full;
};

/// How separable() convolves; beyond the edge with Boundary::fill are zeros.
struct SeparableOptions {
    Mode mode = Mode::full;
    Boundary boundary = Boundary::fill;
};

/// The options of gaussian_filter(): `gaussian_filter(image, 2, {.boundary = Boundary::wrap})`.
struct GaussianOptions {
    double truncate = 4;  ///< the filter ends this many standard deviations from its middle
    Boundary boundary = Boundary::symm;
    complex<double> fillvalue = 0;  ///< beyond the edge with Boundary::fill
};

/// The options of sobel(): `sobel(image, {.axis = 0})`.
struct SobelOptions {
    int axis = -1;  ///< along which the derivative is taken
    Boundary boundary = Boundary::symm;
    complex<double> fillvalue = 0;  ///< beyond the edge with Boundary::fill
};

}  // namespace gpu::signal

/// @cond internal
namespace gpu::detail {

GPU_API ArrayCore convolve2d(DType result, const NodePointer& image, const NodePointer& filter,
                             const signal::ConvolveOptions& options);
GPU_API ArrayCore correlate2d(DType result, const NodePointer& image, const NodePointer& filter,
                              const signal::ConvolveOptions& options);
GPU_API ArrayCore convolve(DType result, const NodePointer& x, const NodePointer& filter, signal::Mode mode,
                           bool correlates);
GPU_API ArrayCore separable(DType result, const NodePointer& image, const NodePointer& column, const NodePointer& row,
                            const signal::SeparableOptions& options);
// One standard deviation for all axes, or one for each.
GPU_API ArrayCore gaussian_filter(DType result, const NodePointer& image, const std::vector<double>& sigma,
                                  const signal::GaussianOptions& options);
GPU_API ArrayCore sobel(const NodePointer& image, const signal::SobelOptions& options);

template <class A, class B>
constexpr DType convolved_dtype() {
    constexpr DType type = promote_types(dtype_of<LazyElement<A>>, dtype_of<LazyElement<B>>);
    static_assert(type != DType::boolean, "bools aren't added up: write convolve2d(image.astype<int>(), filter)");
    return type;
}
// A list of numbers as an array: they take the type of the array beside them, as in x * 2.
template <class A, class N>
auto list_array(const A& beside, std::initializer_list<N> list) {
    using T = Common<A, N>;
    static_assert(!std::is_same_v<T, bool>, "bools aren't added up: write convolve(x.astype<int>(), filter)");
    std::vector<T> numbers;
    for (const N& number : list) {
        if constexpr (is_integer(dtype_of<T>)) (void)element_node<T>(number, "a list of numbers");
        numbers.push_back(static_cast<T>(number));
    }
    return Array<T>(array_of(device_of(to_node(beside)), dtype_of<T>, numbers.data(), numbers.size()));
}
template <class A, class B>
using Convolved = typename CppType<convolved_dtype<A, B>()>::type;

}  // namespace gpu::detail
/// @endcond

namespace gpu::signal {

/// Convolves an image with a filter of any size: each element of the result is the sum of the flipped filter times the
/// image below it. SciPy's convolve2d. Takes arrays, windows and expressions with two axes; returns at once.
///
/// The result's type is that of `image + filter`; integers wrap around, halves accumulate as floats. With Mode::same, a
/// filter of even length extends one element further up and to the left. With Mode::valid, the larger of the two is the
/// image, whichever comes first.
/// @throws ShapeError if one doesn't have two axes or has no elements, or with Mode::valid if neither is at least as
///     large as the other along both; DTypeError for a fill value that the result's type doesn't hold; DeviceError
/// @snippet public/signal_test.cpp convolve2d
template <detail::Lazy A, detail::Lazy B>
[[nodiscard]] auto convolve2d(const A& image, const B& filter, const ConvolveOptions& options = {}) {
    using T = detail::Convolved<A, B>;
    return Array<T>(detail::convolve2d(dtype_of<T>, detail::to_node(image), detail::to_node(filter), options));
}
template <detail::Lazy A, detail::Lazy B>
[[nodiscard]] auto convolve2d(const A& image, const B& filter, Mode mode, Boundary boundary = Boundary::fill,
                              complex<double> fillvalue = 0) {
    return signal::convolve2d(image, filter, ConvolveOptions{mode, boundary, fillvalue});
}

/// The same with the filter unflipped, and conjugated if it is complex. SciPy's correlate2d.
///
/// With Mode::valid and a larger second argument the result is flipped, as in SciPy; even then the second argument is
/// conjugated, where SciPy conjugates the first one.
/// @throws as convolve2d()
/// @snippet public/signal_test.cpp correlate2d
template <detail::Lazy A, detail::Lazy B>
[[nodiscard]] auto correlate2d(const A& image, const B& filter, const ConvolveOptions& options = {}) {
    using T = detail::Convolved<A, B>;
    return Array<T>(detail::correlate2d(dtype_of<T>, detail::to_node(image), detail::to_node(filter), options));
}
template <detail::Lazy A, detail::Lazy B>
[[nodiscard]] auto correlate2d(const A& image, const B& filter, Mode mode, Boundary boundary = Boundary::fill,
                               complex<double> fillvalue = 0) {
    return signal::correlate2d(image, filter, ConvolveOptions{mode, boundary, fillvalue});
}

/// Convolves two vectors: each element of the result is the sum of the flipped filter times the signal below it.
/// SciPy's signal.convolve with `method='direct'`, also for types; beyond the ends are zeros. Integers wrap around.
/// For images, there is convolve2d().
///
/// With Mode::same the result has the length of the first argument, where NumPy takes the longer one. With Mode::valid,
/// the longer one is the signal, whichever comes first.
/// @throws ShapeError unless both have one axis, with elements
/// @snippet functions/filter_test.cpp convolve
template <detail::Lazy A, detail::Lazy B>
[[nodiscard]] auto convolve(const A& x, const B& filter, const ModeOptions& options = {}) {
    using T = detail::Convolved<A, B>;
    return Array<T>(detail::convolve(dtype_of<T>, detail::to_node(x), detail::to_node(filter), options.mode, false));
}
template <detail::Lazy A, detail::Lazy B>
[[nodiscard]] auto convolve(const A& x, const B& filter, Mode mode) {
    return signal::convolve(x, filter, ModeOptions{mode});
}
template <detail::Lazy A, Arithmetic N>
[[nodiscard]] auto convolve(const A& x, std::initializer_list<N> filter, const ModeOptions& options = {}) {
    return signal::convolve(x, detail::list_array(x, filter), options);
}
template <detail::Lazy A, Arithmetic N>
[[nodiscard]] auto convolve(const A& x, std::initializer_list<N> filter, Mode mode) {
    return signal::convolve(x, detail::list_array(x, filter), ModeOptions{mode});
}
/// The same with the filter unflipped, and conjugated if it is complex. SciPy's signal.correlate; NumPy's correlate has
/// Mode::valid by default.
/// @throws as convolve()
/// @snippet functions/filter_test.cpp convolve
template <detail::Lazy A, detail::Lazy B>
[[nodiscard]] auto correlate(const A& x, const B& filter, const ModeOptions& options = {}) {
    using T = detail::Convolved<A, B>;
    return Array<T>(detail::convolve(dtype_of<T>, detail::to_node(x), detail::to_node(filter), options.mode, true));
}
template <detail::Lazy A, detail::Lazy B>
[[nodiscard]] auto correlate(const A& x, const B& filter, Mode mode) {
    return signal::correlate(x, filter, ModeOptions{mode});
}
template <detail::Lazy A, Arithmetic N>
[[nodiscard]] auto correlate(const A& x, std::initializer_list<N> filter, const ModeOptions& options = {}) {
    return signal::correlate(x, detail::list_array(x, filter), options);
}
template <detail::Lazy A, Arithmetic N>
[[nodiscard]] auto correlate(const A& x, std::initializer_list<N> filter, Mode mode) {
    return signal::correlate(x, detail::list_array(x, filter), ModeOptions{mode});
}

/// convolve2d() with a filter that is the outer product of two vectors, by a pass along each axis: for a filter of 7 by
/// 7 elements that is 14 products per element instead of 49. Halves are rounded once.
/// @throws ShapeError if one has the wrong number of axes or no elements, or with Mode::valid if the filter is larger
/// @snippet functions/filter_test.cpp separable
template <detail::Lazy A, detail::Lazy C, detail::Lazy R>
[[nodiscard]] auto separable(const A& image, const C& column, const R& row, const SeparableOptions& options = {}) {
    using T = detail::Convolved<A, Expr<detail::Convolved<C, R>>>;
    return Array<T>(
        detail::separable(dtype_of<T>, detail::to_node(image), detail::to_node(column), detail::to_node(row), options));
}

/// Blurs an image with a Gaussian of this standard deviation, in elements, by a pass along each axis. SciPy's
/// ndimage.gaussian_filter of order 0, with Boundary::symm (SciPy's `reflect`), wrap or fill (`constant`); any number
/// of axes. Integers are converted to double, where SciPy rounds to integers after each pass.
/// @throws Error for a sigma or truncate that is negative or not finite; DTypeError for a fill value that the type
///     doesn't hold
/// @snippet functions/filter_test.cpp gaussian_filter
template <detail::ArrayLike A>
[[nodiscard]] auto gaussian_filter(const A& image, double sigma, const GaussianOptions& options = {}) {
    using T = detail::Floating<detail::LazyElement<A>>;
    return Array<T>(detail::gaussian_filter(dtype_of<T>, detail::to_node(image), {sigma}, options));
}
/// The same with a standard deviation for each axis; an axis with 0 stays as it is.
/// @throws ShapeError for another count
/// @snippet functions/filter_test.cpp gaussian_filter
template <detail::ArrayLike A>
[[nodiscard]] auto gaussian_filter(const A& image, const std::vector<double>& sigma,
                                   const GaussianOptions& options = {}) {
    using T = detail::Floating<detail::LazyElement<A>>;
    return Array<T>(detail::gaussian_filter(dtype_of<T>, detail::to_node(image), sigma, options));
}

/// Sobel's filter: the derivative along one axis, by the weights -1 0 1, smoothed along all others by 1 2 1. SciPy's
/// ndimage.sobel, with Boundary::symm (SciPy's `reflect`), wrap or fill (`constant`). The elements keep their type;
/// integers wrap around.
/// @throws AxisError; DTypeError for a fill value that the type doesn't hold
/// @snippet functions/filter_test.cpp sobel
template <detail::ArrayLike A>
[[nodiscard]] auto sobel(const A& image, const SobelOptions& options = {}) {
    using T = detail::LazyElement<A>;
    static_assert(!std::is_same_v<T, bool>, "bools have no derivative: write sobel(image.astype<int>())");
    return Array<T>(detail::sobel(detail::to_node(image), options));
}
/// @cond internal
template <detail::ArrayLike A, std::integral I>
auto sobel(const A& image, I) {
    static_assert(sizeof(A) == 0, "an axis is named: write gpu::signal::sobel(x, {.axis = 0})");
    return image;
}
/// @endcond

}  // namespace gpu::signal
