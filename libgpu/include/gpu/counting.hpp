// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <utility>

#include <gpu/reduction_call.hpp>

/// @file
/// How often values occur: bincount() and histogram().

namespace gpu {

/// How bincount() works: `bincount(x, {.minlength = 10})`.
struct BincountOptions {
    std::int64_t minlength = 0;  ///< the least number of counts
};

/// The interval that a histogram covers, or none: then the one from the smallest to the largest element.
class HistogramRange {
public:
    constexpr HistogramRange() = default;
    constexpr HistogramRange(double low, double high) noexcept : low_(low), high_(high), given_(true) {}

    [[nodiscard]] constexpr bool given() const noexcept { return given_; }
    [[nodiscard]] constexpr double low() const noexcept { return low_; }
    [[nodiscard]] constexpr double high() const noexcept { return high_; }

private:
    double low_ = 0, high_ = 0;
    bool given_ = false;
};

/// How histogram() works: `histogram(x, {.bins = 20, .range = {0, 1}})`.
struct HistogramOptions {
    std::int64_t bins = 10;
    HistogramRange range = {};
};

/// What histogram() gives: `auto [counts, edges] = histogram(x);`.
template <Element T>
struct Histogram {
    Array<std::int64_t> counts;  ///< one for each bin
    Array<T> edges;              ///< one more than bins
};

/// @cond internal
namespace detail {
struct HistogramCores {
    ArrayCore counts, edges;
};
GPU_API ArrayCore bincount(const NodePointer& value, const NodePointer& weights, std::int64_t minlength);
GPU_API HistogramCores histogram(DType type, const NodePointer& value, const HistogramOptions& options);

template <class A>
NodePointer counted_node(const A& a) {
    constexpr DType type = dtype_of<LazyElement<A>>;
    static_assert(is_integer(type) || type == DType::boolean, "bincount counts integers: write x.astype<int>()");
    return to_node(a);
}
}  // namespace detail
/// @endcond

/// How often each of 0, 1, 2, ... occurs in a vector of integers; as many counts as its largest element asks for, at
/// least `minlength`. Waits to learn how many there are.
/// @throws ShapeError unless there is one axis; IndexError for a negative element
/// @snippet public/counting_test.cpp bincount
template <detail::ArrayLike A>
[[nodiscard]] Array<std::int64_t> bincount(const A& a, const BincountOptions& options = {}) {
    return Array<std::int64_t>(detail::bincount(detail::counted_node(a), nullptr, options.minlength));
}
/// The same with a weight for each element: sums of weights, in double. In which order they are added isn't fixed.
/// @throws ShapeError if there are more or fewer weights
/// @snippet public/counting_test.cpp bincount
template <detail::ArrayLike A, detail::ArrayLike W>
[[nodiscard]] Array<double> bincount(const A& a, const W& weights, const BincountOptions& options = {}) {
    static_assert(!is_complex(dtype_of<detail::LazyElement<W>>), "weights are real numbers");
    return Array<double>(detail::bincount(detail::counted_node(a), detail::to_node(weights), options.minlength));
}

/// How many elements lie in each of `bins` intervals of equal width. An element on the edge of two bins counts in the
/// upper one, one on the last edge in the last bin; what lies outside, and NaN, doesn't count. Nothing waits.
///
/// Edges have the elements' type, of integers they are double. Where all elements are one number, the range reaches 0.5
/// to each side; of no elements it is 0 to 1. A NaN or an infinity in `a`, and no range, makes edges that are NaN, and
/// counts of 0.
/// @throws ShapeError without bins, or for a range that ends before it starts or isn't finite
/// @snippet public/counting_test.cpp histogram
template <detail::ArrayLike A>
[[nodiscard]] auto histogram(const A& a, const HistogramOptions& options = {}) {
    using T = detail::Floating<detail::LazyElement<A>>;
    static_assert(!is_complex(dtype_of<T>), "complex numbers have no order: count gpu::abs(z)");
    detail::HistogramCores made = detail::histogram(dtype_of<T>, detail::to_node(a), options);
    return Histogram<T>{Array<std::int64_t>(std::move(made.counts)), Array<T>(std::move(made.edges))};
}

}  // namespace gpu
