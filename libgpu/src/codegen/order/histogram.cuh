// SPDX-License-Identifier: MIT
// The bin of an element is the last whose lower edge isn't above it. A multiplication tells it, unless the product is
// within `margin` of a whole number: there roundings matter, also those of the edges, and the edges decide.

struct Bins {
    const T* edges;
    Bin bins;
    T low, high, scale, margin;

    __device__ inline Bins(const T* given, long long count) : edges(given), bins((Bin)count) {
        constexpr bool is_float = sizeof(T) == 4;
        constexpr T unit = is_float ? (T)5.9604645e-8 : (T)1.1102230246251565e-16;
        constexpr T least = is_float ? (T)1.1754944e-38 : (T)2.2250738585072014e-308;
        constexpr T most = is_float ? (T)3.4e38 : (T)1.79e308;
        low = edges[0];
        high = edges[count];
        const T range = high - low, size = -low > high ? -low : high;
        scale = (T)count / range;
        margin = 16 * unit * ((T)count + size * scale);
        if (coarse || !(size >= least && range <= most && scale <= most && margin < (T)0.5)) margin = 1;
    }
    __device__ inline bool has(T value) const { return value >= low && value <= high; }
    __device__ inline Bin of(T value) const {
        const T place = (value - low) * scale;
        const Bin guess = place < (T)bins ? (Bin)place : bins - 1;
        const T past = place - (T)guess;
        return past >= margin && past <= 1 - margin ? guess : by_edges(value, guess);
    }
    __device__ inline Bin by_edges(T value, Bin k) const {
        if (value < edges[k]) --k;
        else if (k + 1 < bins && value >= edges[k + 1]) ++k;
        if (value >= edges[k] && (k + 1 == bins || value < edges[k + 1])) return k;
        Bin first = 0, end = bins;
        while (end - first > 1) {
            const Bin middle = first + (end - first) / 2;
            if (value >= edges[middle]) first = middle;
            else end = middle;
        }
        return first;
    }
};

extern "C" __global__ void histogram(const X* x, const T* edges, R* counts, long long n, long long bins, int copies) {
    const Bins all(edges, bins);
    count_elements(x, counts, n, bins, copies, [&](X element, long long i, Tally& tally) {
        const T value = (T)element;
        if (all.has(value)) tally.count(all.of(value), 1);
    });
}
