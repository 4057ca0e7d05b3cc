// SPDX-License-Identifier: MIT
#pragma once

#include <gpu/matmul.hpp>

namespace gpu::detail {

/// gpu::matmul.
ArrayCore matmul(DType type, const NodePointer& a, const NodePointer& b);

/// The sum of the elementwise products of two arrays of one shape.
ArrayCore sum_of_products(DType type, const NodePointer& a, const NodePointer& b);

}  // namespace gpu::detail
