// SPDX-License-Identifier: MIT
// A block that comes later reads what an earlier one wrote, behind an atomic flag with fences: it never waits for it.
//
// array: float data[32] = zeros, scratch
// array: int ready[1] = zeros
// array: float y[32] = uninitialized
// launch: pass_on<<<2, 32>>>(data, ready, y)
// check: ready = constant(1)
// check: y = constant(42)

__global__ void pass_on(float* data, int* ready, float* y) {
    __shared__ int seen;
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        data[t] = 42.0f;
        __threadfence();
        __syncthreads();
        if (t == 0) atomicExch(ready, 1);
    } else {
        if (t == 0) seen = atomicAdd(ready, 0);
        __syncthreads();
        __threadfence();
        y[t] = seen != 0 ? static_cast<volatile float*>(data)[t] : 42.0f;
    }
}
