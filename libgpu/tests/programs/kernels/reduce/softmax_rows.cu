// SPDX-License-Identifier: MIT
// Softmax of a matrix's rows, one block for each: largest element, sum of exponentials, quotient.

constexpr int block_size = 64;

__global__ void softmax(const float* x, float* y, int columns) {
    __shared__ float part[block_size];
    const float* row = x + blockIdx.x * columns;
    int t = threadIdx.x;

    float largest = row[0];
    for (int c = t; c < columns; c += block_size) largest = fmaxf(largest, row[c]);
    part[t] = largest;
    __syncthreads();
    for (int half = block_size / 2; half > 0; half /= 2) {
        if (t < half) part[t] = fmaxf(part[t], part[t + half]);
        __syncthreads();
    }
    largest = part[0];
    __syncthreads();

    float sum = 0.0f;
    for (int c = t; c < columns; c += block_size) sum += expf(row[c] - largest);
    part[t] = sum;
    __syncthreads();
    for (int half = block_size / 2; half > 0; half /= 2) {
        if (t < half) part[t] += part[t + half];
        __syncthreads();
    }
    for (int c = t; c < columns; c += block_size) y[blockIdx.x * columns + c] = expf(row[c] - largest) / part[0];
}
