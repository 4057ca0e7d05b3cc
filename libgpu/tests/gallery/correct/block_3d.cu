// SPDX-License-Identifier: MIT
// A block with three axes: neighbours along each of them, found by a running number of the thread.
//
// array: int x[120] = random 22 below 100
// array: int y[120] = uninitialized
// launch: mirror<<<1, dim3(4, 5, 6)>>>(x, y)
// check: y = reverse(x)

__global__ void mirror(const int* x, int* y) {
    __shared__ int box[6][5][4];
    int number = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    box[threadIdx.z][threadIdx.y][threadIdx.x] = x[number];
    __syncthreads();
    y[number] = box[5 - threadIdx.z][4 - threadIdx.y][3 - threadIdx.x];
}
