// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <gpu/array_core.hpp>

#include "backend/linalg.hpp"

namespace gpu::detail {

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

}  // namespace gpu::detail
