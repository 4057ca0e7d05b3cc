// SPDX-License-Identifier: MIT
// A scan of any length: in pieces, or in one launch whose blocks look back at what the blocks before have published.

using Word = unsigned long long;  // a state above, a sum below: both are written and seen at once
constexpr Word own_sum = 1ull << 32, sum_so_far = 2ull << 32;

/// The sum of the block's values up to this thread's; part[255] is the total.
__device__ int scan_block(int value, int* part) {
    const int t = threadIdx.x;
    part[t] = value;
    __syncthreads();
    for (int hop = 1; hop < 256; hop *= 2) {
        const int left = t >= hop ? part[t - hop] : 0;
        __syncthreads();
        part[t] += left;
        __syncthreads();
    }
    return part[t];
}

__global__ void scan_pieces(const int* x, int* y, int* totals, int n) {
    __shared__ int part[256];
    const int i = blockIdx.x * 256 + threadIdx.x, sum = scan_block(i < n ? x[i] : 0, part);
    if (i < n) y[i] = sum;
    if (threadIdx.x == 0) totals[blockIdx.x] = part[255];
}

// [look_back]
// The sum of all blocks before this one; run by one thread of it.
__device__ int look_back(Word* words, int number) {
    int before = 0;
    for (int k = number - 1; k >= 0;) {
        const Word word = atomicAdd(&words[k], 0ull);     // reads what another block may be writing
        if (word >= sum_so_far) return before + int(word);  // of all blocks up to k: that is all
        if (word >= own_sum) before += int(word), --k;      // of block k: go on with the one before
    }                                                       // nothing yet: ask again
    return before;
}
// [/look_back]

// [scan]
__global__ void scan(const int* x, int* y, Word* words, int* tickets, int n) {
    __shared__ int part[256], number, before;
    const int t = threadIdx.x;
    if (t == 0) number = atomicAdd(tickets, 1);  // in the order in which blocks begin
    __syncthreads();
    const int i = number * 256 + t, sum = scan_block(i < n ? x[i] : 0, part);
    if (t == 0) {
        atomicExch(&words[number], own_sum | unsigned(part[255]));
        before = look_back(words, number);
        atomicExch(&words[number], sum_so_far | unsigned(before + part[255]));
    }
    __syncthreads();
    if (i < n) y[i] = before + sum;
}
// [/scan]
