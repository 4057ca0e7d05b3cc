// SPDX-License-Identifier: MIT
// One atomic operation a block.

__device__ inline void keep_largest(unsigned long long value, unsigned long long* largest) {
    __shared__ unsigned long long top;
    if (threadIdx.x == 0) top = 0;
    __syncthreads();
    for (int step = 16; step > 0; step /= 2) {
        const unsigned long long other = __shfl_xor_sync(0xffffffffu, value, step);
        if (other > value) value = other;
    }
    if (threadIdx.x % 32 == 0) atomicMax(&top, value);
    __syncthreads();
    if (threadIdx.x == 0) atomicMax(largest, top);
}
