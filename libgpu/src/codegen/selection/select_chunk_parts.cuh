// SPDX-License-Identifier: MIT
// As select_parts, of threads that share nothing: each moves a chunk of a line.

extern "C" __global__ void select_chunk_parts(const U* x, const unsigned long long* chosen, const long long* totals,
                                              U* keys, long long* positions, long long n, long long chunks,
                                              long long count) {
    const long long t = (long long)blockIdx.x * blockDim.x + threadIdx.x, line = t / chunks, number = t % chunks;
    if (t >= count) return;
    const U kth = U(chosen[2 * (line * (sizeof(U) + 1) + sizeof(U))]);
    const long long *const larger = totals + 2 * line * chunks, *const equal = larger + chunks;
    const long long first = number * chunk, end = n - first < chunk ? n : first + chunk;
    long long to_larger = n - larger[chunks - 1], to_equal = to_larger - equal[chunks - 1], to_smaller = first;
    if (number > 0) {
        to_smaller -= larger[number - 1] + equal[number - 1];
        to_larger += larger[number - 1];
        to_equal += equal[number - 1];
    }
    for (long long k = first; k < end; ++k) {
        const U bits = x[line * n + k], key = key_of(bits);
        const long long to = line * n + (key > kth ? to_larger++ : key == kth ? to_equal++ : to_smaller++);
        if (keys != nullptr) keys[to] = bits;
        if (positions != nullptr) positions[to] = k;
    }
}
