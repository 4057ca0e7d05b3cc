// SPDX-License-Identifier: MIT
// Scan in one launch with decoupled look-back: a block publishes its sum, adds up its predecessors' sums until one has
// published what comes before and with it, and publishes that. Blocks are numbered in the order in which they start.

constexpr int block_size = 64;
constexpr int nothing = 0, has_sum = 1, has_prefix = 2;

// A flag and a value in one word, so that both are seen at once.
__device__ unsigned long long word_of(int flag, int value) {
    return (static_cast<unsigned long long>(flag) << 32) | static_cast<unsigned>(value);
}

// What comes before block `number`, by its first thread.
__device__ int look_back(unsigned long long* words, int number) {
    int before = 0;
    for (int k = number - 1; k >= 0;) {
        unsigned long long word = atomicAdd(&words[k], 0ull);
        int flag = static_cast<int>(word >> 32);
        if (flag == nothing) continue;
        before += static_cast<int>(word);
        if (flag == has_prefix) break;
        --k;
    }
    return before;
}

__global__ void scan(const int* x, int* y, unsigned long long* words, unsigned* tickets, int n) {
    __shared__ int part[block_size];
    __shared__ int number, before;
    int t = threadIdx.x;
    if (t == 0) number = atomicAdd(tickets, 1u);
    __syncthreads();
    int i = number * block_size + t;
    part[t] = i < n ? x[i] : 0;
    __syncthreads();
    for (int distance = 1; distance < block_size; distance *= 2) {
        int sum = part[t] + (t >= distance ? part[t - distance] : 0);
        __syncthreads();
        part[t] = sum;
        __syncthreads();
    }
    if (t == block_size - 1) {
        atomicExch(&words[number], word_of(has_sum, part[t]));
        before = look_back(words, number);
        atomicExch(&words[number], word_of(has_prefix, before + part[t]));
    }
    __syncthreads();
    if (i < n) y[i] = before + part[t];
}
