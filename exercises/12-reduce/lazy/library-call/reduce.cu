// SPDX-License-Identifier: MIT

// Exercise 12: a sum, done twice. `total` is one float, the same for all threads.

__global__ void sum_atomic(const float* x, float* total, int n) {
    // ---- your code (about 2 lines) ----
    // TODO: If this thread has an element, add it: atomicAdd(address, value). With *total += x[i], two threads would
    //       read the same old value, and one of the two additions would be lost.
    // ---- end ----
}

__global__ void sum_tree(const float* x, float* total, int n) {
    __shared__ float part[256];  // one for each thread of the block, seen by all of them
    // ---- your code (about 9 lines) ----
    // TODO: 1. Put this thread's element into part[threadIdx.x]. What do threads without an element put there?
    //       2. Halve: 128 threads add part[t + 128] to part[t], then 64 add part[t + 64], ..., then 1.
    //       3. One thread adds part[0] to *total.
    //       Before a thread reads what another has written, all of them pass a barrier: __syncthreads(). Every thread
    //       of the block must come to it, so it can't stand in a branch that some don't take, nor after a return.
    // ---- end ----
}
