// SPDX-License-Identifier: MIT
// Counts in the block's shared memory: a bin has `copies` cells side by side, a power of two, for different lanes. What a
// thread counts one after another in the same bin is one addition. Blocks have whole warps.

extern __shared__ C cells[];

struct Tally {
    int copies, bin;
    C run;

    __device__ inline void add() {
        if (run != 0) atomicAdd(cells + bin * copies + (threadIdx.x & (copies - 1)), run);
    }
    __device__ inline void count(Bin next, C amount) {
        if (next != bin) {
            add();
            bin = next;
            run = 0;
        }
        run += amount;
    }
};

template <class Visit>
__device__ inline void count_elements(const X* x, R* counts, long long n, long long bins, int copies, Visit visit) {
    for (int i = threadIdx.x; i < (int)bins * copies; i += blockDim.x) cells[i] = 0;
    __syncthreads();
    Tally tally{copies, 0, 0};
    each_element(x, n, [&](X element, long long i) { visit(element, i, tally); });
    tally.add();
    __syncthreads();
    for (int b = threadIdx.x; b < (int)bins; b += blockDim.x) {
        C sum = 0;
        for (int c = 0; c < copies; ++c) sum += cells[b * copies + ((c + threadIdx.x) & (copies - 1))];
        if (sum != 0) atomicAdd(counts + b, (R)sum);
    }
}

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
