// SPDX-License-Identifier: MIT
// What a plug-in, or a module of Python's, does with libgpu.
#include <gpu/gpu.hpp>

namespace {

constexpr const char* source = R"(
extern "C" __global__ void reversed(const float* x, float* y) {
    __shared__ float all[64];
    all[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = all[63 - threadIdx.x];
}
extern "C" __global__ void far_out(float* y) { y[threadIdx.x + (1ll << 40)] = 1; })";

bool says_what_is_wrong(const gpu::RawModule& kernels) {
    auto y = gpu::zeros<float>({1});
    try {
        kernels.kernel<void(float*)>("far_out")({.grid = 1, .block = 1}, y);
        gpu::synchronize();
    } catch (const gpu::LaunchError&) {
        return true;
    }
    return false;
}

}  // namespace

/// How many of the things that it tried went right.
extern "C" GPU_API int gpu_plugin_works() {
    const gpu::RawModule kernels(source);
    const auto reversed = kernels.kernel<void(const float*, float*)>("reversed");
    const auto x = gpu::arange<float>(64);
    auto y = gpu::zeros<float>({64});
    reversed({.grid = 1, .block = 64}, x, y);
    const bool right = gpu::all(y == x.flip()).item();
    const bool nothing_found = gpu::check([&] { reversed({.grid = 1, .block = 64}, x, y); }).findings.empty();
    return int{right} + int{nothing_found} + int{says_what_is_wrong(kernels)};
}
