// SPDX-License-Identifier: MIT
// A thread of a block scans a chunk; `lanes` threads a line, whose elements are neighbours. A line has a block, or
// blocks, to itself if these are all: a block then goes through `rounds` tiles. Elements pass through shared memory,
// where a thread's own are one row, so that neighbouring threads read and write neighbours.

enum {
    wide = lanes == threads,
    tile = threads * chunk,
    parts = sizeof(A) > 8 ? 2 : 1,
    part_threads = threads / parts,
    row = chunk + 1
};

// Where a round's elements are: `count` of them in a row, `width` a line.
struct Place {
    long long first;
    int count, width;
    // An element's place in shared memory.
    __device__ int staged(int at) const {
        if (wide) return at + at / chunk;
        const int line = at / width, k = at % width;
        return (line * lanes + k / chunk) * row + k % chunk;
    }
    __device__ int per_part() const { return wide ? part_threads * chunk : part_threads / lanes * width; }
    // How many elements the thread has.
    __device__ int own() const {
        const int t = (int)threadIdx.x, before = (wide ? 0 : t / lanes * width), k = t % lanes * chunk;
        const int left = (count - before < width ? count - before : width) - k;
        return left < chunk ? left : chunk;
    }
};

__device__ inline void load(const X* x, const Place& place, A* staged, A* elements) {
    const int size = place.per_part(), own = place.own(), t = (int)threadIdx.x;
    for (int part = 0; part < parts; ++part) {
        const int left = place.count - part * size, end = left < size ? left : size;
        const X* const from = x + place.first + part * size + t;
        if (part > 0) __syncthreads();
#pragma unroll
        for (int k = 0; k < chunk; ++k)
            if (k * threads + t < end) staged[place.staged(k * threads + t)] = A(from[k * threads]);
        __syncthreads();
        if (t / part_threads != part) continue;
#pragma unroll
        for (int k = 0; k < chunk; ++k)
            if (k < own) elements[k] = staged[t % part_threads * row + k];
    }
}

__device__ inline void store(A* out, const Place& place, A* staged, const A* elements) {
    const int size = place.per_part(), own = place.own(), t = (int)threadIdx.x;
    for (int part = 0; part < parts; ++part) {
        const int left = place.count - part * size, end = left < size ? left : size;
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
            if (k * threads + t < end) to[k * threads] = staged[place.staged(k * threads + t)];
    }
}

extern "C" __global__ void __launch_bounds__(threads, enough_blocks)
    scan_tiles(const X* x, const bool* starts, const A* before, A* out, bool* restarts, A init, long long lines,
               long long n, long long rounds) {
    __shared__ A staged[part_threads * row];
    __shared__ Sum totals[threads], groups[chunk];
    const int t = (int)threadIdx.x;
    const long long tiles = (n + tile - 1) / tile, blocks = wide ? (tiles + rounds - 1) / rounds : 1;
    // From the last to the first: what was read last may still be cached.
    const long long block = gridDim.x - 1 - blockIdx.x, first = wide ? block % blocks * rounds : 0;
    const long long last = wide && first + rounds < tiles ? first + rounds : tiles;
    Sum above = nothing();
    if (result != total && first > 0) above = {before[block], true, false};
    for (long long now = first; now < last; ++now) {
        const long long left = wide ? n - now * tile : (lines - block * (threads / lanes)) * n;
        const long long most = wide ? (long long)tile : threads / lanes * n;
        const Place place = {wide ? block / blocks * n + now * tile : block * (threads / lanes) * n,
                             (int)(left < most ? left : most), wide ? (int)tile : (int)n};
        if (now > first) __syncthreads();
        A elements[chunk];
        load(x, place, staged, elements);
        const int own = place.own();
        unsigned marks = 0;
        for (int k = 0; segmented && k < own; ++k)
            if (starts[place.first + t * chunk + k]) marks |= 1u << k;
        const Sum sum = scanned(elements, own, marks);

        // What precedes the chunk: in its group of chunks, and that group in the tile.
        Sum siblings = nothing(), chunks = nothing(), whole = nothing();
        if (lanes > 1) {
            const int width = lanes < chunk ? lanes : chunk, place_in = t % width;
            totals[t] = sum;
            __syncthreads();
            for (int k = 0; k < place_in; ++k) siblings = joined(siblings, totals[t - place_in + k]);
            if (wide) {
                if (place_in == chunk - 1) groups[t / chunk] = joined(siblings, sum);
                __syncthreads();
                for (int k = 0; k < threads / chunk; ++k) {
                    if (k == t / chunk) chunks = whole;
                    whole = joined(whole, groups[k]);
                }
            }
        }
        if (result == total) {
            if (t > 0) return;
            out[block] = whole.value;
            if (segmented) restarts[block] = whole.restarts;
            return;
        }
        finish(elements, own, marks, joined(joined(above, chunks), siblings), init);
        store(out, place, staged, elements);
        above = joined(above, whole);
    }
}
