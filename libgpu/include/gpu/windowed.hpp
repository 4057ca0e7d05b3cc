// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <span>
#include <type_traits>

#include <gpu/array_core.hpp>
#include <gpu/expression_core.hpp>
#include <gpu/indexable.hpp>

/// @file
/// The arguments of `a(...)`: positions, slices, gpu::all, gpu::ellipsis, gpu::newaxis.

namespace gpu {

template <class T>
class Array;

struct ReduceOptions;
struct ReduceInto;
namespace detail {
struct AxisList;
}

/// The type of `gpu::all`, which stands for a whole axis, as in `a(1, gpu::all)`, and reduces: `gpu::all(x > 0)`.
struct All {
    /// True where no element is 0 (NaN isn't 0); true for nothing. See gpu/reductions.hpp.
    /// @snippet public/reduction_test.cpp any
    template <class A>
    [[nodiscard]] Array<bool> operator()(const A& a) const;
    template <class A>
    [[nodiscard]] Array<bool> operator()(const A& a, const ReduceOptions& options) const;
    /// Over the axes in the list.
    template <class A>
    [[nodiscard]] Array<bool> operator()(const A& a, const detail::AxisList& axes) const;
    /// The same into an existing array.
    template <class A>
    void operator()(const A& a, const ReduceInto& into) const;
    /// @cond internal
    template <class A, class B>
    auto operator()(const A& a, const B&) const {
        static_assert(sizeof(A) == 0, "an axis is named: write gpu::all(x, {.axis = 0})");
        return a;
    }
    /// @endcond
};
inline constexpr All all;

/// Stands for all remaining axes: `a(gpu::ellipsis, 0)`.
struct Ellipsis {};
inline constexpr Ellipsis ellipsis;

/// Adds an axis of length 1: `a(gpu::all, gpu::newaxis)`.
struct NewAxis {};
inline constexpr NewAxis newaxis;

namespace detail {

template <class I>
concept Position = std::integral<I> && !std::is_same_v<I, bool>;

constexpr std::int64_t to_position(Position auto position) noexcept {
    constexpr auto max_position = std::numeric_limits<std::int64_t>::max();
    if constexpr (std::is_unsigned_v<decltype(position)> && sizeof(position) == sizeof(max_position)) {
        if (position > static_cast<std::uint64_t>(max_position)) return max_position;  // out of bounds as well
    }
    return static_cast<std::int64_t>(position);
}

/// One end of a slice.
struct Bound {
    constexpr Bound(None) noexcept : open(true) {}                                   // NOLINT
    constexpr Bound(Position auto where) noexcept : position(to_position(where)) {}  // NOLINT
    std::int64_t position = 0;
    bool open = false;
};

}  // namespace detail

/// Every `step`-th position from `start` up to but excluding `stop`. Negative positions count from the end, `gpu::none`
/// is an open end; positions beyond the axis are clamped, as in NumPy. A negative step runs backwards.
/// @snippet public/array_test.cpp slice
[[nodiscard]] constexpr detail::Index slice(detail::Bound start, detail::Bound stop, std::int64_t step = 1) noexcept {
    return {.start = start.position,
            .stop = stop.position,
            .step = step,
            .open_start = start.open,
            .open_stop = stop.open,
            .kind = detail::Index::Kind::slice};
}
/// @cond internal
template <class End>
constexpr detail::Index slice(const End&) noexcept {
    static_assert(sizeof(End) == 0,
                  "a slice has two ends: write gpu::slice(0, k), or gpu::slice(k, gpu::none) for the rest");
    return {};
}
/// @endcond

namespace detail {

constexpr Index to_index(All) noexcept { return gpu::slice(none, none); }
constexpr Index to_index(Index index) noexcept { return index; }
constexpr Index to_index(Ellipsis) noexcept { return {.kind = Index::Kind::ellipsis}; }
constexpr Index to_index(NewAxis) noexcept { return {.kind = Index::Kind::new_axis}; }
constexpr Index to_index(Position auto position) noexcept {
    return {.start = to_position(position), .kind = Index::Kind::single};
}
template <class I>
    requires(!Position<I>)
constexpr Index to_index(const I&) noexcept {
    static_assert(sizeof(I) == 0,
                  "x(...) takes positions, gpu::slice(0, k), gpu::all, gpu::newaxis, gpu::ellipsis and one array of "
                  "integers or bools");
    return {};
}

// An index that isn't a window: an array of positions or a mask.
template <class... I>
inline constexpr bool any_array = (Lazy<I> || ...);

}  // namespace detail

template <class T>
class View;

/// The common part of arrays and views: where their elements are, and windows on them. Nothing is copied; a window
/// keeps the buffer alive. A window on const elements is read-only. Negative axes count from the last.
template <class Self, class T, class ReadOnly>
class Windowed {
public:
    /// The lengths of the axes.
    [[nodiscard]] const Shape& shape() const noexcept { return window().shape; }
    /// @cond internal
    // clang-format off
    template <std::integral I>
    void shape(I) const = delete;  // the lengths are a list: write x.shape()[0]
    // clang-format on
    /// @endcond
    /// The distance between neighbours along each axis, in elements; negative where the axis runs backwards.
    [[nodiscard]] const Strides& strides() const noexcept { return window().strides; }
    /// The number of axes: 0 to 8.
    [[nodiscard]] int rank() const noexcept { return window().shape.rank(); }
    /// The number of elements.
    [[nodiscard]] std::int64_t size() const { return window().shape.size(); }
    /// The device that holds the elements.
    [[nodiscard]] Device device() const { return detail::device_of(core("device")); }
    /// True if the elements are contiguous in this order.
    [[nodiscard]] bool is_contiguous(Layout layout = Layout::row_major) const noexcept {
        return detail::is_dense(window(), layout);
    }

    /// NumPy's basic indexing: `a(1, gpu::all)`, `a(gpu::ellipsis, gpu::slice(gpu::none, gpu::none, -1))`.
    /// @throws IndexError
    /// @snippet public/array_test.cpp slice
    template <class... I>
    [[nodiscard]] View<T> operator()(const I&... indices) {
        return View<T>(
            detail::sliced(core("x(...)"), std::array<detail::Index, sizeof...(I)>{detail::to_index(indices)...}));
    }
    template <class... I>
    [[nodiscard]] View<ReadOnly> operator()(const I&... indices) const {
        const std::array<detail::Index, sizeof...(I)> list{detail::to_index(indices)...};
        return View<ReadOnly>(detail::sliced(core("x(...)"), list));
    }
    /// With an array of positions or a mask of one axis among them, the elements at these positions along its axis, as
    /// in NumPy: `x(gpu::all, index)`. Assigning writes to them; a new array where one is asked for. With a mask it
    /// waits to learn how many there are. @throws IndexError, ShapeError
    /// @snippet public/mask_test.cpp index_among_windows
    template <class... I>
        requires detail::any_array<I...>
    [[nodiscard]] auto operator()(const I&... indices) {
        return detail::indexed_in_windows<T>(core("x(...)"), indices...);
    }
    template <class... I>
        requires detail::any_array<I...>
    [[nodiscard]] auto operator()(const I&... indices) const {
        return detail::indexed_in_windows<ReadOnly>(core("x(...)"), indices...);
    }

    /// The axes in reverse order; or in the given order: `transpose({2, 0, 1})`. @throws AxisError
    /// @snippet public/array_test.cpp transpose
    [[nodiscard]] View<T> transpose() { return View<T>(detail::transposed(core("transpose"))); }
    [[nodiscard]] View<ReadOnly> transpose() const { return View<ReadOnly>(detail::transposed(core("transpose"))); }
    [[nodiscard]] View<T> transpose(std::initializer_list<int> axes) {
        return View<T>(detail::transposed(core("transpose"), list(axes)));
    }
    [[nodiscard]] View<ReadOnly> transpose(std::initializer_list<int> axes) const {
        return View<ReadOnly>(detail::transposed(core("transpose"), list(axes)));
    }
    /// Exchanges two axes. @throws AxisError
    /// @snippet public/array_test.cpp transpose
    [[nodiscard]] View<T> swapaxes(int axis1, int axis2) {
        return View<T>(detail::axes_swapped(core("swapaxes"), axis1, axis2));
    }
    [[nodiscard]] View<ReadOnly> swapaxes(int axis1, int axis2) const {
        return View<ReadOnly>(detail::axes_swapped(core("swapaxes"), axis1, axis2));
    }
    /// Moves one axis, or several, to other positions; the others keep their order. @throws AxisError
    /// @snippet public/array_test.cpp transpose
    [[nodiscard]] View<T> moveaxis(int from, int to) { return moveaxis({from}, {to}); }
    [[nodiscard]] View<ReadOnly> moveaxis(int from, int to) const { return moveaxis({from}, {to}); }
    [[nodiscard]] View<T> moveaxis(std::initializer_list<int> from, std::initializer_list<int> to) {
        return View<T>(detail::axes_moved(core("moveaxis"), list(from), list(to)));
    }
    [[nodiscard]] View<ReadOnly> moveaxis(std::initializer_list<int> from, std::initializer_list<int> to) const {
        return View<ReadOnly>(detail::axes_moved(core("moveaxis"), list(from), list(to)));
    }

    /// All elements along one axis, row-major. @throws ShapeError if they would have to be copied: use flatten() then
    /// @snippet public/array_test.cpp reshape
    [[nodiscard]] View<T> ravel() { return View<T>(detail::reshaped(core("ravel"), TargetShape{-1})); }
    [[nodiscard]] View<ReadOnly> ravel() const {
        return View<ReadOnly>(detail::reshaped(core("ravel"), TargetShape{-1}));
    }
    /// A larger shape by NumPy's broadcasting; read-only, because several indices share one element. @throws ShapeError
    /// @snippet public/array_test.cpp broadcast_to
    [[nodiscard]] View<const ReadOnly> broadcast_to(const Shape& shape) const {
        return View<const ReadOnly>(detail::broadcasted(core("broadcast_to"), shape));
    }
    /// The elements where the two axes' indices differ by `offset`, as the last axis. @throws AxisError
    /// @snippet public/array_test.cpp diagonal
    [[nodiscard]] View<T> diagonal(std::int64_t offset = 0, int axis1 = 0, int axis2 = 1) {
        return View<T>(detail::diagonal(core("diagonal"), offset, axis1, axis2));
    }
    [[nodiscard]] View<ReadOnly> diagonal(std::int64_t offset = 0, int axis1 = 0, int axis2 = 1) const {
        return View<ReadOnly>(detail::diagonal(core("diagonal"), offset, axis1, axis2));
    }
    /// Removes axes of length 1: all of them, or the named ones. @throws ShapeError if a named one is longer
    /// @snippet public/array_test.cpp squeeze
    [[nodiscard]] View<T> squeeze() { return View<T>(detail::squeezed(core("squeeze"))); }
    [[nodiscard]] View<ReadOnly> squeeze() const { return View<ReadOnly>(detail::squeezed(core("squeeze"))); }
    [[nodiscard]] View<T> squeeze(std::initializer_list<int> axes) {
        return View<T>(detail::squeezed(core("squeeze"), list(axes)));
    }
    [[nodiscard]] View<ReadOnly> squeeze(std::initializer_list<int> axes) const {
        return View<ReadOnly>(detail::squeezed(core("squeeze"), list(axes)));
    }
    /// Adds a new axis of length 1 at this position. @throws AxisError
    /// @snippet public/array_test.cpp squeeze
    [[nodiscard]] View<T> expand_dims(int axis) { return View<T>(detail::expanded(core("expand_dims"), axis)); }
    [[nodiscard]] View<ReadOnly> expand_dims(int axis) const {
        return View<ReadOnly>(detail::expanded(core("expand_dims"), axis));
    }
    /// Reverses all axes, or the named ones. @throws AxisError
    /// @snippet public/array_test.cpp flip
    [[nodiscard]] View<T> flip() { return View<T>(detail::flipped(core("flip"))); }
    [[nodiscard]] View<ReadOnly> flip() const { return View<ReadOnly>(detail::flipped(core("flip"))); }
    [[nodiscard]] View<T> flip(std::initializer_list<int> axes) {
        return View<T>(detail::flipped(core("flip"), list(axes)));
    }
    [[nodiscard]] View<ReadOnly> flip(std::initializer_list<int> axes) const {
        return View<ReadOnly>(detail::flipped(core("flip"), list(axes)));
    }
    /// Rotated by 90 degrees `times` times in the plane of two axes, from the first towards the second; a negative
    /// number rotates the other way. @throws AxisError
    /// @snippet functions/shape_test.cpp rot90
    [[nodiscard]] View<T> rot90(int times = 1, int axis1 = 0, int axis2 = 1) {
        return View<T>(detail::rotated(core("rot90"), times, axis1, axis2));
    }
    [[nodiscard]] View<ReadOnly> rot90(int times = 1, int axis1 = 0, int axis2 = 1) const {
        return View<ReadOnly>(detail::rotated(core("rot90"), times, axis1, axis2));
    }

private:
    [[nodiscard]] const detail::ArrayCore& core(const char* operation) const {
        return static_cast<const Self*>(this)->core(operation);
    }
    [[nodiscard]] const detail::ArrayCore& window() const noexcept { return static_cast<const Self*>(this)->window(); }
    static std::span<const int> list(std::initializer_list<int> axes) noexcept { return {axes.begin(), axes.size()}; }
};

}  // namespace gpu
