// SPDX-License-Identifier: MIT
// Parts lines at the k-th largest element: the smaller ones, those that equal it, the larger ones, each in their order.

extern "C" __global__ void __launch_bounds__(threads)
    select_parts(const U* x, const Chosen* chosen, const long long* totals, U* keys, long long* positions, long long n,
                 long long tiles) {
    const long long line = blockIdx.x / tiles, number = blockIdx.x % tiles, first = number * tile;
    const long long *const larger = totals + 2 * line * tiles, *const equal = larger + tiles;
    const long long larger_before = number == 0 ? 0 : larger[number - 1];
    const long long equal_before = number == 0 ? 0 : equal[number - 1];
    const long long larger_from = n - larger[tiles - 1], equal_from = larger_from - equal[tiles - 1];
    const int size = n - first < tile ? int(n - first) : tile;
    const Ranks ranks(x + line * n + first, size, U(chosen[line * (passes + 1) + passes].prefix));
#pragma unroll
    for (int i = 0; i < items; ++i) {
        const int at = i * threads + (int)threadIdx.x;
        if (at >= size) continue;
        const long long larger_ones = larger_before + ranks.larger_before(i);
        const long long equal_ones = equal_before + ranks.equal_before(i);
        long long to = line * n;
        if (ranks.larger(i)) to += larger_from + larger_ones;
        else if (ranks.equal(i)) to += equal_from + equal_ones;
        else to += first + at - larger_ones - equal_ones;
        if (keys != nullptr) keys[to] = ranks.bits[i];
        if (positions != nullptr) positions[to] = first + at;
    }
}
