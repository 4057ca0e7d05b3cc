// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <utility>
#include <vector>

#include <gpu/array.hpp>
#include <gpu/expression.hpp>
#include <gpu/indexable.hpp>
#include <gpu/ops.hpp>
#include <gpu/reduction_call.hpp>

/// @file
/// Masks: z[mask], compress(), nonzero(). Counting occurrences: bincount() and histogram().
///
/// The operators of gpu/ops.hpp and the functions of gpu/math.hpp also take operands under one mask, and numbers:
/// `sqrt(x[mask]) + 1` is computed only where the mask is true.

namespace gpu {

/// @cond internal
namespace detail {

/// @throws ShapeError, IndexError unless the mask's axes are the first ones of the shape
GPU_API void check_mask(const NodePointer& mask, const Shape& shape);
/// The common mask. @throws Error if they differ
GPU_API NodePointer same_mask(const NodePointer& a, const NodePointer& b);
/// @throws ShapeError if two arrays under one mask have different ranks: they would be broadcast from the wrong end
GPU_API void check_same_rank(const NodePointer& a, const NodePointer& b);
/// @throws ShapeError unless an operand without a mask has one element
GPU_API void check_unmasked(const NodePointer& operand);
/// One kernel that writes where the mask is true; `value` has an element wherever the target has one.
GPU_API void assign_where(const ArrayCore& target, const NodePointer& mask, const NodePointer& value);
/// `values` has one element per true element of the mask; fewer axes or a single element are broadcast.
GPU_API void assign_compressed(const ArrayCore& target, const NodePointer& mask, const NodePointer& values);
GPU_API ArrayCore compress(const NodePointer& mask, const NodePointer& value);
GPU_API ArrayCore compress_axis(const NodePointer& condition, const NodePointer& value, int axis);
GPU_API ArrayCore flat_nonzero(const NodePointer& mask);
GPU_API std::vector<ArrayCore> nonzero(const NodePointer& mask);
GPU_API ArrayCore argwhere(const NodePointer& mask);

}  // namespace detail
/// @endcond

/// An expression of masked operands, such as `z[mask] * z[mask] + c[mask]`: computed where the mask is true, when it is
/// assigned to elements under the same mask or compressed.
///
/// Where an array is asked for it becomes one, see Readable.
template <Element T>
class MaskedExpr : public Readable<MaskedExpr<T>, T> {
public:
    using value_type = T;

    operator Array<T>() const { return compress(); }  // NOLINT(google-explicit-constructor)
    /// The values where the mask is true, in row-major order, as a new array. Waits to learn how many there are.
    [[nodiscard]] Array<T> compress() const { return Array<T>(detail::compress(mask_, value_)); }
    /// compress(), for code that is written once for arrays and expressions.
    [[nodiscard]] Array<T> eval() const { return compress(); }
    [[nodiscard]] Shape shape() const { return compress().shape(); }
    [[nodiscard]] int rank() const { return shape().rank(); }
    [[nodiscard]] std::int64_t size() const { return shape().size(); }
    [[nodiscard]] Device device() const { return detail::device_of(value_); }
    template <Arithmetic U>
    [[nodiscard]] MaskedExpr<ArrayElement<U>> astype() const {
        return {detail::cast_node(dtype_of<U>, value_), mask_};
    }

    /// @cond internal
    MaskedExpr(detail::NodePointer value, detail::NodePointer mask)
        : value_(std::move(value)), mask_(std::move(mask)) {}
    [[nodiscard]] const detail::NodePointer& value() const noexcept { return value_; }
    [[nodiscard]] const detail::NodePointer& mask() const noexcept { return mask_; }
    /// @endcond

private:
    detail::NodePointer value_, mask_;
};

/// The elements of an array where a mask is true: `z[mask]`. Where an array is asked for they become one, see Readable.
///
/// Assigning writes to them. The value is a number, an expression of elements under the same mask (one kernel, which
/// waits for nothing), or an array with one value per true element of the mask: only the device knows whether the count
/// matches, so a ShapeError comes at the next call that waits, and then nothing was written.
/// @snippet public/mask_test.cpp masked_assignment
template <class T>
class Masked : public Readable<Masked<T>, std::remove_const_t<T>> {
public:
    using value_type = std::remove_const_t<T>;

    Masked(const Masked&) = default;
    operator Array<value_type>() const { return compress(); }  // NOLINT(google-explicit-constructor)
    /// The elements where the mask is true, in row-major order, as a new array. Waits to learn how many there are.
    /// @snippet public/mask_test.cpp compress
    [[nodiscard]] Array<value_type> compress() const { return Array<value_type>(detail::compress(mask_, value())); }
    /// compress(), for code that is written once for arrays and expressions.
    /// @snippet public/mask_test.cpp masked
    [[nodiscard]] Array<value_type> eval() const { return compress(); }
    [[nodiscard]] Shape shape() const { return compress().shape(); }
    [[nodiscard]] int rank() const { return shape().rank(); }
    [[nodiscard]] std::int64_t size() const { return shape().size(); }
    [[nodiscard]] Device device() const { return detail::device_of(core_); }
    template <Arithmetic U>
    [[nodiscard]] MaskedExpr<ArrayElement<U>> astype() const {
        return {detail::cast_node(dtype_of<U>, value()), mask_};
    }

    template <class V>
    Masked& operator=(const V& values);
    Masked& operator=(const Masked& other) { return *this = MaskedExpr<value_type>(other.value(), other.mask()); }
    // clang-format off
    template <class V>
    Masked& operator+=(const V& values) { return *this = *this + values; }
    template <class V>
    Masked& operator-=(const V& values) { return *this = *this - values; }
    template <class V>
    Masked& operator*=(const V& values) { return *this = *this * values; }
    template <class V>
    Masked& operator/=(const V& values) { return *this = *this / values; }
    // clang-format on

    /// @cond internal
    friend void swap(Masked& a, Masked& b) { swap(std::as_const(a), std::as_const(b)); }
    friend void swap(const Masked&, const Masked&) {
        static_assert(sizeof(T) == 0, "x[mask] has no elements of its own: keep them, gpu::Array<float> t = x[mask]");
    }
    Masked(detail::ArrayCore core, detail::NodePointer mask) : core_(std::move(core)), mask_(std::move(mask)) {
        detail::check_mask(mask_, core_.shape);
    }
    [[nodiscard]] detail::NodePointer value() const { return detail::leaf(core_); }
    [[nodiscard]] const detail::NodePointer& mask() const noexcept { return mask_; }
    /// @endcond

private:
    detail::ArrayCore core_;
    detail::NodePointer mask_;
};

/// @cond internal
namespace detail {
template <class T>
NodePointer to_node(const Masked<T>& a) {
    return leaf(a.compress().core());
}
template <class T>
NodePointer to_node(const MaskedExpr<T>& a) {
    return leaf(a.compress().core());
}
}  // namespace detail
/// @endcond

/// The elements of `a` where the condition is true, as a new array; waits to learn how many there are. Without an axis,
/// the condition covers the array's first axes, which become one; with an axis, the condition is 1-D and selects along
/// it.
/// @throws ShapeError, AxisError
/// @snippet public/mask_test.cpp compress
template <detail::Lazy C, detail::ArrayLike A>
[[nodiscard]] auto compress(const C& condition, const A& a, OptionalAxis axis = {}) {
    const detail::NodePointer where = detail::cast_node(DType::boolean, detail::to_node(condition));
    return Array<detail::LazyElement<A>>(axis.given() ? detail::compress_axis(where, detail::to_node(a), axis.value())
                                                      : detail::compress(where, detail::to_node(a)));
}

/// The positions of the elements that aren't 0 (or false), one array of indices per axis, in row-major order.
/// Waits to learn how many there are.
/// @snippet public/mask_test.cpp nonzero
template <detail::ArrayLike A>
[[nodiscard]] std::vector<Array<std::int64_t>> nonzero(const A& a) {
    std::vector<Array<std::int64_t>> positions;
    for (detail::ArrayCore& axis : detail::nonzero(detail::cast_node(DType::boolean, detail::to_node(a)))) {
        positions.emplace_back(std::move(axis));
    }
    return positions;
}

/// The same as one array of shape (count, rank): each row is one element's position.
/// @snippet public/mask_test.cpp nonzero
template <detail::ArrayLike A>
[[nodiscard]] Array<std::int64_t> argwhere(const A& a) {
    return Array<std::int64_t>(detail::argwhere(detail::cast_node(DType::boolean, detail::to_node(a))));
}

/// The same as positions in the flat, row-major array.
/// @snippet public/mask_test.cpp nonzero
template <detail::ArrayLike A>
[[nodiscard]] Array<std::int64_t> flatnonzero(const A& a) {
    return Array<std::int64_t>(detail::flat_nonzero(detail::cast_node(DType::boolean, detail::to_node(a))));
}

/// @cond internal
namespace detail {

// The operand without its mask: an expression, or a number.
template <class A>
auto whole(const A& a) {
    if constexpr (MaskedLike<A>) {
        return Expr<LazyElement<A>>(a.value());
    } else {
        if constexpr (Lazy<A>) check_unmasked(to_node(a));
        return a;
    }
}
// The common mask of two operands.
template <class A, class B>
NodePointer mask_of(const A& a, const B& b) {
    if constexpr (MaskedLike<A> && MaskedLike<B>) {
        check_same_rank(a.value(), b.value());
        return same_mask(a.mask(), b.mask());
    } else if constexpr (MaskedLike<A>) {
        return a.mask();
    } else {
        return b.mask();
    }
}
// A stand-in for two operands when a third one's mask is compared with theirs.
template <class A, class B>
auto masked_pair(const A& a, const B& b) {
    if constexpr (MaskedLike<A>) {
        if constexpr (MaskedLike<B>) (void)mask_of(a, b);
        return MaskedExpr<LazyElement<A>>(a.value(), a.mask());
    } else {
        return MaskedExpr<LazyElement<B>>(b.value(), b.mask());
    }
}
template <class T>
MaskedExpr<T> masked(const Expr<T>& value, NodePointer mask) {
    return {value.node(), std::move(mask)};
}

}  // namespace detail
template <class T>
template <class V>
Masked<T>& Masked<T>::operator=(const V& values) {
    static_assert(!std::is_const_v<T>, "the array is const");
    if constexpr (detail::MaskedLike<V>) {
        static_assert(std::is_same_v<detail::LazyElement<V>, T>,
                      "the values have other elements than the array: write .astype<T>()");
        detail::assign_where(core_, detail::same_mask(mask_, values.mask()), values.value());
    } else if constexpr (detail::Lazy<V>) {
        static_assert(std::is_same_v<typename detail::OperandTraits<V>::element, T>,
                      "the values have other elements than the array: write .astype<T>()");
        detail::assign_compressed(core_, mask_, detail::to_node(values));
    } else {
        detail::assign_where(core_, mask_, detail::element_node<T>(values, "assignment"));
    }
    return *this;
}

#define GPU_MASKED_2(spelling)                                                                           \
    template <class A, class B>                                                                          \
        requires detail::MaskedOperands<A, B>                                                            \
    [[nodiscard]] auto spelling(const A& a, const B& b) {                                                \
        return detail::masked(gpu::spelling(detail::whole(a), detail::whole(b)), detail::mask_of(a, b)); \
    }
#define GPU_MASKED_1(spelling)                                            \
    template <detail::MaskedLike A>                                       \
    [[nodiscard]] auto spelling(const A& a) {                             \
        return detail::masked(gpu::spelling(detail::whole(a)), a.mask()); \
    }
#define GPU_MASKED_3(spelling, ...)                                                                \
    template <class A, class B, class C>                                                           \
        requires(__VA_ARGS__ && (detail::is_masked<A> || detail::is_masked<B>))                    \
    [[nodiscard]] auto spelling(const A& a, const B& b, const C& c) {                              \
        return detail::masked(gpu::spelling(detail::whole(a), detail::whole(b), detail::whole(c)), \
                              detail::mask_of(detail::masked_pair(a, b), c));                      \
    }
// clang-format off
GPU_MASKED_2(operator+) GPU_MASKED_2(operator-) GPU_MASKED_2(operator*) GPU_MASKED_2(operator/)
GPU_MASKED_2(operator%) GPU_MASKED_2(operator&) GPU_MASKED_2(operator|) GPU_MASKED_2(operator^)
GPU_MASKED_2(operator<<) GPU_MASKED_2(operator>>) GPU_MASKED_2(operator==) GPU_MASKED_2(operator!=)
GPU_MASKED_2(operator<) GPU_MASKED_2(operator<=) GPU_MASKED_2(operator>) GPU_MASKED_2(operator>=)
GPU_MASKED_2(operator&&) GPU_MASKED_2(operator||)
GPU_MASKED_2(pow) GPU_MASKED_2(power) GPU_MASKED_2(atan2) GPU_MASKED_2(arctan2) GPU_MASKED_2(hypot)
GPU_MASKED_2(copysign) GPU_MASKED_2(minimum) GPU_MASKED_2(maximum) GPU_MASKED_2(fmin) GPU_MASKED_2(fmax)
GPU_MASKED_2(floor_divide) GPU_MASKED_2(remainder) GPU_MASKED_2(fmod) GPU_MASKED_2(logical_xor)
GPU_MASKED_1(operator-) GPU_MASKED_1(operator!) GPU_MASKED_1(operator~) GPU_MASKED_1(abs) GPU_MASKED_1(absolute)
GPU_MASKED_1(sign) GPU_MASKED_1(square) GPU_MASKED_1(reciprocal) GPU_MASKED_1(real) GPU_MASKED_1(imag)
GPU_MASKED_1(conj) GPU_MASKED_1(arg) GPU_MASKED_1(angle) GPU_MASKED_1(sqrt) GPU_MASKED_1(cbrt) GPU_MASKED_1(rsqrt)
GPU_MASKED_1(exp) GPU_MASKED_1(exp2) GPU_MASKED_1(expm1) GPU_MASKED_1(log) GPU_MASKED_1(log2) GPU_MASKED_1(log10)
GPU_MASKED_1(log1p) GPU_MASKED_1(sin) GPU_MASKED_1(cos) GPU_MASKED_1(tan) GPU_MASKED_1(asin) GPU_MASKED_1(arcsin)
GPU_MASKED_1(acos) GPU_MASKED_1(arccos) GPU_MASKED_1(atan) GPU_MASKED_1(arctan) GPU_MASKED_1(sinh) GPU_MASKED_1(cosh)
GPU_MASKED_1(tanh) GPU_MASKED_1(asinh) GPU_MASKED_1(arcsinh) GPU_MASKED_1(acosh) GPU_MASKED_1(arccosh)
GPU_MASKED_1(atanh) GPU_MASKED_1(arctanh) GPU_MASKED_1(erf) GPU_MASKED_1(erfc) GPU_MASKED_1(lgamma)
GPU_MASKED_1(tgamma) GPU_MASKED_1(degrees) GPU_MASKED_1(rad2deg) GPU_MASKED_1(radians) GPU_MASKED_1(deg2rad)
GPU_MASKED_1(fabs) GPU_MASKED_1(floor) GPU_MASKED_1(ceil) GPU_MASKED_1(trunc) GPU_MASKED_1(rint) GPU_MASKED_1(round)
GPU_MASKED_1(isnan) GPU_MASKED_1(isinf) GPU_MASKED_1(isfinite) GPU_MASKED_1(signbit) GPU_MASKED_1(logical_not)
GPU_MASKED_3(clip, detail::Lazy<A> && detail::OperandLike<B> && detail::OperandLike<C>)
GPU_MASKED_3(where, detail::Lazy<A> && detail::OperandLike<B> && detail::OperandLike<C>)
GPU_MASKED_3(fma, detail::Operands<A, B> && detail::OperandLike<C>)
// clang-format on
#undef GPU_MASKED_1
#undef GPU_MASKED_2
#undef GPU_MASKED_3
/// @endcond

/// The options of bincount(): `bincount(x, {.minlength = 10})`.
struct BincountOptions {
    std::int64_t minlength = 0;  ///< the minimum number of counts
};

/// The interval that a histogram covers, or none: then from the smallest to the largest element.
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

/// The options of histogram(): `histogram(x, {.bins = 20, .range = {0, 1}})`.
struct HistogramOptions {
    std::int64_t bins = 10;
    HistogramRange range = {};
};

/// @cond internal
namespace detail {
struct HistogramCores {
    ArrayCore counts, edges;
};
GPU_API ArrayCore bincount(const NodePointer& value, const NodePointer& weights, std::int64_t minlength);
GPU_API HistogramCores histogram(DType type, const NodePointer& value, const HistogramOptions& options);
// `weights` may be null.
GPU_API HistogramCores histogram(DType type, const NodePointer& value, const NodePointer& edges,
                                 const NodePointer& weights);
GPU_API HistogramCores histogram(DType type, const NodePointer& value, const HistogramOptions& options,
                                 const NodePointer& weights);
GPU_API ArrayCore histogram_density(const ArrayCore& counts, const ArrayCore& edges);
}  // namespace detail
/// @endcond

/// The result of histogram(): `auto [counts, edges] = histogram(x);`. With weights, the counts are their sums.
template <Element T, Element C = std::int64_t>
struct Histogram {
    Array<C> counts;  ///< one per bin
    Array<T> edges;   ///< one more than there are bins

    /// The counts divided by their sum and by the bins' widths, NumPy's `density=True`: an estimate of the density.
    /// @snippet public/mask_test.cpp histogram_edges
    [[nodiscard]] Array<double> density() const {
        return Array<double>(detail::histogram_density(counts.core("density"), edges.core("density")));
    }
};

/// @cond internal
namespace detail {
template <class A>
NodePointer counted_node(const A& a) {
    constexpr DType type = dtype_of<LazyElement<A>>;
    static_assert(is_integer(type) || type == DType::boolean, "bincount counts integers: write x.astype<int>()");
    return to_node(a);
}
}  // namespace detail
/// @endcond

/// How often each of 0, 1, 2, ... occurs in a vector of integers; as many counts as its largest element requires, at
/// least `minlength`. Waits to learn how many there are.
/// @throws ShapeError unless there is one axis; IndexError for a negative element
/// @snippet public/mask_test.cpp bincount
template <detail::ArrayLike A>
[[nodiscard]] Array<std::int64_t> bincount(const A& a, const BincountOptions& options = {}) {
    return Array<std::int64_t>(detail::bincount(detail::counted_node(a), nullptr, options.minlength));
}
/// The same with a weight per element: sums of weights, in double. The order of additions isn't fixed.
/// @throws ShapeError if there are more or fewer weights
/// @snippet public/mask_test.cpp bincount
template <detail::ArrayLike A, detail::ArrayLike W>
[[nodiscard]] Array<double> bincount(const A& a, const W& weights, const BincountOptions& options = {}) {
    static_assert(!is_complex(dtype_of<detail::LazyElement<W>>), "weights are real numbers");
    return Array<double>(detail::bincount(detail::counted_node(a), detail::to_node(weights), options.minlength));
}
/// @cond internal
template <detail::ArrayLike A, std::integral I>
Array<std::int64_t> bincount(const A& a, I) {
    static_assert(sizeof(I) == 0, "the least number of counts is named: write gpu::bincount(x, {.minlength = 10})");
    return gpu::bincount(a);
}
template <detail::ArrayLike A, detail::ArrayLike W, std::integral I>
Array<double> bincount(const A& a, const W& weights, I) {
    static_assert(sizeof(I) == 0, "the least number of counts is named: write gpu::bincount(x, w, {.minlength = 10})");
    return gpu::bincount(a, weights);
}
/// @endcond

/// The number of elements in each of `bins` intervals of equal width. An element on the edge of two bins counts in the
/// upper one, one on the last edge in the last bin; elements outside, and NaN, don't count. Nothing waits.
///
/// Edges have the elements' type; for integers they are double. If all elements are equal, the range extends 0.5 to
/// each side; without elements it is 0 to 1. If `a` contains a NaN or an infinity and no range is given, edges are NaN
/// and counts 0.
/// @throws ShapeError without bins, or for a range that ends before it starts or isn't finite
/// @snippet public/mask_test.cpp histogram
template <detail::ArrayLike A>
[[nodiscard]] auto histogram(const A& a, const HistogramOptions& options = {}) {
    using T = detail::Floating<detail::LazyElement<A>>;
    static_assert(!is_complex(dtype_of<T>), "complex numbers have no order: count gpu::abs(z)");
    detail::HistogramCores made = detail::histogram(dtype_of<T>, detail::to_node(a), options);
    return Histogram<T>{Array<std::int64_t>(std::move(made.counts)), Array<T>(std::move(made.edges))};
}
/// The same with NumPy's next arguments: `histogram(x, 20)`, `histogram(x, 20, {0, 1})`.
/// @snippet public/mask_test.cpp histogram
template <detail::ArrayLike A, std::integral N>
[[nodiscard]] auto histogram(const A& a, N bins, const HistogramRange& range = {}) {
    return gpu::histogram(a, HistogramOptions{.bins = static_cast<std::int64_t>(bins), .range = range});
}
/// The same with a weight per element, NumPy's last argument: sums of weights, in double. The order of additions isn't
/// fixed. @throws ShapeError if there are more or fewer weights
/// @snippet public/mask_test.cpp histogram_edges
template <detail::ArrayLike A, std::integral N, detail::Lazy W>
[[nodiscard]] auto histogram(const A& a, N bins, const HistogramRange& range, const W& weights) {
    using T = detail::Floating<detail::LazyElement<A>>;
    static_assert(!is_complex(dtype_of<T>), "complex numbers have no order: count gpu::abs(z)");
    static_assert(!is_complex(dtype_of<detail::LazyElement<W>>), "weights are real numbers");
    const HistogramOptions options{.bins = static_cast<std::int64_t>(bins), .range = range};
    detail::HistogramCores made =
        detail::histogram(dtype_of<T>, detail::to_node(a), options, detail::to_node(weights));
    return Histogram<T, double>{Array<double>(std::move(made.counts)), Array<T>(std::move(made.edges))};
}
/// The number of elements between each two neighbours of these edges, which ascend; that isn't checked. An element on
/// an edge counts as in histogram(x, bins). The result has the edges themselves.
/// @throws ShapeError unless the edges are a vector of at least two
/// @snippet public/mask_test.cpp histogram_edges
template <detail::ArrayLike A, detail::Lazy E>
[[nodiscard]] auto histogram(const A& a, const E& edges) {
    using T = detail::LazyElement<E>;
    constexpr DType type = detail::promote_types(dtype_of<detail::LazyElement<A>>, dtype_of<T>);
    static_assert(!is_complex(type), "complex numbers have no order: count gpu::abs(z)");
    detail::HistogramCores made = detail::histogram(type, detail::to_node(a), detail::to_node(edges), nullptr);
    return Histogram<T>{Array<std::int64_t>(std::move(made.counts)), Array<T>(std::move(made.edges))};
}
/// The same with a weight per element. @snippet public/mask_test.cpp histogram_edges
template <detail::ArrayLike A, detail::Lazy E, detail::Lazy W>
[[nodiscard]] auto histogram(const A& a, const E& edges, const W& weights) {
    using T = detail::LazyElement<E>;
    constexpr DType type = detail::promote_types(dtype_of<detail::LazyElement<A>>, dtype_of<T>);
    static_assert(!is_complex(type), "complex numbers have no order: count gpu::abs(z)");
    static_assert(!is_complex(dtype_of<detail::LazyElement<W>>), "weights are real numbers");
    detail::HistogramCores made =
        detail::histogram(type, detail::to_node(a), detail::to_node(edges), detail::to_node(weights));
    return Histogram<T, double>{Array<double>(std::move(made.counts)), Array<T>(std::move(made.edges))};
}
/// @cond internal
template <detail::ArrayLike A, std::floating_point E>
auto histogram(const A& a, std::initializer_list<E>) {
    static_assert(sizeof(E) == 0, "edges are an array: write gpu::histogram(x, gpu::to_device({0, 0.5, 1}))");
    return gpu::histogram(a);
}
/// @endcond

}  // namespace gpu
