// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <gpu/expression.hpp>

/// Signals: convolution and correlation of images.
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

}  // namespace gpu::signal

/// @cond internal
namespace gpu::detail {

GPU_API ArrayCore convolve2d(DType result, const NodePointer& image, const NodePointer& filter,
                             const signal::ConvolveOptions& options);
GPU_API ArrayCore correlate2d(DType result, const NodePointer& image, const NodePointer& filter,
                              const signal::ConvolveOptions& options);

template <class A, class B>
constexpr DType convolved_dtype() {
    constexpr DType type = promote_types(dtype_of<LazyElement<A>>, dtype_of<LazyElement<B>>);
    static_assert(type != DType::boolean, "bools aren't added up: write convolve2d(image.astype<int>(), filter)");
    return type;
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

}  // namespace gpu::signal
