// SPDX-License-Identifier: MIT

extern "C" __global__ void mask_chunk_counts(const bool* mask, long long* counts, long long n) {
    const long long t = (long long)blockIdx.x * blockDim.x + threadIdx.x, first = t * chunk;
    if (first >= n) return;
    const int left = n - first < chunk ? (int)(n - first) : (int)chunk;
    int sum = 0;
    for (int k = 0; k < left; ++k) sum += mask[first + k];
    counts[t] = sum;
}
