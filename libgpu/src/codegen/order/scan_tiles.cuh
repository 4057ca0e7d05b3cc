// SPDX-License-Identifier: MIT
// A thread of a block scans a chunk; `lanes` threads a line, whose elements are neighbours. A line has a block, or
// blocks, to itself if these are all: a block then goes through `rounds` tiles, or through one and waits for the totals
// of others. Elements pass through shared memory, where a thread's own are one row, so that neighbouring threads read
// and write neighbours.

enum {
    wide = lanes == threads,
    tile = threads * chunk,
    parts = sizeof(A) > 8 ? 2 : 1,
    part_threads = threads / parts,
    row = chunk + 1,
    group = wide ? (int)chunk : (int)lanes,
    groups = threads / group,
    words = (sizeof(A) + 3) / 4,
    max_levels = 8,
    scale = tile * chunk * chunk  // for divisions: tile * width is less
};

// Where a round's elements are: `count` of them in a row, `width` a line.
struct Place {
    long long first;
    int count, width;
    unsigned inverse;
    // The place in shared memory of the thread's k-th element to load or store.
    __device__ int staged(int k) const {
        const int t = (int)threadIdx.x;
        if (wide) return t + t / chunk + k * (threads + threads / chunk);
        const int at = k * threads + t, line = (int)(at * inverse / scale), i = at - line * width;
        return (line * lanes + i / chunk) * row + i % chunk;
    }
    __device__ int per_part() const { return wide ? part_threads * chunk : part_threads / lanes * width; }
    // How many elements the thread has.
    __device__ int own() const {
        const int t = (int)threadIdx.x, before = wide ? 0 : t / lanes * width;
        const int left = (count - before < width ? count - before : width) - t % lanes * chunk;
        return left < chunk ? left : chunk;
    }
};

__device__ inline void load(const X* x, const Place& place, A* staged, A* elements) {
    const int size = place.per_part(), own = place.own(), t = (int)threadIdx.x;
#pragma unroll
    for (int part = 0; part < parts; ++part) {
        const int left = place.count - part * size, end = (left < size ? left : size) - t;
        const X* const from = x + place.first + part * size + t;
        if (part > 0) __syncthreads();
#pragma unroll
        for (int k = 0; k < chunk; ++k)
            if (k * threads < end) staged[place.staged(k)] = A(from[k * threads]);
        __syncthreads();
        if (t / part_threads != part) continue;
#pragma unroll
        for (int k = 0; k < chunk; ++k)
            if (k < own) elements[k] = staged[t % part_threads * row + k];
    }
}

__device__ inline void store(A* out, const Place& place, A* staged, const A* elements) {
    const int size = place.per_part(), own = place.own(), t = (int)threadIdx.x;
#pragma unroll
    for (int part = 0; part < parts; ++part) {
        const int left = place.count - part * size, end = (left < size ? left : size) - t;
        A* const to = out + place.first + part * size + t;
        __syncthreads();
        if (t / part_threads == part) {
#pragma unroll
            for (int k = 0; k < chunk; ++k)
                if (k < own) staged[t % part_threads * row + k] = elements[k];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < chunk; ++k)
            if (k * threads < end) to[k * threads] = staged[place.staged(k)];
    }
}

// Totals in memory, of tiles, of chunks of tiles and so on. A word has a part of a value and a flag, and is seen whole.
struct Totals {
    union Parts {
        unsigned parts[words];
        A value;
    };
    unsigned long long* line;
    long long tiles;
    int levels;

    __device__ Totals(unsigned long long* state, long long number, long long all) : tiles(all), levels(0) {
        long long totals = 0;
#pragma unroll 1
        for (long long count = tiles; count > 1; count = (count + chunk - 1) / chunk, ++levels) totals += count;
        line = state + 1 + number * totals * words;
    }
    // Where one is that the tile belongs to.
    __device__ unsigned long long* at(int level, long long tile, int& in_chunk) const {
        long long first = 0, count = tiles;
#pragma unroll 1
        for (int k = 0; k < level; ++k) {
            first += count;
            count = (count + chunk - 1) / chunk;
            tile /= chunk;
        }
        in_chunk = (int)(tile % chunk);
        return line + (first + tile) * words;
    }
    __device__ static void publish(unsigned long long* to, const Sum& sum) {
        Parts parts = {};
        parts.value = sum.value;
        const unsigned long long flag = segmented && sum.restarts ? 2 : 1;
#pragma unroll
        for (int k = 0; k < words; ++k) atomicExch(to + k, flag << 32 | parts.parts[k]);
    }
    __device__ static Sum awaited(const volatile unsigned long long* from) {
        Parts parts = {};
        unsigned long long word = 0;
#pragma unroll
        for (int k = 0; k < words; ++k) {
            for (word = 0; word == 0;) word = from[k];
            parts.parts[k] = (unsigned)word;
        }
        return {parts.value, true, segmented && word >> 32 == 2};
    }
};

extern "C" __global__ void __launch_bounds__(threads, enough_blocks * 256 / threads)
    scan_tiles(const X* x, const bool* starts, unsigned long long* state, A* out, A init, long long lines, long long n,
               long long rounds) {
    __shared__ A staged[part_threads * row];
    __shared__ Sum sums[threads + groups], of_groups[groups], preceding_totals[max_levels * chunk], levels[max_levels];
    __shared__ long long number;
    const int t = (int)threadIdx.x;
    long long block = blockIdx.x;
    if (wide && state != nullptr) {  // in the order in which they start: none waits for one that hasn't
        if (t == 0) number = (long long)atomicAdd(state, 1ull);
        __syncthreads();
        block = number;
    }
    const long long tiles = (n + tile - 1) / tile, blocks = wide ? (tiles + rounds - 1) / rounds : 1;
    const long long first = wide ? block % blocks * rounds : 0;
    const int tiles_here = wide ? (int)(tiles - first < rounds ? tiles - first : rounds) : 1;
    Sum above = nothing();
    Place place = {wide ? block / blocks * n + first * tile : block * groups * n, 0, wide ? (int)tile : (int)n, 0};
    place.inverse = wide ? 0 : scale / (unsigned)n + 1;
    long long left = wide ? n - first * tile : (lines - block * groups) * n;
    const int most = wide ? (int)tile : groups * (int)n;
#pragma unroll 1
    for (int now = 0; now < tiles_here; ++now, left -= tile, place.first += tile) {
        place.count = (int)(left < most ? left : most);
        if (now > 0) __syncthreads();
        A elements[chunk];
        load(x, place, staged, elements);
        const int own = place.own();
        unsigned marks = 0;
        for (int k = 0; segmented && k < own; ++k)
            if (starts[place.first + t * chunk + k]) marks |= 1u << k;
        const Sum sum = scanned(elements, own, marks);
        Sum before_chunk = above;
        if (lanes > 1) {
            // One thread a group of chunks finds what precedes each of them in it, and what precedes the group.
            sums[t + t / group] = sum;
            __syncthreads();
            Sum whole = nothing();
            if (t < groups) {
                Sum running = nothing(), ahead = nothing();
#pragma unroll 4
                for (int k = 0; k < group; ++k) {
                    const Sum next = sums[t * (group + 1) + k];
                    sums[t * (group + 1) + k] = running;
                    running = joined(running, next);
                }
                if (wide) {
                    of_groups[t] = running;
                    __syncwarp((unsigned)((1ull << groups) - 1));
#pragma unroll 4
                    for (int k = 0; k < groups; ++k) {
                        if (k == t) ahead = whole;
                        whole = joined(whole, of_groups[k]);
                    }
                    __syncwarp((unsigned)((1ull << groups) - 1));
                    of_groups[t] = ahead;
                    if (t == 0) levels[0] = whole;
                }
            }
            if (wide && state != nullptr) {
                const Totals totals(state, block / blocks, tiles);
                int in_chunk = 0;
                if (t == 0) Totals::publish(totals.at(0, first, in_chunk), whole);
                // Other warps wait for others' totals.
                const int waiting = threads > 32 ? threads - 32 : (int)threads;
#pragma unroll 1
                for (int k = threads > 32 ? t - 32 : t; k >= 0 && k < totals.levels * chunk; k += waiting) {
                    const unsigned long long* const own_total = totals.at(k / chunk, first, in_chunk);
                    const int place_in = k % chunk;
                    preceding_totals[k] =
                        place_in < in_chunk ? Totals::awaited(own_total - (in_chunk - place_in) * words) : nothing();
                }
                __syncthreads();
                if (t < totals.levels) {
                    Sum running = nothing();
#pragma unroll 4
                    for (int k = 0; k < chunk; ++k) running = joined(running, preceding_totals[t * chunk + k]);
                    levels[t] = running;
                }
                __syncthreads();
                if (t == 0) {
#pragma unroll 1
                    for (int level = 0; level + 1 < totals.levels; ++level) {
                        totals.at(level, first, in_chunk);
                        if (in_chunk < chunk - 1) break;
                        whole = joined(levels[level], whole);
                        Totals::publish(totals.at(level + 1, first, in_chunk), whole);
                    }
                }
#pragma unroll 1
                for (int level = totals.levels - 1; level >= 0; --level) above = joined(above, levels[level]);
            } else {
                __syncthreads();
            }
            before_chunk = sums[t + t / group];
            if (wide) before_chunk = joined(joined(above, of_groups[t / group]), before_chunk);
            if (wide && rounds > 1) above = joined(above, levels[0]);
        }
        finish(elements, own, marks, before_chunk, init);
        store(out, place, staged, elements);
    }
}
