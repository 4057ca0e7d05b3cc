// SPDX-License-Identifier: MIT
// The block that draws the last ticket adds up all blocks' sums: a fence makes these visible before the tickets.
//
// array: float x[1000] = random 6
// array: float partial[4] = uninitialized, scratch
// array: unsigned ticket[1] = zeros, scratch
// array: float total[1] = uninitialized
// launch: sum<<<4, 256>>>(x, partial, ticket, total, 1000)
// check: total = sum(x) within 16 eps

__global__ void sum(const float* x, float* partial, unsigned* ticket, float* total, int n) {
    __shared__ float part[256];
    __shared__ bool is_last;
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    part[t] = i < n ? x[i] : 0.0f;
    __syncthreads();
    for (int step = 1; step < 256; step *= 2) {
        if (t % (2 * step) == 0) part[t] += part[t + step];
        __syncthreads();
    }
    if (t == 0) {
        partial[blockIdx.x] = part[0];
        __threadfence();
        is_last = atomicAdd(ticket, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (!is_last || t != 0) return;
    __threadfence();
    float sum = 0.0f;
    for (unsigned k = 0; k < gridDim.x; ++k) sum += static_cast<volatile float*>(partial)[k];
    *total = sum;
}
