// SPDX-License-Identifier: MIT
#pragma once

#include <gpu/array_core.hpp>
#include <gpu/reduction_call.hpp>

#include "codegen/node.hpp"

namespace gpu::detail {

/// The sum of exp(x - m), and m, the maximum, by one kernel that reads x once. They go into arrays that are there, with
/// the reduced axes as 1.
void launch_exponentials(const NodePointer& x, const Axes& axes, const ArrayCore& maxima, const ArrayCore& sums);

}  // namespace gpu::detail
