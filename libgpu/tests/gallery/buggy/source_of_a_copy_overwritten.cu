// SPDX-License-Identifier: MIT
// An element is cleared as soon as its copy has been asked for: the copy may read the zero.
//
// array: float x[128] = random 8
// array: float y[128] = uninitialized
// launch: take<<<1, 128>>>(x, y)
// finding: missing barrier, lines 14 16, variable x

#include <cuda_pipeline.h>

__global__ void take(float* x, float* y) {
    __shared__ float tile[128];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&tile[t], &x[t], sizeof(float));
    __pipeline_commit();
    x[t] = 0.0f;
    __pipeline_wait_prior(0);
    y[t] = 2.0f * tile[t];
}
