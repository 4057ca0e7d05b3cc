// SPDX-License-Identifier: MIT
// A template of a kernel: element type and block size are known when it is compiled.
//
// array: double x[256] = random 23
// array: double sums[4] = uninitialized
// launch: block_sum<double, 64><<<4, 64>>>(x, sums)
// check: sums = block_sums(x, 64) within 8 eps

template <class T, int Threads>
__global__ void block_sum(const T* x, T* sums) {
    __shared__ T part[Threads];
    int t = threadIdx.x;
    part[t] = x[blockIdx.x * Threads + t];
    __syncthreads();
    if constexpr (Threads >= 64) {
        if (t < 32) part[t] += part[t + 32];
        __syncthreads();
    }
    if (t < 32) {
        T value = part[t];
        for (int d = 16; d > 0; d /= 2) value += __shfl_down_sync(0xffffffffu, value, d);
        if (t == 0) sums[blockIdx.x] = value;
    }
}
