// SPDX-License-Identifier: MIT
// Ranks of a tile's elements by one digit of their keys, with equal ones in their order. A block's tile is split among
// its warps: element i of a lane is the one at 32 * i + lane of its warp's part.

enum { warps = threads / 32, tile = threads * items };
static constexpr U largest = U(~sign);  // all of its digits are, too: it fills what a tile lacks, and stays there

struct Ranking {
    unsigned count[warps * digits];  // of each warp's elements; later the rank of its next one
    unsigned lanes[warps * digits];  // those that have the digit
};

// The sum of the values of the threads before this one, which is one of the first `digits`.
template <class T> __device__ __forceinline__ T sum_before(T value, T* sums) {
    const int thread = threadIdx.x, lane = thread % 32;
    T sum = value;
#pragma unroll 1
    for (int step = 1; step < 32; step *= 2) {
        const T other = __shfl_up_sync(~0u, sum, step);
        if (lane >= step) sum += other;
    }
    if (lane == 31 && thread < digits) sums[thread / 32] = sum;
    __syncthreads();
    T before = sum - value;
#pragma unroll 1
    for (int warp = 0; warp < digits / 32; ++warp) before += warp < thread / 32 ? sums[warp] : 0;
    return before;
}

__device__ __forceinline__ void clear(Ranking& ranking) {
#pragma unroll 1
    for (int k = threadIdx.x; k < warps * digits; k += threads) {
        ranking.count[k] = 0;
        ranking.lanes[k] = 0;
    }
}

// Counts the tile's digits in a cleared ranking; returns how many elements have the one that is this thread's number.
__device__ __forceinline__ unsigned count_digits(Ranking& ranking, const unsigned (&digit)[items]) {
    const int thread = threadIdx.x;
    unsigned* const counts = ranking.count + thread / 32 * digits;
#pragma unroll
    for (int i = 0; i < items; ++i) atomicAdd(counts + digit[i], 1u);
    __syncthreads();
    unsigned total = 0;
    if (thread < digits) {
#pragma unroll
        for (int warp = 0; warp < warps; ++warp) {
            const unsigned count = ranking.count[warp * digits + thread];
            ranking.count[warp * digits + thread] = total;
            total += count;
        }
    }
    return total;
}

// After count_digits(): `first` is the rank of the first element with the digit that is this thread's number.
__device__ __forceinline__ void rank(Ranking& ranking, unsigned first, const unsigned (&digit)[items],
                                     unsigned (&ranks)[items]) {
    const int thread = threadIdx.x, lane = thread % 32;
    if (thread < digits) {
#pragma unroll
        for (int warp = 0; warp < warps; ++warp) ranking.count[warp * digits + thread] += first;
    }
    __syncthreads();
    unsigned *const counts = ranking.count + thread / 32 * digits, *const masks = ranking.lanes + thread / 32 * digits;
#pragma unroll
    for (int i = 0; i < items; ++i) {
        unsigned& count = counts[digit[i]];
        unsigned& lanes = masks[digit[i]];
        atomicOr(&lanes, 1u << lane);
        __syncwarp();
        const unsigned peers = lanes;
        __syncwarp();
        unsigned before = 0;
        if (peers >> lane == 1) {  // the last of them
            before = atomicAdd(&count, (unsigned)__popc(peers));
            lanes = 0;
        }
        before = __shfl_sync(~0u, before, 31 - __clz(peers));
        __syncwarp();
        ranks[i] = before + __popc(peers & ((1u << lane) - 1));
    }
}
