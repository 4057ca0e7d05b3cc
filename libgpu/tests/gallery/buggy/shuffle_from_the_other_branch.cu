// SPDX-License-Identifier: MIT
// Even lanes ask odd ones, which don't call the shuffle: their mask names the even lanes alone.
//
// array: int x[32] = ramp
// array: int y[32] = uninitialized
// launch: neighbours<<<1, 32>>>(x, y)
// finding: inactive lane, line 13, variable -

__global__ void neighbours(const int* x, int* y) {
    int lane = threadIdx.x;
    int v = x[lane];
    if (lane % 2 == 0)
        v += __shfl_sync(0x55555555u, v, lane + 1);
    y[lane] = v;
}
