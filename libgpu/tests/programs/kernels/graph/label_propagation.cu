// SPDX-License-Identifier: MIT
// Connected components: a vertex takes the smallest label around it, in a second array, until nothing changes.

__global__ void propagate(const int* rows, const int* neighbours, const int* labels, int* new_labels, int* changed,
                          int n) {
    int v = blockIdx.x * blockDim.x + threadIdx.x, smallest = 0;
    bool is_new = false;
    if (v < n) {
        smallest = labels[v];
        for (int e = rows[v]; e < rows[v + 1]; ++e) smallest = min(smallest, labels[neighbours[e]]);
        is_new = smallest != labels[v];
        new_labels[v] = smallest;
    }
    if (__syncthreads_or(is_new) && threadIdx.x == 0) atomicExch(changed, 1);
}
