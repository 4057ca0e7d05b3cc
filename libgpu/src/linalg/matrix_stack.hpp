// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

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
    /// Of no particular values, on the current device.
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

}  // namespace gpu::detail
