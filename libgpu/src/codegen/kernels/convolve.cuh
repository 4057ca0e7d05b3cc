// SPDX-License-Identifier: MIT
// Shared by all kernels of convolve2d.

struct Space {
    long long out_rows, out_columns, rows, columns, row_step, column_step;
    long long filter_rows, filter_columns, filter_row_step, filter_column_step;
    long long first_row, first_column, boundary, conjugates;
};

// The index in [0, n) that an index beyond the edge, however far, stands for; -1: none, the fill value.
__device__ __noinline__ long long folded(long long at, long long n, long long boundary) {
    if (boundary == 0) return -1;
    const long long period = boundary == 1 ? n : 2 * n;
    if (at < -n || at >= 2 * n) at %= period;
    if (at < 0) at += period;
    return at < n ? at : boundary == 1 ? at - n : period - 1 - at;
}
__device__ inline long long extended(long long at, long long n, long long boundary) {
    return at >= 0 && at < n ? at : folded(at, n, boundary);
}

__device__ inline A weight(E w, const Space& s) { return s.conjugates != 0 ? conjugate(A(w)) : A(w); }
__device__ inline E result(A sum, const Space& s) { return E(s.conjugates == 2 ? conjugate(sum) : sum); }
