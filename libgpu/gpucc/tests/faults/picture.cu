// SPDX-License-Identifier: MIT
// A filter and a transpose in two dimensions; see vector_sum.cu.
#include <cstdio>
#include <vector>

#ifndef FAULT
#define FAULT 0
#endif

const int tile = 16;
__constant__ int weights[3];

__global__ void smooth(const int* in, int* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || (FAULT != 1 && y >= height)) return;
    const int left = FAULT == 2 || x > 0 ? in[y * width + x - 1] : 0;  // fault 2: out of bounds
    const int right = x + 1 < width ? in[y * width + x + 1] : 0;       // fault 1: out of bounds, fault 3: race
    (FAULT == 3 ? const_cast<int*>(in) : out)[y * width + x] =
        // fault 4: out of bounds
        left * weights[0] + in[y * width + x] * weights[1] + right * weights[FAULT == 4 ? 3 : 2];
}

__global__ void transpose(const int* in, int* out, int width, int height) {
    __shared__ int values[tile][tile + 1];
    int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
    // fault 9: uninit, fault 3: uninit
    if (x < width && y < height) values[threadIdx.y][threadIdx.x] = in[y * width + x];
    if (FAULT != 5) __syncthreads();
    if (FAULT != 6) x = blockIdx.y * tile + threadIdx.x, y = blockIdx.x * tile + threadIdx.y;
    const int limit_x = FAULT == 6 ? width : height, limit_y = FAULT == 6 ? height : width;
    if (x < limit_x && y < limit_y)
        // fault 5: no barrier, fault 6: written twice, fault 7: out of bounds
        out[y * height + x] = values[threadIdx.x][threadIdx.y];
}

int main() {
    const int width = 60, height = 50, n = width * height;
    std::vector<int> host(n, 1);
    const int w[4] = {1, 2, 1, 0};
    int *in, *smoothed, *out;
    cudaMalloc(&in, n * sizeof(int));
    cudaMalloc(&smoothed, n * sizeof(int));
    cudaMalloc(&out, (FAULT == 7 ? n / 2 : n) * sizeof(int));
    cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(weights, w, (FAULT == 8 ? 4 : 3) * sizeof(int));  // fault 8: 16 bytes + 12 bytes
    const dim3 block(tile, tile), grid((width + tile - 1) / tile, (FAULT == 9 ? height : height + tile - 1) / tile);
    smooth<<<grid, block>>>(in, smoothed, width, height);
    transpose<<<dim3((width + tile - 1) / tile, (height + tile - 1) / tile), block>>>(smoothed, out, width, height);
    const size_t row = height * sizeof(int), bytes = FAULT == 10 ? 2 * row : row;
    // fault 10: cudaMemcpy2D + 400 bytes
    cudaMemcpy2D(host.data(), row, out, row, bytes, FAULT == 7 ? 1 : width, cudaMemcpyDeviceToHost);
    printf("%d\n", host[0]);
    cudaFree(in);
    cudaFree(smoothed);
    cudaFree(out);
    return 0;
}
