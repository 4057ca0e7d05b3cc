// SPDX-License-Identifier: MIT
// The smallest use of libgpu: does it compile, link, start and compute? An SVD needs what libgpu opens by itself.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#include <gpu/gpu.hpp>

namespace {

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
    const std::vector<float> x{1, 2, 3, 4};
    const gpu::Array<float> doubled = gpu::to_device(x) * 2.f;
    const std::vector<float> result = gpu::to_host(doubled);
    std::printf("%g %g %g %g\n", result[0], result[1], result[2], result[3]);
    if (result != std::vector<float>{2, 4, 6, 8}) return 1;

    const gpu::Array<float> matrix = gpu::to_device(std::vector<float>{3, 0, 4, 5}).reshape({2, 2});
    const std::vector<float> singular = gpu::to_host(gpu::linalg::svd(matrix).S);   // sqrt(45) and sqrt(5)
    std::printf("%g %g\n", singular[0], singular[1]);
    if (!(std::abs(singular[0] - 6.7082f) < 1e-3f && std::abs(singular[1] - 2.23607f) < 1e-3f)) return 1;
    const bool float32_alone = argc > 1 && std::strcmp(argv[1], "float32_alone") == 0;
    return float32_alone == doubles_are_refused() ? 0 : 1;
}
