// SPDX-License-Identifier: MIT
// Each thread adds up its elements in a register first; then it has one atomicAdd.

// [thread_sums]
__global__ void thread_sums(const float* x, float* total, int n) {
    // who am I
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    // is there work; load; compute
    for (int i = first; i < n; i += gridDim.x * blockDim.x) sum += x[i];
    // store
    atomicAdd(total, sum);
}
// [/thread_sums]
