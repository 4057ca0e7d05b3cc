// SPDX-License-Identifier: MIT
// Some threads leave the loop early and wait behind it, the others in it.
//
// array: int x[256] = ramp
// array: int y[64] = uninitialized
// launch: search<<<1, 64>>>(x, y, 256)
// finding: divergent barrier, lines 18 20, variable -

__global__ void search(const int* x, int* y, int n) {
    __shared__ int seen[64];
    int t = threadIdx.x;
    seen[t] = -1;
    for (int k = 0; k < n; k += 64) {
        if (x[k + t] % 7 == 0) {
            seen[t] = k + t;
            break;
        }
        __syncthreads();
    }
    __syncthreads();
    y[t] = seen[63 - t];
}
