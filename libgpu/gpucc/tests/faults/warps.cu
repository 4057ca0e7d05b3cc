// SPDX-License-Identifier: MIT
// Votes, a histogram, vectors and a kernel's own arrays; see vector_sum.cu.
#include <cassert>
#include <cstdio>

#ifndef FAULT
#define FAULT 0
#endif

__global__ void histogram(const unsigned char* in, int n, unsigned* bins) {
    __shared__ unsigned local[64];
    const int tid = threadIdx.x;
    if (FAULT != 1 && tid < 64) local[tid] = 0;
    if (FAULT != 2) __syncthreads();
    if (FAULT == 3)
        ++local[in[tid] % 64];  // fault 3: no barrier
    else
        // fault 1: uninit, fault 2: no barrier, fault 4: out of bounds
        for (int i = tid; i < n; i += blockDim.x) atomicAdd(&local[FAULT == 4 ? in[i] : in[i] % 64], 1u);
    __syncthreads();
    if (tid < 64) bins[tid] = local[tid];
}

__global__ void maxima(const int* in, int* out) {
    int value = in[threadIdx.x];
    const int lane = threadIdx.x % 32;
    for (int k = 16; k > 0; k /= 2) {
        if (FAULT == 5 && lane >= 16) break;
        // fault 5: __shfl_xor_sync, fault 6: does not name its own lane
        value = max(value, __shfl_xor_sync(FAULT == 6 ? 0xfffffffeu : 0xffffffffu, value, k));
    }
    if (lane == 0) out[threadIdx.x / 32] = value;
}

__global__ void vectors(const int* in, int4* out) {
    const int4 own = *reinterpret_cast<const int4*>(in + 4 * threadIdx.x + (FAULT == 7));  // fault 7: align
    int parts[4] = {own.x, own.y, own.z, own.w}, sum = 0;
    for (int k = 0; k < 4 + (FAULT == 8); ++k) sum += parts[k];  // fault 8: out of bounds
    assert(sum != -1 + (FAULT == 9 ? 7 : 0));  // fault 9: ssert
    out[threadIdx.x] = make_int4(sum, 0, 0, 0);
}

__device__ unsigned total;
__global__ void add_up(const unsigned* bins) {
    unsigned sum = 0;
    for (int k = 0; k < 64; ++k) sum += bins[k];
    if (FAULT == 10)
        total += sum;  // fault 10: lost update
    else if (threadIdx.x == 0 && blockIdx.x == 0)
        total = sum;
}

int main() {
    const int n = 640;
    unsigned char host[n];
    int numbers[n];
    for (int i = 0; i < n; ++i) host[i] = i % 200, numbers[i] = i;
    unsigned char* in;
    unsigned *bins, sum = 0;
    int *device, *out;
    cudaMalloc(&in, n);
    cudaMalloc(&bins, 64 * sizeof(unsigned));
    cudaMalloc(&device, sizeof numbers);
    cudaMalloc(&out, 64 * sizeof(int4));
    cudaMemcpy(in, host, n, cudaMemcpyHostToDevice);
    cudaMemcpy(device, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    histogram<<<1, 128>>>(in, n, bins);
    maxima<<<1, 64>>>(device, out);
    vectors<<<1, 32>>>(device, (int4*)out);
    add_up<<<2, 32>>>(bins);
    const cudaError_t error = cudaMemcpyFromSymbol(&sum, total, sizeof sum);
    printf("%u %d\n", sum, error);
    cudaFree(in);
    cudaFree(bins);
    cudaFree(device);
    cudaFree(out);
    return 0;
}
