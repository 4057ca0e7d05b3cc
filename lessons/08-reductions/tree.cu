// SPDX-License-Identifier: MIT
// One block of 8 threads adds up 8 elements as a tree; then the same with the barrier in the wrong place.

// [tree]
__global__ void tree(const float* x, float* total) {
    __shared__ float part[8];
    // who am I
    const int t = threadIdx.x;
    // load
    part[t] = x[t];
    // wait
    __syncthreads();
    for (int half = 4; half > 0; half /= 2) {
        // is there work; compute
        if (t < half) part[t] += part[t + half];
        // wait
        __syncthreads();
    }
    // store
    if (t == 0) *total = part[0];
}
// [/tree]

// [wrong]
__global__ void barrier_in_if(const float* x, float* total) {
    __shared__ float part[8];
    const int t = threadIdx.x;
    part[t] = x[t];
    __syncthreads();
    for (int half = 4; half > 0; half /= 2) {
        if (t < half) {
            part[t] += part[t + half];
            __syncthreads();  // planted mistake: threads from half on never come here
        }
    }
    if (t == 0) *total = part[0];
}
// [/wrong]
