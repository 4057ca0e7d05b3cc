// SPDX-License-Identifier: MIT
// How often each digit occurs in each line: a block counts every `parts`-th stretch of one.

extern "C" __global__ void __launch_bounds__(threads) radix_counts(const U* x, Word* counts, long long n, int parts) {
    enum { passes = sizeof(U) };
    __shared__ unsigned count[passes * digits];
    const int thread = threadIdx.x;
#pragma unroll 1
    for (int k = thread; k < passes * digits; k += threads) count[k] = 0;
    __syncthreads();
    const long long line = blockIdx.x / parts;
    const U* const from = x + line * n;
#pragma unroll 1
    for (long long first = (long long)(blockIdx.x % parts) * tile; first < n; first += (long long)parts * tile) {
        const int size = n - first < tile ? int(n - first) : tile;
        U bits[items];
#pragma unroll
        for (int i = 0; i < items; ++i)
            bits[i] = i * threads + thread < size ? from[first + (i * threads + thread)] : U(0);
#pragma unroll
        for (int i = 0; i < items; ++i) {
            if (i * threads + thread >= size) continue;
#pragma unroll
            for (int pass = 0; pass < passes; ++pass)
                atomicAdd(count + pass * digits + digit_of(bits[i], 8 * pass), 1u);
        }
    }
    __syncthreads();
#pragma unroll 1
    for (int k = thread; k < passes * digits; k += threads)
        if (count[k] != 0) atomicAdd(counts + line * (passes * digits) + k, Word(count[k]));
}
