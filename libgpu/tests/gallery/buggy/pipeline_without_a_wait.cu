// SPDX-License-Identifier: MIT
// A batch is released to a block's pipeline without having been waited for: a barrier alone doesn't do.
//
// array: float x[1024] = random 8
// array: float y[128] = uninitialized
// launch: neighbour_sums<<<1, 128>>>(x, y, 8)
// finding: missing barrier, lines 22 25, variable tile

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
    for (int k = 0; k < rounds; ++k) {
        pipe.producer_acquire();
        cuda::memcpy_async(block, tile[k % 2], x + k * 128, sizeof(float) * 128, pipe);
        pipe.producer_commit();
        block.sync();
        sum += tile[k % 2][(t + 1) % 128];
        pipe.consumer_release();
    }
    y[t] = sum;
}
