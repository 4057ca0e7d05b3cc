// SPDX-License-Identifier: MIT
// A function with barriers in it, called twice by all threads: the same buffer serves both calls.
//
// array: float x[256] = random 24
// array: float y[256] = random 25
// array: float dots[2] = uninitialized
// launch: lengths<<<1, 256>>>(x, y, dots)
// check: dots = sums_of_squares(x, y) within 16 eps

__device__ float block_sum(float value) {
    __shared__ float part[256];
    __syncthreads();
    part[threadIdx.x] = value;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    return part[0];
}

__global__ void lengths(const float* x, const float* y, float* dots) {
    float a = x[threadIdx.x], b = y[threadIdx.x];
    float xx = block_sum(a * a), yy = block_sum(b * b);
    if (threadIdx.x == 0) {
        dots[0] = xx;
        dots[1] = yy;
    }
}
