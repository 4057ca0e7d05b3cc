// SPDX-License-Identifier: MIT
// Random numbers by element number (Philox 4x32, ten rounds): whole-number arithmetic on purpose overflows.
//
// array: unsigned bits[512] = uninitialized
// launch: philox<<<1, 128>>>(bits, 12345u, 678u)
// check: bits = philox(12345, 678)

__global__ void philox(unsigned* bits, unsigned key0, unsigned key1) {
    unsigned counter[4] = {threadIdx.x, 0u, 0u, 0u};
    for (int round = 0; round < 10; ++round) {
        unsigned high0 = __umulhi(0xD2511F53u, counter[0]), low0 = 0xD2511F53u * counter[0];
        unsigned high1 = __umulhi(0xCD9E8D57u, counter[2]), low1 = 0xCD9E8D57u * counter[2];
        counter[0] = high1 ^ counter[1] ^ key0;
        counter[1] = low1;
        counter[2] = high0 ^ counter[3] ^ key1;
        counter[3] = low0;
        key0 += 0x9E3779B9u;
        key1 += 0xBB67AE85u;
    }
    for (int k = 0; k < 4; ++k) bits[4 * threadIdx.x + k] = counter[k];
}
