// SPDX-License-Identifier: MIT
// Counts in the block's shared memory. A GPU adds up the ones that a warp's lanes add to one counter, but not weights:
// there a bin has `copies` cells side by side, a power of two, for different lanes, and what a thread adds to one bin
// after another is one addition. Blocks have whole warps.

extern __shared__ C cells[];

struct Tally {
    int copies, bin;
    C run;

    __device__ inline C* cell(Bin of) const { return cells + of * copies + (threadIdx.x & (copies - 1)); }
    __device__ inline void add() {
        if (run != 0) atomicAdd(cell(bin), run);
    }
    __device__ inline void count(Bin next, C amount) {
        if (!weighted) {
            atomicAdd(cell(next), amount);
            return;
        }
        if (next != bin) {
            add();
            bin = next;
            run = 0;
        }
        run += amount;
    }
};

template <class Visit>
__device__ inline void count_elements(const X* x, R* counts, long long n, long long bins, int copies, Visit& visit) {
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
