// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime.h>

// The text that libgpu's kernels are compiled with: bfloat16 numbers have the same bits on both sides.
#include <libgpu/intrinsics.hpp>
#define GPU_INLINE inline
#include <libgpu/bfloat16.hpp>
#undef GPU_INLINE
