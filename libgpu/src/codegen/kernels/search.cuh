// SPDX-License-Identifier: MIT
// For each x, how many of the edges, which ascend, are at most x.

template <class N> __device__ inline long long count_up_to(const N* edges, long long count, N x) {
    long long low = 0, high = count;
    while (low < high) {
        const long long middle = low + (high - low) / 2;
        if (edges[middle] <= x) low = middle + 1;
        else high = middle;
    }
    return low;
}
