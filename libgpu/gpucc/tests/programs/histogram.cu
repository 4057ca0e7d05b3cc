// SPDX-License-Identifier: MIT
// A histogram with atomics in shared and global memory, and a grid that depends on the device.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define BINS 64

__global__ void histogram(const unsigned char* data, size_t n, unsigned int* bins) {
    __shared__ unsigned int own[BINS];
    for (int i = threadIdx.x; i < BINS; i += blockDim.x) own[i] = 0;
    __syncthreads();
    for (size_t i = threadIdx.x + size_t(blockIdx.x) * blockDim.x; i < n; i += size_t(gridDim.x) * blockDim.x)
        atomicAdd(&own[data[i] % BINS], 1u);
    __syncthreads();
    for (int i = threadIdx.x; i < BINS; i += blockDim.x) atomicAdd(&bins[i], own[i]);
}

int main() {
    const size_t n = 100000;
    std::vector<unsigned char> data(n);
    unsigned int state = 12345;
    for (auto& one : data) one = (state = state * 1664525u + 1013904223u) >> 24;
    unsigned char* d_data;
    unsigned int *d_bins, bins[BINS], expected[BINS] = {};
    cudaMalloc(&d_data, n);
    cudaMalloc(&d_bins, sizeof bins);
    cudaMemcpy(d_data, data.data(), n, cudaMemcpyHostToDevice);
    cudaMemset(d_bins, 0, sizeof bins);
    cudaDeviceProp prop;
    cudaGetDeviceProperties(&prop, 0);
    histogram<<<prop.multiProcessorCount * 2, 128>>>(d_data, n, d_bins);
    cudaMemcpy(bins, d_bins, sizeof bins, cudaMemcpyDeviceToHost);
    for (const auto one : data) ++expected[one % BINS];
    int wrong = 0;
    for (int i = 0; i < BINS; ++i) wrong += bins[i] != expected[i];
    printf("%d bins differ, bin 7 has %u\n", wrong, bins[7]);
    cudaFree(d_data);
    cudaFree(d_bins);
}
