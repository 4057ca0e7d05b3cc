// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include <gpu/array_core.hpp>

namespace gpu::detail {

/// The axes before the last two.
Shape batch_of(const Shape& shape);
/// The batch with matrices of this size.
Shape with_matrix(Shape batch, std::int64_t rows, std::int64_t columns);
Shape with_vector(Shape batch, std::int64_t length);

/// An extent counted from the last one, which is 1.
[[nodiscard]] inline std::int64_t from_end(const Shape& shape, int place) { return shape[shape.rank() - place]; }

/// Refuses what no factorisation takes. @throws LinAlgError for fewer than two axes; DTypeError for float16
void check_matrices(const std::string& operation, const Shape& shape, DType type);
/// The same, and matrices that aren't square.
void check_square_matrices(const std::string& operation, const Shape& shape, DType type);

/// The common batch of two stacks of matrices. @throws LinAlgError
Shape common_batch(const std::string& operation, const Shape& a, const Shape& b);

/// "the matrix of shape (3,3)", or which one of a batch, by its number there.
std::string matrix_text(const Shape& shape, std::int64_t item);

/// "matmul: (2,3) x (4,5)"
std::string operation_text(const std::string& operation, const Shape& a, const Shape& b);

}  // namespace gpu::detail
