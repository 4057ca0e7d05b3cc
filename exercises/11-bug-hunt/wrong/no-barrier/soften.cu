// SPDX-License-Identifier: MIT

// Exercise 11c: y[i] is the mean of x[i] and x[i - 1]. There is a thread for each element, in blocks of 256; what
// two threads need is loaded once, into shared memory.

__global__ void soften(const float* x, float* y, int n) {
    // ---- your code (at most 4 lines to change) ----
    __shared__ float part[257];   // the element to the left of the block's, then the block's
    const int t = threadIdx.x, i = blockIdx.x * 256 + t;
    if (t == 0) part[0] = x[max(i - 1, 0)];
    if (i < n) part[t + 1] = x[i];
    // wrong: no barrier before the neighbours are read
    if (i < n) y[i] = 0.5f * (part[t] + part[t + 1]);
    // ---- end ----
}
