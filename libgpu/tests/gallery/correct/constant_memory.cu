// SPDX-License-Identifier: MIT
// Weights in constant memory, the same for all threads.
//
// array: float x[300] = random 28
// array: float y[300] = uninitialized
// launch: polynomial<<<3, 128>>>(x, y, 300)
// check: y = polynomial(x, 1, -0.5, 0.25, 2) within 8 eps

__constant__ float coefficients[4] = {1.0f, -0.5f, 0.25f, 2.0f};

__global__ void polynomial(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float value = 0.0f;
    for (int k = 3; k >= 0; --k) value = value * x[i] + coefficients[k];
    y[i] = value;
}
