// SPDX-License-Identifier: MIT

// Exercise 12, part e: a sum whose threads hand each other their values, lane to lane. Blocks have 256 threads.

__global__ void sum_shuffle(const float* x, float* total, int n) {
    __shared__ float part[8];  // one for each warp of the block
    const int t = threadIdx.x, warp = t / 32, lane = t % 32;
    // ---- your code, star (about 10 lines) ----
    // TODO: 1. value: this thread's element. What do threads without one take part with?
    //       2. __shfl_down_sync(0xffffffff, value, 16) is the value of the lane 16 places further on. Add it to value;
    //          then the same with 8, 4, 2 and 1: lane 0 has its warp's sum. All 32 lanes make each of these calls.
    //       3. Lane 0 of each warp puts the sum into part[warp]. Wait; the first warp adds up the 8 in the same way.
    //       4. One thread of the block adds that to *total.
    // ---- end ----
}
