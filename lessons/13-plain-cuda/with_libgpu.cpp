// SPDX-License-Identifier: MIT
// The same sum by libgpu.
#include <cstdio>
#include <vector>

#include <gpu/gpu.hpp>

int main() {
    // [main]
    const int n = 1000;
    const std::vector<float> h_x(n, 1), h_y(n, 2);
    const auto x = gpu::to_device(h_x), y = gpu::to_device(h_y);
    const gpu::Array<float> z = x + y;
    const std::vector<float> h_z = gpu::to_host(z);
    // [/main]
    std::printf("z[0] = %g, z[%d] = %g\n", h_z[0], n - 1, h_z[n - 1]);
}
