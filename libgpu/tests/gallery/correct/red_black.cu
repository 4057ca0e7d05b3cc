// SPDX-License-Identifier: MIT
// Relaxation in place: the first launch writes the odd elements and reads the even ones, the second the other way.
//
// array: float x[513] = random 21
// launch: relax<<<3, 128>>>(x, 1, 513)
// launch: relax<<<3, 128>>>(x, 0, 513)
// check: x = red_black(x) within 4 eps

__global__ void relax(float* x, int odd, int n) {
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + odd;
    if (i > 0 && i < n - 1) x[i] = 0.5f * (x[i - 1] + x[i + 1]);
}
