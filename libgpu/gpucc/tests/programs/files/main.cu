// SPDX-License-Identifier: MIT
// A program of three files and four headers: kernels of the same name in two of them, and one template in both.
#include <cstdio>

#include "filters.hpp"
#include "image.hpp"
#include "kernels.cuh"

struct Half {
    __host__ __device__ int operator()(int value) const { return value / 2; }
};

static int count_here(Image& image) {
    const int n = int(image.pixels().size());
    int *pixels, *count, host = 0;
    cudaMalloc(&pixels, n * sizeof(int));
    cudaMalloc(&count, sizeof(int));
    cudaMemset(count, 0, sizeof(int));
    cudaMemcpy(pixels, image.pixels().data(), n * sizeof(int), cudaMemcpyHostToDevice);
    count_bright<<<(n + 127) / 128, 128>>>(pixels, n, count);
    cudaMemcpy(&host, count, sizeof host, cudaMemcpyDeviceToHost);
    each_pixel<<<(n + 127) / 128, 128>>>(pixels, n, Half());
    cudaMemcpy(image.pixels().data(), pixels, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(pixels);
    cudaFree(count);
    return host;
}

int main() {
    Image image = drawn(16, 10);
    soften(image, 1);
    printf("%s\n", image.text().c_str());
    invert(image);
    printf("bright: %d above 3, ", bright_pixels(image));
    printf("%d above 5\n", count_here(image));
    printf("%s", image.text().c_str());
    return 0;
}
