// SPDX-License-Identifier: MIT
// A small program with libgpu: an expression, the three kinds of kernels, and an SVD, which needs what libgpu opens by
// itself.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#include <gpu/gpu.hpp>

namespace {

using Floats = std::vector<float>;

bool kernels_are_right() {
    const gpu::Array<float> x = gpu::to_device(Floats{1, 2, 3, 4});
    const gpu::Array<float> y = gpu::to_device(Floats{4, 4, 4, 4});

    gpu::ElementwiseKernel squared_diff("T x, T y", "T z", "z = (x - y) * (x - y)", "squared_diff");
    const gpu::Array<float> squares = squared_diff(x, y);

    gpu::ReductionKernel l2norm("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "l2norm");
    const gpu::Array<float> norm = l2norm(x);

    gpu::RawKernel<void(const float*, float*, int)> twice(R"(
        extern "C" __global__ void twice(const float* x, float* z, int n) {
            const int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i < n) z[i] = 2 * x[i];
        })", "twice");
    gpu::Array<float> doubled = gpu::zeros<float>({4});
    twice({.grid = 1, .block = 128}, x, doubled, 4);

    return gpu::to_host(squares) == Floats{9, 4, 1, 0} && std::abs(norm.item() - 5.47723f) < 1e-4f &&
           gpu::to_host(doubled) == Floats{2, 4, 6, 8};
}

// A library of fewer GPU_LINALG_TYPES says so.
bool doubles_are_refused() {
    try {
        (void)gpu::to_host(gpu::linalg::svd(gpu::ones<double>({2, 2})).S);
    } catch (const gpu::DTypeError& error) {
        return std::strstr(error.what(), "linear algebra of float64 isn't in this libgpu_host_linalg.so") != nullptr;
    }
    return false;
}

}  // namespace

int main(int argc, char** argv) {
    const gpu::Array<float> doubled = gpu::to_device(Floats{1, 2, 3, 4}) * 2.f;
    const Floats result = gpu::to_host(doubled);
    std::printf("%g %g %g %g\n", result[0], result[1], result[2], result[3]);
    if (result != Floats{2, 4, 6, 8} || !kernels_are_right()) return 1;

    const gpu::Array<float> matrix = gpu::to_device(Floats{3, 0, 4, 5}).reshape({2, 2});
    const Floats singular = gpu::to_host(gpu::linalg::svd(matrix).S);   // sqrt(45) and sqrt(5)
    std::printf("%g %g\n", singular[0], singular[1]);
    if (!(std::abs(singular[0] - 6.7082f) < 1e-3f && std::abs(singular[1] - 2.23607f) < 1e-3f)) return 1;
    const bool float32_alone = argc > 1 && std::strcmp(argv[1], "float32_alone") == 0;
    return float32_alone == doubles_are_refused() ? 0 : 1;
}
