// SPDX-License-Identifier: MIT
// Finds the k-th largest key of a line by a digit at a time, from the first one on: by how many of the elements whose
// keys begin as the k-th largest one's have each value of the next digit.

enum { passes = sizeof(U), threads = digits, warps = threads / 32, tile = threads * items };

// What is known of that key: its first digits, and how many of the elements that have them are among the k largest.
struct Chosen {
    unsigned long long prefix, left;
};

// What is known with the next digit, of which these are the counts. All threads of the block call it, once.
__device__ __forceinline__ Chosen with_next_digit(const Chosen& known, const unsigned long long* counts) {
    __shared__ unsigned long long sums[warps];
    __shared__ Chosen found;
    const unsigned digit = digits - 1 - threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const unsigned long long own = counts[digit];
    unsigned long long sum = own;  // of this digit's and larger ones'
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
        const unsigned long long other = __shfl_up_sync(~0u, sum, step);
        if (lane >= step) sum += other;
    }
    if (lane == 31) sums[warp] = sum;
    __syncthreads();
    for (unsigned k = 0; k < warp; ++k) sum += sums[k];
    if (sum - own < known.left && known.left <= sum)
        found = Chosen{known.prefix << 8 | digit, known.left - (sum - own)};
    __syncthreads();
    return found;
}
