// SPDX-License-Identifier: MIT
// Computes a bin, then moves it until its edges, which are rounded, enclose the element.

extern "C" __global__ void histogram(const T* x, const T* edges, unsigned long long* counts, long long n,
                                     long long bins) {
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const double low = (double)edges[0], high = (double)edges[bins], value = (double)x[i];
    if (!(value >= low && value <= high)) return;
    const double place = (value - low) / (high - low) * (double)bins;
    long long k = place < (double)bins ? (long long)place : bins - 1;
    while (k > 0 && value < (double)edges[k]) --k;
    while (k < bins - 1 && value >= (double)edges[k + 1]) ++k;
    atomicAdd(counts + k, 1ull);
}
