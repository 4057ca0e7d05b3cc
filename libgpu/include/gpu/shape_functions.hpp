// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <initializer_list>
#include <type_traits>
#include <utility>

#include <gpu/expression.hpp>

/// @file
/// NumPy's functions of an array's shape, for those who call them as functions: each is the member of the same name,
/// and so gives a view of an array's elements, or an array where the argument is an expression.

namespace gpu {

/// @cond internal
namespace detail {
template <class A>
concept Reshapable = Lazy<std::remove_cvref_t<A>>;
}  // namespace detail
/// @endcond

/// The axes in reverse order, or in the given one: `x.transpose({2, 0, 1})`.
/// @snippet functions/shape_functions_test.cpp functions
template <detail::Reshapable A>
[[nodiscard]] auto transpose(A&& x) {
    return std::forward<A>(x).transpose();
}
template <detail::Reshapable A>
[[nodiscard]] auto transpose(A&& x, std::initializer_list<int> axes) {
    return std::forward<A>(x).transpose(axes);
}
/// `x.reshape(shape)`, where one length may be -1. @throws ShapeError if the number of elements would differ
/// @snippet functions/shape_functions_test.cpp functions
template <detail::Reshapable A>
[[nodiscard]] auto reshape(A&& x, const TargetShape& shape) {
    return std::forward<A>(x).reshape(shape);
}
/// All elements along one axis, row by row. @snippet functions/shape_functions_test.cpp functions
template <detail::Reshapable A>
[[nodiscard]] auto ravel(A&& x) {
    return std::forward<A>(x).ravel();
}
/// Without the axes of length 1, or without the named ones. @throws AxisError, ShapeError
/// @snippet functions/shape_functions_test.cpp functions
template <detail::Reshapable A>
[[nodiscard]] auto squeeze(A&& x) {
    return std::forward<A>(x).squeeze();
}
template <detail::Reshapable A>
[[nodiscard]] auto squeeze(A&& x, std::initializer_list<int> axes) {
    return std::forward<A>(x).squeeze(axes);
}
/// With a new axis of length 1 at this place. @throws AxisError
/// @snippet functions/shape_functions_test.cpp functions
template <detail::Reshapable A>
[[nodiscard]] auto expand_dims(A&& x, int axis) {
    return std::forward<A>(x).expand_dims(axis);
}
/// Two axes exchanged. @throws AxisError
/// @snippet functions/shape_functions_test.cpp functions
template <detail::Reshapable A>
[[nodiscard]] auto swapaxes(A&& x, int axis1, int axis2) {
    return std::forward<A>(x).swapaxes(axis1, axis2);
}
/// One axis moved to another place. @throws AxisError
/// @snippet functions/shape_functions_test.cpp functions
template <detail::Reshapable A>
[[nodiscard]] auto moveaxis(A&& x, int from, int to) {
    return std::forward<A>(x).moveaxis(from, to);
}
/// All axes backwards, or the named ones: `gpu::flip(gpu::sort(v))` is in descending order. @throws AxisError
/// @snippet functions/shape_functions_test.cpp functions
template <detail::Reshapable A>
[[nodiscard]] auto flip(A&& x) {
    return std::forward<A>(x).flip();
}
template <detail::Reshapable A>
[[nodiscard]] auto flip(A&& x, std::initializer_list<int> axes) {
    return std::forward<A>(x).flip(axes);
}
/// Rotated by 90 degrees, `times` times. @throws AxisError
/// @snippet functions/shape_functions_test.cpp functions
template <detail::Reshapable A>
[[nodiscard]] auto rot90(A&& x, int times = 1, int axis1 = 0, int axis2 = 1) {
    return std::forward<A>(x).rot90(times, axis1, axis2);
}
/// Repeated to this shape, without a copy. @throws ShapeError
/// @snippet functions/shape_functions_test.cpp functions
template <detail::Reshapable A>
[[nodiscard]] auto broadcast_to(A&& x, const Shape& shape) {
    return std::forward<A>(x).broadcast_to(shape);
}

}  // namespace gpu
