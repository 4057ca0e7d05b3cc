// SPDX-License-Identifier: MIT
// The edges of equal bins, between the numbers `min_x` and `max_x` or, from null, `low` and `high`; and zeros for the
// counts.

extern "C" __global__ void histogram_edges(const X* min_x, const X* max_x, double low, double high, T* edges,
                                           unsigned long long* counts, long long bins, long long cells) {
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < cells) counts[i] = 0;
    if (i > bins) return;
    if (min_x != nullptr) {
        // NaN from here on if an end isn't finite.
        const double nothing = ((double)*max_x - (double)*min_x) * 0;
        low = (double)*min_x + nothing;
        high = (double)*max_x + nothing;
    }
    if (low == high) {
        low -= 0.5;
        high += 0.5;
    }
    edges[i] = (T)(i == bins ? high : (double)i * ((high - low) / (double)bins) + low);
}
