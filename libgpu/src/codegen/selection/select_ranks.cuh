// SPDX-License-Identifier: MIT
// Where the elements of a tile are among those that are larger than the k-th largest one of their line, and among those
// that equal it: a block goes through the tile `threads` elements at a time, and ballots tell which are where.

struct Ranks {
    U bits[items];
    unsigned is_larger[items], is_equal[items];  // by lane of the own warp
    const unsigned* before;  // of 32 elements, by their number: larger ones, and equal ones in the upper half

    // All threads of the block call it, once. The elements begin at `from`, of which there are `size`.
    __device__ __forceinline__ Ranks(const U* from, int size, U kth) {
        __shared__ unsigned counts[warps * items];
        const int thread = threadIdx.x, lane = thread % 32;
        before = counts;
#pragma unroll
        for (int i = 0; i < items; ++i) bits[i] = i * threads + thread < size ? from[i * threads + thread] : U(0);
#pragma unroll
        for (int i = 0; i < items; ++i) {
            const bool is_in = i * threads + thread < size;
            is_larger[i] = __ballot_sync(~0u, is_in && key_of(bits[i]) > kth);
            is_equal[i] = __ballot_sync(~0u, is_in && key_of(bits[i]) == kth);
            if (lane == 0) counts[i * warps + thread / 32] = __popc(is_larger[i]) | __popc(is_equal[i]) << 16;
        }
        sum_before(counts, warps * items);
    }

    __device__ __forceinline__ bool larger(int i) const { return is_larger[i] >> threadIdx.x % 32 & 1; }
    __device__ __forceinline__ bool equal(int i) const { return is_equal[i] >> threadIdx.x % 32 & 1; }
    __device__ __forceinline__ unsigned lower_lanes() const { return (1u << threadIdx.x % 32) - 1; }
    // Of the tile's, before element i of this thread.
    __device__ __forceinline__ int larger_before(int i) const {
        return (before[i * warps + threadIdx.x / 32] & 0xffffu) + __popc(is_larger[i] & lower_lanes());
    }
    __device__ __forceinline__ int equal_before(int i) const {
        return (before[i * warps + threadIdx.x / 32] >> 16) + __popc(is_equal[i] & lower_lanes());
    }
};
