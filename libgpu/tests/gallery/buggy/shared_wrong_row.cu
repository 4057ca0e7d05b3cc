// SPDX-License-Identifier: MIT
// A tile of 16 x 16, whose last row is read one row too far down.
//
// array: int a[256] = ramp
// array: int b[256] = uninitialized
// launch: shift_up<<<1, dim3(16, 16)>>>(a, b)
// finding: out of bounds, line 15, variable tile

__global__ void shift_up(const int* a, int* b) {
    __shared__ int tile[16][16];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = a[16 * y + x];
    __syncthreads();
    const int* flat = &tile[0][0];
    b[16 * y + x] = flat[16 * (y + 1) + x];
}
