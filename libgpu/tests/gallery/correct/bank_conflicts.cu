// SPDX-License-Identifier: MIT
// The same transpose without the padding is right, but a column of the tile lies in one bank: 32 wavefronts a request.
//
// array: float a[1024] = random 10
// array: float b[1024] = uninitialized
// launch: transpose<<<1, dim3(32, 32)>>>(a, b)
// check: b = transpose(a, 32, 32)
// counts: shared_requests = 64
// counts: shared_wavefronts = 1056

__global__ void transpose(const float* a, float* b) {
    __shared__ float tile[32][32];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = a[32 * y + x];
    __syncthreads();
    b[32 * y + x] = tile[x][y];
}
