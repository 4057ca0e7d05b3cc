// SPDX-License-Identifier: MIT
// The file with the filters: kernels of its own, one from a header, and a limit that isn't main.cu's.
#define BRIGHT_LIMIT 3
#include "filters.hpp"

#include <stdexcept>

#include "image.hpp"
#include "kernels.cuh"

namespace {

class DevicePixels {
public:
    explicit DevicePixels(Image& image) : image_(image), bytes_(image.pixels().size() * sizeof(int)) {
        if (cudaMalloc(&data_, bytes_) != cudaSuccess) throw std::runtime_error("no memory");
        cudaMemcpy(data_, image.pixels().data(), bytes_, cudaMemcpyHostToDevice);
    }
    ~DevicePixels() {
        cudaMemcpy(image_.pixels().data(), data_, bytes_, cudaMemcpyDeviceToHost);
        cudaFree(data_);
    }
    int* data() { return data_; }
    int count() const { return int(bytes_ / sizeof(int)); }

private:
    Image& image_;
    size_t bytes_;
    int* data_ = nullptr;
};

struct Invert {
    __device__ int operator()(int value) const { return clamped(9 - value); }
};

__constant__ int mask[3][3] = {{1, 1, 1}, {1, 8, 1}, {1, 1, 1}};

__global__ void filter(const int* in, int* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int sum = 0;
    for (int v = -1; v <= 1; ++v)
        for (int u = -1; u <= 1; ++u) {
            const int column = clamped(x + u, 0, width - 1), row = clamped(y + v, 0, height - 1);
            sum += mask[v + 1][u + 1] * in[row * width + column];
        }
    out[y * width + x] = sum / 16;
}

}  // namespace

void invert(Image& image) {
    DevicePixels pixels(image);
    each_pixel<<<(pixels.count() + 63) / 64, 64>>>(pixels.data(), pixels.count(), Invert());
}

void soften(Image& image, int times) {
    DevicePixels pixels(image);
    int* other;
    cudaMalloc(&other, pixels.count() * sizeof(int));
    const dim3 block(8, 8), grid((image.width() + 7) / 8, (image.height() + 7) / 8);
    for (int k = 0; k < times; ++k) {
        filter<<<grid, block>>>(pixels.data(), other, image.width(), image.height());
        cudaMemcpy(pixels.data(), other, pixels.count() * sizeof(int), cudaMemcpyDeviceToDevice);
    }
    cudaFree(other);
}

int bright_pixels(Image& image) {
    DevicePixels pixels(image);
    int *count, host = 0;
    cudaMalloc(&count, sizeof(int));
    cudaMemset(count, 0, sizeof(int));
    count_bright<<<1, 512>>>(pixels.data(), pixels.count(), count);
    cudaMemcpy(&host, count, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(count);
    return host;
}
