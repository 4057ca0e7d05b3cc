// SPDX-License-Identifier: MIT
// A block counts a tile of the mask: 16 bytes at a time, and what lies before the first of these or after the last.

enum { warps = threads / 32, tile = threads * rounds };

__device__ inline int ones(unsigned four) { return __popc(four & 0x01010101u); }

extern "C" __global__ void mask_tile_counts(const bool* mask, long long* counts, long long n) {
    __shared__ int sums[warps];
    const int t = (int)threadIdx.x;
    const long long first = (long long)blockIdx.x * tile;
    const bool* const from = mask + first;
    const int size = n - first < tile ? (int)(n - first) : (int)tile;
    const int ahead = (int)(-(unsigned long long)from & 15), start = ahead < size ? ahead : size;
    const int end = start + (size - start) / 16 * 16;
    int sum = 0;
#pragma unroll
    for (int k = 0; k < rounds; k += 16) {
        const int at = start + (k * threads + t * 16);
        if (at >= end) continue;
        const uint4 bytes = *(const uint4*)(from + at);
        sum += ones(bytes.x) + ones(bytes.y) + ones(bytes.z) + ones(bytes.w);
    }
    if (t < start) sum += from[t];
    if (end + t < size) sum += from[end + t];
    for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
    if (t % 32 == 0) sums[t / 32] = sum;
    __syncthreads();
    if (t > 0) return;
    for (int k = 1; k < warps; ++k) sum += sums[k];
    counts[blockIdx.x] = sum;
}
