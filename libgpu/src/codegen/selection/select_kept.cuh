// SPDX-License-Identifier: MIT
// Writes a line's k largest elements and their positions: behind each other the last of those that equal the k-th
// largest one to the first, then the last of the larger ones to the first. Most tiles have none, and aren't read.

extern "C" __global__ void __launch_bounds__(threads)
    select_kept(const U* x, const Chosen* chosen, const long long* totals, U* keys, long long* positions, long long n,
                long long tiles, long long k) {
    const long long line = blockIdx.x / tiles, number = blockIdx.x % tiles, first = number * tile;
    const Chosen known = chosen[line * (passes + 1) + passes];
    const long long *const larger = totals + 2 * line * tiles + number, *const equal = larger + tiles;
    const long long larger_before = number == 0 ? 0 : larger[-1], equal_before = number == 0 ? 0 : equal[-1];
    const long long room = (long long)known.left - equal_before;  // for equal ones
    if (*larger == larger_before && (*equal == equal_before || room <= 0)) return;

    const int size = n - first < tile ? int(n - first) : tile;
    const Ranks ranks(x + line * n + first, size, U(known.prefix));
    const long long last = line * k + k - 1;
#pragma unroll
    for (int i = 0; i < items; ++i) {
        long long rank = -1;
        if (ranks.larger(i)) rank = larger_before + ranks.larger_before(i);
        else if (ranks.equal(i) && ranks.equal_before(i) < room)
            rank = k - (long long)known.left + equal_before + ranks.equal_before(i);
        if (rank < 0) continue;
        keys[last - rank] = ranks.bits[i];
        positions[last - rank] = first + (i * threads + (int)threadIdx.x);
    }
}
