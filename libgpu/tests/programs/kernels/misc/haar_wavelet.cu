// SPDX-License-Identifier: MIT
// Haar wavelets of 256 values in one block: in each round the means move to the front, half the differences to where
// they stay.

constexpr int elements = 256;

__global__ void haar(const float* x, float* y) {
    __shared__ float means[elements];
    int t = threadIdx.x;
    const float* from = x + blockIdx.x * elements;
    means[t] = from[t];
    means[t + elements / 2] = from[t + elements / 2];
    for (int half = elements / 2; half > 0; half /= 2) {
        __syncthreads();
        float a = 0.0f, b = 0.0f;
        if (t < half) {
            a = means[2 * t];
            b = means[2 * t + 1];
        }
        __syncthreads();
        if (t < half) {
            means[t] = 0.5f * (a + b);
            y[blockIdx.x * elements + half + t] = 0.5f * (a - b);
        }
    }
    if (t == 0) y[blockIdx.x * elements] = means[0];
}
