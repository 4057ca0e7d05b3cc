// SPDX-License-Identifier: MIT
// A mask of the lowest n bits, where n may be 32: the shift is one of 64 bits.
//
// array: int ones[33] = ones
// array: int bits[33] = uninitialized
// launch: lowest<<<1, 64>>>(bits, 33)
// check: bits = exclusive_scan(ones)

__global__ void lowest(int* bits, int n) {
    int i = threadIdx.x;
    if (i < n) bits[i] = __popc((unsigned)((1ull << i) - 1));
}
