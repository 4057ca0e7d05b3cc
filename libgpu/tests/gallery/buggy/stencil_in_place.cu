// SPDX-License-Identifier: MIT
// A stencil that writes over its input: at the edge of a block, the neighbour block may have been first.
//
// array: float x[512] = ramp
// launch: smooth<<<4, 128>>>(x, 512)
// finding: inter-block race, line one of 10 11 13, variable x

__global__ void smooth(float* x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float left = x[max(i - 1, 0)];
    float right = x[min(i + 1, n - 1)];
    __syncthreads();
    x[i] = 0.5f * (left + right);
}
