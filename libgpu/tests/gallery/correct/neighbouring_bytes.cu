// SPDX-License-Identifier: MIT
// Neighbouring threads write neighbouring bytes of the same word: different places, hence no race.
//
// array: int x[256] = random 32 below 100
// array: int y[256] = uninitialized
// launch: parity<<<1, 256>>>(x, y)
// check: y = parity_reversed(x)

__global__ void parity(const int* x, int* y) {
    __shared__ bool odd[256];
    __shared__ short half[256];
    int t = threadIdx.x;
    odd[t] = x[t] % 2 != 0;
    half[255 - t] = static_cast<short>(t);
    __syncthreads();
    y[t] = odd[half[t]] ? 1 : 0;
}
