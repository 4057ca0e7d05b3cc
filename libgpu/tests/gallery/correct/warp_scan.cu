// SPDX-License-Identifier: MIT
// A running sum by shuffles: in each warp, then over the warps' sums, in place and without a second buffer.
//
// array: int x[300] = random 19 below 50
// array: int y[300] = uninitialized
// launch: scan<<<1, 320>>>(x, y, 300)
// check: y = scan(x)

__device__ int warp_scan(int value, int lane) {
    for (int d = 1; d < 32; d *= 2) {
        int before = __shfl_up_sync(0xffffffffu, value, d);
        if (lane >= d) value += before;
    }
    return value;
}

__global__ void scan(const int* x, int* y, int n) {
    __shared__ int of_warp[32];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    int value = warp_scan(t < n ? x[t] : 0, lane);
    if (lane == 31) of_warp[warp] = value;
    __syncthreads();
    if (warp == 0) {
        int sums = warp_scan(lane < blockDim.x / 32 ? of_warp[lane] : 0, lane);
        __syncwarp();
        of_warp[lane] = sums;
    }
    __syncthreads();
    if (warp > 0) value += of_warp[warp - 1];
    if (t < n) y[t] = value;
}
