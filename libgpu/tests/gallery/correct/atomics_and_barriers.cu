// SPDX-License-Identifier: MIT
// Threads draw places from a shared counter, round after round; barriers part drawing, reading and clearing.
//
// array: int x[512] = modulo 4
// array: int counts[4] = zeros
// launch: rounds<<<2, 256>>>(x, counts)
// check: counts = histogram(x, 4)
// counts: barriers = 26

__global__ void rounds(const int* x, int* counts) {
    __shared__ int found;
    int value = x[blockIdx.x * blockDim.x + threadIdx.x];
    if (threadIdx.x == 0) found = 0;
    __syncthreads();
    for (int wanted = 0; wanted < 4; ++wanted) {
        if (value == wanted) atomicAdd(&found, 1);
        __syncthreads();
        if (threadIdx.x == 32) atomicAdd(&counts[wanted], found);
        __syncthreads();
        if (threadIdx.x == 0) found = 0;
        __syncthreads();
    }
}
