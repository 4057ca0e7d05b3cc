// SPDX-License-Identifier: MIT
// Rows with a pitch: cudaMallocPitch, cudaMemcpy2D, cudaMemset2D.
#include <cstdio>
#include <vector>

const int width = 37, height = 11;

__global__ void number(float* image, size_t pitch, int w, int h) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float* row = (float*)((char*)image + y * pitch);
    row[x] += 100.f * y + x;
}

int main() {
    float* image = nullptr;
    size_t pitch = 0;
    if (cudaMallocPitch(&image, &pitch, width * sizeof(float), height) != cudaSuccess) return 1;
    printf("pitch is enough: %d\n", int(pitch >= width * sizeof(float) && pitch % 32 == 0));
    cudaMemset2D(image, pitch, 0, width * sizeof(float), height);
    dim3 block(16, 4), grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    printf("grid %u x %u x %u\n", grid.x, grid.y, grid.z);
    number<<<grid, block>>>(image, pitch, width, height);
    std::vector<float> host(width * height, -1.f);
    cudaMemcpy2D(host.data(), width * sizeof(float), image, pitch, width * sizeof(float), height, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) wrong += host[y * width + x] != 100.f * y + x;
    printf("%d wrong, last %g\n", wrong, host.back());
    cudaFree(image);
    return wrong;
}
