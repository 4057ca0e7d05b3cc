// SPDX-License-Identifier: MIT
// Blocks append to a list in their order: each waits for its predecessor's turn to end. They take their numbers when
// they start, so none waits for a block that hasn't started.

constexpr int block_size = 32;

__global__ void append(const int* x, int* list, int* size, int* turn, int* tickets, int n) {
    __shared__ int number, first;
    int t = threadIdx.x;
    if (t == 0) number = atomicAdd(tickets, 1);
    __syncthreads();
    int i = number * block_size + t;
    bool is_large = i < n && x[i] >= 50;
    unsigned lanes = __ballot_sync(0xffffffffu, is_large);
    if (t == 0) {
        while (atomicAdd(turn, 0) != number) {
        }
        __threadfence();
        first = *size;
        *size = first + __popc(lanes);
        __threadfence();
        atomicExch(turn, number + 1);
    }
    __syncthreads();
    if (is_large) list[first + __popc(lanes & ((1u << t) - 1))] = x[i];
}
