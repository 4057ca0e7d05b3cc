// SPDX-License-Identifier: MIT
// A radix sort of four bits a pass: a histogram of each block, a scan of all of them, and a stable scatter.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

constexpr int bits = 4, digits = 1 << bits, block_size = 128;

__global__ void count_digits(const uint32_t* keys, int n, int shift, unsigned* counts) {
    __shared__ unsigned local[digits];
    if (threadIdx.x < digits) local[threadIdx.x] = 0;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&local[(keys[i] >> shift) & (digits - 1)], 1u);
    __syncthreads();
    if (threadIdx.x < digits) counts[threadIdx.x * gridDim.x + blockIdx.x] = local[threadIdx.x];
}

// One block scans all counts, of as many as it takes.
__global__ void exclusive_scan(unsigned* counts, int n) {
    extern __shared__ unsigned partial[];
    unsigned carry = 0;
    for (int start = 0; start < n; start += blockDim.x) {
        const int i = start + threadIdx.x;
        const unsigned own = i < n ? counts[i] : 0;
        partial[threadIdx.x] = own;
        __syncthreads();
        for (unsigned offset = 1; offset < blockDim.x; offset <<= 1) {
            const unsigned left = threadIdx.x >= offset ? partial[threadIdx.x - offset] : 0;
            __syncthreads();
            partial[threadIdx.x] += left;
            __syncthreads();
        }
        if (i < n) counts[i] = carry + partial[threadIdx.x] - own;
        carry += partial[blockDim.x - 1];
        __syncthreads();
    }
}

__global__ void scatter(const uint32_t* keys, uint32_t* sorted, int n, int shift, const unsigned* offsets) {
    __shared__ uint32_t digit_of[block_size];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const uint32_t key = i < n ? keys[i] : 0, digit = (key >> shift) & (digits - 1);
    digit_of[threadIdx.x] = i < n ? digit : digits;
    __syncthreads();
    if (i >= n) return;
    unsigned rank = 0;
    for (unsigned k = 0; k < threadIdx.x; ++k) rank += digit_of[k] == digit;
    sorted[offsets[digit * gridDim.x + blockIdx.x] + rank] = key;
}

int main() {
    const int n = 5000, blocks = (n + block_size - 1) / block_size;
    std::vector<uint32_t> keys(n);
    uint32_t state = 2463534242u;
    for (auto& key : keys) {
        state ^= state << 13, state ^= state >> 17, state ^= state << 5;
        key = state;
    }
    uint32_t *from, *to;
    unsigned* counts;
    cudaMalloc(&from, n * sizeof(uint32_t));
    cudaMalloc(&to, n * sizeof(uint32_t));
    cudaMalloc(&counts, digits * blocks * sizeof(unsigned));
    cudaMemcpy(from, keys.data(), n * sizeof(uint32_t), cudaMemcpyHostToDevice);
    for (int shift = 0; shift < 32; shift += bits) {
        count_digits<<<blocks, block_size>>>(from, n, shift, counts);
        exclusive_scan<<<1, 256, 256 * sizeof(unsigned)>>>(counts, digits * blocks);
        scatter<<<blocks, block_size>>>(from, to, n, shift, counts);
        std::swap(from, to);
    }
    std::vector<uint32_t> sorted(n);
    cudaMemcpy(sorted.data(), from, n * sizeof(uint32_t), cudaMemcpyDeviceToHost);
    std::sort(keys.begin(), keys.end());
    printf("%s: %u ... %u ... %u\n", sorted == keys ? "sorted" : "NOT SORTED", sorted[0], sorted[n / 2], sorted[n - 1]);
    cudaFree(from);
    cudaFree(to);
    cudaFree(counts);
    return sorted != keys;
}
