// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime.h>

#include <cmath>

// The text that libgpu's kernels are compiled with.
#define __device__
#define __forceinline__ inline
#include <libgpu/cu_complex.hpp>
#undef __device__
#undef __forceinline__
