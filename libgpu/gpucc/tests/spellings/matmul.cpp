// SPDX-License-Identifier: MIT
// The product of two matrices by libgpu, for docs/from-libgpu-to-cuda.md; cublas.cu prints the same by cuBLAS.
#include <cstdio>

#include <gpu/gpu.hpp>

int main() {
    const gpu::Array<float> a = gpu::arange<float>(6).reshape({2, 3});
    const gpu::Array<float> b = (gpu::arange<int>(12) % 5).astype<float>().reshape({3, 4});
    const gpu::Array<float> c = gpu::matmul(a, b);
    for (const float value : gpu::to_host(c)) std::printf("%g ", value);
    std::printf("done\n");
}
