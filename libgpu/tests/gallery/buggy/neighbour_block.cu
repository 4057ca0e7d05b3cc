// SPDX-License-Identifier: MIT
// A block reads what its neighbour writes: no barrier orders two blocks.
//
// array: float x[512] = ramp
// array: float y[512] = uninitialized
// array: float z[512] = uninitialized
// launch: shift<<<4, 128>>>(x, y, z, 512)
// finding: inter-block race, lines 12 14, variable y

__global__ void shift(const float* x, float* y, float* z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i] + 1.0f;
    __syncthreads();
    float left = i > 0 ? y[i - 1] : 0.0f;
    z[i] = left;
}
