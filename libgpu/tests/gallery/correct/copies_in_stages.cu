// SPDX-License-Identifier: MIT
// Four stages of asynchronous copies by hand: while a tile is summed, the next three are on their way.
//
// array: float x[1024] = random 8
// array: float y[128] = uninitialized
// launch: neighbour_sums<<<1, 128>>>(x, y, 8)
// check: y = sum_of_rotated_rows(x, 128) within 8 eps

#include <cuda_pipeline.h>

__global__ void neighbour_sums(const float* x, float* y, int rounds) {
    __shared__ float tile[4][128];
    int t = threadIdx.x;
    for (int k = 0; k < 3; ++k) {
        if (k < rounds) __pipeline_memcpy_async(&tile[k][t], &x[k * 128 + t], sizeof(float));
        __pipeline_commit();
    }
    float sum = 0.0f;
    for (int k = 0; k < rounds; ++k) {
        __pipeline_wait_prior(2);
        __syncthreads();
        int next = k + 3;
        if (next < rounds) __pipeline_memcpy_async(&tile[next % 4][t], &x[next * 128 + t], sizeof(float));
        __pipeline_commit();
        sum += tile[k % 4][(t + 1) % 128];
    }
    y[t] = sum;
}
