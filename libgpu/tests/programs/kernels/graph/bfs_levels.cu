// SPDX-License-Identifier: MIT
// Breadth-first search, a launch for each level: vertices of this level give their new neighbours the next one.

__global__ void next_level(const int* rows, const int* neighbours, int* levels, int* changed, int level, int n) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n || atomicAdd(&levels[v], 0) != level) return;  // a plain read would race with others' atomics
    for (int e = rows[v]; e < rows[v + 1]; ++e)
        if (atomicCAS(&levels[neighbours[e]], -1, level + 1) == -1) atomicExch(changed, 1);
}
