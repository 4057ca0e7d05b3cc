// SPDX-License-Identifier: MIT
// A reduction in one launch: the block that ends last, which an atomic counter tells, adds up what all have left.
#include <cstdio>

template <unsigned Size>
__device__ long block_sum(long own) {
    __shared__ long values[Size];
    values[threadIdx.x] = own;
    __syncthreads();
    if constexpr (Size >= 512) {
        if (threadIdx.x < 256) values[threadIdx.x] += values[threadIdx.x + 256];
        __syncthreads();
    }
    for (unsigned width = (Size >= 512 ? 256 : Size) / 2; width > 0; width /= 2) {
        if (threadIdx.x < width) values[threadIdx.x] += values[threadIdx.x + width];
        __syncthreads();
    }
    const long sum = values[0];
    __syncthreads();
    return sum;
}

__device__ unsigned arrived = 0;

template <unsigned Size>
__global__ void sum(const int* in, int n, volatile long* partial, long* result) {
    __shared__ bool is_last;
    long own = 0;
    for (int i = blockIdx.x * Size + threadIdx.x; i < n; i += Size * gridDim.x) own += in[i];
    const long total = block_sum<Size>(own);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = total;
        __threadfence();
        is_last = atomicInc(&arrived, gridDim.x - 1) == gridDim.x - 1;  // and is 0 again behind the last
    }
    __syncthreads();
    if (!is_last) return;
    __threadfence();
    long rest = 0;
    for (unsigned k = threadIdx.x; k < gridDim.x; k += Size) rest += partial[k];
    rest = block_sum<Size>(rest);
    if (threadIdx.x == 0) *result = rest;
}

int main() {
    const int n = 100000;
    int* in;
    long *partial, *result, found[2] = {-1, -1}, expected = 0;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMalloc(&partial, 64 * sizeof(long));
    cudaMalloc(&result, sizeof(long));
    for (int i = 0; i < n; ++i) expected += in[i] = i % 1000 - 300;
    sum<512><<<16, 512>>>(in, n, partial, result);
    cudaMemcpy(&found[0], result, sizeof(long), cudaMemcpyDeviceToHost);
    sum<64><<<dim3{40}, dim3{64}>>>(in, n, partial, result);
    cudaMemcpy(&found[1], result, sizeof(long), cudaMemcpyDeviceToHost);
    printf("%ld %ld, expected %ld\n", found[0], found[1], expected);
    cudaFree(in);
    cudaFree(partial);
    cudaFree(result);
    return found[0] != expected || found[1] != expected;
}
