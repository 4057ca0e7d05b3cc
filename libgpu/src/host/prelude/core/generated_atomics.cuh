// SPDX-License-Identifier: MIT
// For elementwise and reduction kernels that name an atomic function. They are counted only in check mode.

#pragma GCC system_header
#ifdef GPU_CHECKED
GPU_UNCHECKED static void gpu_count_atomic() {
    ++gpu_state.atomics;
    GPU_CHECK(atomic_begins)();
}
#else
GPU_INLINE void gpu_count_atomic() {}
#endif
#include "libgpu/atomics.hpp"
