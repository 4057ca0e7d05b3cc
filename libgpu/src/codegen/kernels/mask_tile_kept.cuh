// SPDX-License-Identifier: MIT
// Writes what belongs to the true elements of a tile behind what belongs to those before it. A block goes through it
// `threads` elements at a time; ballots tell where the true ones are.

enum { warps = threads / 32, tile = threads * rounds };

extern "C" __global__ void __launch_bounds__(threads, min_blocks)
    mask_tile_kept(const bool* mask, const E* x, const long long* totals, E* out, long long n, long long limit) {
    __shared__ int before[warps * rounds];
    const int t = (int)threadIdx.x, lane = t % 32;
    const long long first = (long long)blockIdx.x * tile + t, start = blockIdx.x == 0 ? 0 : totals[blockIdx.x - 1];
    const int left = n - first < tile ? (int)(n - first) : (int)tile;
    const int room = start >= limit ? 0 : limit - start < tile ? (int)(limit - start) : (int)tile;
    bool is_true[rounds];
    E elements[rounds];
    unsigned words[rounds];
#pragma unroll
    for (int k = 0; k < rounds; ++k) is_true[k] = k * threads < left && mask[first + k * threads];
#pragma unroll
    for (int k = 0; k < rounds; ++k)
        if (!positions && is_true[k]) elements[k] = x[first + k * threads];
#pragma unroll
    for (int k = 0; k < rounds; ++k) {
        words[k] = __ballot_sync(0xffffffffu, is_true[k]);
        if (lane == 0) before[k * warps + t / 32] = __popc(words[k]);
    }
    sum_before(before, warps * rounds);
    E* const to = out + start;
#pragma unroll
    for (int k = 0; k < rounds; ++k) {
        const int at = before[k * warps + t / 32] + __popc(words[k] & ((1u << lane) - 1));
        if ((words[k] >> lane & 1) == 0 || at >= room) continue;
        if (positions) ((long long*)to)[at] = first + k * threads;
        else to[at] = elements[k];
    }
}
