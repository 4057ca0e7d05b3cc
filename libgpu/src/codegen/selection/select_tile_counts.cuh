// SPDX-License-Identifier: MIT
// How many elements of each tile of a line are larger than the k-th largest one, and how many equal it. Without counts,
// that one is known already.

extern "C" __global__ void __launch_bounds__(threads)
    select_tile_counts(const U* x, const unsigned long long* counts, Chosen* chosen, long long* totals, long long n,
                       long long tiles) {
    __shared__ unsigned of_warp[warps];
    const long long line = blockIdx.x / tiles, number = blockIdx.x % tiles, first = number * tile;
    const int thread = threadIdx.x, size = n - first < tile ? int(n - first) : tile;
    Chosen* const steps = chosen + line * (passes + 1);
    const U* const from = x + line * n + first;
    U bits[items];
#pragma unroll
    for (int i = 0; i < items; ++i) bits[i] = i * threads + thread < size ? from[i * threads + thread] : U(0);
    Chosen known;
    if (counts == nullptr) known = steps[passes];
    else known = with_next_digit(steps[passes - 1], counts + (line * passes + passes - 1) * digits);
    if (counts != nullptr && number == 0 && thread == 0) steps[passes] = known;
    const U kth = U(known.prefix);
    unsigned both = 0;  // equal ones in the upper half
#pragma unroll
    for (int i = 0; i < items; ++i) {
        const U key = key_of(bits[i]);
        if (i * threads + thread < size) both += key > kth ? 1u : key == kth ? 1u << 16 : 0u;
    }
    for (int step = 16; step > 0; step /= 2) both += __shfl_xor_sync(~0u, both, step);
    if (thread % 32 == 0) of_warp[thread / 32] = both;
    __syncthreads();
    if (thread > 0) return;
    for (int k = 1; k < warps; ++k) both += of_warp[k];
    totals[2 * line * tiles + number] = both & 0xffffu;
    totals[(2 * line + 1) * tiles + number] = both >> 16;
}
