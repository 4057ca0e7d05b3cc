// SPDX-License-Identifier: MIT
// Blocks publish the totals of tiles, of chunks of tiles and so on: whoever adds the last tile to a chunk publishes the
// chunk's. So none waits for more than what other blocks do anyway, and who does what has no effect on the result.

template <int count> struct Sums {
    alignas(16) A values[count];
    bool restarts[segmented ? count : 1];

    __device__ void set(int k, const Sum& sum) {
        values[k] = sum.value;
        if (segmented) restarts[k] = sum.restarts;
    }
    __device__ Sum at(int k) const { return {values[k], true, segmented && restarts[segmented ? k : 0]}; }
    // What the first `many` of `size` combine to.
    template <int size> __device__ Sum combined(int first, int many) const {
        Sum sum = at(first);
#pragma unroll 4
        for (int k = 1; k < size; ++k)
            if (k < many) sum = joined(sum, at(first + k));
        sum.exists = many > 0;
        return sum;
    }
};

enum { max_levels = 8, words = (sizeof(A) + 3) / 4, last_lane = threads < 32 ? threads - 1 : 31 };

struct Awaited {
    Sums<max_levels * chunk> totals;
    Sums<chunk> published;
    Sum levels[max_levels], all;
    unsigned count;
};

// A total in memory: a word has a part of the value, two flags and, the first, how many parts of it have been
// published.
union Parts {
    unsigned parts[words];
    A value;
};

struct Levels {
    unsigned tiles;
    int count;

    __device__ Levels(long long all) : tiles((unsigned)all), count(0) {
#pragma unroll 1
        for (; (tiles - 1) >> bits * count > 0; ++count) continue;
    }
    // Where a total is, in a state that begins with the number of tiles taken.
    __device__ unsigned long long* place(unsigned long long* state, unsigned line, int level, unsigned k) const {
        const unsigned first = 2 * tiles - (2 * tiles >> bits * level) + level;
        return state + 1 + (line * (2 * tiles + max_levels) + first + k) * words;
    }
    __device__ static Sum awaited(const volatile unsigned long long* from) {
        Parts parts = {};
        unsigned long long word = 0;
#pragma unroll
        for (int k = 0; k < words; ++k) {
            do word = from[k];
            while ((word >> 32 & 1) == 0);
            parts.parts[k] = (unsigned)word;
        }
        return {parts.value, true, segmented && (word >> 33 & 1) != 0};
    }
    // By the last warp, whose last lane has the sum.
    __device__ void publish(unsigned long long* state, unsigned number, Sum sum, Awaited& shared) const {
        const int lane = (int)threadIdx.x % 32;
        const unsigned line = number / tiles;
        unsigned k = number - line * tiles;
#pragma unroll 1
        for (int level = 0;; ++level) {
            if (lane == last_lane) {
                Parts parts = {};
                parts.value = sum.value;
                const unsigned long long flags = segmented && sum.restarts ? 3 : 1;
                unsigned long long* const to = place(state, line, level, k);
#pragma unroll
                for (int w = 0; w < words; ++w) atomicExch(to + w, flags << 32 | parts.parts[w]);
                shared.count = 0;
                if (level + 1 < count)
                    shared.count = (unsigned)(atomicAdd(place(state, line, level + 1, k / chunk), 1ull << 34) >> 34);
            }
            __syncwarp();
            if (shared.count != chunk - 1) return;
            k /= chunk;
            if (lane < chunk) shared.published.set(lane, awaited(place(state, line, level, k * chunk + lane)));
            __syncwarp();
            sum = shared.published.template combined<chunk>(0, chunk);
        }
    }
    // By the first warp.
    __device__ void await(unsigned long long* state, unsigned number, Awaited& shared) const {
        const int lane = (int)threadIdx.x;
        const unsigned line = number / tiles, k = number - line * tiles;
#pragma unroll 1
        for (int j = lane; j < count * chunk; j += last_lane + 1) {
            const unsigned node = k >> bits * (j / chunk), in = node % chunk, of = j % chunk;
            if (of < in) shared.totals.set(j, awaited(place(state, line, j / chunk, node - in + of)));
            else if (of == 0) shared.totals.set(j, nothing());
        }
        __syncwarp();
        if (lane < count) {
            const int in = (int)((k >> bits * lane) % chunk);
            shared.levels[lane] = shared.totals.template combined<chunk>(lane * chunk, in);
        }
        __syncwarp();
        if (lane > 0) return;
        Sum sum = nothing();
#pragma unroll 1
        for (int level = count - 1; level >= 0; --level) sum = joined(sum, shared.levels[level]);
        shared.all = sum;
    }
};
