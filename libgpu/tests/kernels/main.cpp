// SPDX-License-Identifier: MIT
// The same kernels on the host backend and on a GPU, as LIBGPU_DEVICE says.
#include "public/main.cpp"
