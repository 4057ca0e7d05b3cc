// SPDX-License-Identifier: MIT
// Shows a picture before and after the library's convolution: the edges of a disc and a bar.
#include <cstdio>
#include <vector>

#include <gpu/gpu.hpp>

static void print(const gpu::Array<float>& before, const gpu::Array<float>& after) {
    const std::vector<float> a = gpu::to_host(before), b = gpu::to_host(after);
    const std::size_t columns = static_cast<std::size_t>(before.shape()[1]);
    const auto shade = [](float grey) { return " .:-=+*#%@"[static_cast<int>(9 * grey + 0.5f)]; };
    for (std::size_t row = 0; row < a.size() / columns; ++row) {
        for (std::size_t k = 0; k < columns; ++k) std::putchar(shade(a[row * columns + k]));
        std::printf("|");
        for (std::size_t k = 0; k < columns; ++k) std::putchar(shade(b[row * columns + k]));
        std::printf("|\n");
    }
}

int main() {
    const auto y = gpu::linspace<float>(-1.2f, 1.2f, 13).reshape({13, 1}), x = gpu::linspace<float>(-1.2f, 2.4f, 36);
    const gpu::Array<float> picture = gpu::where(x * x + y * y < 1 || x > 1.8f, 0.8f, 0.f);
    // [library]
    const auto across =
        gpu::to_device<float>({{1, 0, -1}, {2, 0, -2}, {1, 0, -1}});  // Sobel's filter, and its transpose
    const gpu::signal::ConvolveOptions options{.mode = gpu::signal::Mode::same,
                                               .boundary = gpu::signal::Boundary::symm};
    const auto right = gpu::signal::convolve2d(picture, across, options);
    const auto down = gpu::signal::convolve2d(picture, across.transpose(), options);
    const gpu::Array<float> edges = gpu::sqrt(right * right + down * down);
    // [/library]
    print(picture, edges / gpu::max(edges));
}
