// SPDX-License-Identifier: MIT
// Shows how an off-by-one hides in round sizes.
#include <cstdio>

#include <gpu/gpu.hpp>

int main() {
    const gpu::DeviceGuard guard(gpu::Device::host());  // a GPU would say nothing at n = 1000
    const gpu::RawKernel<void(const float*, float*, int)> first_try(gpu::file("differences.cu"), "first_try");
    for (const int n : {256, 1024, 1000}) {
        const auto i = gpu::arange<float>(n);
        const gpu::Array<float> x = i * i, want = gpu::where(i > 0, 2 * i - 1, 0.0f);
        auto y = gpu::zeros<float>({n});
        std::printf("n = %d: ", n);
        try {
            first_try({.grid = (n + 255) / 256, .block = 256}, x, y, n);
            std::printf("%s\n", gpu::array_equal(y, want).item() ? "right" : "wrong");
        } catch (const gpu::Error& error) {
            std::printf("%s\n", error.what());
        }
    }
}
