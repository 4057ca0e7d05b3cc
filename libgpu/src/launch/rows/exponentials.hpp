// SPDX-License-Identifier: MIT
#pragma once

#include <gpu/array_core.hpp>
#include <gpu/reduction_call.hpp>

#include "codegen/node.hpp"

namespace gpu::detail {

/// The sum of exp(x - m), and m, the maximum, by one kernel that reads x once. The maxima go into an array that is
/// there, with the reduced axes as 1.
ArrayCore launch_exponentials(const NodePointer& x, DType result, const ReduceOptions& options,
                              const ArrayCore& maxima);

}  // namespace gpu::detail
