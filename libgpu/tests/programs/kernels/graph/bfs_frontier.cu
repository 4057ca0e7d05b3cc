// SPDX-License-Identifier: MIT
// Breadth-first search with a queue of frontier vertices: each block gathers new ones in shared memory and then draws
// room for all of them by one atomic.

constexpr int room = 256;  // the rest goes to global memory at once

__global__ void visit(const int* rows, const int* neighbours, const int* frontier, int frontier_size, int* next,
                      int* next_size, int* levels, int level) {
    __shared__ int found[room];
    __shared__ int count, first;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < frontier_size) {
        int v = frontier[k];
        for (int e = rows[v]; e < rows[v + 1]; ++e) {
            int u = neighbours[e];
            if (atomicCAS(&levels[u], -1, level) != -1) continue;
            int place = atomicAdd(&count, 1);
            if (place < room)
                found[place] = u;
            else
                next[atomicAdd(next_size, 1)] = u;
        }
    }
    __syncthreads();
    int kept = min(count, room);
    if (threadIdx.x == 0) first = atomicAdd(next_size, kept);
    __syncthreads();
    for (int j = threadIdx.x; j < kept; j += blockDim.x) next[first + j] = found[j];
}
