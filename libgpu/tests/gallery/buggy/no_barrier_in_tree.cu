// SPDX-License-Identifier: MIT
// A tree that finds the largest element, whose steps don't wait for each other.
//
// array: float x[256] = ones
// array: float most[1] = uninitialized
// launch: largest<<<1, 256>>>(x, most)
// finding: missing barrier, line 15, variable part

__global__ void largest(const float* x, float* most) {
    __shared__ float part[256];
    int t = threadIdx.x;
    part[t] = x[t];
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half) part[t] = fmaxf(part[t], part[t + half]);
    }
    __syncthreads();
    if (t == 0) *most = part[0];
}
