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
#define CHECK(call)                                                                             \
    do {                                                                                        \
        const cudaError_t error = (call);                                                       \
        if (error != cudaSuccess) {                                                             \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            std::exit(EXIT_FAILURE);                                                            \
        }                                                                                       \
    } while (0)

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
    if (n != 0) {
        float *x, *y, *result;
        CHECK(cudaMallocManaged(&x, n * sizeof(float)));
        CHECK(cudaMallocManaged(&y, n * sizeof(float)));
        CHECK(cudaMallocManaged(&result, n * sizeof(float)));
        for (int i = 0; i < n; ++i) {
            x[i] = input.x[i];
            y[i] = input.y[i];
        }
        saxpy<<<(n + 255) / 256, 256>>>(input.a, x, y, result, n);
        CHECK(cudaGetLastError());
        CHECK(cudaDeviceSynchronize());
        for (int i = 0; i < n; ++i) z[i] = result[i];
        CHECK(cudaFree(x));
        CHECK(cudaFree(y));
        CHECK(cudaFree(result));
    }
    // ---- end ----
    write_result(argv[2], z);
    return 0;
}
