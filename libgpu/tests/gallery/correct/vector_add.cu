// SPDX-License-Identifier: MIT
// The first kernel of every course: one thread for each element, and a guard for the last block.
//
// array: float x[1000] = random 1
// array: float y[1000] = random 2
// array: float z[1000] = uninitialized
// launch: add<<<4, 256>>>(x, y, z, 1000)
// check: z = sum_of(x, y) within 1 eps
// counts: global_requests = 96
// counts: global_sectors = 375
// counts: global_segments = 96

__global__ void add(const float* x, const float* y, float* z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = x[i] + y[i];
}
