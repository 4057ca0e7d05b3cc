// SPDX-License-Identifier: MIT
// Threads of the host that launch at the same time, each in a stream of its own.
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

__global__ void add_up(const int* x, int n, int* sum) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(sum, x[i]);
}

std::atomic<int> right{0};

void work(int seed) {
    const int n = 2000;
    std::vector<int> host(n);
    int expected = 0, sum = 0;
    for (int i = 0; i < n; ++i) expected += host[i] = (i * seed) % 13;
    cudaSetDevice(0);
    cudaStream_t queue;
    cudaStreamCreate(&queue);
    int *x, *result;
    cudaMalloc(&x, n * sizeof(int));
    cudaMalloc(&result, sizeof(int));
    cudaMemcpyAsync(x, host.data(), n * sizeof(int), cudaMemcpyHostToDevice, queue);
    cudaMemsetAsync(result, 0, sizeof(int), queue);
    add_up<<<1, 64, 0, queue>>>(x, n, result);
    cudaMemcpyAsync(&sum, result, sizeof(int), cudaMemcpyDeviceToHost, queue);
    cudaStreamSynchronize(queue);
    if (sum == expected && cudaGetLastError() == cudaSuccess) ++right;
    cudaFree(x);
    cudaFree(result);
    cudaStreamDestroy(queue);
}

int main() {
    std::vector<std::thread> threads;
    for (int k = 1; k <= 6; ++k) threads.emplace_back(work, k);
    for (std::thread& one : threads) one.join();
    printf("%d of 6 right\n", right.load());
}
