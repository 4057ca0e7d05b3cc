// SPDX-License-Identifier: MIT
// Functions of the device that call themselves and each other: numbers, a tree in an array, a small quick sort.
#include <cstdio>

__host__ __device__ int ackermann(int m, int n) {
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
__device__ bool is_odd(unsigned n);
__device__ bool is_even(unsigned n) { return n == 0 || is_odd(n - 1); }
__device__ bool is_odd(unsigned n) { return n != 0 && is_even(n - 1); }

struct Node {
    int value, left, right;
};
__host__ __device__ int depth(const Node* tree, int at) {
    if (at < 0) return 0;
    const int left = depth(tree, tree[at].left), right = depth(tree, tree[at].right);
    return 1 + (left > right ? left : right);
}
__host__ __device__ int in_order(const Node* tree, int at, int* out, int count) {
    if (at < 0) return count;
    count = in_order(tree, tree[at].left, out, count);
    out[count++] = tree[at].value;
    return in_order(tree, tree[at].right, out, count);
}
template <class T>
__device__ void quick_sort(T* first, T* last) {
    if (last - first < 2) return;
    const T pivot = first[(last - first) / 2];
    T *i = first, *j = last - 1;
    while (i <= j) {
        while (*i < pivot) ++i;
        while (pivot < *j) --j;
        if (i <= j) {
            const T other = *i;
            *i++ = *j;
            *j-- = other;
        }
    }
    quick_sort(first, j + 1);
    quick_sort(i, last);
}

__global__ void numbers(int* out) {
    const int i = threadIdx.x;
    out[i] = ackermann(2, i) * 10 + is_even(i);
}
__global__ void walk(const Node* tree, int* out) { out[0] = 100 * depth(tree, 0) + in_order(tree, 0, out + 1, 0); }
__global__ void sort_rows(int* rows, int width) {
    quick_sort(rows + threadIdx.x * width, rows + (threadIdx.x + 1) * width);
}

int main() {
    const int n = 9;
    Node host[n];
    for (int i = 0; i < n; ++i) host[i] = {0, -1, -1};
    const int values[n] = {50, 30, 70, 20, 40, 60, 80, 10, 65};
    for (int i = 0; i < n; ++i) {
        host[i].value = values[i];
        for (int at = 0; i > 0;) {
            int& next = values[i] < host[at].value ? host[at].left : host[at].right;
            if (next < 0) {
                next = i;
                break;
            }
            at = next;
        }
    }
    int *out, result[32];
    Node* tree;
    cudaMalloc(&out, sizeof result);
    cudaMalloc(&tree, sizeof host);
    cudaMemcpy(tree, host, sizeof host, cudaMemcpyHostToDevice);
    cudaDeviceSetLimit(cudaLimitStackSize, 8192);
    numbers<<<1, 8>>>(out);
    cudaMemcpy(result, out, 8 * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8; ++i) printf("%d ", result[i]);
    printf("(%d)\n", ackermann(2, 7));
    walk<<<1, 1>>>(tree, out);
    cudaMemcpy(result, out, (n + 1) * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i <= n; ++i) printf("%d ", result[i]);
    printf("\n");
    for (int i = 0; i < 32; ++i) result[i] = i * 29 % 31;
    cudaMemcpy(out, result, sizeof result, cudaMemcpyHostToDevice);
    sort_rows<<<1, 4>>>(out, 8);
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; ++i) printf("%d%s", result[i], i % 8 == 7 ? "\n" : " ");
    cudaFree(out);
    cudaFree(tree);
    return 0;
}
