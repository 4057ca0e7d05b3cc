// SPDX-License-Identifier: MIT
// Writes a line's k largest elements and their positions: behind each other the last of those that equal the k-th
// largest one to the first, then the last of the larger ones to the first. Most tiles have none, and aren't read.

extern "C" __global__ void __launch_bounds__(threads)
    select_kept(const U* x, const Chosen* chosen, const long long* totals, U* keys, long long* positions, long long n,
                long long tiles, long long k) {
    __shared__ unsigned before[warps * items];
    const long long line = blockIdx.x / tiles, number = blockIdx.x % tiles, first = number * tile;
    const Chosen known = chosen[line * (passes + 1) + passes];
    const long long *const larger = totals + 2 * line * tiles + number, *const equal = larger + tiles;
    const long long larger_before = number == 0 ? 0 : larger[-1], equal_before = number == 0 ? 0 : equal[-1];
    const long long room = (long long)known.left - equal_before;  // for equal ones
    if (*larger == larger_before && (*equal == equal_before || room <= 0)) return;

    const int thread = threadIdx.x, lane = thread % 32, size = n - first < tile ? int(n - first) : tile;
    const U kth = U(known.prefix);
    U bits[items];
    unsigned is_larger[items], is_equal[items];
#pragma unroll
    for (int i = 0; i < items; ++i)
        bits[i] = i * threads + thread < size ? x[line * n + first + (i * threads + thread)] : U(0);
#pragma unroll
    for (int i = 0; i < items; ++i) {
        const bool is_in = i * threads + thread < size;
        is_larger[i] = __ballot_sync(~0u, is_in && key_of(bits[i]) > kth);
        is_equal[i] = __ballot_sync(~0u, is_in && key_of(bits[i]) == kth);
        if (lane == 0) before[i * warps + thread / 32] = __popc(is_larger[i]) | __popc(is_equal[i]) << 16;
    }
    __syncthreads();
    if (thread < 32) {
        unsigned sum = 0;
        for (int i = 0; i < warps * items; i += 32) {
            const bool is_in = i + lane < warps * items;
            const unsigned own = is_in ? before[i + lane] : 0;
            unsigned up_to = own;
            for (int step = 1; step < 32; step *= 2) {
                const unsigned other = __shfl_up_sync(~0u, up_to, step);
                if (lane >= step) up_to += other;
            }
            if (is_in) before[i + lane] = sum + up_to - own;
            sum += __shfl_sync(~0u, up_to, 31);
        }
    }
    __syncthreads();
    const long long last = line * k + k - 1;
#pragma unroll
    for (int i = 0; i < items; ++i) {
        const unsigned ahead = before[i * warps + thread / 32], lower = (1u << lane) - 1;
        const long long at = first + i * threads + thread;
        long long rank = -1;
        if (is_larger[i] >> lane & 1) {
            rank = larger_before + (ahead & 0xffffu) + __popc(is_larger[i] & lower);
        } else if (is_equal[i] >> lane & 1) {
            const long long among = (ahead >> 16) + __popc(is_equal[i] & lower);
            if (among < room) rank = k - (long long)known.left + equal_before + among;
        }
        if (rank < 0) continue;
        keys[last - rank] = bits[i];
        positions[last - rank] = at;
    }
}
