// SPDX-License-Identifier: MIT
// Lines of k elements in ascending order, the largest first; `order` says where each was in its line of `from`.

extern "C" __global__ void select_ordered(const U* sorted, const long long* order, const long long* from, U* keys,
                                          long long* positions, long long k, long long count) {
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const long long begin = i / k * k, at = begin + (begin + k - 1 - i);
    keys[i] = sorted[at];
    positions[i] = from[begin + order[at]];
}
