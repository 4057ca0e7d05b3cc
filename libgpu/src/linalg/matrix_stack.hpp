// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <gpu/array_core.hpp>

#include "backend/linalg.hpp"
#include "codegen/node.hpp"

namespace gpu::detail {

/// The device's linear algebra, or what a test puts in its place. Calls go through LoggedLinearAlgebra.
LinearAlgebra& linear_algebra_of(Device device);
/// For tests: from now on every device's. Null: back to normal.
void replace_linear_algebra(LinearAlgebra* other) noexcept;

/// Matrices as factorisations want them, column-major one after another, in a buffer of their own.
class MatrixStack {
public:
    /// Uninitialized, on the current device.
    MatrixStack(DType type, const Shape& batch, std::int64_t rows, std::int64_t columns);
    /// A copy of the value, broadcast to the batch.
    MatrixStack(DType type, const Shape& batch, const NodePointer& value);

    [[nodiscard]] std::int64_t rows() const noexcept { return rows_; }
    [[nodiscard]] std::int64_t columns() const noexcept { return columns_; }
    [[nodiscard]] std::int64_t count() const { return batch_.size(); }
    [[nodiscard]] MatrixProblem problem() const;
    [[nodiscard]] void* data() const noexcept { return data_of(buffer_); }
    /// The elements have been written by the backend.
    void mark_written() const noexcept { detail::mark_written(buffer_); }

    /// A window on the matrices as they lie here: batch, rows, columns.
    [[nodiscard]] ArrayCore matrices() const;
    /// A row-major array of the matrices, which may be this one's buffer.
    [[nodiscard]] ArrayCore row_major() const;

    /// Which matrices are without NaN and infinities, a boolean each; nothing if all are. Waits.
    [[nodiscard]] std::optional<ArrayCore> finite_ones() const;
    /// @throws LinAlgError if an element is NaN or infinite, with the shape that the caller gave; waits
    void check_finite(const std::string& operation, const Shape& given) const;

private:
    Shape batch_;
    std::int64_t rows_, columns_;
    ArrayCore buffer_;  // batch, columns, rows
};

/// The first item whose info code isn't 0, or -1. @throws Error for one that is below 0
std::int64_t first_failure(const std::string& operation, const LinearAlgebra::Info& info);

/// The value in this type as an array, evaluated if it has to be.
NodePointer in_memory(DType type, const NodePointer& value);
/// The last two axes exchanged, and complex numbers conjugated.
NodePointer adjoint(const NodePointer& value);

/// Row-major identity matrices on the current device.
ArrayCore identities(DType type, const Shape& batch, std::int64_t n);

/// A new array without elements, whatever the batch.
ArrayCore no_elements(DType type);

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

/// An axis of a product's batch: its length, and how far apart neighbours are on the left, on the right, in the result.
struct BatchAxis {
    std::int64_t length;
    std::int64_t strides[3];
};

/// The first of the array's matrices. Strides along an axis of length 1 say nothing, so they are chosen.
MatrixBatch first_matrix(const ArrayCore& array);

/// True if the seam takes the array's matrices as they lie; else they need a copy.
[[nodiscard]] bool is_plain(const ArrayCore& array);

/// The axes before the last two, without those of length 1; neighbours that make one sequence are one.
std::vector<BatchAxis> batch_axes(const ArrayCore& left, const ArrayCore& right, const ArrayCore& result);

/// True if row-major matrices that all meet the same right one lie without gaps: they are one matrix with more rows.
[[nodiscard]] bool are_rows_of_one(const BatchAxis& axis, const MatrixBatch& left, const MatrixBatch& result);

/// The matrices of a stack that have a NaN or an infinity. No solver gets to see them: what comes out would depend on
/// the library, and some of it would be finite.
class NonFinite {
public:
    /// Puts the identity in their place. Waits.
    explicit NonFinite(const MatrixStack& matrices);

    /// What is to be given for the batch: all of it is NaN where the matrix was one of these.
    [[nodiscard]] ArrayCore marked(const ArrayCore& result) const;

private:
    std::optional<ArrayCore> finite_;  // of each matrix; none if all are
};

}  // namespace gpu::detail
