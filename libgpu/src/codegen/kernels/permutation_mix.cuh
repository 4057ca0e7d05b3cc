// SPDX-License-Identifier: MIT
// A round of random_permutation's Feistel network.

static __device__ __forceinline__ unsigned gpu_mix(unsigned x, unsigned key) {
    const unsigned long long p = (x ^ key) * 0xD2511F53ull, q = ((unsigned)(p >> 32) ^ (unsigned)p) * 0xCD9E8D57ull;
    return (unsigned)(q >> 32) ^ (unsigned)q;
}
