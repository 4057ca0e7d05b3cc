// SPDX-License-Identifier: MIT

__global__ void first_columns(const Element* from, Element* to, long long kept, long long whole, long long count) {
    const long long step = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step)
        to[i] = from[i / kept * whole + i % kept];
}
