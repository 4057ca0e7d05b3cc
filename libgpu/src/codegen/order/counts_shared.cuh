// SPDX-License-Identifier: MIT
// Counts in the block's shared memory. A GPU adds up the ones that a warp's lanes add to one counter, but not weights:
// there a bin has `copies` cells side by side, a power of two, for different lanes, and runs are added. Blocks have
// whole warps.

extern __shared__ C cells[];

struct Cells {
    int copies;

    __device__ inline void add(Bin bin, C amount) {
        atomicAdd(cells + bin * copies + (threadIdx.x & (copies - 1)), amount);
    }
};

struct Tally : Runs<Cells> {
    __device__ inline void count(Bin bin, C amount) {
        if (weighted) Runs<Cells>::count(bin, amount);
        else add(bin, amount);
    }
};

template <class Visit>
__device__ inline void count_elements(const X* x, R* counts, long long n, long long bins, int copies, Visit& visit) {
    for (int i = threadIdx.x; i < (int)bins * copies; i += blockDim.x) cells[i] = 0;
    __syncthreads();
    Tally tally{{{copies}, 0, 0}};
    each_element(x, n, [&](X element, long long i) { visit(element, i, tally); });
    tally.end();
    __syncthreads();
    for (int b = threadIdx.x; b < (int)bins; b += blockDim.x) {
        C sum = 0;
        for (int c = 0; c < copies; ++c) sum += cells[b * copies + ((c + threadIdx.x) & (copies - 1))];
        if (sum != 0) atomicAdd(counts + b, (R)sum);
    }
}
