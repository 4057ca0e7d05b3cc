// SPDX-License-Identifier: MIT
// Moves the elements of lines to their places by one digit, in one sweep (Adinets and Merrill, 2022): blocks take tiles
// in order, and each finds how many elements before its tile have each digit by looking back at what the blocks before
// it have published: the count of their own tile or, once they know it, the sum up to its end.

enum : Word { own_count = Word(1) << (8 * sizeof(Word) - 2), sum_to_end = own_count * 2, value_bits = own_count - 1 };

enum { batch = 4, rank_bits = 16 };  // what a look back loads at a time; of ranks in a tile
// Elements that a thread moves at a time: digits of elements with positions stay in registers. Fewer compile sooner.
enum { moved_at_once = with_positions ? items : 4 };

extern "C" __global__ void __launch_bounds__(threads, resident)
    radix_pass(const U* x, const Word* from, U* keys, Word* places, long long* positions, const Word* counts,
               Word* published, Word* next_published, unsigned* taken, long long n, unsigned tiles, int pass,
               int is_first) {
    __shared__ union {
        Ranking ranking;
        U keys[tile];
        Word places[with_positions ? tile : 1];
    } memory;
    __shared__ Word start[digits];  // where the first element with a digit goes, less its rank
    __shared__ unsigned long long sums[digits / 32];
    __shared__ unsigned taken_tile;
    const int thread = threadIdx.x, shift = 8 * pass;
    if (thread == 0) taken_tile = atomicAdd(taken, 1u);
    clear(memory.ranking);
    __syncthreads();
    const long long here = taken_tile, line = taken_tile / tiles;
    const unsigned number = taken_tile % tiles;
    const long long first = (long long)number * tile;
    const int size = n - first < tile ? int(n - first) : tile;
    const long long begin = line * n;
    const int own = thread / 32 * (32 * items) + thread % 32;

    U bits[items];
    unsigned digit[items], ranks[items];
    const U* const in = x + begin + first + own;
#pragma unroll
    for (int i = 0; i < items; ++i) bits[i] = own + 32 * i < size ? in[32 * i] : largest;
#pragma unroll
    for (int i = 0; i < items; ++i) digit[i] = digit_of(bits[i], shift);

    const unsigned total = count_digits(memory.ranking, digit);
    Word* const mine = published + here * digits + thread;
    if (thread < digits) {
        next_published[here * digits + thread] = 0;
        if (number != 0) atomicExch(mine, own_count | total);
    }
    // One sum of both: of ranks in the tile and, for a line's first one, of where the digits begin in the line.
    unsigned long long both = total;
    if (number == 0 && thread < digits)
        both |= (unsigned long long)counts[(line * sizeof(U) + pass) * digits + thread] << rank_bits;
    both = sum_before(both, sums);
    const unsigned first_rank = unsigned(both) & ((1u << rank_bits) - 1);
    Word before = Word(both >> rank_bits);
    if (number == 0 && thread < digits) atomicExch(mine, sum_to_end | (before + total));
    rank(memory.ranking, first_rank, digit, ranks);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < items; ++i) memory.keys[ranks[i]] = bits[i];
    if (thread < digits) {
        if (number != 0) {
            const volatile Word* at = mine - digits;
            bool looks = true;
            for (long long left = number; looks; left -= batch, at -= batch * digits) {
                Word value[batch];
#pragma unroll
                for (int k = 0; k < batch; ++k) value[k] = k < left ? at[-k * digits] : sum_to_end;
#pragma unroll
                for (int k = 0; k < batch; ++k) {
                    while (looks && value[k] == 0) value[k] = at[-k * digits];
                    if (looks) before += value[k] & value_bits;
                    looks = looks && (value[k] & sum_to_end) == 0;
                }
            }
            atomicExch(mine, sum_to_end | (before + total));
        }
        start[thread] = before - first_rank;
    }
    __syncthreads();
    U* const out = keys + begin;
#pragma unroll moved_at_once
    for (int i = 0; i < items; ++i) {
        const int at = i * threads + thread;
        const U moved = memory.keys[at];
        digit[i] = digit_of(moved, shift);
        if (at < size && keys != nullptr) out[Word(start[digit[i]] + at)] = moved;
    }
    if (with_positions) {
        __syncthreads();
#pragma unroll
        for (int i = 0; i < items; ++i) {
            const int at = own + 32 * i;
            memory.places[ranks[i]] = is_first || at >= size ? Word(first + at) : from[begin + first + at];
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < items; ++i) {
            const int at = i * threads + thread;
            const Word place = memory.places[at], to = start[digit[i]] + at;
            if (at < size && positions != nullptr) positions[begin + to] = place;
            if (at < size && positions == nullptr) places[begin + to] = place;
        }
    }
}
