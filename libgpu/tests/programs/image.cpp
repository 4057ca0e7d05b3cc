// SPDX-License-Identifier: MIT
// Filters of images.
#include <algorithm>
#include <array>
#include <cmath>

#include "program.hpp"

namespace programs {

namespace {

using Image = std::vector<double>;
using Pair = std::pair<int, int>;

// The pixel, or the nearest at the edge.
template <class T>
T pixel(const std::vector<T>& image, int width, int x, int y) {
    const int height = static_cast<int>(image.size()) / width;
    return image[at(std::clamp(y, 0, height - 1), width, std::clamp(x, 0, width - 1))];
}

template <class F>
void for_each_pixel(int width, int height, F f) {
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) f(x, y);
}

std::vector<std::uint8_t> random_bytes(std::size_t count, unsigned seed) {
    const std::vector<int> values = random_ints(count, seed, 256);
    return {values.begin(), values.end()};
}

const std::vector<Pair> sizes = {{1, 1}, {33, 7}, {29, 40}};

void separable_convolution(Run& run) {
    const auto convolve = run.kernel<void(const float*, float*, int, int, int)>("convolve");
    const std::vector<float> weights = {0.5F, -1, 2, 4, 3, 0.25F, -0.125F};
    for (const auto& [width, height] : sizes) {
        const std::vector<float> image = random_floats(at(height, width, 0), 1);
        const auto x = gpu::to_device(image);
        auto by_rows = gpu::empty<float>({width * height}), by_columns = gpu::empty<float>({width * height});
        run.symbol<float>("weights").copy_from(weights);
        convolve({.grid = {blocks(width, 32), height}, .block = 32}, x, by_rows, width, 1, width);
        convolve({.grid = {blocks(height, 32), width}, .block = 32}, by_rows, by_columns, height, width, 1);
        Image want(image.size());
        for_each_pixel(width, height, [&, w = width, h = height](int i, int j) {
            for (int v = -3; v <= 3; ++v)
                for (int u = -3; u <= 3; ++u)
                    if (i - u >= 0 && i - u < w && j - v >= 0 && j - v < h)
                        want[at(j, w, i)] += static_cast<double>(weights[length(u + 3)]) * weights[length(v + 3)] *
                                             image[at(j - v, w, i - u)];
        });
        run.close("y", by_columns, want, 16, 100);
    }
}

void convolution_2d(Run& run) {
    const auto convolve = run.kernel<void(const float*, const float*, float*, int, int, int)>("convolve");
    for (const auto& [width, height] : sizes) {
        for (const int radius : {0, 2}) {
            const int size = 2 * radius + 1;
            const std::vector<float> image = random_floats(at(height, width, 0), 2);
            const std::vector<float> filter = random_floats(at(size, size, 0), 3);
            auto y = gpu::empty<float>({width * height});
            const std::size_t bytes = at(8 + 2 * radius, 16 + 2 * radius, 0) * sizeof(float);
            convolve({.grid = {blocks(width, 16), blocks(height, 8)}, .block = {16, 8}, .shared = bytes},
                     gpu::to_device(image), gpu::to_device(filter), y, width, height, radius);
            Image want(image.size());
            for_each_pixel(width, height, [&, w = width](int i, int j) {
                for (int v = -radius; v <= radius; ++v)
                    for (int u = -radius; u <= radius; ++u)
                        want[at(j, w, i)] += static_cast<double>(filter[at(v + radius, size, u + radius)]) *
                                             pixel(image, w, i - u, j - v);
            });
            run.close("y", y, want, 32, 25);
        }
    }
}

void sobel(Run& run) {
    const auto edges = run.kernel<void(const std::uint8_t*, int*, int, int)>("edges");
    for (const auto& [width, height] : sizes) {
        const std::vector<std::uint8_t> image = random_bytes(at(height, width, 0), 4);
        auto result = gpu::empty<int>({width * height});
        edges({.grid = {blocks(width, 30), blocks(height, 6)}, .block = 32}, gpu::to_device(image), result, width,
              height);
        std::vector<int> want(image.size());
        for_each_pixel(width, height, [&, w = width](int x, int y) {
            int dx = 0, dy = 0;
            for (int k = -1; k <= 1; ++k) {
                const int weight = k == 0 ? 2 : 1;
                dx += weight * (pixel(image, w, x + 1, y + k) - pixel(image, w, x - 1, y + k));
                dy += weight * (pixel(image, w, x + k, y + 1) - pixel(image, w, x + k, y - 1));
            }
            want[at(y, w, x)] = std::abs(dx) + std::abs(dy);
        });
        run.equal("edges", result, want);
    }
}

void bilateral_filter(Run& run) {
    const auto smooth = run.kernel<void(const float*, float*, int, int, int, float, float)>("smooth");
    for (const auto& [width, height] : sizes) {
        const std::vector<float> image = random_floats(at(height, width, 0), 5);
        auto result = gpu::empty<float>({width * height});
        smooth({.grid = {blocks(width, 16), blocks(height, 8)}, .block = {16, 8}}, gpu::to_device(image), result, width,
               height, 2, 0.25F, 2.0F);
        Image want(image.size());
        for_each_pixel(width, height, [&, w = width, h = height](int x, int y) {
            double sum = 0, total = 0;
            for (int v = std::max(y - 2, 0); v <= std::min(y + 2, h - 1); ++v) {
                for (int u = std::max(x - 2, 0); u <= std::min(x + 2, w - 1); ++u) {
                    const double difference = image[at(v, w, u)] - image[at(y, w, x)];
                    const int distance = (u - x) * (u - x) + (v - y) * (v - y);
                    const double weight = std::exp(-0.25 * distance - 2 * difference * difference);
                    sum += weight * image[at(v, w, u)];
                    total += weight;
                }
            }
            want[at(y, w, x)] = sum / total;
        });
        run.close("result", result, want, 64, 1);
    }
}

void box_filter(Run& run) {
    const auto scan_rows = run.kernel<void(const int*, int*, int, int)>("scan_rows");
    const auto scan_columns = run.kernel<void(int*, int, int)>("scan_columns");
    const auto sum_boxes = run.kernel<void(const int*, int*, int, int, int)>("sum_boxes");
    const int radius = 3;
    for (const auto& [width, height] : sizes) {
        const std::vector<int> image = random_ints(at(height, width, 0), 6, 256);
        auto sums = gpu::empty<int>({width * height}), result = gpu::empty<int>({width * height});
        scan_rows({.grid = blocks(height, 2), .block = 64}, gpu::to_device(image), sums, width, height);
        scan_columns({.grid = blocks(width, 32), .block = 32}, sums, width, height);
        sum_boxes({.grid = {blocks(width, 16), blocks(height, 8)}, .block = {16, 8}}, sums, result, width, height,
                  radius);
        std::vector<int> want(image.size());
        for_each_pixel(width, height, [&, w = width, h = height](int x, int y) {
            for (int v = std::max(y - radius, 0); v <= std::min(y + radius, h - 1); ++v)
                for (int u = std::max(x - radius, 0); u <= std::min(x + radius, w - 1); ++u)
                    want[at(y, w, x)] += image[at(v, w, u)];
        });
        run.equal("boxes", result, want);
    }
}

void median_filter(Run& run) {
    const auto median = run.kernel<void(const std::uint8_t*, std::uint8_t*, int, int)>("median");
    for (const auto& [width, height] : sizes) {
        const std::vector<std::uint8_t> image = random_bytes(at(height, width, 0), 7);
        auto result = gpu::empty<std::uint8_t>({width * height});
        median({.grid = {blocks(width, 16), blocks(height, 8)}, .block = {16, 8}}, gpu::to_device(image), result, width,
               height);
        std::vector<std::uint8_t> want(image.size());
        for_each_pixel(width, height, [&, w = width](int x, int y) {
            std::array<std::uint8_t, 9> around{};
            for (int k = 0; k < 9; ++k) around[length(k)] = pixel(image, w, x + k % 3 - 1, y + k / 3 - 1);
            std::nth_element(around.begin(), around.begin() + 4, around.end());
            want[at(y, w, x)] = around[4];
        });
        run.equal("median", result, want);
    }
}

}  // namespace

std::vector<Program> image_programs() {
    return {{"image/separable_convolution.cu", separable_convolution},
            {"image/convolution_2d.cu", convolution_2d},
            {"image/sobel.cu", sobel},
            {"image/bilateral_filter.cu", bilateral_filter},
            {"image/box_filter.cu", box_filter},
            {"image/median_filter.cu", median_filter}};
}

}  // namespace programs
