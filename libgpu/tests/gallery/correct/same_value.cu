// SPDX-License-Identifier: MIT
// All threads that find something write the same value to the same place: allowed, whoever is last.
//
// array: int x[256] = modulo 10
// array: int found[1] = zeros
// launch: contains<<<1, 256>>>(x, found, 7)
// check: found = constant(1)

__global__ void contains(const int* x, int* found, int wanted) {
    __shared__ int any;
    if (threadIdx.x == 0) any = 0;
    __syncthreads();
    if (x[threadIdx.x] == wanted) any = 1;
    __syncthreads();
    if (threadIdx.x == 0) *found = any;
}
