// SPDX-License-Identifier: MIT
// Shows the sectors per request for one coordinate of points: kept point by point, and coordinate by coordinate.
#include <cstdio>

#include <gpu/gpu.hpp>

// [kernels]
GPU_KERNEL(of_points, (const float* points, float* z, int n), R"(
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = points[3 * i];  // x y z x y z ...
)");
GPU_KERNEL(of_coordinates, (const float* x, float* z, int n), R"(
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = x[i];           // x x x ..., and arrays of their own for y and z
)");
// [/kernels]

/// Sectors of the kernel's reads: all that it touches without the 4 per request of its writes.
template <class Kernel>
static double read_sectors(const Kernel& kernel, const gpu::Array<float>& from, int n) {
    auto z = gpu::zeros<float>({n});
    const gpu::CheckReport report = gpu::check([&] { kernel({.grid = n / 256, .block = 256}, from, z, n); });
    const gpu::WorkCounts& work = report.kernels.at(0).work;
    const double requests = double(work.global_requests) / 2;  // as many reads as writes
    return (double(work.global_sectors) - 4 * requests) / requests;
}

int main() {
    const gpu::DeviceGuard guard(gpu::Device::host());  // check mode is the host backend's
    const int n = 1024;
    const double points = read_sectors(of_points, gpu::zeros<float>({n, 3}), n);
    std::printf("point by point: %g sectors per request\n", points);
    std::printf("coordinate by coordinate: %g\n", read_sectors(of_coordinates, gpu::zeros<float>({n}), n));
    std::printf("Answer: %g\n", points);
}
