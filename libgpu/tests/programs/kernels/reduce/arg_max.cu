// SPDX-License-Identifier: MIT
// Place of the largest element: a tree of (value, place) pairs, then one 64-bit atomic per block.

constexpr int block_size = 128;

// Larger keys win; of equal values the first place does.
__device__ unsigned long long key_of(int value, int place) {
    return (static_cast<unsigned long long>(value) << 32) | (0xffffffffu - place);
}

__global__ void arg_max(const int* x, unsigned long long* best, int n) {
    __shared__ unsigned long long key[block_size];
    int t = threadIdx.x, i = blockIdx.x * block_size + t;
    key[t] = i < n ? key_of(x[i], i) : 0;
    for (int half = block_size / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half && key[t] < key[t + half]) key[t] = key[t + half];
    }
    if (t == 0) atomicMax(best, key[0]);
}
