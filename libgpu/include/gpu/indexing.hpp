// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include <gpu/array.hpp>
#include <gpu/expression.hpp>
#include <gpu/indexable.hpp>
#include <gpu/masks.hpp>

/// @file
/// Integer arrays as indices: take(), put(), add_at(), take_along_axis() and x[index]; values between given points:
/// interp().

namespace gpu {

/// @cond internal
namespace detail {

GPU_API ArrayCore take(const NodePointer& source, const NodePointer& index, const IndexOptions& options);
// `values` may be a number.
GPU_API void put(const ArrayCore& target, const NodePointer& index, const NodePointer& values,
                 const IndexOptions& options);
// Those of the first axis, for x[index] = values.
GPU_API void put_rows(const ArrayCore& target, const NodePointer& index, const NodePointer& values);
GPU_API void add_at(const ArrayCore& target, const NodePointer& index, const NodePointer& values,
                    const IndexOptions& options);
GPU_API std::vector<ArrayCore> unravel_index(const NodePointer& positions, const Shape& shape);
GPU_API ArrayCore positions_array(Device device, std::initializer_list<std::int64_t> positions);

template <class I>
concept IntegerArray = Lazy<I> && is_integer(dtype_of<typename OperandTraits<I>::element>);

template <class I>
NodePointer index_node(const I& index) {
    static_assert(IntegerArray<I>, "an index array has integers for elements; masks are used as x[mask]");
    return to_node(index);
}
// Values for elements of type T: of the same type, or numbers.
template <class T, class V>
NodePointer value_node(const V& values) {
    if constexpr (Lazy<V>) {
        static_assert(std::is_same_v<typename OperandTraits<V>::element, T>,
                      "the values have other elements than the array: write .astype<T>()");
        return to_node(values);
    } else {
        return to_node(T(values));
    }
}

}  // namespace detail
/// @endcond

/// The elements of an array at an index array's positions along its first axis: `x[index]`.
///
/// Reading it returns a new array; assigning to it writes to the array.
template <class T>
class Indexed {
public:
    using value_type = std::remove_const_t<T>;

    Indexed(const Indexed&) = default;
    operator Array<value_type>() const { return eval(); }  // NOLINT(google-explicit-constructor)
    /// The elements as a new array.
    [[nodiscard]] Array<value_type> eval() const {
        return Array<value_type>(detail::take(detail::leaf(core_), index_, {.axis = 0}));
    }

    /// Writes the values, broadcast as NumPy does, to those positions. @throws ShapeError
    template <class V>
    Indexed& operator=(const V& values) {
        static_assert(!std::is_const_v<T>, "the array is const");
        detail::put_rows(core_, index_, detail::value_node<value_type>(values));
        return *this;
    }
    Indexed& operator=(const Indexed& values) { return *this = values.eval(); }
    // As in NumPy: a position given twice changes once; add_at() accumulates.
    // clang-format off
    template <class V>
    Indexed& operator+=(const V& values) { return *this = eval() + values; }
    template <class V>
    Indexed& operator-=(const V& values) { return *this = eval() - values; }
    template <class V>
    Indexed& operator*=(const V& values) { return *this = eval() * values; }
    template <class V>
    Indexed& operator/=(const V& values) { return *this = eval() / values; }
    // clang-format on

    /// @cond internal
    Indexed(detail::ArrayCore core, detail::NodePointer index) : core_(std::move(core)), index_(std::move(index)) {}
    /// @endcond

private:
    detail::ArrayCore core_;
    detail::NodePointer index_;
};

/// @cond internal
namespace detail {

template <class T>
struct OperandTraits<Indexed<T>> {
    using element = std::remove_const_t<T>;
};
template <class T>
NodePointer to_node(const Indexed<T>& a) {
    return leaf(a.eval().core());
}

template <class T, class I>
auto indexed_by(const ArrayCore& core, const I& index) {
    static_assert(Lazy<I>, "x[...] takes a mask or an array of integers; write x(i) for one position, x(i, j) for two");
    using element = typename OperandTraits<I>::element;
    if constexpr (std::is_same_v<element, bool>)
        return Masked<T>(core, to_node(index));
    else
        return Indexed<T>(core, index_node(index));
}
template <class T>
auto indexed_by_list(const ArrayCore& core, std::initializer_list<std::int64_t> positions) {
    return Indexed<T>(core, leaf(positions_array(device_of(core), positions)));
}

}  // namespace detail
/// @endcond

template <class Self, class T, class C>
template <class I>
auto Indexable<Self, T, C>::take(const I& index, const IndexOptions& options) const {
    return Array<std::remove_const_t<T>>(
        detail::take(detail::leaf(self().core("take")), detail::index_node(index), options));
}

#define GPU_INDEXED_WRITE(function)                                                                                  \
    template <class Self, class T, class C>                                                                          \
    template <class I, class V>                                                                                      \
    void Indexable<Self, T, C>::function(const I& index, const V& values, const IndexOptions& options) {             \
        static_assert(!std::is_const_v<T>, "the array is const");                                                    \
        detail::function(self().core(#function), detail::index_node(index), detail::value_node<T>(values), options); \
    }                                                                                                                \
    template <class Self, class T, class C>                                                                          \
    template <class I, class V>                                                                                      \
    void Indexable<Self, T, C>::function(const I& index, const V& values, const IndexOptions& options) const {       \
        static_assert(!std::is_const_v<C>, "the array is const");                                                    \
        detail::function(self().core(#function), detail::index_node(index), detail::value_node<C>(values), options); \
    }
GPU_INDEXED_WRITE(put)
GPU_INDEXED_WRITE(add_at)
#undef GPU_INDEXED_WRITE

/// A new array of the elements at an index array's positions, from an array or an expression.
/// @throws AxisError, ShapeError; IndexError as x.take()
/// @snippet public/create_test.cpp take
template <detail::Lazy A, class I>
[[nodiscard]] auto take(const A& a, const I& index, const IndexOptions& options = {}) {
    return Array<detail::LazyElement<A>>(
        detail::take(detail::to_node(a), detail::index_node(index), options));
}

/// The indices along each axis, in an array of this shape, of positions in the flat, row-major array; one array of the
/// positions' shape per axis. Negative positions count from the end.
/// @throws IndexError at the next call that waits, for a position out of bounds
/// @snippet public/create_test.cpp unravel_index
template <detail::ArrayLike I>
[[nodiscard]] std::vector<Array<std::int64_t>> unravel_index(const I& positions, const Shape& shape) {
    std::vector<Array<std::int64_t>> indices;
    for (detail::ArrayCore& axis : detail::unravel_index(detail::index_node(positions), shape))
        indices.emplace_back(std::move(axis));
    return indices;
}

/// The options of take_along_axis(): `take_along_axis(x, order, {.axis = 0})`.
struct TakeAlongOptions {
    int axis = -1;
    IndexMode mode = IndexMode::raise;  ///< for indices out of bounds, as in take()
};

/// The options of interp(): `interp(x, xp, fp, {.left = 0})`.
struct InterpOptions {
    std::optional<double> left = {};   ///< the result below the first point; by default that point's value
    std::optional<double> right = {};  ///< the result above the last point; by default that point's value
};

/// @cond internal
namespace detail {
GPU_API ArrayCore take_along_axis(const NodePointer& source, const NodePointer& index, const TakeAlongOptions& options);
GPU_API ArrayCore interp(DType result, const NodePointer& value, const NodePointer& places, const NodePointer& values,
                         const InterpOptions& options);
template <class X, class P, class F>
using InterpolatedOf = typename CppType<floating(
    promote_types(promote_types(dtype_of<LazyElement<X>>, dtype_of<LazyElement<P>>), dtype_of<LazyElement<F>>))>::type;
}  // namespace detail
/// @endcond

/// For each index, the element at that position along an axis and at the index's own position along the others:
/// `take_along_axis(x, argsort(x))` is sort(x). Both have the same number of axes; the other axes broadcast.
/// @throws AxisError, ShapeError; IndexError as x.take()
/// @snippet functions/lookup_test.cpp take_along_axis
template <detail::ArrayLike A, class I>
[[nodiscard]] auto take_along_axis(const A& a, const I& index, const TakeAlongOptions& options = {}) {
    return Array<detail::LazyElement<A>>(
        detail::take_along_axis(detail::to_node(a), detail::index_node(index), options));
}

/// Piecewise linear interpolation: for each x, the value on the line between the two points around it. The points have
/// ascending coordinates `xp`, which isn't checked, and values `fp`. NaN gives NaN.
///
/// The result has the common type of all three; for integers it is double. NumPy's formula, so doubles agree bit by
/// bit. NumPy's `period` is absent.
/// @throws ShapeError unless `xp` and `fp` are vectors of one length, with at least one element
/// @snippet functions/lookup_test.cpp interp
template <detail::ArrayLike X, detail::Lazy P, detail::Lazy F>
[[nodiscard]] auto interp(const X& x, const P& xp, const F& fp, const InterpOptions& options = {}) {
    using T = detail::InterpolatedOf<X, P, F>;
    static_assert(!is_complex(dtype_of<T>), "interp takes real numbers: interpolate gpu::real(z) and gpu::imag(z)");
    return Array<T>(detail::interp(dtype_of<T>, detail::to_node(x), detail::to_node(xp), detail::to_node(fp), options));
}

}  // namespace gpu
