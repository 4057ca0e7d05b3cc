// SPDX-License-Identifier: MIT
// PageRank that pulls: a vertex adds up what its predecessors give. What vertices without successors hold goes to all;
// it is added up by a tree in each block and one atomic.

constexpr int block_size = 64;

__global__ void share(const float* ranks, const int* out_degrees, float* shares, float* lost, int n) {
    __shared__ float part[block_size];
    int t = threadIdx.x, v = blockIdx.x * block_size + t;
    bool is_sink = v < n && out_degrees[v] == 0;
    if (v < n) shares[v] = is_sink ? 0.0f : ranks[v] / out_degrees[v];
    part[t] = is_sink ? ranks[v] : 0.0f;
    __syncthreads();
    for (int half = block_size / 2; half > 0; half /= 2) {
        if (t < half) part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0 && part[0] != 0.0f) atomicAdd(lost, part[0]);
}

__global__ void pull(const int* rows, const int* predecessors, const float* shares, const float* lost, float* ranks,
                     float damping, int n) {
    int v = blockIdx.x * block_size + threadIdx.x;
    if (v >= n) return;
    float sum = *lost / n;
    for (int e = rows[v]; e < rows[v + 1]; ++e) sum += shares[predecessors[e]];
    ranks[v] = (1.0f - damping) / n + damping * sum;
}
