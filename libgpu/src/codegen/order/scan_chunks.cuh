// SPDX-License-Identifier: MIT
// Combines the chunk's own running value with the total before it, rather than continuing from that: fewer roundings.

extern "C" __global__ void scan_chunks(const X* x, const A* totals, O* out, long long lines, long long n,
                                       long long inner) {
    const long long t = (long long)blockIdx.x * blockDim.x + threadIdx.x, chunks = (n + chunk - 1) / chunk;
    if (t >= lines * chunks * inner) return;
    const long long first = t / inner % chunks * chunk, left = n - first, count = left < chunk ? left : chunk;
    const long long start = (t / inner / chunks * n + first) * inner + t % inner;
    const X* from = x + start;
    O* to = out + start;
    A running = A(*from);
    if (first == 0) {
        *to = O(running);
        for (long long k = 1; k < count; ++k) {
            running = combine(running, A(from[k * inner]));
            to[k * inner] = O(running);
        }
        return;
    }
    const A before = totals[t - inner];
    *to = O(combine(before, running));
    for (long long k = 1; k < count; ++k) {
        running = combine(running, A(from[k * inner]));
        to[k * inner] = O(combine(before, running));
    }
}
