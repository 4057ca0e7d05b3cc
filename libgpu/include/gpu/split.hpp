// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <utility>
#include <vector>

#include <gpu/join.hpp>

/// @file
/// Splitting arrays: views on pieces of them.

namespace gpu {

/// @cond internal
namespace detail {

GPU_API std::vector<ArrayCore> split(const ArrayCore& array, std::int64_t sections, int axis, bool uneven);
GPU_API std::vector<ArrayCore> split_at(const ArrayCore& array, const std::vector<std::int64_t>& places, int axis);

template <class T>
std::vector<View<T>> views_of(std::vector<ArrayCore> cores) {
    std::vector<View<T>> views;
    for (ArrayCore& core : cores) views.push_back(View<T>(std::move(core)));
    return views;
}
template <class A>
struct PieceOf {};  // the elements of the views that splitting gives
template <class T>
struct PieceOf<Array<T>> {
    using type = T;
};
template <class T>
struct PieceOf<const Array<T>> {
    using type = const T;
};
template <class T>
struct PieceOf<View<T>> {
    using type = T;
};
template <class T>
struct PieceOf<const View<T>> {
    using type = T;
};
template <class A>
using Piece = typename PieceOf<std::remove_reference_t<A>>::type;

}  // namespace detail
/// @endcond

/// Views on equal parts of an array. @throws ShapeError if they aren't equal
/// @snippet public/join_test.cpp split
template <class A>
[[nodiscard]] auto split(A&& array, std::int64_t sections, const JoinOptions& options = {}) {
    return detail::views_of<detail::Piece<A>>(detail::split(array.core("split"), sections, options.axis, false));
}
/// The same, but the first parts may be longer by one.
/// @snippet public/join_test.cpp split
template <class A>
[[nodiscard]] auto array_split(A&& array, std::int64_t sections, const JoinOptions& options = {}) {
    return detail::views_of<detail::Piece<A>>(detail::split(array.core("split"), sections, options.axis, true));
}
/// Views on what lies between these positions: `split(a, {2, 5})` gives a[0, 2), a[2, 5) and the rest.
/// @snippet public/join_test.cpp split
template <class A>
[[nodiscard]] auto split(A&& array, std::initializer_list<std::int64_t> places, const JoinOptions& options = {}) {
    return detail::views_of<detail::Piece<A>>(detail::split_at(array.core("split"), places, options.axis));
}

}  // namespace gpu
