// SPDX-License-Identifier: MIT
// The total of each chunk, from the last start in it on, and whether there is one.

extern "C" __global__ void scan_by_totals(const X* x, const bool* starts, A* totals, bool* restarts, long long lines,
                                          long long n, long long inner) {
    const long long t = (long long)blockIdx.x * blockDim.x + threadIdx.x, chunks = (n + chunk - 1) / chunk;
    if (t >= lines * chunks * inner) return;
    const long long first = t / inner % chunks * chunk, left = n - first, count = left < chunk ? left : chunk;
    const X* from = x + (t / inner / chunks * n + first) * inner + t % inner;
    A total = A(*from);
    bool has_start = segmented && starts[first];
    for (long long k = 1; k < count; ++k) {
        if (segmented && starts[first + k]) {
            total = A(from[k * inner]);
            has_start = true;
        } else {
            total = combine(total, A(from[k * inner]));
        }
    }
    totals[t] = total;
    if (segmented && t % inner == 0) restarts[t / inner] = has_start;
}
