// SPDX-License-Identifier: MIT
// Each thread copies four elements and arrives at a barrier; what it does meanwhile needs nothing of the copy.
//
// array: float x[1024] = random 8
// array: float y[128] = uninitialized
// launch: neighbour_sums<<<1, 128>>>(x, y, 8)
// check: y = sum_of_rotated_rows(x, 128) within 8 eps

#include <cuda/barrier>

__global__ void neighbour_sums(const float* x, float* y, int rounds) {
    __shared__ float4 tile[2][32];
    __shared__ cuda::barrier<cuda::thread_scope_block> copied;
    int t = threadIdx.x;
    if (t == 0) init(&copied, blockDim.x);
    __syncthreads();
    float sum = 0.0f;
    for (int k = 0; k < rounds; ++k) {
        if (t < 32) cuda::memcpy_async(&tile[k % 2][t], (const float4*)x + k * 32 + t, sizeof(float4), copied);
        auto token = copied.arrive();
        int neighbour = (t + 1) % 128;
        copied.wait(static_cast<decltype(token)&&>(token));
        const float* row = (const float*)tile[k % 2];
        sum += row[neighbour];
    }
    y[t] = sum;
}
