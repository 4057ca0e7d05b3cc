// SPDX-License-Identifier: MIT
// Shortest paths after Bellman and Ford: all edges are relaxed by an atomic minimum until none changes a distance.

__global__ void relax(const int* rows, const int* neighbours, const int* weights, int* distances, int* changed, int n) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n) return;
    int own = atomicAdd(&distances[v], 0);  // others may lower it meanwhile
    if (own == 0x7fffffff) return;
    for (int e = rows[v]; e < rows[v + 1]; ++e)
        if (atomicMin(&distances[neighbours[e]], own + weights[e]) > own + weights[e]) atomicExch(changed, 1);
}
