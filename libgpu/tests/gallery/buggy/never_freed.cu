// SPDX-License-Identifier: MIT
// Each thread allocates a list of its own, and one in two forgets it.
//
// array: int y[64] = uninitialized
// launch: lists<<<1, 64>>>(y)
// finding: memory leak, line 10, variable -

__global__ void lists(int* y) {
    int t = threadIdx.x;
    int* list = static_cast<int*>(malloc(4 * sizeof(int)));
    for (int k = 0; k < 4; ++k) list[k] = t + k;
    y[t] = list[0] + list[3];
    if (t % 2 == 0) free(list);
}
