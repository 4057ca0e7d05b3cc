// SPDX-License-Identifier: MIT
// z = x + y by a grid of any size; owner[i] says which thread came to element i.

// [add]
__global__ void add(const float* x, const float* y, float* z, int n) {
    // who am I
    const int first = blockIdx.x * blockDim.x + threadIdx.x;  // this thread's number in the whole grid
    const int stride = gridDim.x * blockDim.x;                // how many threads there are
    // is there work
    for (int i = first; i < n; i += stride) {
        const float a = x[i], b = y[i];  // load
        const float sum = a + b;         // compute
        z[i] = sum;                      // store
    }
}
// [/add]

__global__ void who(int* owner, int n) {
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = first; i < n; i += gridDim.x * blockDim.x) owner[i] = first;
}
