// SPDX-License-Identifier: MIT
// Kernels, constants and launches in a header; a macro that launches; conditional compilation.
#include "linked_headers.cuh"

#include <cstdio>
#if defined(__CUDACC__) && !defined(__CUDA_ARCH__)
#define HALF "host"
#else
#define HALF "device"
#endif
#if CUDART_VERSION < 11000
#error an old toolkit
#endif

int main() {
    float host[N];
    for (int i = 0; i < N; ++i) host[i] = i;
    const float result = filters::smoothed(host)[3];
    printf("%s: %.3f %.3f\n", HALF, result, host[0]);
    return EXIT_SUCCESS;
}
