// SPDX-License-Identifier: MIT
// Counts more bins than shared memory holds, in the counts themselves; but bins that many threads would want at once
// are counted in the block's shared memory: those of a sample have a place there. Blocks have whole warps.

enum { places = 2048, samples = 4096 };

__shared__ unsigned long long chosen[places];  // a bin, or none
__shared__ C cells[places];

__device__ inline int place_of(Bin bin) { return (int)((unsigned long long)bin % places); }

struct Sample {
    __device__ inline void count(Bin bin, C) { atomicExch(chosen + place_of(bin), (unsigned long long)bin); }
};

struct Counts {
    R* counts;

    __device__ inline void add(Bin bin, C amount) {
        const int place = place_of(bin);
        if (chosen[place] == (unsigned long long)bin) atomicAdd(cells + place, amount);
        else atomicAdd(counts + bin, (R)amount);
    }
};

template <class Visit>
__device__ inline void count_elements(const X* x, R* counts, long long n, long long bins, int copies, Visit& visit) {
    for (int p = threadIdx.x; p < places; p += blockDim.x) {
        chosen[p] = ~0ull;
        cells[p] = 0;
    }
    __syncthreads();
    const long long step = n / samples;
    Sample sample;
    for (int s = threadIdx.x; s < samples && step > 0; s += blockDim.x) {
        const long long i = s * step + blockIdx.x % step;
        visit(x[i], i, sample);
    }
    __syncthreads();
    Runs<Counts> tally{{counts}, 0, 0};
    each_element(x, n, [&](X element, long long i) { visit(element, i, tally); });
    tally.end();
    __syncthreads();
    for (int p = threadIdx.x; p < places; p += blockDim.x)
        if (cells[p] != 0) atomicAdd(counts + chosen[p], (R)cells[p]);
}
