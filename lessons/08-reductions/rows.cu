// SPDX-License-Identifier: MIT
// The sum of each row, twice. per_thread has a thread per row, as a loop on a CPU would.

__global__ void per_thread(const float* a, float* sums, int rows, int columns) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        float sum = 0;
        for (int i = 0; i < columns; ++i) sum += a[row * columns + i];
        sums[row] = sum;
    }
}

// [per_block]
__global__ void per_block(const float* a, float* sums, int, int columns) {
    __shared__ float part[256];
    // who am I
    const int t = threadIdx.x, row = blockIdx.x;
    // is there work; load; compute: elements t, t + 256, t + 512, ... of the row
    float sum = 0;
    for (int i = t; i < columns; i += 256) sum += a[row * columns + i];
    part[t] = sum;
    // wait; compute: the tree
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half) part[t] += part[t + half];
        __syncthreads();
    }
    // store
    if (t == 0) sums[row] = part[0];
}
// [/per_block]
