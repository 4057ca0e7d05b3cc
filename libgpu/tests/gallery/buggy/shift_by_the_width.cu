// SPDX-License-Identifier: MIT
// A mask of the lowest n bits is made by a shift, which is undefined for n = 32.
//
// array: unsigned masks[33] = uninitialized
// launch: lowest<<<1, 64>>>(masks, 33)
// finding: wide shift, line 10, variable -

__global__ void lowest(unsigned* masks, int n) {
    int i = threadIdx.x;
    if (i < n) masks[i] = (1u << i) - 1;
}
