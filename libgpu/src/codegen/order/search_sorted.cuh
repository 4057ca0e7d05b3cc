// SPDX-License-Identifier: MIT
// Bisection in a sorted vector, in the order of sort(): NaN is larger than anything.

__device__ inline bool goes_before(E a, E b) { return a < b || (b != b && a == a); }

// The number of elements that go before the value or, with `after`, don't go after it.
__device__ inline long long place_of(const E* sorted, long long n, E value, bool after, bool descends) {
    long long low = 0, high = n;
    while (low < high) {
        const long long middle = low + (high - low) / 2;
        const E element = sorted[descends ? n - 1 - middle : middle];
        if (after ? !goes_before(value, element) : goes_before(element, value)) low = middle + 1;
        else high = middle;
    }
    return low;
}

// With `either_way`, the vector may descend: places then count from its end.
extern "C" __global__ void search_sorted(const E* sorted, const E* values, long long* places, long long n,
                                         long long count, int after, int either_way) {
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const bool descends = either_way != 0 && n > 1 && goes_before(sorted[n - 1], sorted[0]);
    const long long place = place_of(sorted, n, values[i], after != 0, descends);
    places[i] = descends ? n - place : place;
}

extern "C" __global__ void is_in(const E* sorted, const E* values, bool* found, long long n, long long count,
                                 int invert) {
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const long long place = place_of(sorted, n, values[i], false, false);
    found[i] = (place < n && sorted[place] == values[i]) != (invert != 0);
}
