// SPDX-License-Identifier: MIT
// The edges of equal bins, between the numbers `least` and `most` or, from null, `low` and `high`; and zeros for the
// counts.

extern "C" __global__ void histogram_edges(const X* least, const X* most, double low, double high, T* edges,
                                           unsigned long long* counts, long long bins, long long cells) {
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < cells) counts[i] = 0;
    if (i > bins) return;
    if (least != nullptr) {
        // NaN from here on if an end isn't finite.
        const double nothing = ((double)*most - (double)*least) * 0;
        low = (double)*least + nothing;
        high = (double)*most + nothing;
    }
    if (low == high) {
        low -= 0.5;
        high += 0.5;
    }
    edges[i] = (T)(i == bins ? high : (double)i * ((high - low) / (double)bins) + low);
}
