// SPDX-License-Identifier: MIT
// y = a x + y with a grid-stride loop: any grid will do.

__global__ void saxpy(float a, const float* x, float* y, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] += a * x[i];
}
