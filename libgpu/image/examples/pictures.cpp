// SPDX-License-Identifier: MIT
// Pictures before and after: the Mandelbrot set, and the edges of a picture by convolution. docs/picture-files.md shows
// this program in pieces.
//
//     pictures [PICTURE]
//
// writes mandelbrot.png, small.png and edges.png; without PICTURE, the edges are those of mandelbrot.png.
#include <cstdio>
#include <string>

#include <gpu/gpu.hpp>
#include <gpu/image.hpp>

namespace {

// How many steps z = z * z + c takes to leave the circle of radius 2, for each point c of a window.
gpu::Array<int> mandelbrot(int height, int width) {
    gpu::ElementwiseKernel steps("complex64 c, int32 limit", "int32 count",
                                 R"(
        complex<float> z = 0;
        for (count = 0; count < limit && norm(z) <= 4; ++count) z = z * z + c;)",
                                 "mandelbrot_steps");
    gpu::Array<float> re = gpu::linspace<float>(-2.1, 0.7, width);
    gpu::Array<float> im = gpu::linspace<float>(-1.05, 1.05, height).reshape({height, 1});
    return steps(re + gpu::complex<float>(0, 1) * im, 100);  // (height, width)
}

// How steep the grey values are: Sobel's two filters, and the length of what they find.
gpu::Array<float> edges(const gpu::Array<float>& grey) {
    gpu::Array<float> across = gpu::to_device<float>({{1, 0, -1}, {2, 0, -2}, {1, 0, -1}});
    gpu::Array<float> down = across.transpose();
    const gpu::signal::ConvolveOptions same{.mode = gpu::signal::Mode::same, .boundary = gpu::signal::Boundary::symm};
    gpu::Array<float> x = gpu::signal::convolve2d(grey, across, same), y = gpu::signal::convolve2d(grey, down, same);
    return gpu::sqrt(x * x + y * y);
}

}  // namespace

int main(int argc, char** argv) {
    gpu::Array<int> steps = mandelbrot(420, 560);
    gpu::image::save("mandelbrot.png", gpu::image::heatmap(steps));

    const std::string path = argc > 1 ? argv[1] : "mandelbrot.png";
    gpu::Array<float> photo = gpu::image::load<float>(path);  // (height, width, 3), from 0 to 1
    gpu::Array<float> grey = gpu::image::grey(photo);         // (height, width)
    gpu::Array<float> small = gpu::image::resize(grey, {210, 280}, {.antialias = true});
    gpu::Array<float> steep = edges(small);
    gpu::image::save("small.png", small);  // before
    gpu::image::save("edges.png",          // after
                     gpu::image::heatmap(steep, {.low = 0, .colours = gpu::image::black_to_white()}));

    std::printf("points that stay: %lld\n", static_cast<long long>(gpu::count_nonzero(steps == 100).item()));
    std::printf("%s is %s, its grey values are %s\n", path.c_str(), gpu::to_string(photo.shape()).c_str(),
                gpu::to_string(small.shape()).c_str());
}
