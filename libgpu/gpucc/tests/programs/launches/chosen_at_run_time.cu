// SPDX-License-Identifier: MIT
// Which kernel and what shape a launch has is known when it runs: lambdas of the host, switches, launches in launches.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

template <unsigned Block, class T>
__global__ void block_sums(const T* in, T* out, int n) {
    __shared__ T sums[Block];
    const unsigned i = blockIdx.x * Block + threadIdx.x;
    sums[threadIdx.x] = i < n ? in[i] : T(0);
    __syncthreads();
#pragma unroll
    for (unsigned width = Block / 2; width > 0; width >>= 1) {
        if (threadIdx.x < width) sums[threadIdx.x] += sums[threadIdx.x + width];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}

template <class T>
void launch_sums(unsigned block, const T* in, T* out, int n) {
    const auto grid = [=] { return dim3((n + block - 1) / block); };
    switch (block) {
        case 256: block_sums<256><<<grid(), 256>>>(in, out, n); break;
        case 128: block_sums<128><<<grid(), 128>>>(in, out, n); break;
        case 64: block_sums<64, T><<<grid(), block>>>(in, out, n); break;
        default: block_sums<32><<<[&] { return (n + 31) / 32; }(), {32, 1, 1}>>>(in, out, n);
    }
}

template <class T>
T total(unsigned block, const std::vector<T>& values) {
    T *a, *b;
    cudaMalloc(&a, values.size() * sizeof(T));
    cudaMalloc(&b, values.size() * sizeof(T));
    cudaMemcpy(a, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
    int n = int(values.size());
    while (n > 1) {
        launch_sums(block, a, b, n);
        n = (n + block - 1) / block;
        std::swap(a, b);
    }
    T result;
    cudaMemcpy(&result, a, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(a);
    cudaFree(b);
    return result;
}

__global__ void fill(int* out, int value) { out[threadIdx.x] = value; }
int launched(int* out, int value) {
    fill<<<1, 4>>>(out, value);
    return value + 1;
}

int main() {
    std::vector<int> ones(10000, 1);
    std::vector<double> halves(5000, 0.5);
    for (const unsigned block : {256u, 128u, 64u, 32u})
        printf("%u: %d %g\n", block, total(block, ones), total(block, halves));
    int *out, host[4];
    cudaMalloc(&out, sizeof host);
    std::vector<std::tuple<std::string, std::function<void(int*)>>> steps;
    steps.emplace_back("a launch among the arguments of another", [](int* p) { fill<<<1, 4>>>(p, launched(p, 7)); });
    steps.emplace_back("and in its configuration", [](int* p) { fill<<<1, launched(p, 1)>>>(p, 9); });
    for (auto& [name, step] : steps) {
        step(out);
        cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
        printf("%s: %d %d %d %d\n", name.c_str(), host[0], host[1], host[2], host[3]);
    }
    cudaFree(out);
    return 0;
}
