// SPDX-License-Identifier: MIT

// Exercise 24: a program to repair. `heat INPUT RESULT` reads the temperatures along a rod from the file INPUT, lets
// heat flow for some steps, its two ends at a fixed temperature, and writes the temperatures to the file RESULT.

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

struct Input {
    int steps = 0;
    float rate = 0;            // of a difference, how much flows in a step
    std::vector<float> rod;    // 1 element or more
};

// The file holds the ints n and steps, the float rate, and n floats.
Input read_input(const char* file) {
    std::ifstream in(file, std::ios::binary);
    int n = 0;
    Input input;
    in.read(reinterpret_cast<char*>(&n), sizeof n);
    in.read(reinterpret_cast<char*>(&input.steps), sizeof input.steps);
    in.read(reinterpret_cast<char*>(&input.rate), sizeof input.rate);
    if (in) input.rod.resize(n);
    in.read(reinterpret_cast<char*>(input.rod.data()), static_cast<std::streamsize>(n * sizeof(float)));
    if (!in) {
        std::fprintf(stderr, "%s can't be read\n", file);
        std::exit(1);
    }
    return input;
}

void write_result(const char* file, const float* rod, int n) {
    std::ofstream out(file, std::ios::binary);
    out.write(reinterpret_cast<const char*>(rod), static_cast<std::streamsize>(n * sizeof(float)));
    if (!out.flush()) {
        std::fprintf(stderr, "%s can't be written\n", file);
        std::exit(1);
    }
}

__global__ void step(const float* now, float* next, float rate, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const bool is_end = i == 0 || i == n - 1;
    next[i] = is_end ? now[i] : now[i] + rate * (now[i - 1] - 2 * now[i] + now[i + 1]);
}

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: %s INPUT RESULT\n", argv[0]);
        return 2;
    }
    const Input input = read_input(argv[1]);
    // ---- your code (about 21 lines: four mistakes, one line each) ----
    const int n = static_cast<int>(input.rod.size());
    const size_t bytes = n * sizeof(float);
    const auto check = [](cudaError_t error) {
        if (error != cudaSuccess) std::fprintf(stderr, "%s\n", cudaGetErrorString(error)), std::exit(1);
    };
    float *now = nullptr, *next = nullptr, *result = nullptr;
    cudaMalloc(&now, bytes);
    cudaMalloc(&next, bytes);
    cudaMallocHost(&result, bytes);  // page-locked
    check(cudaMemcpy(now, input.rod.data(), bytes, cudaMemcpyHostToDevice));
    const dim3 block(256);
    const dim3 grid((n + block.x - 1) / block.x);
    for (int k = 0; k < input.steps; ++k) {
        step<<<grid, block>>>(now, next, input.rate, n);
        check(cudaGetLastError());
        std::swap(now, next);
    }
    check(cudaMemcpy(result, now, bytes, cudaMemcpyDeviceToHost));
    write_result(argv[2], result, n);
    cudaFree(now);
    cudaFree(next);
    cudaFreeHost(result);
    // ---- end ----
    return 0;
}
