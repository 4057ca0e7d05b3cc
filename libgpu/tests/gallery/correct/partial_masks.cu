// SPDX-License-Identifier: MIT
// Two halves of a warp shuffle in different branches, each with a mask of its own lanes.
//
// array: int x[32] = random 3 below 100
// array: int y[32] = uninitialized
// launch: halves<<<1, 32>>>(x, y)
// check: y = sum_of_groups(x, 16)

__global__ void halves(const int* x, int* y) {
    int lane = threadIdx.x, sum = x[lane];
    if (lane < 16) {
        for (int d = 8; d > 0; d /= 2) sum += __shfl_xor_sync(0x0000ffffu, sum, d);
    } else {
        for (int d = 1; d < 16; d *= 2) sum += __shfl_xor_sync(0xffff0000u, sum, d);
    }
    y[lane] = sum;
}
