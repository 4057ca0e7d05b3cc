// SPDX-License-Identifier: MIT
// Bisection finds how many of the first `before` results come from the left part; the others come from the right.

extern "C" __global__ void sort_merge(const E* x, const long long* from, E* keys, long long* positions, long long lines,
                                      long long n, long long width) {
    const long long t = (long long)blockIdx.x * blockDim.x + threadIdx.x, chunks = (n + chunk - 1) / chunk;
    if (t >= lines * chunks) return;
    const long long line = t / chunks * n, first = t % chunks * chunk, pair = first / (2 * width) * (2 * width);
    const long long before = first - pair, rest = n - pair;
    const long long in_left = rest < width ? rest : width;
    const long long in_right = rest - in_left < width ? rest - in_left : width;
    const E *left = x + line + pair, *right = left + in_left;
    long long low = before > in_right ? before - in_right : 0, high = before < in_left ? before : in_left;
    while (low < high) {
        const long long middle = (low + high) / 2;
        if (goes_before(right[before - 1 - middle], left[middle])) high = middle;
        else low = middle + 1;
    }
    long long i = low, j = before - low;
    const long long max_count = in_left + in_right - before, out = line + first;
    const long long count = max_count < chunk ? max_count : chunk;
    for (long long k = 0; k < count; ++k) {
        const bool takes_right = i == in_left || (j < in_right && goes_before(right[j], left[i]));
        const long long at = takes_right ? in_left + j : i;
        keys[out + k] = left[at];
        if (with_positions) positions[out + k] = from[line + pair + at];
        if (takes_right) ++j;
        else ++i;
    }
}
