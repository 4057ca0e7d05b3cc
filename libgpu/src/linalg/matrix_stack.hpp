// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <gpu/array_core.hpp>

#include "backend/linalg.hpp"
#include "codegen/node.hpp"
#include "runtime/storage.hpp"

namespace gpu::detail {

/// The device's linear algebra, or a test's replacement for it. Calls go through LoggedLinearAlgebra.
LinearAlgebra& linear_algebra_of(Device device);
/// For tests: replaces it on every device; null restores it.
void replace_linear_algebra(LinearAlgebra* other) noexcept;

/// Matrices as factorisations need them: column-major, one after another, in a buffer of their own.
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
    [[nodiscard]] void* data() const noexcept { return address_of(buffer_); }
    /// To be called when the backend has written the elements.
    void mark_written() const noexcept { detail::mark_written(buffer_); }

    /// A window on the matrices as they are stored: batch, rows, columns.
    [[nodiscard]] ArrayCore matrices() const;
    /// A row-major array of the matrices, which may be this one's buffer.
    [[nodiscard]] ArrayCore row_major() const;

    /// Booleans on the device: true without NaN and infinities. One for all matrices together, or one for each.
    [[nodiscard]] ArrayCore all_finite() const;
    [[nodiscard]] ArrayCore each_finite() const;
    /// @throws LinAlgError, with the shape that the caller gave, if an element is NaN or infinite; waits
    void check_finite(const std::string& operation, const Shape& given) const;

private:
    Shape batch_;
    std::int64_t rows_, columns_;
    ArrayCore buffer_;  // batch, columns, rows
};

/// @throws LinAlgError that names this item of the matrices that the caller gave.
[[noreturn]] void throw_not_finite(const std::string& operation, const Shape& given, std::int64_t item);

/// The first item whose info code isn't 0, or -1. @throws Error if the code is negative
std::int64_t first_failure(const std::string& operation, const LinearAlgebra::Info& info);

/// The value as an array of this type, evaluated if necessary.
NodePointer in_memory(DType type, const NodePointer& value);
/// Exchanges the last two axes and conjugates complex numbers.
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

/// The extent at a place counted from the last, which is 1.
[[nodiscard]] inline std::int64_t from_end(const Shape& shape, int place) { return shape[shape.rank() - place]; }

/// Refuses matrices that no factorisation accepts. @throws LinAlgError for fewer than two axes; DTypeError for floats
/// of 16 bits
void check_matrices(const std::string& operation, const Shape& shape, DType type);
/// The same, and refuses matrices that aren't square.
void check_square_matrices(const std::string& operation, const Shape& shape, DType type);

/// The common batch of two stacks of matrices. @throws LinAlgError
Shape common_batch(const std::string& operation, const Shape& a, const Shape& b);

/// "the matrix of shape (3,3)", or which one of a batch, by its number there.
std::string matrix_text(const Shape& shape, std::int64_t item);

/// "matmul: (2,3) x (4,5)"
std::string operation_text(const std::string& operation, const Shape& a, const Shape& b);

/// An axis of a product's batch: its length, and its strides on the left, on the right and in the result.
struct BatchAxis {
    std::int64_t length;
    std::int64_t strides[3];
};

/// The first of the array's matrices. Strides along an axis of length 1 are arbitrary, so suitable ones are chosen.
MatrixBatch first_matrix(const ArrayCore& array);

/// True if the seam takes the array's matrices as they are; otherwise they need a copy.
[[nodiscard]] bool is_plain(const ArrayCore& array);

/// The axes before the last two, without those of length 1; adjacent ones are merged where strides allow.
std::vector<BatchAxis> batch_axes(const ArrayCore& left, const ArrayCore& right, const ArrayCore& result);

/// True if row-major matrices that share one right-hand matrix lie without gaps: then they are one matrix with more
/// rows.
[[nodiscard]] bool are_rows_of_one(const BatchAxis& axis, const MatrixBatch& left, const MatrixBatch& result);

/// The matrices of a stack that contain a NaN or an infinity. No solver's results for them come out: these would depend
/// on the library, and some of them would be finite.
class NonFinite {
public:
    /// None.
    NonFinite() = default;
    /// Replaces them by the identity.
    explicit NonFinite(const MatrixStack& matrices);

    /// The batch's result, all NaN for these matrices.
    [[nodiscard]] ArrayCore marked(const ArrayCore& result) const;

private:
    std::optional<ArrayCore> finite_;  // per matrix; nothing if all are
};

/// What `solve(stack, non_finite)` returns for a copy of the matrices. Looks for NaN and infinities meanwhile, as a
/// look before it would make the device wait for the host; if there are some, solves once more without them. For
/// solvers that end with them, too.
template <class Solve>
auto without_non_finite(DType type, const Shape& batch, const NodePointer& matrices, const Solve& solve) {
    const MatrixStack first(type, batch, matrices);
    const ArrayCore finite = first.all_finite();
    auto result = solve(first, NonFinite());
    bool are_finite = false;
    read_item(finite, &are_finite);
    if (are_finite) return result;
    const MatrixStack again(type, batch, matrices);
    return solve(again, NonFinite(again));
}

}  // namespace gpu::detail
