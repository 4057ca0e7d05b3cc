// SPDX-License-Identifier: MIT
// Numbers of 16 bits in shared memory: half the bytes, and two neighbours in each word.
//
// array: float x[128] = modulo 50
// array: float y[128] = uninitialized
// launch: rotate<<<1, 128>>>(x, y)
// check: y = rotate_and_add(x, 1)

#include <cuda_fp16.h>

__global__ void rotate(const float* x, float* y) {
    __shared__ __half tile[128];
    int t = threadIdx.x;
    tile[t] = __float2half(x[t]);
    __syncthreads();
    __half sum = __hadd(tile[t], tile[(t + 1) % 128]);
    y[t] = __half2float(sum);
}
