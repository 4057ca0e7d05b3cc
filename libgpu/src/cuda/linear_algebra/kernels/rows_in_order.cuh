// SPDX-License-Identifier: MIT
// Columns of n elements, `columns` of them for each item, in the item's order of rows.

__global__ void rows_in_order(const Element* from, Element* to, const int* order, long long n, long long columns,
                              long long count) {
    const long long step = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) {
        const long long row = i % n;
        to[i] = from[i - row + order[i / (n * columns) * n + row]];
    }
}
