// SPDX-License-Identifier: MIT
// One thread of the grid clears the total, and a barrier keeps its own block behind it, but no other.
//
// array: int x[512] = ones
// array: int total[1] = ones
// launch: sum<<<8, 64>>>(x, total)
// finding: inter-block race, line one of 12 14, variable total

__global__ void sum(const int* x, int* total) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0)
        *total = 0;
    __syncthreads();
    atomicAdd(total, x[i]);
}
