// SPDX-License-Identifier: MIT
// A keyed bijection on [0, count): a Feistel network over a power of two above `count`, where a value outside continues
// along its cycle until it is inside: Black and Rogaway, "Ciphers with arbitrary finite domains", CT-RSA 2002; for
// shuffles on GPUs: Mitchell, Stokes, Frank, Holmes, "Bandwidth-optimal random shuffling for GPUs", TOPC 2022.

struct Key { unsigned words[4]; };

static __device__ __forceinline__ unsigned mixed(unsigned x, unsigned key) {
    const unsigned long long p = (x ^ key) * 0xD2511F53ull, q = ((unsigned)(p >> 32) ^ (unsigned)p) * 0xCD9E8D57ull;
    return (unsigned)(q >> 32) ^ (unsigned)q;
}

// Writes the images of 0, 1, ... wanted - 1. A thread goes on with its next element, 32 further, as soon as one is
// inside: then no thread of a warp waits for the longest of 32 walks, but only for the longest sum of `each` walks.
__global__ void random_permutation(long long* out, long long wanted, long long count, int left_bits, int right_bits,
                                   Key key, int each) {
    const long long thread = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned left_mask = (unsigned)((1ull << left_bits) - 1), right_mask = (unsigned)((1ull << right_bits) - 1);
    long long at = thread / 32 * 32 * each + thread % 32;
    const long long end = at + 32ll * each < wanted ? at + 32ll * each : wanted;
    unsigned long long x = at;
    while (at < end) {
        unsigned left = (unsigned)(x >> right_bits), right = (unsigned)x & right_mask;
        unsigned a = key.words[0], b = key.words[1];
#pragma unroll
        for (int round = 0; round < 12; ++round) {
            right ^= mixed(left, a) & right_mask;
            left ^= mixed(right, b) & left_mask;
            a += key.words[2];
            b += key.words[3];
        }
        x = (unsigned long long)left << right_bits | right;
        if (x < (unsigned long long)count) {
            out[at] = (long long)x;
            x = at += 32;
        }
    }
}
