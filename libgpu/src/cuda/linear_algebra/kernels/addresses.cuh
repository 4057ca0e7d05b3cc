// SPDX-License-Identifier: MIT

__global__ void addresses(char* first, char** table, long long step, long long count) {
    const long long width = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += width)
        table[i] = first + i * step;
}
