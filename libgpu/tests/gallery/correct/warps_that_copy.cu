// SPDX-License-Identifier: MIT
// One warp copies, the other three sum what it has copied: the producer and the consumers of a pipeline.
//
// array: float x[768] = random 8
// array: float y[96] = uninitialized
// launch: neighbour_sums<<<1, 128>>>(x, y, 8)
// check: y = sum_of_rotated_rows(x, 96) within 8 eps

#include <cooperative_groups.h>
#include <cuda/pipeline>
namespace cg = cooperative_groups;

__global__ void neighbour_sums(const float* x, float* y, int rounds) {
    __shared__ float tile[3][96];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 3> state;
    cg::thread_block block = cg::this_thread_block();
    int t = block.thread_rank();
    bool copies = t < 32;
    auto pipe =
        cuda::make_pipeline(block, &state, copies ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    if (copies) {
        auto warp = cg::tiled_partition<32>(block);
        for (int k = 0; k < rounds; ++k) {
            pipe.producer_acquire();
            cuda::memcpy_async(warp, tile[k % 3], x + k * 96, sizeof(float) * 96, pipe);
            pipe.producer_commit();
        }
    } else {
        float sum = 0.0f;
        for (int k = 0; k < rounds; ++k) {
            pipe.consumer_wait();
            sum += tile[k % 3][(t - 31) % 96];
            pipe.consumer_release();
        }
        y[t - 32] = sum;
    }
}
