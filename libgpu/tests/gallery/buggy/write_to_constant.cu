// SPDX-License-Identifier: MIT
// The first block is to set the scale for all, in constant memory: kernels may only read that.
//
// array: float x[256] = ramp
// launch: normalize<<<2, 128>>>(x)
// finding: constant write, line 12, variable scale

__constant__ float scale[2] = {1.0f, 0.0f};

__global__ void normalize(float* x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) scale[1] = 0.5f;
    x[i] *= scale[0];
}
