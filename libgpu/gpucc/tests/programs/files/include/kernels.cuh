// SPDX-License-Identifier: MIT
#pragma once

#include "pixel_math.cuh"

// A template of a kernel in a header: each file that includes it has its own instances.
template <typename Operation>
__global__ void each_pixel(int* pixels, int n, Operation operation) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) pixels[i] = operation(pixels[i]);
}

// The same name in every file, and for each a function of its own.
static __global__ void count_bright(const int* pixels, int n, int* count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && pixels[i] > limit) atomicAdd(count, 1);
}
