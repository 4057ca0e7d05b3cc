// SPDX-License-Identifier: MIT
// Breadth-first search by frontiers: the next one grows by atomics, and the host asks its size after every level.
#include <algorithm>
#include <cstdio>
#include <queue>
#include <vector>

struct Graph {
    int vertices;
    int *starts, *targets;  // device memory
};

__device__ int next_size;

__global__ void expand(Graph graph, const int* frontier, int size, int* next, int* distance, int level) {
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= size) return;
    const int from = frontier[k];
    for (int e = graph.starts[from]; e < graph.starts[from + 1]; ++e) {
        const int to = graph.targets[e];
        if (atomicCAS(&distance[to], -1, level) == -1) next[atomicAdd(&next_size, 1)] = to;
    }
}

int main() {
    const int vertices = 2000;
    std::vector<int> starts(1, 0), targets;
    for (int v = 0; v < vertices; ++v) {
        for (int k = 1; k <= 1 + v % 3; ++k) targets.push_back((v * 3 + k * k * 17) % (vertices - 10));
        starts.push_back((int)targets.size());
    }
    std::vector<int> expected(vertices, -1), found(vertices, -1);
    std::queue<int> queue;
    for (expected[0] = 0, queue.push(0); !queue.empty(); queue.pop())
        for (int e = starts[queue.front()]; e < starts[queue.front() + 1]; ++e)
            if (expected[targets[e]] < 0) expected[targets[e]] = expected[queue.front()] + 1, queue.push(targets[e]);

    Graph graph{vertices};
    int *frontier, *next, *distance;
    cudaMalloc(&graph.starts, starts.size() * sizeof(int));
    cudaMalloc(&graph.targets, targets.size() * sizeof(int));
    cudaMalloc(&frontier, vertices * sizeof(int));
    cudaMalloc(&next, vertices * sizeof(int));
    cudaMalloc(&distance, vertices * sizeof(int));
    cudaMemcpy(graph.starts, starts.data(), starts.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(graph.targets, targets.data(), targets.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(frontier, 0, sizeof(int));
    cudaMemset(distance, -1, vertices * sizeof(int));
    cudaMemset(distance, 0, sizeof(int));
    int size = 1, levels = 0;
    while (size > 0) {
        const int zero = 0;
        cudaMemcpyToSymbol(next_size, &zero, sizeof zero);
        expand<<<(size + 127) / 128, 128>>>(graph, frontier, size, next, distance, ++levels);
        cudaMemcpyFromSymbol(&size, next_size, sizeof size);
        std::swap(frontier, next);
    }
    cudaMemcpy(found.data(), distance, vertices * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d levels, %d reached, %s\n", levels, int(vertices - std::count(found.begin(), found.end(), -1)),
           found == expected ? "as on the host" : "WRONG");
    for (int* p : {graph.starts, graph.targets, frontier, next, distance}) cudaFree(p);
    return found != expected;
}
