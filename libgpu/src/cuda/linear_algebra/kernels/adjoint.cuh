// SPDX-License-Identifier: MIT

__global__ void adjoint(const Element* from, Element* to, long long n, long long count) {
    const long long step = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) {
        const long long item = i / (n * n), at = i - item * n * n;
        const Element value = from[item * n * n + at % n * n + at / n];
        to[i] = conjugate(value);
    }
}
