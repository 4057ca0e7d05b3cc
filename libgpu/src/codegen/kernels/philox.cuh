// SPDX-License-Identifier: MIT
// The functions that random kernels call, here and in random_float.cuh and random_double.cuh. Products are added only
// by fma(): no compiler finds anything to contract, so all round alike.
// Philox4x32 with 10 rounds: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.

static __device__ __forceinline__ unsigned long long gpu_wide(unsigned a, unsigned b) {
#ifdef __GNUC__  // the host's compiler
    return (unsigned long long)a * b;
#else  // NVRTC needs one instruction for this, and two for the other if b is a constant above 2^31
    return (unsigned long long)__umulhi(a, b) << 32 | a * b;
#endif
}
static __device__ __forceinline__ void gpu_philox(unsigned long long seed, unsigned long long block, unsigned stream,
                                                  unsigned* w) {
    unsigned a = (unsigned)seed, b = (unsigned)(seed >> 32);
    w[0] = (unsigned)block; w[1] = (unsigned)(block >> 32); w[2] = stream; w[3] = 0;
#pragma unroll
    for (int round = 0; round < 10; ++round) {
        const unsigned long long x = gpu_wide(w[0], 0xD2511F53u), y = gpu_wide(w[2], 0xCD9E8D57u);
        w[0] = (unsigned)(y >> 32) ^ w[1] ^ a; w[1] = (unsigned)y;
        w[2] = (unsigned)(x >> 32) ^ w[3] ^ b; w[3] = (unsigned)x;
        a += 0x9E3779B9u; b += 0xBB67AE85u;
    }
}
static __device__ __forceinline__ unsigned long long gpu_64(const unsigned* w, int k) {
    return (unsigned long long)w[2 * k + 1] << 32 | w[2 * k];
}
