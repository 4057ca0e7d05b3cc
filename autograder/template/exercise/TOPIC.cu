// SPDX-License-Identifier: MIT

__global__ void TOPIC(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    // ---- your code (1 line) ----
    // TODO: If there is an element i, make it twice as large.
    // ---- end ----
}
