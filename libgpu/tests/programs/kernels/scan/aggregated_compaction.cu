// SPDX-License-Identifier: MIT
// Keeps the multiples of 3 in any order: each warp draws its places by one atomic, and its lanes count those before
// them.

__global__ void keep(const int* x, int* kept, int* count, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    bool flag = i < n && x[i] % 3 == 0;
    unsigned lanes = __ballot_sync(0xffffffffu, flag);
    if (lanes == 0) return;
    int leader = __ffs(lanes) - 1, first = 0;
    if (lane == leader) first = atomicAdd(count, __popc(lanes));
    first = __shfl_sync(0xffffffffu, first, leader);
    if (flag) kept[first + __popc(lanes & ((1u << lane) - 1))] = x[i];
}
