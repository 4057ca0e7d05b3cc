// SPDX-License-Identifier: MIT
// Moves a line's elements to their places by one digit: a block's first thread moves those of one chunk, after the
// elements with smaller digits and those of the chunks before with equal ones.

extern "C" __global__ void radix_chunk_moves(const U* x, const Word* from, U* keys, Word* places, long long* positions,
                                             const Word* counts, long long n, int chunks, int pass, int is_first) {
    if (threadIdx.x != 0) return;
    const long long line = blockIdx.x / chunks, number = blockIdx.x % chunks, size = (n + chunks - 1) / chunks;
    const long long begin = line * n, first = number * size, end = n - first < size ? n : first + size;
    Word next[digits], total[digits];
    for (int digit = 0; digit < digits; ++digit) next[digit] = total[digit] = 0;
    for (long long chunk = 0; chunk < chunks; ++chunk) {
        const Word* const count = counts + (line * chunks + chunk) * digits;
        const Word counted = chunk < number ? Word(~Word(0)) : Word(0);
        for (int digit = 0; digit < digits; ++digit) {
            total[digit] += count[digit];
            next[digit] += count[digit] & counted;
        }
    }
    Word smaller = 0;
    for (int digit = 0; digit < digits; ++digit) {
        next[digit] += smaller;
        smaller += total[digit];
    }
    for (long long k = first; k < end; ++k) {
        const U bits = x[begin + k];
        const long long to = begin + next[digit_of(bits, 8 * pass)]++;
        if (keys != nullptr) keys[to] = bits;
        if (!with_positions) continue;
        const Word place = is_first ? Word(k) : from[begin + k];
        if (positions != nullptr) positions[to] = place;
        else places[to] = place;
    }
}
