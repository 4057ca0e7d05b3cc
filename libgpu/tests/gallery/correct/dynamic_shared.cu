// SPDX-License-Identifier: MIT
// One dynamic buffer, cut into an array of floats and one of ints behind it.
//
// array: float x[256] = random 14
// array: float y[256] = uninitialized
// launch: reverse<<<2, 128, 1024>>>(x, y)
// check: y = reverse_groups(x, 128)

__global__ void reverse(const float* x, float* y) {
    extern __shared__ float buffer[];
    float* values = buffer;
    int* places = reinterpret_cast<int*>(buffer + blockDim.x);
    int t = threadIdx.x, first = blockIdx.x * blockDim.x;
    values[t] = x[first + t];
    places[t] = blockDim.x - 1 - t;
    __syncthreads();
    y[first + places[t]] = values[places[places[t]]];
}
