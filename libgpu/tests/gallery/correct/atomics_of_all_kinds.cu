// SPDX-License-Identifier: MIT
// Sums, extremes, exchanges and bits by atomics from all blocks: the order doesn't show in the results.
//
// array: int x[512] = random 37 below 1000
// array: int results[7] = zeros
// launch: collect<<<4, 128>>>(x, results)
// check: results = atomic_results(x)
// counts: atomics = 3584

__global__ void collect(const int* x, int* results) {
    int value = x[blockIdx.x * blockDim.x + threadIdx.x];
    atomicAdd(&results[0], value);
    atomicMax(&results[1], value);
    atomicMin(&results[2], -value);
    atomicOr(&results[3], value);
    atomicXor(&results[4], value);
    atomicSub(&results[5], value);
    atomicExch(&results[6], 1);
}
