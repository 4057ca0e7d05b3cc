// SPDX-License-Identifier: MIT

extern "C" __global__ void lookup(const unsigned long long* edges, const unsigned long long* x, O* out,
                                  long long count, long long n, long long first) {
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = (O)(first + count_up_to(edges, count, x[i]));
}
