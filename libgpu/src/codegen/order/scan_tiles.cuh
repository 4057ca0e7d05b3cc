// SPDX-License-Identifier: MIT
// A thread of a block scans a chunk; `lanes` threads a line, whose elements are neighbours. A line has a block, or
// blocks, to itself if these are all: a block then goes through `rounds` tiles; or through one, and waits for the
// totals of those before it, or is given what precedes it. Elements pass through shared memory, where a thread's own
// are one row, so that neighbouring threads read and write neighbours.

enum {
    wide = lanes == threads,
    tile = threads * chunk,
    parts = sizeof(A) > 8 ? 2 : 1,
    part_threads = threads / parts,
    row = chunk + 1,
    group = wide ? (int)chunk : (int)lanes,
    groups = threads / group,
    words = (sizeof(A) + 3) / 4,
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

// A tile's total in memory: a word has a part of the value and a flag, and is seen whole.
union Parts {
    unsigned parts[words];
    A value;
};
__device__ inline void publish(unsigned long long* to, const Sum& sum) {
    Parts parts = {};
    parts.value = sum.value;
    const unsigned long long flag = segmented && sum.restarts ? 2 : 1;
#pragma unroll
    for (int k = 0; k < words; ++k) atomicExch(to + k, flag << 32 | parts.parts[k]);
}
__device__ inline Sum awaited(const volatile unsigned long long* from) {
    Parts parts = {};
    unsigned long long word = 0;
#pragma unroll
    for (int k = 0; k < words; ++k) {
        for (word = 0; word == 0;) word = from[k];
        parts.parts[k] = (unsigned)word;
    }
    return {parts.value, true, segmented && word >> 32 == 2};
}

extern "C" __global__ void __launch_bounds__(threads, enough_blocks * 256 / threads)
    scan_tiles(const X* x, const bool* starts, const A* before, unsigned long long* state, A* out, bool* restarts,
               A init, long long lines, long long n, long long rounds) {
    __shared__ A staged[part_threads * row];
    __shared__ Sum sums[threads + groups], of_groups[groups], earlier[chunk];
    __shared__ long long ticket;
    const int t = (int)threadIdx.x;
    // From the last to the first: what was read last may still be cached. Blocks that wait are numbered in the order in
    // which they start, so that none waits for one that hasn't.
    long long block = gridDim.x - 1 - blockIdx.x;
    if (waits) {
        if (t == 0) ticket = (long long)atomicAdd(state, 1ull);
        __syncthreads();
        block = ticket;
    }
    const long long tiles = (n + tile - 1) / tile, blocks = wide ? (tiles + rounds - 1) / rounds : 1;
    const long long first = wide ? block % blocks * rounds : 0;
    const int tiles_here = wide ? (int)(tiles - first < rounds ? tiles - first : rounds) : 1;
    Sum above = nothing();
    if (!waits && result != total && first > 0) above = {before[block], true, false};
    Place place = {wide ? block / blocks * n + first * tile : block * groups * n, 0, wide ? (int)tile : (int)n, 0};
    place.inverse = wide ? 0 : scale / (unsigned)n + 1;
    long long left = wide ? n - first * tile : (lines - block * groups) * n;
    const int most = wide ? (int)tile : groups * (int)n;
#pragma unroll 1
    for (int now = 0; now < tiles_here; ++now, left -= tile, place.first += tile) {
        place.count = (int)(left < most ? left : most);
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
            if (t < groups) {
                Sum running = nothing();
#pragma unroll 4
                for (int k = 0; k < group; ++k) {
                    const Sum next = sums[t * (group + 1) + k];
                    sums[t * (group + 1) + k] = running;
                    running = joined(running, next);
                }
                if (wide) {
                    of_groups[t] = running;
                    __syncwarp((unsigned)((1ull << groups) - 1));
                    Sum ahead = nothing(), whole = nothing();
#pragma unroll 4
                    for (int k = 0; k < groups; ++k) {
                        if (k == t) ahead = whole;
                        whole = joined(whole, of_groups[k]);
                    }
                    if (result == total) {
                        if (t > 0) return;
                        out[block] = whole.value;
                        if (segmented) restarts[block] = whole.restarts;
                        return;
                    }
                    __syncwarp((unsigned)((1ull << groups) - 1));
                    of_groups[t] = joined(above, ahead);
                    if (waits && t == 0) publish(state + 1 + block * words, whole);
                    above = joined(above, whole);
                }
            }
            if (result == total) return;
            if (waits) {
                const int k = threads > 32 ? t - 32 : t, others = (int)first;
                if (k >= 0 && k < others) earlier[k] = awaited(state + 1 + (block - others + k) * words);
                __syncthreads();
                if (t < groups) {
                    Sum running = nothing();
                    for (int k = 0; k < others; ++k) running = joined(running, earlier[k]);
                    of_groups[t] = joined(running, of_groups[t]);
                }
            }
            __syncthreads();
            before_chunk = sums[t + t / group];
            if (wide) before_chunk = joined(of_groups[t / group], before_chunk);
        }
        finish(elements, own, marks, before_chunk, init);
        store(out, place, staged, elements);
    }
}
