// SPDX-License-Identifier: MIT
// A thread of a block scans a chunk in shared memory. Elements get there and back in a row, so that neighbouring
// threads read and write neighbours. A line has `lanes` threads, or, if blocks wait for each other, several tiles of
// all threads.

enum {
    wide = lanes == threads,
    tile = threads * chunk,
    parts = sizeof(A) > 8 ? 2 : 1,  // shared memory has room for one of them
    each = chunk / parts,           // a thread loads and stores as many elements of a part
    part_threads = threads / parts,
    padding = sizeof(A) < 8 ? 2 * chunk : (int)chunk,  // there is a gap after as many: others' are in other banks
    buffer = part_threads * chunk + part_threads * chunk / padding,
    group = lanes < chunk ? (int)lanes : (int)chunk,
    groups = threads / group,
    line_groups = lanes / group,
    // Blocks stay, and publish a tile before they end the one before: what that waits for was published meanwhile.
    ahead = waits && sizeof(A) <= 4
};
static constexpr unsigned none = 0xffffffff;

// Elements in a row: of a tile, or of whole lines of the same width.
struct Stretch {
    long long first;
    int count, width;
    unsigned long long inverse;  // of the width, times 2^32

    __device__ int per_part() const { return wide ? part_threads * chunk : part_threads / lanes * width; }
    // How many elements of a part are the thread's k-th and those after it.
    __device__ int left(int part, int k) const {
        const int of_part = count - part * per_part();
        return (of_part < per_part() ? of_part : per_part()) - (int)threadIdx.x - k * threads;
    }
    // How many the thread scans.
    __device__ int own() const {
        const int t = (int)threadIdx.x, before = wide ? 0 : t / lanes * width;
        const int of_line = (count - before < width ? count - before : width) - t % lanes * chunk;
        return of_line < chunk ? of_line : chunk;
    }
};

// Where the thread's k-th element of a part is.
struct Spot {
    int slot, chunk_at, in;
    __device__ Spot(const Stretch& of, int k) {
        const unsigned t = threadIdx.x, at = k * threads + t;
        const unsigned line = wide ? 0 : (unsigned)(at * of.inverse >> 32);
        const unsigned place = at - line * (of.width - lanes * chunk);
        slot = wide ? (int)(t + t / padding) + k * (threads + threads / padding) : (int)(place + place / padding);
        chunk_at = wide ? (int)(t / chunk) + k * (threads / chunk) : (int)(place / chunk);
        in = (int)(wide ? t % chunk : place % chunk);
    }
};

// The beginning of the thread's chunk.
__device__ inline A* chunk_of(A* staged, int thread) {
    const unsigned place = thread * chunk;
    return staged + (place + place / padding);
}

__device__ inline void fetch(const X* x, const Stretch& from, int part, X* fetched) {
    const X* const first = x + from.first + part * from.per_part() + threadIdx.x;
#pragma unroll
    for (int k = 0; k < each; ++k) fetched[k] = from.left(part, k) > 0 ? first[k * threads] : X();
}

__device__ inline void stage(A* staged, const Stretch& of, int part, const X* fetched) {
#pragma unroll
    for (int k = 0; k < each; ++k)
        if (wide || of.left(part, k) > 0) staged[Spot(of, k).slot] = A(fetched[k]);
}

extern "C" __global__ void __launch_bounds__(threads, min_blocks)
    scan_tiles(const X* x, const bool* starts, unsigned long long* state, A* out, A init, long long lines,
               long long n) {
    __shared__ A staged[1 + ahead][buffer], before[threads];
    __shared__ Sums<threads> chunks;
    __shared__ Sums<groups> of_groups;
    __shared__ Awaited awaited;
    __shared__ unsigned marks[segmented ? threads * (1 + ahead) : 1], ticket;
    const int t = (int)threadIdx.x, g = t / group % line_groups;
    const Levels levels(waits ? (n + tile - 1) / tile : 1);
    const unsigned works = (unsigned)(waits ? lines * levels.tiles : gridDim.x);
    const auto stretch_of = [&](unsigned number) {
        if (waits) {
            const unsigned line = number / levels.tiles;
            const long long done = (long long)(number - line * levels.tiles) * tile, left = n - done;
            return Stretch{line * n + done, (int)(left < tile ? left : (long long)tile), (int)tile, 0};
        }
        const long long line = (long long)number * (threads / lanes), left = lines - line;
        const int here = (int)(left < threads / lanes ? left : threads / lanes);
        return Stretch{line * n, here * (int)n, (int)n, wide ? 0 : 0xffffffffu / (unsigned)n + 1ull};
    };
    // Tiles are numbered as blocks take them, so that none waits for one that nobody has taken.
    unsigned now = none, last = none, next = blockIdx.x;
    if (waits) {
        if (t == 0) ticket = (unsigned)atomicAdd(state, 1ull);
        __syncthreads();
        next = ticket;
    }
    X fetched[each];
    if (!ahead) {
        now = next;
        if (now < works) fetch(x, stretch_of(now), 0, fetched);
    }
    A kept[parts > 1 ? (int)chunk : 1];
    Sum in_group = nothing(), in_line = nothing(), last_in_group = nothing(), last_in_line = nothing();
    int at = 0;
    while (now < works || last < works || next < works) {
        if (now < works) {
            if (ahead && t == 0) next = (unsigned)atomicAdd(state, 1ull);
            const Stretch here = stretch_of(now);
            A* own = chunk_of(staged[at], t % part_threads);
#pragma unroll
            for (int part = 0; part < parts; ++part) {
                if (part > 0) {
                    fetch(x, here, part, fetched);
                    __syncthreads();
                }
                stage(staged[at], here, part, fetched);
                __syncthreads();
                if (parts == 1 || t / part_threads != part) continue;
#pragma unroll
                for (int k = 0; k < chunk; ++k) kept[k] = own[k];
            }
            if (parts > 1) own = kept;
            unsigned starting = 0;
            for (int k = 0; segmented && k < here.own(); ++k)
                if (starts[here.first + t * chunk + k]) starting |= 1u << k;
            if (segmented) marks[at * threads + t] = starting;
            // The elements beyond a line's end may take part: nothing follows them.
            const Sum sum = scanned(own, wide ? (int)chunk : here.own(), starting);
            chunks.set(t, sum);
            __syncwarp();
            in_group = chunks.combined<group>(t - t % group, t % group);
            if (t % group == group - 1) of_groups.set(t / group, joined(in_group, sum));
            if (ahead && t == 0) ticket = next;
            __syncthreads();
            in_line = of_groups.combined<line_groups>(t / group - g, g);
            if (waits && t / 32 == (threads - 1) / 32)
                levels.publish(state, now, joined(in_line, of_groups.at(groups - 1)), awaited);
            if (ahead) next = ticket;
        }
        if (ahead && next < works) fetch(x, stretch_of(next), 0, fetched);
        const unsigned number = ahead ? last : now;
        if (number < works) {
            if (waits && t < 32) levels.await(state, number, awaited);
            if (waits) __syncthreads();
            const Sum above = waits ? awaited.all : nothing();
            before[t] = joined(joined(above, ahead ? last_in_line : in_line), ahead ? last_in_group : in_group).value;
            const Stretch here = stretch_of(number);
            A* const from = staged[at ^ (int)ahead];
            A* const to = out + here.first + t;
#pragma unroll
            for (int part = 0; part < parts; ++part) {
                if (parts > 1) {
                    __syncthreads();
#pragma unroll
                    for (int k = 0; k < chunk; ++k)
                        if (t / part_threads == part) chunk_of(from, t % part_threads)[k] = kept[k];
                }
                __syncthreads();
#pragma unroll 4
                for (int k = 0; k < each; ++k) {
                    if (here.left(part, k) <= 0) continue;
                    const Spot spot(here, k);
                    const int c = spot.chunk_at + part * part_threads;
                    const Sum sum = {before[c], above.exists || c % lanes > 0, false};
                    const unsigned starting = segmented ? marks[(at ^ (int)ahead) * threads + c] : 0;
                    to[part * here.per_part() + k * threads] =
                        finished(from + (spot.slot - spot.in), spot.in, starting, sum, init);
                }
            }
        }
        if (!ahead) return;
        __syncthreads();
        last = now;
        last_in_group = in_group;
        last_in_line = in_line;
        now = next;
        next = none;
        at ^= 1;
    }
}
