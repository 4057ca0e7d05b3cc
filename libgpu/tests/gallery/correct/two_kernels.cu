// SPDX-License-Identifier: MIT
// Sums of blocks by one kernel, their sum by another: the end of a kernel orders all that it wrote.
//
// array: float x[4000] = random 15
// array: float partial[16] = uninitialized, scratch
// array: float total[1] = uninitialized
// launch: block_sums<<<16, 256>>>(x, partial, 4000)
// launch: block_sums<<<1, 256>>>(partial, total, 16)
// check: total = sum(x) within 16 eps

__global__ void block_sums(const float* x, float* sums, int n) {
    __shared__ float part[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    part[t] = i < n ? x[i] : 0.0f;
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half) part[t] += part[t + half];
    }
    if (t == 0) sums[blockIdx.x] = part[0];
}
