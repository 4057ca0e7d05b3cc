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
#define CHECK(call) \
    if (cudaError_t error = (call)) std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorName(error)), std::exit(2)

__global__ void saxpy(const float a, const float* __restrict__ x, const float* __restrict__ y, float* __restrict__ z,
                      const int n) {
    const unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i >= n) return;
    z[i] = fmaf(a, x[i], y[i]);
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
    const int n = static_cast<int>(input.x.size());
    const size_t bytes = n * sizeof(float);
    if (n == 0) {
        write_result(argv[2], z);
        return 0;
    }
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    float *d, *h;  // x, y and z, one behind the other
    CHECK(cudaMalloc(&d, 3 * bytes));
    CHECK(cudaMallocHost(&h, 3 * bytes));
    for (int i = 0; i < n; ++i) h[i] = input.x[i], h[n + i] = input.y[i];
    CHECK(cudaMemcpyAsync(d, h, 2 * bytes, cudaMemcpyHostToDevice, stream));
    saxpy<<<n / 256 + 1, 256, 0, stream>>>(input.a, d, d + n, d + 2 * n, n);
    CHECK(cudaPeekAtLastError());
    CHECK(cudaMemcpyAsync(h + 2 * n, d + 2 * n, bytes, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    z.assign(h + 2 * n, h + 3 * n);
    cudaFree(d);
    cudaFreeHost(h);
    cudaStreamDestroy(stream);
    // ---- end ----
    write_result(argv[2], z);
    return 0;
}
