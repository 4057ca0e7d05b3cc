// SPDX-License-Identifier: MIT
// All threads of a launch together visit each element once, 16 bytes at a time, with `batch` loads in flight.

struct alignas(16) Pack {
    X at[16 / sizeof(X)];
};

template <class Visit>
__device__ inline void each_element(const X* x, long long n, Visit visit) {
    constexpr int width = 16 / sizeof(X);
    const long long threads = (long long)gridDim.x * blockDim.x;
    const long long thread = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const long long misaligned = (long long)((16 - (unsigned long long)x % 16) % 16 / sizeof(X));
    const long long before = misaligned < n ? misaligned : n, packs = (n - before) / width;
    const Pack* const from = (const Pack*)(x + before);
    long long i = thread;
    for (; i + (batch - 1) * threads < packs; i += batch * threads) {
        Pack loaded[batch];
#pragma unroll
        for (int k = 0; k < batch; ++k) loaded[k] = from[i + k * threads];
#pragma unroll
        for (int k = 0; k < batch; ++k) {
#pragma unroll
            for (int j = 0; j < width; ++j) visit(loaded[k].at[j], before + (i + k * threads) * width + j);
        }
    }
#pragma unroll 1
    for (; i < packs; i += threads) {
        const Pack loaded = from[i];
#pragma unroll
        for (int j = 0; j < width; ++j) visit(loaded.at[j], before + i * width + j);
    }
#pragma unroll 1
    for (i = thread; i < n - packs * width; i += threads) {
        const long long k = i < before ? i : i + packs * width;
        visit(x[k], k);
    }
}
