// SPDX-License-Identifier: MIT
// One block scans as many elements as it has threads: in two ways, and in one that is wrong.

#ifndef SIZE
#define SIZE 8
#endif

// [kogge_stone]
__global__ void kogge_stone(const int* x, int* y) {
    __shared__ int part[SIZE];
    const int t = threadIdx.x;
    part[t] = x[t];
    __syncthreads();
    for (int hop = 1; hop < SIZE; hop *= 2) {
        const int left = t >= hop ? part[t - hop] : 0;
        __syncthreads();  // everybody has read: now part may change
        if (t >= hop) part[t] += left;
        __syncthreads();  // everybody has written
    }
    y[t] = part[t];
}
// [/kogge_stone]

// [up_and_down]
__global__ void up_and_down(const int* x, int* y) {
    __shared__ int part[SIZE];
    const int t = threadIdx.x;
    part[t] = x[t];
    for (int width = 1; width < SIZE; width *= 2) {
        __syncthreads();
        const bool ends = (t + 1) % (2 * width) == 0;  // the last place of 2 * width
        if (ends) part[t] += part[t - width];
    }
    for (int width = SIZE / 4; width > 0; width /= 2) {
        __syncthreads();
        const bool ends = (t + 1) % (2 * width) == 0;
        if (ends && t + width < SIZE) part[t + width] += part[t];
    }
    __syncthreads();
    y[t] = part[t];
}
// [/up_and_down]

// [one_barrier]
__global__ void one_barrier(const int* x, int* y) {
    __shared__ int part[SIZE];
    const int t = threadIdx.x;
    part[t] = x[t];
    __syncthreads();
    for (int hop = 1; hop < SIZE; hop *= 2) {
        if (t >= hop) part[t] += part[t - hop];  // planted mistake: read and write in one go
        __syncthreads();
    }
    y[t] = part[t];
}
// [/one_barrier]
