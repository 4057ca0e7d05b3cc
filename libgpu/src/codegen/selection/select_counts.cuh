// SPDX-License-Identifier: MIT
// How often each value of a digit occurs among the elements of a line whose keys begin as the k-th largest one's: a
// block counts every `parts`-th tile of a line.

extern "C" __global__ void __launch_bounds__(threads)
    select_counts(const U* x, unsigned long long* counts, Chosen* chosen, long long n, long long k, int parts,
                  int pass) {
    __shared__ unsigned count[digits];
    const long long line = blockIdx.x / parts, part = blockIdx.x % parts;
    const int thread = threadIdx.x, shift = 8 * (passes - 1 - pass);
    unsigned long long* const of_line = counts + line * (passes * digits);
    Chosen* const steps = chosen + line * (passes + 1);
    count[thread] = 0;
    Chosen known{0, (unsigned long long)k};
    if (pass > 0) known = with_next_digit(steps[pass - 1], of_line + (pass - 1) * digits);
    if (part == 0 && thread == 0) steps[pass] = known;
    __syncthreads();
    const U* const from = x + line * n;
#pragma unroll 1
    for (long long first = part * tile; first < n; first += (long long)parts * tile) {
        const int size = n - first < tile ? int(n - first) : tile;
        U bits[items];
#pragma unroll
        for (int i = 0; i < items; ++i)
            bits[i] = i * threads + thread < size ? from[first + (i * threads + thread)] : U(0);
#pragma unroll
        for (int i = 0; i < items; ++i) {
            const unsigned long long upper = key_of(bits[i]) >> shift;
            if (i * threads + thread < size && upper >> 8 == known.prefix) atomicAdd(count + upper % digits, 1u);
        }
    }
    __syncthreads();
    if (count[thread] != 0) atomicAdd(of_line + pass * digits + thread, (unsigned long long)count[thread]);
}
