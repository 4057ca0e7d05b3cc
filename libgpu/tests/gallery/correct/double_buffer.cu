// SPDX-License-Identifier: MIT
// Two tiles in turns: while one is read, the next is loaded, and one barrier a round is enough.
//
// array: float x[1024] = random 8
// array: float y[128] = uninitialized
// launch: neighbour_sums<<<1, 128>>>(x, y, 8)
// check: y = sum_of_rotated_rows(x, 128) within 8 eps

__global__ void neighbour_sums(const float* x, float* y, int rounds) {
    __shared__ float tile[2][128];
    int t = threadIdx.x;
    float sum = 0.0f;
    tile[0][t] = x[t];
    __syncthreads();
    for (int k = 0; k < rounds; ++k) {
        if (k + 1 < rounds) tile[(k + 1) % 2][t] = x[(k + 1) * 128 + t];
        sum += tile[k % 2][(t + 1) % 128];
        __syncthreads();
    }
    y[t] = sum;
}
