// SPDX-License-Identifier: MIT
// The last block adds up the others' sums, but nothing says that these are visible before the tickets.
//
// array: float x[512] = ones
// array: float partial[4] = uninitialized
// array: unsigned ticket[1] = zeros
// array: float total[1] = uninitialized
// launch: sum<<<4, 128>>>(x, partial, ticket, total)
// finding: inter-block race, lines 21 24, variable partial

__global__ void sum(const float* x, float* partial, unsigned* ticket, float* total) {
    __shared__ float part[128];
    int t = threadIdx.x;
    part[t] = x[blockIdx.x * 128 + t];
    __syncthreads();
    for (int half = 64; half > 0; half /= 2) {
        if (t < half) part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0) {
        partial[blockIdx.x] = part[0];
        if (atomicAdd(ticket, 1u) == gridDim.x - 1) {
            float sum = 0.0f;
            for (unsigned k = 0; k < gridDim.x; ++k) sum += partial[k];
            *total = sum;
        }
    }
}
