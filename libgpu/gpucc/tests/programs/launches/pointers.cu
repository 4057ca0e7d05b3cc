// SPDX-License-Identifier: MIT
// Kernels by their addresses: extern "C" names, tables, cudaLaunchKernel, members, attributes and occupancy.
#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <vector>

extern "C" __global__ void add_one(int* x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += 1;
}
extern "C" {
__global__ void double_it(int* x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= 2;
}
__device__ int helper(int x) { return x - 3; }
}
template <int By>
__global__ void subtract(int* x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] -= By + helper(3);
}

using Kernel = void (*)(int*, int);

class Pipeline {
public:
    Pipeline& then(Kernel kernel) {
        steps_.push_back(kernel);
        return *this;
    }
    Pipeline& then(const std::string& name) { return then(known().at(name)); }
    void run(int* x, int n) const {
        for (Kernel step : steps_) step<<<(n + threads_ - 1) / threads_, threads_>>>(x, n);
        if (last_ != nullptr) (*last_)<<<1, n>>>(x, n);
        if (member_) (this->member_)<<<1, n>>>(x, n);
    }
    const Kernel* last_ = nullptr;
    Kernel member_ = nullptr;

private:
    static const std::map<std::string, Kernel>& known() {
        static const std::map<std::string, Kernel> kernels = {
            {"add", add_one}, {"double", double_it}, {"subtract 5", subtract<5>}};
        return kernels;
    }
    std::vector<Kernel> steps_;
    int threads_ = 32;
};

int main() {
    const int n = 100;
    int *x, host[n];
    cudaMalloc(&x, sizeof host);
    cudaMemset(x, 0, sizeof host);
    Pipeline pipeline;
    const Kernel last = subtract<1>;
    pipeline.then(add_one).then("double").then("add").then(&double_it).then("subtract 5");
    pipeline.last_ = &last;
    pipeline.member_ = double_it;
    pipeline.run(x, n);
    int count = n;
    void* arguments[] = {&x, &count};
    cudaLaunchKernel((const void*)add_one, dim3(4), dim3(32), arguments, 0, nullptr);
    cudaLaunchKernel((void*)subtract<2>, 4, 32, arguments, 0, 0);
    std::function<void(int)> again = [=](int times) {
        for (int k = 0; k < times; ++k) double_it<<<4, 32>>>(x, n);
    };
    again(3);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d\n", host[0], host[n - 1]);
    cudaFuncAttributes attributes;
    const cudaError_t error = cudaFuncGetAttributes(&attributes, add_one);
    printf("%s, up to %d threads\n", cudaGetErrorName(error), attributes.maxThreadsPerBlock);
    int blocks = 0, grid = 0, block = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add_one, 256, 0);
    cudaOccupancyMaxPotentialBlockSize(&grid, &block, subtract<5>, 0, 0);
    printf("%d blocks of 256, suggested: %s\n", blocks, grid > 0 && block % 32 == 0 && block > 0 ? "whole warps" : "?");
    cudaFree(x);
    return 0;
}
