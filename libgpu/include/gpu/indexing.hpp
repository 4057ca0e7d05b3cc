// SPDX-License-Identifier: MIT
#pragma once

#include <array>
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
// For x[index] = values.
GPU_API void put_elements(const ArrayCore& target, const NodePointer& index, const NodePointer& values, int axis);
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
NodePointer value_node(const V& values, const char* operation) {
    if constexpr (Lazy<V>) {
        static_assert(std::is_same_v<typename OperandTraits<V>::element, T>,
                      "the values have other elements than the array: write .astype<T>()");
        return to_node(values);
    } else {
        return element_node<T>(values, operation);
    }
}

}  // namespace detail
/// @endcond

/// The elements of an array at an index array's positions along its first axis, `x[index]`, or along another one,
/// `x(gpu::all, index)`.
///
/// Reading it returns a new array, see Readable; assigning to it writes to the array.
template <class T>
class Indexed : public Readable<Indexed<T>, std::remove_const_t<T>> {
public:
    using value_type = std::remove_const_t<T>;

    Indexed(const Indexed&) = default;
    operator Array<value_type>() const { return eval(); }  // NOLINT(google-explicit-constructor)
    /// The elements as a new array.
    [[nodiscard]] Array<value_type> eval() const {
        return Array<value_type>(detail::take(detail::leaf(core_), index_, {.axis = axis_}));
    }
    [[nodiscard]] Shape shape() const { return eval().shape(); }
    [[nodiscard]] int rank() const { return shape().rank(); }
    [[nodiscard]] std::int64_t size() const { return shape().size(); }
    [[nodiscard]] Device device() const { return detail::device_of(core_); }

    /// Writes the values, broadcast as NumPy does, to those positions. @throws ShapeError
    template <class V>
    Indexed& operator=(const V& values) {
        static_assert(!std::is_const_v<T>, "the array is const");
        detail::put_elements(core_, index_, detail::value_node<value_type>(values, "assignment"), axis_);
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
    friend void swap(Indexed& a, Indexed& b) { swap(std::as_const(a), std::as_const(b)); }
    friend void swap(const Indexed&, const Indexed&) {
        static_assert(sizeof(T) == 0, "x[index] has no elements of its own: keep them, gpu::Array<float> t = x[index]");
    }
    Indexed(detail::ArrayCore core, detail::NodePointer index, int axis = 0)
        : core_(std::move(core)), index_(std::move(index)), axis_(axis) {}
    /// @endcond

private:
    detail::ArrayCore core_;
    detail::NodePointer index_;
    int axis_;
};

/// @cond internal
namespace detail {

template <class T>
NodePointer to_node(const Indexed<T>& a) {
    return leaf(a.eval().core());
}

// False if an index is neither; true, but for one that isn't an array at all.
template <class I>
constexpr bool check_index() {
    static_assert(Lazy<I>, "x[...] takes a mask or an array of integers; write x(i) for one position, x(i, j) for two");
    return Lazy<I>;
}
template <class I>
constexpr bool is_mask() {
    if constexpr (Lazy<I>) return std::is_same_v<LazyElement<I>, bool>;
    return false;
}

template <class T, class I>
auto indexed_by(const ArrayCore& core, const I& index) {
    if constexpr (!check_index<I>())
        return View<T>(core);  // anyway, so that this is the only error
    else if constexpr (is_mask<I>())
        return Masked<T>(core, to_node(index));
    else
        return Indexed<T>(core, index_node(index));
}
template <class T, class I>
auto indexed_value(const NodePointer& value, const I& index) {
    if constexpr (!check_index<I>()) {
        return Expr<T>(value);
    } else if constexpr (is_mask<I>()) {
        const NodePointer mask = to_node(index);
        check_mask(mask, shape_of(*value));
        return MaskedExpr<T>(value, mask);
    } else {
        return Array<T>(take(value, index_node(index), {.axis = 0}));
    }
}

/// Where an array stands among windows: x(0, index, gpu::all).
struct IndexPlace {
    int arrays = 0;        ///< how many there are
    int axis = 0;          ///< the array's, in the window; negative behind an ellipsis
    bool is_torn = false;  ///< a position stands apart from it: NumPy would move its axes to the front
};
template <class... I>
constexpr IndexPlace index_place() {
    IndexPlace place;
    bool behind_ellipsis = false, behind_position = false, apart = false;
    int before = 0, after = 0;
    const auto pass = [&](bool is_array, bool is_position, bool is_ellipsis) {
        if (is_array) {
            ++place.arrays;
            place.is_torn = place.is_torn || (behind_position && apart);
            apart = false;
        } else if (is_position) {
            place.is_torn = place.is_torn || (place.arrays > 0 && apart && (before > 0 || behind_ellipsis));
            behind_position = true;
            if (place.arrays == 0) apart = false;
        } else {
            apart = true;
            if (is_ellipsis && place.arrays == 0) behind_ellipsis = true;
            if (!is_ellipsis) ++(place.arrays == 0 ? before : after);
        }
    };
    (pass(Lazy<I>, Position<I>, std::is_same_v<I, Ellipsis>), ...);
    place.axis = behind_ellipsis ? -1 - after : before;
    return place;
}
template <class I>
Index window_index(const I& index) {
    if constexpr (Lazy<I>)
        return to_index(all);
    else
        return to_index(index);
}

template <class T, class... I>
Indexed<T> indexed_along_axis(const ArrayCore& core, const I&... indices) {
    constexpr IndexPlace place = index_place<I...>();
    static_assert(place.arrays == 1,
                  "x(...) takes one array of positions: for one element per pair of them, write "
                  "x.take(rows * x.shape()[1] + columns)");
    static_assert(
        !place.is_torn,
        "a position and an array of positions with a window between them: NumPy moves the array's axes to the "
        "front; write x(0)(gpu::all, index), which keeps their order");
    const std::array<Index, sizeof...(I)> list{window_index(indices)...};
    ArrayCore window = sliced(core, list);
    const int axis = place.axis < 0 ? window.shape.rank() + place.axis : place.axis;
    NodePointer index;
    const auto find = [&](const auto& one) {
        using A = std::remove_cvref_t<decltype(one)>;
        if constexpr (is_mask<A>()) {
            const NodePointer mask = to_node(one);
            check_mask(mask, Shape{window.shape[axis]});
            index = leaf(flat_nonzero(mask));
        } else if constexpr (Lazy<A>) {
            index = index_node(one);
        }
    };
    (find(indices), ...);
    return Indexed<T>(std::move(window), std::move(index), axis);
}
template <class T, class... I>
auto indexed_in_windows(const ArrayCore& core, const I&... indices) {
    if constexpr (sizeof...(I) == 1 && (is_mask<I>() && ...))
        return Masked<T>(core, to_node(indices)...);  // x(mask), which may have several axes
    else
        return indexed_along_axis<T>(core, indices...);
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

template <class Self, class T, class C>
auto Indexable<Self, T, C>::take(std::initializer_list<std::int64_t> positions, const IndexOptions& options) const {
    const detail::ArrayCore& core = self().core("take");
    return Array<std::remove_const_t<T>>(detail::take(
        detail::leaf(core), detail::leaf(detail::positions_array(detail::device_of(core), positions)), options));
}

#define GPU_INDEXED_WRITE(function)                                                                                   \
    template <class Self, class T, class C>                                                                           \
    template <class I, class V>                                                                                       \
    void Indexable<Self, T, C>::function(const I& index, const V& values, const IndexOptions& options) {              \
        static_assert(!std::is_const_v<T>, "the array is const");                                                     \
        detail::function(self().core(#function), detail::index_node(index), detail::value_node<T>(values, #function), \
                         options);                                                                                    \
    }                                                                                                                 \
    template <class Self, class T, class C>                                                                           \
    template <class I, class V>                                                                                       \
    void Indexable<Self, T, C>::function(const I& index, const V& values, const IndexOptions& options) const {        \
        static_assert(!std::is_const_v<C>, "the array is const");                                                     \
        detail::function(self().core(#function), detail::index_node(index), detail::value_node<C>(values, #function), \
                         options);                                                                                    \
    }                                                                                                                 \
    template <class Self, class T, class C>                                                                           \
    template <class V>                                                                                                \
    void Indexable<Self, T, C>::function(std::initializer_list<std::int64_t> positions, const V& values,              \
                                         const IndexOptions& options) {                                               \
        const Device device = detail::device_of(self().core(#function));                                              \
        function(Array<std::int64_t>(detail::positions_array(device, positions)), values, options);                   \
    }                                                                                                                 \
    template <class Self, class T, class C>                                                                           \
    template <class V>                                                                                                \
    void Indexable<Self, T, C>::function(std::initializer_list<std::int64_t> positions, const V& values,              \
                                         const IndexOptions& options) const {                                         \
        const Device device = detail::device_of(self().core(#function));                                              \
        function(Array<std::int64_t>(detail::positions_array(device, positions)), values, options);                   \
    }
GPU_INDEXED_WRITE(put)
GPU_INDEXED_WRITE(add_at)
#undef GPU_INDEXED_WRITE

/// A new array of the elements at an index array's positions, from an array or an expression.
/// @throws AxisError, ShapeError; IndexError as x.take()
/// @snippet public/create_test.cpp take
template <detail::Lazy A, class I>
[[nodiscard]] auto take(const A& a, const I& index, const IndexOptions& options = {}) {
    return Array<detail::LazyElement<A>>(detail::take(detail::to_node(a), detail::index_node(index), options));
}
template <detail::Lazy A>
[[nodiscard]] auto take(const A& a, std::initializer_list<std::int64_t> positions, const IndexOptions& options = {}) {
    const detail::NodePointer node = detail::to_node(a);
    return Array<detail::LazyElement<A>>(
        detail::take(node, detail::leaf(detail::positions_array(detail::device_of(node), positions)), options));
}
/// @cond internal
GPU_AXIS_BEHIND(take, "x, i")
/// @endcond

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
/// The same with positions in a list: `unravel_index({4}, {2, 3})`. @snippet public/create_test.cpp lists
[[nodiscard]] inline std::vector<Array<std::int64_t>> unravel_index(std::initializer_list<std::int64_t> positions,
                                                                    const Shape& shape) {
    return gpu::unravel_index(Array<std::int64_t>(detail::positions_array(Device::current(), positions)), shape);
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
/// @cond internal
GPU_AXIS_BEHIND(take_along_axis, "x, i")
/// @endcond

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
/// @cond internal
template <Arithmetic X, detail::Lazy P, detail::Lazy F>
auto interp(X, const P& xp, const F& fp) {
    static_assert(sizeof(X) == 0, "interp takes an array of places: write gpu::interp(gpu::to_device({2.5}), xp, fp)");
    return gpu::interp(xp, xp, fp);
}
/// @endcond
/// The same with points in lists: `interp(x, {0, 10}, {5, 25})`. @snippet functions/lookup_test.cpp interp
template <detail::ArrayLike X>
[[nodiscard]] auto interp(const X& x, const detail::List<X>& xp, const detail::List<X>& fp,
                          const InterpOptions& options = {}) {
    using T = detail::Floating<detail::LazyElement<X>>;
    static_assert(!is_complex(dtype_of<T>), "interp takes real numbers: interpolate gpu::real(z) and gpu::imag(z)");
    const detail::NodePointer node = detail::to_node(x);
    return Array<T>(detail::interp(dtype_of<T>, node, xp.node(node), fp.node(node), options));
}

}  // namespace gpu

/// @cond internal
namespace std {  // NOLINT(cert-dcl58-cpp): as for views
template <class T>
void swap(gpu::Indexed<T>& a, gpu::Indexed<T>& b) {
    swap(a, b);  // refused
}
template <class T>
void swap(const gpu::Indexed<T>& a, const gpu::Indexed<T>& b) {
    swap(a, b);
}
template <class T>
void swap(gpu::Masked<T>& a, gpu::Masked<T>& b) {
    swap(a, b);
}
template <class T>
void swap(const gpu::Masked<T>& a, const gpu::Masked<T>& b) {
    swap(a, b);
}
}  // namespace std
/// @endcond
