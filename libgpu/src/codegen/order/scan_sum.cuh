// SPDX-License-Identifier: MIT
// The order in which a scan combines elements, on every device: those of a chunk from left to right; so are the totals
// of the chunks in a chunk of chunks, and so on. What precedes an element is what precedes its chunk, then what
// precedes it in the chunk.

// What elements combine to: nothing yet, or a value. One that restarts forgets what came before it.
struct Sum {
    A value;
    bool exists, restarts;
};
__device__ inline Sum nothing() { return {A(), false, false}; }
__device__ inline Sum joined(const Sum& a, const Sum& b) {
    if (!b.exists) return a;
    if (!a.exists || (segmented && b.restarts)) return b;
    return {combine(a.value, b.value), true, a.restarts};
}

// Scans the first `count` elements of a chunk in place, and returns the last result. Bits of `marks`: where it begins
// again.
__device__ inline Sum scanned(A* elements, int count, unsigned marks) {
    if (count <= 0) return nothing();
    A sum = elements[0];
#pragma unroll
    for (int k = 1; k < chunk; ++k) {
        if (k >= count) continue;
        if (!segmented || (marks >> k & 1) == 0) elements[k] = combine(sum, elements[k]);
        sum = elements[k];
    }
    return {sum, true, segmented && marks != 0};
}

// The result of a scanned() chunk's k-th element, given what precedes the chunk.
__device__ inline A finished(const A* elements, int k, unsigned marks, const Sum& before, A init) {
    if (result == inclusive) {
        const bool is_apart = !before.exists || (segmented && (marks & ((2u << k) - 1)) != 0);
        return is_apart ? elements[k] : combine(before.value, elements[k]);
    }
    const bool is_apart = !before.exists || (segmented && (marks & ((1u << k) - 1)) != 0);
    A sum = before.value;
    if (k > 0) sum = is_apart ? elements[k - 1] : combine(before.value, elements[k - 1]);
    if (result == preceding) return sum;
    return (k == 0 && is_apart) || (segmented && (marks >> k & 1) != 0) ? init : combine(init, sum);
}

// Makes scanned() elements the results.
__device__ inline void finish(A* elements, int count, unsigned marks, const Sum& before, A init) {
#pragma unroll
    for (int k = chunk - 1; k >= 0; --k)
        if (k < count) elements[k] = finished(elements, k, marks, before, init);
}
