// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <gpu/export.hpp>

namespace gpu {

/// Says which arrays of the current device were written beyond their ends, one a line; empty if none was. Waits.
///
/// On a GPU this needs LIBGPU_GUARD=1 in the environment when the arrays are made: then each lies between guard words.
/// On the host backend arrays end at a guard page, and a kernel that runs over it fails at once.
/// @snippet public/memory_test.cpp damaged_arrays
[[nodiscard]] GPU_API std::string damaged_arrays();

}  // namespace gpu
