// SPDX-License-Identifier: MIT
// A sorting network: in each step pairs are exchanged by the lower thread of a pair, and no two pairs share a place.
//
// array: int x[256] = random 16 below 1000
// array: int y[256] = uninitialized
// launch: sort<<<1, 256>>>(x, y)
// check: y = sorted(x)

__global__ void sort(const int* x, int* y) {
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int size = 2; size <= 256; size *= 2) {
        for (int distance = size / 2; distance > 0; distance /= 2) {
            int other = t ^ distance;
            if (other > t) {
                bool upwards = (t & size) == 0;
                int a = s[t], b = s[other];
                if ((a > b) == upwards) {
                    s[t] = b;
                    s[other] = a;
                }
            }
            __syncthreads();
        }
    }
    y[t] = s[t];
}
