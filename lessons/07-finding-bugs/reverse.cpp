// SPDX-License-Identifier: MIT
// Shows a kernel that is to turn an array round in place, and two ways to repair it.
#include <cstdio>

#include <gpu/gpu.hpp>

// [kernel]
GPU_KERNEL(all_swap, (float* a, int n), R"(
    const int i = threadIdx.x;  // one block
    if (i < n) {
        const float other = a[n - 1 - i];
        a[n - 1 - i] = a[i];
        a[i] = other;
    }
)");
// [/kernel]
GPU_KERNEL(with_a_barrier, (float* a, int n), R"(
    const int i = threadIdx.x;
    const float other = i < n ? a[n - 1 - i] : 0;
    __syncthreads();
    if (i < n) {
        a[n - 1 - i] = a[i];
        a[i] = other;
    }
)");
GPU_KERNEL(half_swap, (float* a, int n), R"(
    const int i = threadIdx.x;
    if (i < n / 2) {
        const float other = a[n - 1 - i];
        a[n - 1 - i] = a[i];
        a[i] = other;
    }
)");

/// True if nothing was found and the array is turned round.
template <class Kernel>
static bool try_it(const char* name, const Kernel& kernel) {
    const int n = 100;
    gpu::Array<float> a = gpu::arange<float>(n);
    const gpu::CheckReport report = gpu::check([&] { kernel({.grid = 1, .block = 128}, a, n); });
    const gpu::Array<float> want = n - 1 - gpu::arange<float>(n);
    const bool right = gpu::array_equal(a, want).item();
    std::printf("%-22s numbers %s, %s\n", name, right ? "right" : "wrong",
                report.clean() ? "nothing found" : "a race on a");
    return right && report.clean();
}

int main() {
    const gpu::DeviceGuard guard(gpu::Device::host());  // check mode is the host backend's
    try_it("as it stands:", all_swap);
    const bool barrier = try_it("with a barrier:", with_a_barrier);
    const bool half = try_it("half of the threads:", half_swap);
    std::printf("Answer: %s\n", half && !barrier ? "half of the threads" : "a barrier");
}
