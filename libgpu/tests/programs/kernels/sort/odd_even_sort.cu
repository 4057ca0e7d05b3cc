// SPDX-License-Identifier: MIT
// Odd-even transposition sort: neighbours are exchanged, even and odd pairs in turn, until a round changes nothing.

__global__ void sort(int* x, int n) {
    for (int round = 0;; ++round) {
        bool changed = false;
        for (int parity = 0; parity < 2; ++parity) {
            int i = 2 * threadIdx.x + parity;
            if (i + 1 < n && x[i] > x[i + 1]) {
                int larger = x[i];
                x[i] = x[i + 1];
                x[i + 1] = larger;
                changed = true;
            }
            __syncthreads();
        }
        if (!__syncthreads_or(changed)) return;
    }
}
