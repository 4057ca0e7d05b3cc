// SPDX-License-Identifier: MIT
// A kernel for any type and any distance of neighbours, with weights that all its instances share.

// [template]
__constant__ float weights[3];

template <class T, int step>
__global__ void weighted(const T* x, T* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    T sum = 0;
    for (int k = 0; k < 3; ++k) sum += T(weights[k]) * x[(i + k * step) % n];
    if (i < n) y[i] = sum;
}
// [/template]
