// SPDX-License-Identifier: MIT
// Combines the chunk's own running value with the total before it, as scan_chunks does, until an element starts anew.
// An exclusive scan writes each result before its element is combined.

extern "C" __global__ void scan_by_chunks(const X* x, const bool* starts, const A* totals, A* out, A init,
                                          long long lines, long long n, long long inner) {
    const long long t = (long long)blockIdx.x * blockDim.x + threadIdx.x, chunks = (n + chunk - 1) / chunk;
    if (t >= lines * chunks * inner) return;
    const long long first = t / inner % chunks * chunk, left = n - first, count = left < chunk ? left : chunk;
    const long long start = (t / inner / chunks * n + first) * inner + t % inner;
    const X* from = x + start;
    A* to = out + start;
    bool joins = first > 0;
    const A before = joins ? totals[t - inner] : init;
    A running = A(*from);
    for (long long k = 0; k < count; ++k) {
        const A element = A(from[k * inner]);
        const bool restarts = segmented && starts[first + k];
        if (restarts) joins = false;
        if (exclusive) {
            if (k == 0) to[0] = joins ? combine(init, before) : init;
            else to[k * inner] = combine(init, joins ? combine(before, running) : running);
        }
        running = k == 0 || restarts ? element : combine(running, element);
        if (!exclusive) to[k * inner] = joins ? combine(before, running) : running;
    }
}
