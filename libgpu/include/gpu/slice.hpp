// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <gpu/array_core.hpp>

/// @file
/// What goes between the parentheses of `a(...)`: positions, slices, gpu::all, gpu::ellipsis, gpu::newaxis.

namespace gpu {

template <Element T>
class Array;

struct ReduceOptions;
struct ReduceInto;
namespace detail {
struct NoOptions;
}

/// What `gpu::all` is: it stands for a whole axis, as in `a(1, gpu::all)`, and reduces: `gpu::all(x > 0)`.
struct All {
    /// True where no element is 0 (NaN isn't 0); true for nothing. See gpu/reductions.hpp.
    /// @snippet public/reduction_test.cpp any
    template <class A>
    [[nodiscard]] Array<bool> operator()(const A& a) const;
    template <class A>
    [[nodiscard]] Array<bool> operator()(const A& a, const ReduceOptions& options) const;
    /// The same into an existing array.
    template <class A>
    void operator()(const A& a, const ReduceInto& into) const;
    /// @cond internal
    template <class A>
    auto operator()(const A& a, const detail::NoOptions&) const {
        static_assert(sizeof(A) == 0, "an axis is named: write gpu::all(x, {.axis = 0})");
        return a;
    }
    /// @endcond
};
inline constexpr All all;

/// Stands for an open end of a slice: `gpu::slice(gpu::none, gpu::none, -1)` is the whole axis, backwards.
struct None {};
inline constexpr None none;

/// Stands for as many whole axes as are left: `a(gpu::ellipsis, 0)`.
struct Ellipsis {};
inline constexpr Ellipsis ellipsis;

/// Adds an axis of length 1: `a(gpu::all, gpu::newaxis)`.
struct NewAxis {};
inline constexpr NewAxis newaxis;

namespace detail {

template <class I>
concept Position = std::integral<I> && !std::is_same_v<I, bool>;

constexpr std::int64_t to_position(Position auto position) noexcept {
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    if constexpr (std::is_unsigned_v<decltype(position)> && sizeof(position) == sizeof(most)) {
        if (position > static_cast<std::uint64_t>(most)) return most;  // out of bounds as well
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

/// Every `step`-th position from `start` up to `stop`, which is left out. Negative positions count from the end,
/// `gpu::none` is an open end; positions beyond the axis are clamped, as in NumPy. A negative step runs backwards.
/// @snippet public/view_test.cpp slice
[[nodiscard]] constexpr detail::Index slice(detail::Bound start, detail::Bound stop, std::int64_t step = 1) noexcept {
    return {.start = start.position,
            .stop = stop.position,
            .step = step,
            .open_start = start.open,
            .open_stop = stop.open,
            .kind = detail::Index::Kind::slice};
}

namespace detail {

constexpr Index to_index(All) noexcept { return gpu::slice(none, none); }
constexpr Index to_index(Index index) noexcept { return index; }
constexpr Index to_index(Ellipsis) noexcept { return {.kind = Index::Kind::ellipsis}; }
constexpr Index to_index(NewAxis) noexcept { return {.kind = Index::Kind::new_axis}; }
constexpr Index to_index(Position auto position) noexcept {
    return {.start = to_position(position), .kind = Index::Kind::single};
}

}  // namespace detail
}  // namespace gpu
