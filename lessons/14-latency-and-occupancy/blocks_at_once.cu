// SPDX-License-Identifier: MIT
// A thread computes PARTS elements of a blurred array at once, in as many registers.

__global__ void blur(const float* x, float* y, int n) {
    const int first = blockIdx.x * blockDim.x * PARTS + threadIdx.x;
    float sum[PARTS] = {};
    for (int step = 0; step < 9; ++step)
        for (int part = 0; part < PARTS; ++part) {
            const int i = first + part * blockDim.x;
            if (i + step < n) sum[part] += x[i + step] / 9;
        }
    for (int part = 0; part < PARTS; ++part) {
        const int i = first + part * blockDim.x;
        if (i < n) y[i] = sum[part];
    }
}
