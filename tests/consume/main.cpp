// SPDX-License-Identifier: MIT
// The smallest use of libgpu: does it compile, link, start and compute?
#include <cstdio>
#include <vector>

#include <gpu/gpu.hpp>

int main() {
    const std::vector<float> x{1, 2, 3, 4};
    const gpu::Array<float> doubled = gpu::to_device(x) * 2.f;
    const std::vector<float> result = gpu::to_host(doubled);
    std::printf("%g %g %g %g\n", result[0], result[1], result[2], result[3]);
    return result == std::vector<float>{2, 4, 6, 8} ? 0 : 1;
}
