// SPDX-License-Identifier: MIT
// A pipeline of two stages that a block shares: every thread copies its part of a batch, and all wait for the whole.
//
// array: float x[1024] = random 8
// array: float y[128] = uninitialized
// launch: neighbour_sums<<<1, 128>>>(x, y, 8)
// check: y = sum_of_rotated_rows(x, 128) within 8 eps

#include <cooperative_groups.h>
#include <cuda/pipeline>
namespace cg = cooperative_groups;

__global__ void neighbour_sums(const float* x, float* y, int rounds) {
    __shared__ float tile[2][128];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    cg::thread_block block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int t = block.thread_rank();
    float sum = 0.0f;
    for (int k = 0, next = 0; k < rounds; ++k) {
        for (; next < rounds && next < k + 2; ++next) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, tile[next % 2], x + next * 128, sizeof(float) * 128, pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += tile[k % 2][(t + 1) % 128];
        pipe.consumer_release();
    }
    y[t] = sum;
}
