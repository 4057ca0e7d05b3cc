// SPDX-License-Identifier: MIT
// One thread per run: insertion sort.

extern "C" __global__ void sort_runs(const E* x, E* keys, long long* positions, long long lines, long long n) {
    const long long t = (long long)blockIdx.x * blockDim.x + threadIdx.x, runs = (n + run - 1) / run;
    if (t >= lines * runs) return;
    const long long first = t % runs * run, start = t / runs * n + first, left = n - first;
    const int count = left < run ? (int)left : run;
    E sorted[run];
    int place[run];
    for (int k = 0; k < count; ++k) {
        const E value = x[start + k];
        int at = k;
        for (; at > 0 && goes_before(value, sorted[at - 1]); --at) {
            sorted[at] = sorted[at - 1];
            if (with_positions) place[at] = place[at - 1];
        }
        sorted[at] = value;
        if (with_positions) place[at] = k;
    }
    for (int k = 0; k < count; ++k) {
        keys[start + k] = sorted[k];
        if (with_positions) positions[start + k] = first + place[k];
    }
}
