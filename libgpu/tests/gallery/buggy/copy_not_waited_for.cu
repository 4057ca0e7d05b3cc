// SPDX-License-Identifier: MIT
// A barrier behind an asynchronous copy doesn't wait for it: the neighbour's element may not have come yet.
//
// array: float x[128] = random 8
// array: float y[128] = uninitialized
// launch: rotate<<<1, 128>>>(x, y)
// finding: missing barrier, lines 14 17, variable tile

#include <cuda_pipeline.h>

__global__ void rotate(const float* x, float* y) {
    __shared__ float tile[128];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&tile[t], &x[t], sizeof(float));
    __pipeline_commit();
    __syncthreads();
    y[t] = tile[(t + 1) % 128];
}
