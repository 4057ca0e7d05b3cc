// SPDX-License-Identifier: MIT
// Counters that belong to the program and not to a launch: two launches count in the same place.
//
// array: int y[64] = uninitialized
// launch: count<<<1, 64>>>(y)
// launch: count<<<1, 64>>>(y)
// check: y = constant(64)

__device__ int calls;

__global__ void count(int* y) {
    __shared__ int before;
    if (threadIdx.x == 0) before = calls;
    __syncthreads();
    atomicAdd(&calls, 1);
    __syncthreads();
    y[threadIdx.x] = calls - before;
}
