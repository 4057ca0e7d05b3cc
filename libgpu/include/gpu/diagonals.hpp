// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <gpu/create.hpp>
#include <gpu/reduction_call.hpp>

/// @file
/// Matrices with ones on a diagonal, triangles and diagonals of matrices.

namespace gpu {

/// @cond internal
namespace detail {
GPU_API ArrayCore eye(DType dtype, std::int64_t rows, std::int64_t columns, std::int64_t offset);
GPU_API ArrayCore diag(const NodePointer& value, std::int64_t offset);
GPU_API NodePointer diagonal_node(const NodePointer& value, std::int64_t offset, int axis1, int axis2);
GPU_API ArrayCore triangle(const NodePointer& value, std::int64_t offset, bool lower);
}  // namespace detail
/// @endcond

/// Ones where column - row equals `offset`, zeros elsewhere.
/// @snippet public/create_test.cpp eye
template <Element T>
[[nodiscard]] Array<T> eye(std::int64_t rows, std::int64_t columns, std::int64_t offset = 0) {
    return Array<T>(detail::eye(dtype_of<T>, rows, columns, offset));
}
/// @snippet public/create_test.cpp eye
template <Element T>
[[nodiscard]] Array<T> eye(std::int64_t rows) {
    return gpu::eye<T>(rows, rows, 0);
}
/// NumPy's other name for a square eye().
/// @snippet public/create_test.cpp eye
template <Element T>
[[nodiscard]] Array<T> identity(std::int64_t rows) {
    return gpu::eye<T>(rows);
}

/// A copy with zeros above the diagonal `offset` of the last two axes. @throws ShapeError below two axes
/// @snippet public/create_test.cpp triangles
template <detail::ArrayLike A>
[[nodiscard]] auto tril(const A& a, std::int64_t offset = 0) {
    return Array<detail::LazyElement<A>>(detail::triangle(detail::to_node(a), offset, true));
}
/// A copy with zeros below the diagonal `offset` of the last two axes. @throws ShapeError below two axes
/// @snippet public/create_test.cpp triangles
template <detail::ArrayLike A>
[[nodiscard]] auto triu(const A& a, std::int64_t offset = 0) {
    return Array<detail::LazyElement<A>>(detail::triangle(detail::to_node(a), offset, false));
}
/// Ones on and below the diagonal `offset`, zeros elsewhere.
/// @snippet public/create_test.cpp triangles
template <Element T>
[[nodiscard]] Array<T> tri(std::int64_t rows, std::int64_t columns, std::int64_t offset = 0) {
    return gpu::tril(gpu::ones<T>({rows, columns}), offset);
}

/// Of a vector a square matrix with its elements on the diagonal `offset` and zeros elsewhere; of a matrix a copy of
/// that diagonal. @throws ShapeError unless there are one or two axes
/// @snippet public/create_test.cpp diag
template <detail::ArrayLike A>
[[nodiscard]] auto diag(const A& a, std::int64_t offset = 0) {
    return Array<detail::LazyElement<A>>(detail::diag(detail::to_node(a), offset));
}

/// The sum along a diagonal, see x.diagonal(), with the types of sum(). Of more than two axes, an array of such sums.
/// @throws ShapeError below two axes; AxisError
/// @snippet public/create_test.cpp diag
template <class R = void, detail::ArrayLike A>
[[nodiscard]] auto trace(const A& a, std::int64_t offset = 0, int axis1 = 0, int axis2 = 1) {
    using T = detail::ResultOr<R, detail::SumOf<detail::LazyElement<A>>>;
    static_assert(!std::is_same_v<T, bool>, "a sum isn't true or false: write trace<int>(x)");
    static_assert(detail::holds<T, A>, "the sum of complex numbers is complex: name a complex type");
    return Array<T>(detail::reduce(
        {.kind = detail::Reduction::sum, .element = detail::accumulator(dtype_of<T>), .result = dtype_of<T>},
        detail::diagonal_node(detail::to_node(a), offset, axis1, axis2), {.axis = -1}));
}

}  // namespace gpu
