// SPDX-License-Identifier: MIT
// The total of each chunk.

extern "C" __global__ void scan_totals(const X* x, A* totals, long long lines, long long n, long long inner) {
    const long long t = (long long)blockIdx.x * blockDim.x + threadIdx.x, chunks = (n + chunk - 1) / chunk;
    if (t >= lines * chunks * inner) return;
    const long long first = t / inner % chunks * chunk, left = n - first, count = left < chunk ? left : chunk;
    const X* from = x + (t / inner / chunks * n + first) * inner + t % inner;
    A total = A(*from);
    for (long long k = 1; k < count; ++k) total = combine(total, A(from[k * inner]));
    totals[t] = total;
}
