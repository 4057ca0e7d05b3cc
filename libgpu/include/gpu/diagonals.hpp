// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <gpu/create.hpp>

/// @file
/// Matrices with ones on a diagonal, and triangles of matrices.

namespace gpu {

/// @cond internal
namespace detail {
GPU_API ArrayCore eye(DType dtype, std::int64_t rows, std::int64_t columns, std::int64_t offset);
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
template <detail::Lazy A>
[[nodiscard]] auto tril(const A& a, std::int64_t offset = 0) {
    return Array<detail::LazyElement<A>>(detail::triangle(detail::to_node(a), offset, true));
}
/// A copy with zeros below the diagonal `offset` of the last two axes. @throws ShapeError below two axes
/// @snippet public/create_test.cpp triangles
template <detail::Lazy A>
[[nodiscard]] auto triu(const A& a, std::int64_t offset = 0) {
    return Array<detail::LazyElement<A>>(detail::triangle(detail::to_node(a), offset, false));
}
/// Ones on and below the diagonal `offset`, zeros elsewhere.
/// @snippet public/create_test.cpp triangles
template <Element T>
[[nodiscard]] Array<T> tri(std::int64_t rows, std::int64_t columns, std::int64_t offset = 0) {
    return gpu::tril(gpu::ones<T>({rows, columns}), offset);
}

}  // namespace gpu
