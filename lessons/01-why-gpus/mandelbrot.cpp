// SPDX-License-Identifier: MIT
// Draws the Mandelbrot set: in the terminal, in colours where it has them, and into a PNG file if one is named.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include <gpu/gpu.hpp>
#ifdef WITH_IMAGE
#include <gpu/image.hpp>
#endif

// [steps]
constexpr const char* steps = R"(
    const complex<double> c(x, y);
    complex<double> z = 0;
    int k = 0;
    for (; k < 200 && norm(z) <= 4; ++k) z = z * z + c;
    count = k;)";

static gpu::Array<int> mandelbrot(int rows, int columns) {
    static const gpu::ElementwiseKernel kernel("float64 x, float64 y", "int32 count", steps, "mandelbrot");
    const gpu::Array<double> x = gpu::linspace<double>(-2.2, 0.8, columns);
    const gpu::Array<double> y = gpu::linspace<double>(-1.13, 1.13, rows).reshape({rows, 1});
    return kernel(x, y);  // for each pixel, all at once
}
// [/steps]

static int colour(int k) {  // one of the terminal's 256
    constexpr int palette[] = {17, 18, 19, 25, 31, 37, 43, 79, 115, 151, 187, 222, 228, 230, 231};
    return k == 200 ? 16 : palette[std::min(static_cast<int>(2.3 * std::log2(k)), 14)];
}

int main(int argc, char** argv) {
    const bool colours = isatty(STDOUT_FILENO) != 0;
    const int rows = colours ? 52 : 26, columns = 78;  // a letter is twice as high as wide: two pixels in one
    const std::vector<int> counts = gpu::to_host(mandelbrot(rows, columns));
    for (int row = 0; row < rows; row += colours ? 2 : 1) {
        for (int column = 0; column < columns; ++column) {
            const int at = row * columns + column, k = counts[at];
            if (colours)
                std::printf("\033[38;5;%d;48;5;%dm\u2580", colour(k), colour(counts[at + columns]));
            else
                std::putchar(k == 200 ? '@' : " .:-=+*#"[std::min(k / 3, 7)]);
        }
        std::printf(colours ? "\033[0m\n" : "|\n");
    }
#ifdef WITH_IMAGE
    if (argc < 2) return 0;
    const gpu::Array<int> pixels = mandelbrot(1080, 1440);
    gpu::image::save(argv[1], gpu::image::heatmap(gpu::where(pixels == 200, 0, gpu::log(pixels.astype<float>()))));
    std::printf("%s: 1440 x 1080 pixels\n", argv[1]);
#else
    if (argc > 1) std::printf("%s isn't written: libpng is missing (make tour installs it)\n", argv[1]);
#endif
}
