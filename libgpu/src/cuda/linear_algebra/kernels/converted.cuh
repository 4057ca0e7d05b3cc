// SPDX-License-Identifier: MIT

__global__ void converted(const From* from, To* to, long long count) {
    const long long step = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) to[i] = (To)from[i];
}
