// SPDX-License-Identifier: MIT
// Prints from a kernel: only threads with something odd to say, and only once the host has waited.
#include <gpu/gpu.hpp>

// [say]
GPU_KERNEL(say, (const float* x, int n), R"(
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && !(x[i] >= 0)) printf("block %d, thread %d: x[%d] is %g\n", blockIdx.x, threadIdx.x, i, x[i]);
)");
// [/say]

int main() {
    const auto x = gpu::to_device({4.f, -1.f, 9.f, 16.f, -2.5f});
    say({.grid = 1, .block = 256}, x, 5);
    gpu::synchronize();  // what kernels print appears when the host waits
}
