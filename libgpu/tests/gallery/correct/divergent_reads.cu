// SPDX-License-Identifier: MIT
// Some lanes read in one branch, the others in another; all come together again before the barrier.
//
// array: float x[128] = random 39
// array: float y[128] = uninitialized
// launch: fold<<<1, 128>>>(x, y)
// check: y = fold_signs(x)

__global__ void fold(const float* x, float* y) {
    __shared__ float tile[128];
    int t = threadIdx.x;
    if (t % 2 == 0) {
        tile[t] = x[t];
    } else {
        tile[t] = -x[t];
    }
    __syncthreads();
    y[t] = tile[t ^ 1];
}
