// SPDX-License-Identifier: MIT
// Neighbours in one load, and the join of what the lanes of a row have found.

template <class T> struct alignas(sizeof(T) * pack) Pack { T at[pack]; };

template <class T> __device__ inline Pack<T> loaded(const T* from) { return *(const Pack<T>*)from; }

// The value of the lane whose number differs in this bit.
template <class A> __device__ inline A of_other_lane(A a, int bit) {
    constexpr int count = (sizeof(A) + 3) / 4;
    unsigned words[count];
    words[count - 1] = 0;
    memcpy(words, &a, sizeof(A));
#pragma unroll
    for (int k = 0; k < count; ++k) words[k] = __shfl_xor_sync(0xffffffffu, words[k], bit);
    memcpy(&a, words, sizeof(A));
    return a;
}

// All lanes of a row get the same result, or, where it has more, all of a warp.
template <class Join, class A> __device__ inline A joined_in_warp(A a) {
#pragma unroll
    for (int bit = 1; bit < (lanes < 32 ? lanes : 32); bit *= 2) a = Join::of(a, of_other_lane(a, bit));
    return a;
}

template <class Join, class A> __device__ inline A joined_of_warps(const A* slots) {
    constexpr int warps = (lanes + 31) / 32;
    A a = slots[threadIdx.x % warps];
#pragma unroll
    for (int bit = 1; bit < warps; bit *= 2) a = Join::of(a, of_other_lane(a, bit));
    return a;
}

