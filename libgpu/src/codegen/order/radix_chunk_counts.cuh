// SPDX-License-Identifier: MIT
// How often each value of a digit occurs in each chunk of a line: a block's first thread counts those of one chunk.

extern "C" __global__ void radix_chunk_counts(const U* x, Word* counts, long long n, int chunks, int pass) {
    if (threadIdx.x != 0) return;
    const long long line = blockIdx.x / chunks, number = blockIdx.x % chunks, size = (n + chunks - 1) / chunks;
    const long long first = number * size, end = n - first < size ? n : first + size;
    const U* const from = x + line * n;
    Word count[digits];
    for (int digit = 0; digit < digits; ++digit) count[digit] = 0;
    for (long long k = first; k < end; ++k) ++count[digit_of(from[k], 8 * pass)];
    for (int digit = 0; digit < digits; ++digit) counts[blockIdx.x * (long long)digits + digit] = count[digit];
}
