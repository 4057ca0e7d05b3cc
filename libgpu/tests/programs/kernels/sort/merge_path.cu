// SPDX-License-Identifier: MIT
// Merges two sorted arrays: each thread finds by bisection where its stretch of the result begins in both.

constexpr int stretch = 7;

// How many of the first `count` elements of the result come from a.
__device__ int from_a(const int* a, int a_size, const int* b, int b_size, int count) {
    int low = max(0, count - b_size), high = min(count, a_size);
    while (low < high) {
        int middle = (low + high) / 2;
        if (a[middle] <= b[count - middle - 1])
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

__global__ void merge(const int* a, int a_size, const int* b, int b_size, int* y) {
    int begin = (blockIdx.x * blockDim.x + threadIdx.x) * stretch, end = min(begin + stretch, a_size + b_size);
    if (begin >= end) return;
    int i = from_a(a, a_size, b, b_size, begin), j = begin - i;
    for (int k = begin; k < end; ++k) y[k] = j == b_size || (i < a_size && a[i] <= b[j]) ? a[i++] : b[j++];
}
