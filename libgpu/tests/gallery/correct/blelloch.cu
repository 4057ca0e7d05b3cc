// SPDX-License-Identifier: MIT
// An exclusive running sum in a tree, up and down; each thread handles two elements.
//
// array: int x[256] = random 18 below 100
// array: int y[256] = uninitialized
// launch: scan<<<1, 128>>>(x, y)
// check: y = exclusive_scan(x)

__global__ void scan(const int* x, int* y) {
    __shared__ int s[256];
    int t = threadIdx.x;
    s[2 * t] = x[2 * t];
    s[2 * t + 1] = x[2 * t + 1];
    int offset = 1;
    for (int d = 128; d > 0; d /= 2) {
        __syncthreads();
        if (t < d) s[offset * (2 * t + 2) - 1] += s[offset * (2 * t + 1) - 1];
        offset *= 2;
    }
    if (t == 0) s[255] = 0;
    for (int d = 1; d <= 128; d *= 2) {
        offset /= 2;
        __syncthreads();
        if (t < d) {
            int left = offset * (2 * t + 1) - 1, right = offset * (2 * t + 2) - 1;
            int kept = s[left];
            s[left] = s[right];
            s[right] += kept;
        }
    }
    __syncthreads();
    y[2 * t] = s[2 * t];
    y[2 * t + 1] = s[2 * t + 1];
}
