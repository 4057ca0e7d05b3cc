// SPDX-License-Identifier: MIT
// A warp keeps its positive numbers: each lane finds its place from the votes of the lanes below it.
//
// array: int x[32] = modulo 3
// array: int kept[32] = zeros
// array: int count[1] = uninitialized
// launch: compact<<<1, 32>>>(x, kept, count)
// check: kept = positives_first(x)
// check: count = count_positive(x)

__global__ void compact(const int* x, int* kept, int* count) {
    int lane = threadIdx.x, value = x[lane];
    unsigned positive = __ballot_sync(0xffffffffu, value > 0);
    unsigned below = positive & ((1u << lane) - 1u);
    if (value > 0) kept[__popc(below)] = value;
    if (__all_sync(0xffffffffu, value < 3) && __any_sync(0xffffffffu, value == 2) && lane == 0)
        *count = __popc(positive);
}
