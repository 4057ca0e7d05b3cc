// SPDX-License-Identifier: MIT
// One atomic for a whole warp: its first voter draws places for all, a shuffle tells them, each takes its own.
//
// array: int x[1000] = modulo 5
// array: int kept[1000] = zeros, scratch
// array: int count[1] = zeros
// launch: filter<<<8, 128>>>(x, kept, count, 1000)
// check: count = count_positive(x)
// counts: atomics = 32

__global__ void filter(const int* x, int* kept, int* count, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    int value = i < n ? x[i] : 0;
    unsigned voters = __ballot_sync(0xffffffffu, value > 0);
    if (voters == 0) return;
    int first = 0, leader = __ffs(voters) - 1;
    if (lane == leader) first = atomicAdd(count, __popc(voters));
    first = __shfl_sync(0xffffffffu, first, leader);
    if (value > 0) kept[first + __popc(voters & ((1u << lane) - 1u))] = value;
}
