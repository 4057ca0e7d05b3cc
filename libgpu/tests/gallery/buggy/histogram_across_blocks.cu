// SPDX-License-Identifier: MIT
// The first thread of each block adds its block's count to the same bin, without an atomic.
//
// array: int x[512] = modulo 2
// array: int odd[1] = zeros
// launch: count_odd<<<4, 128>>>(x, odd)
// finding: inter-block race, line 12, variable odd

__global__ void count_odd(const int* x, int* odd) {
    int is_odd = x[blockIdx.x * blockDim.x + threadIdx.x] % 2 != 0;
    int count = __syncthreads_count(is_odd);
    if (threadIdx.x == 0) odd[0] += count;
}
