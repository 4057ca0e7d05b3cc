// SPDX-License-Identifier: MIT
// One pass of a radix sort by 2 bits: digits are counted by block, the counts are scanned digit by digit, and each
// element goes to its digit's next place in its block. Stable, so passes can follow each other.

constexpr int block_size = 64;
constexpr int digits = 4;

__device__ int digit_of(unsigned value, int shift) { return (value >> shift) % digits; }

__global__ void count_digits(const unsigned* x, int* counts, int n, int shift) {
    __shared__ int own[digits];
    int i = blockIdx.x * block_size + threadIdx.x;
    if (threadIdx.x < digits) own[threadIdx.x] = 0;
    __syncthreads();
    if (i < n) atomicAdd(&own[digit_of(x[i], shift)], 1);
    __syncthreads();
    if (threadIdx.x < digits) counts[threadIdx.x * gridDim.x + blockIdx.x] = own[threadIdx.x];
}

// One block of one warp: 32 counts at a time.
__global__ void scan_counts(int* counts, int count) {
    int before = 0;
    for (int first = 0; first < count; first += 32) {
        int k = first + threadIdx.x, own = k < count ? counts[k] : 0, sum = own;
        for (int distance = 1; distance < 32; distance *= 2) {
            int left = __shfl_up_sync(0xffffffffu, sum, distance);
            if (threadIdx.x >= distance) sum += left;
        }
        if (k < count) counts[k] = before + sum - own;
        before += __shfl_sync(0xffffffffu, sum, 31);
    }
}

__global__ void scatter(const unsigned* x, const int* first, unsigned* y, int n, int shift) {
    __shared__ int digit[block_size];
    int t = threadIdx.x, i = blockIdx.x * block_size + t;
    digit[t] = i < n ? digit_of(x[i], shift) : -1;
    __syncthreads();
    if (i >= n) return;
    int same = 0;
    for (int k = 0; k < t; ++k) same += digit[k] == digit[t];
    y[first[digit[t] * gridDim.x + blockIdx.x] + same] = x[i];
}
