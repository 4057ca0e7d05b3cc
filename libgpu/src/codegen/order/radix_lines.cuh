// SPDX-License-Identifier: MIT
// Sorts short lines, `together` of them in a block: its elements stay in registers, and change places through shared
// memory. Several lines are told apart at the end by one more pass, over the line that each element came from.

// The line of an element of the tile: its place divided by n. The inverse is 2^32 / n, rounded up.
__device__ __forceinline__ unsigned line_of(unsigned place, unsigned long long inverse) {
    return unsigned(place * inverse >> 32);
}

extern "C" __global__ void __launch_bounds__(threads, resident)
    radix_lines(const U* x, U* keys, long long* positions, long long lines, int n, int together,
                unsigned long long inverse) {
    __shared__ union {
        Ranking ranking;
        U keys[tile];
        unsigned short places[with_positions ? tile : 1];
    } memory;
    __shared__ unsigned sums[digits / 32];
    const long long first = (long long)blockIdx.x * together, begin = first * n;
    const int thread = threadIdx.x, size = int(lines - first < together ? lines - first : together) * n;
    const int own = thread / 32 * (32 * items) + thread % 32;

    U bits[items];
    unsigned place[items];
#pragma unroll
    for (int i = 0; i < items; ++i) {
        place[i] = own + 32 * i;
        bits[i] = own + 32 * i < size ? x[begin + own + 32 * i] : largest;
    }
    const int passes = sizeof(U) + (together > 1 ? 1 : 0);
#pragma unroll 1
    for (int pass = 0; pass < passes; ++pass) {
        unsigned digit[items], ranks[items];
        if (!with_positions || pass < (int)sizeof(U)) {
#pragma unroll
            for (int i = 0; i < items; ++i) digit[i] = digit_of(bits[i], 8 * pass);
        } else {
#pragma unroll
            for (int i = 0; i < items; ++i) digit[i] = min(line_of(place[i], inverse), digits - 1u);
        }
        clear(memory.ranking);
        __syncthreads();
        const unsigned total = count_digits(memory.ranking, digit);
        rank(memory.ranking, sum_before(total, sums), digit, ranks);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < items; ++i) memory.keys[ranks[i]] = bits[i];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < items; ++i) bits[i] = memory.keys[own + 32 * i];
        __syncthreads();
        if (with_positions) {
#pragma unroll
            for (int i = 0; i < items; ++i) memory.places[ranks[i]] = (unsigned short)place[i];
            __syncthreads();
#pragma unroll
            for (int i = 0; i < items; ++i) place[i] = memory.places[own + 32 * i];
            __syncthreads();
        }
    }
#pragma unroll
    for (int i = 0; i < items; ++i) {
        const int at = own + 32 * i;
        if (at >= size) continue;
        if (keys != nullptr) keys[begin + at] = bits[i];
        if (with_positions && positions != nullptr) positions[begin + at] = place[i] - line_of(place[i], inverse) * n;
    }
}
