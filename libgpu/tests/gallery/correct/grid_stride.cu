// SPDX-License-Identifier: MIT
// A grid of any size for an array of any length: each thread takes every so many elements.
//
// array: double x[5000] = random 12
// array: double y[5000] = random 13
// launch: axpy<<<3, 96>>>(2.5, x, y, 5000)
// check: y = axpy(x, y, 2.5) within 2 eps

__global__ void axpy(double a, const double* x, double* y, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = a * x[i] + y[i];
}
