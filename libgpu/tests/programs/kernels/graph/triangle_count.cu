// SPDX-License-Identifier: MIT
// Triangles of a graph: a warp takes a vertex, its lanes the edges to larger vertices, and looks for common neighbours
// by walking along both sorted lists.

__global__ void count(const int* rows, const int* neighbours, int* total, int n) {
    int lane = threadIdx.x % 32, v = (blockIdx.x * blockDim.x + threadIdx.x) / 32, found = 0;
    if (v >= n) return;
    for (int e = rows[v] + lane; e < rows[v + 1]; e += 32) {
        int u = neighbours[e];
        if (u < v) continue;
        int i = rows[v], j = rows[u];
        while (i < rows[v + 1] && j < rows[u + 1]) {
            int a = neighbours[i], b = neighbours[j];
            found += a == b && a > u;
            i += a <= b;
            j += b <= a;
        }
    }
    for (int distance = 16; distance > 0; distance /= 2) found += __shfl_down_sync(0xffffffffu, found, distance);
    if (lane == 0 && found > 0) atomicAdd(total, found);
}
