// SPDX-License-Identifier: MIT
// A block goes through a tile of the mask, `threads` elements at a time; ballots tell where the true ones are.

enum { warps = threads / 32, tile = threads * rounds };

extern "C" __global__ void mask_tile_counts(const bool* mask, long long* counts, long long n) {
    __shared__ int sums[warps];
    const int t = (int)threadIdx.x;
    const long long first = (long long)blockIdx.x * tile + t;
    bool is_true[rounds];
    int sum = 0;
#pragma unroll
    for (int k = 0; k < rounds; ++k) is_true[k] = first + k * threads < n && mask[first + k * threads];
#pragma unroll
    for (int k = 0; k < rounds; ++k) sum += __popc(__ballot_sync(0xffffffffu, is_true[k]));
    if (t % 32 == 0) sums[t / 32] = sum;
    __syncthreads();
    if (t > 0) return;
    for (int k = 1; k < warps; ++k) sum += sums[k];
    counts[blockIdx.x] = sum;
}
