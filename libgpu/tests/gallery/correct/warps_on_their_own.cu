// SPDX-License-Identifier: MIT
// Each warp works in a row of its own and waits for nobody else, until one barrier at the end.
//
// array: float x[128] = random 35
// array: float total[1] = uninitialized
// launch: sum<<<1, 128>>>(x, total)
// check: total = sum(x) within 16 eps

__global__ void sum(const float* x, float* total) {
    __shared__ float rows[4][32];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    float* row = rows[warp];
    row[lane] = x[threadIdx.x];
    for (int half = 16; half > 0; half /= 2) {
        __syncwarp();
        if (lane < half) row[lane] += row[lane + half];
    }
    __syncthreads();
    if (threadIdx.x == 0) *total = rows[0][0] + rows[1][0] + rows[2][0] + rows[3][0];
}
