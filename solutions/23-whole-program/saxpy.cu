// SPDX-License-Identifier: MIT

// Exercise 23: a whole program. `saxpy INPUT RESULT` reads a, x and y from the file INPUT, computes z = a x + y on the
// device, and writes z to the file RESULT. It compiles by gpucc, and by nvcc.

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <vector>

#include <cuda_runtime.h>

struct Input {
    float a = 0;
    std::vector<float> x, y;  // of one length, which may be 0
};

// The file holds an int, the number of elements, and the floats a, x and y.
Input read_input(const char* file) {
    std::ifstream in(file, std::ios::binary);
    int n = 0;
    Input input;
    in.read(reinterpret_cast<char*>(&n), sizeof n);
    in.read(reinterpret_cast<char*>(&input.a), sizeof input.a);
    if (in) input.x.resize(n), input.y.resize(n);
    for (std::vector<float>* values : {&input.x, &input.y})
        in.read(reinterpret_cast<char*>(values->data()), static_cast<std::streamsize>(n * sizeof(float)));
    if (!in) {
        std::fprintf(stderr, "%s can't be read\n", file);
        std::exit(1);
    }
    return input;
}

void write_result(const char* file, const std::vector<float>& z) {
    std::ofstream out(file, std::ios::binary);
    out.write(reinterpret_cast<const char*>(z.data()), static_cast<std::streamsize>(z.size() * sizeof(float)));
    if (!out.flush()) {
        std::fprintf(stderr, "%s can't be written\n", file);
        std::exit(1);
    }
}

// ---- your code (about 10 lines) ----
void check(cudaError_t error, const char* call, int line) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "line %d: %s: %s\n", line, call, cudaGetErrorString(error));
    std::exit(1);
}
#define CHECK(call) check(call, #call, __LINE__)

__global__ void saxpy(float a, const float* x, const float* y, float* z, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}
// ---- end ----

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: %s INPUT RESULT\n", argv[0]);
        return 2;
    }
    const Input input = read_input(argv[1]);
    std::vector<float> z(input.x.size());
    // ---- your code (about 16 lines) ----
    const int n = static_cast<int>(z.size());
    if (n > 0) {  // a grid of 0 blocks is refused
        const size_t bytes = n * sizeof(float);
        float *x = nullptr, *y = nullptr, *result = nullptr;
        CHECK(cudaMalloc(&x, bytes));
        CHECK(cudaMalloc(&y, bytes));
        CHECK(cudaMalloc(&result, bytes));
        CHECK(cudaMemcpy(x, input.x.data(), bytes, cudaMemcpyHostToDevice));
        CHECK(cudaMemcpy(y, input.y.data(), bytes, cudaMemcpyHostToDevice));
        saxpy<<<(n + 255) / 256, 256>>>(input.a, x, y, result, n);
        CHECK(cudaGetLastError());  // was it launched at all?
        CHECK(cudaMemcpy(z.data(), result, bytes, cudaMemcpyDeviceToHost));  // waits for the kernel, and has its error
        CHECK(cudaFree(x));
        CHECK(cudaFree(y));
        CHECK(cudaFree(result));
    }
    // ---- end ----
    write_result(argv[2], z);
    return 0;
}
