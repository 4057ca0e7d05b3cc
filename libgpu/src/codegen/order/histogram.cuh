// SPDX-License-Identifier: MIT
// The bin of an element is the last whose lower edge isn't above it. A multiplication tells it, unless the product is
// within `margin` of a whole number: there roundings matter, also those of the edges, and the nearest edge decides.

struct Bins {
    const T* edges;
    Bin bins;
    T low, high, scale, margin;

    // In units of a bin, the product is wrong by 3 roundings of a number up to `count` and, as the first and the last
    // edge are rounded, by 3 of a number up to `size * scale`; an edge by 1 of that and, in double, 3 of `count`.
    __device__ inline Bins(const T* given, long long count) : edges(given), bins((Bin)count) {
        constexpr bool is_float = sizeof(T) == 4;
        constexpr T unit = is_float ? (T)5.9604645e-8 : (T)1.1102230246251565e-16;
        constexpr T normal = is_float ? (T)1.1754944e-38 : (T)2.2250738585072014e-308;  // smaller: fewer digits
        constexpr T max_value = is_float ? (T)3.4e38 : (T)1.79e308;
        low = edges[0];
        high = edges[count];
        const T range = high - low, size = -low > high ? -low : high;
        scale = (T)count / range;
        margin = (is_float ? 4 : 7) * unit * (T)count + 5 * (coarse ? rounding : unit) * size * scale;
        const bool has_digits = size >= (coarse ? min_normal : normal) && scale >= normal;
        if (!(has_digits && range <= max_value && scale <= max_value && margin < (T)0.5)) margin = 1;
    }
    __device__ inline bool has(T value) const { return value >= low && value <= high; }
    __device__ inline Bin of(T value) const {
        if (margin == 1) return by_edges(value);
        const T place = (value - low) * scale;
        Bin k = (Bin)place;
        if (k >= bins) k = bins - 1;
        const T past = place - (T)k;
        if (past < margin) {
            if (k > 0 && value < edges[k]) --k;
        } else if (past > 1 - margin) {
            if (k + 1 < bins && value >= edges[k + 1]) ++k;
        }
        return k;
    }
    __device__ inline Bin by_edges(T value) const {
        Bin first = 0, end = bins;
        while (end - first > 1) {
            const Bin middle = first + (end - first) / 2;
            if (value >= edges[middle]) first = middle;
            else end = middle;
        }
        return first;
    }
};

struct Visit {
    Bins bins;

    template <class Counter>
    __device__ inline void operator()(X element, long long, Counter& counter) const {
        const T value = (T)element;
        if (bins.has(value)) counter.count(bins.of(value), 1);
    }
};

extern "C" __global__ void __launch_bounds__(1024) histogram(const X* x, const T* edges, R* counts, long long n,
                                                             long long bins, int copies) {
    const Visit visit{Bins(edges, bins)};
    count_elements(x, counts, n, bins, copies, visit);
}
