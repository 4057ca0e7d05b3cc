// SPDX-License-Identifier: MIT
// Four threads greet, in two blocks of two. Three runs, each in another order that a GPU may choose as well.
#include <cstdio>
#include <set>
#include <string>
#include <vector>

#include <gpu/gpu.hpp>

int main() {
    const gpu::DeviceGuard guard(gpu::Device::host(0));  // check mode, which can choose the order, runs on the host

    // [kernel]
    const char* const source = R"(
        __global__ void hello(int* turns, int* order) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;  // who am I
            int turn = atomicAdd(turns, 1);                 // compute: the turn that I get
            order[turn] = i;                                // store
        })";
    const gpu::RawKernel<void(int*, int*)> hello(source, "hello");
    // [/kernel]
    std::set<std::vector<int>> orders;
    for (int run = 1; run <= 3; ++run) {
        gpu::Array<int> turns = gpu::zeros<int>({1});
        gpu::Array<int> order = gpu::zeros<int>({4});
        const auto launch = [&] { hello({.grid = 2, .block = 2}, turns, order); };
        gpu::check(launch, {.schedule = "random:" + std::to_string(run)});
        std::printf("run %d:", run);
        for (const int i : gpu::to_host(order)) std::printf("  block %d thread %d", i / 2, i % 2);
        std::puts("");
        orders.insert(gpu::to_host(order));
    }
    std::printf("Answer: %s\n", orders.size() == 1 ? "the same order" : "any order");
}
