// SPDX-License-Identifier: MIT
// A thread's pipeline waits for the thread's own copies: those of the others need a barrier behind the wait.
//
// array: float x[512] = random 8
// array: float y[512] = uninitialized
// launch: rotate<<<4, 128>>>(x, y)
// finding: missing barrier, lines 16 19, variable tile

#include <cuda/pipeline>

__global__ void rotate(const float* x, float* y) {
    __shared__ float tile[128];
    auto pipe = cuda::make_pipeline();
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    pipe.producer_acquire();
    cuda::memcpy_async(&tile[t], &x[i], sizeof(float), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    y[i] = tile[(t + 1) % 128];
    pipe.consumer_release();
}
