// SPDX-License-Identifier: MIT
// Sums of a large array, LOADS elements at a time for each thread.

__global__ void sums(const float* x, float* z, int n) {
    // who am I
    const int first = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
    float sum = 0;
#pragma unroll 1  // so that the compiler doesn't take several rounds at a time
    for (int i = first; i < n; i += LOADS * stride) {
        // load: LOADS requests, none of which waits for another
        float own[LOADS];
        for (int k = 0; k < LOADS; ++k) own[k] = x[i + k * stride];
        // compute: here the thread waits for them
        for (int k = 0; k < LOADS; ++k) sum += own[k];
    }
    // store
    z[first] = sum;
}
