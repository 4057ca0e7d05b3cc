// SPDX-License-Identifier: MIT

extern "C" __global__ void mask_positions(const bool* mask, const long long* totals, long long* positions, long long n,
                                          long long limit) {
    const long long t = (long long)blockIdx.x * blockDim.x + threadIdx.x, first = t * chunk;
    if (first >= n) return;
    const long long last = n - first < chunk ? n : first + chunk;
    long long at = t == 0 ? 0 : totals[t - 1];
    for (long long i = first; i < last && at < limit; ++i) {
        if (mask[i]) positions[at++] = i;
    }
}
