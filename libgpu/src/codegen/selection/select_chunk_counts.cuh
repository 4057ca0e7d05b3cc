// SPDX-License-Identifier: MIT
// As select_tile_counts, of threads that share nothing: each counts a chunk of a line.

extern "C" __global__ void select_chunk_counts(const U* x, const unsigned long long* chosen, long long* totals,
                                               long long n, long long chunks, long long count) {
    const long long t = (long long)blockIdx.x * blockDim.x + threadIdx.x, line = t / chunks, number = t % chunks;
    if (t >= count) return;
    const U kth = U(chosen[2 * (line * (sizeof(U) + 1) + sizeof(U))]);
    const long long first = number * chunk, end = n - first < chunk ? n : first + chunk;
    int larger = 0, equal = 0;
    for (long long k = first; k < end; ++k) {
        const U key = key_of(x[line * n + k]);
        larger += key > kth ? 1 : 0;
        equal += key == kth ? 1 : 0;
    }
    totals[2 * line * chunks + number] = larger;
    totals[(2 * line + 1) * chunks + number] = equal;
}
