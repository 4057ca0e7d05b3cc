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
static float *d_x, *d_y;
static std::vector<float> everything;  // what all runs have appended, if there were several in one process

#define cudaCheckErrors(message)                                                                         \
    do {                                                                                                 \
        cudaError_t __error = cudaGetLastError();                                                        \
        if (__error != cudaSuccess) {                                                                    \
            fprintf(stderr, "fatal: %s (%s at %s:%d)\n", message, cudaGetErrorString(__error), __FILE__, \
                    __LINE__);                                                                           \
            exit(1);                                                                                     \
        }                                                                                                \
    } while (0)

__global__ void saxpy(int n, float a, float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}

void say_goodbye() { printf("done\n"); }
// ---- end ----

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: %s INPUT RESULT\n", argv[0]);
        return 2;
    }
    const Input input = read_input(argv[1]);
    std::vector<float> z(input.x.size());
    // ---- your code (about 16 lines) ----
    atexit(say_goodbye);
    everything.insert(everything.end(), input.y.begin(), input.y.end());
    int N = (int)everything.size();
    if (N > 0) {
        cudaMalloc((void**)&d_x, N * sizeof(float));
        cudaMalloc((void**)&d_y, N * sizeof(float));
        cudaCheckErrors("cudaMalloc");
        cudaMemcpy(d_x, input.x.data(), N * sizeof(float), cudaMemcpyHostToDevice);
        cudaMemcpy(d_y, &everything[0], N * sizeof(float), cudaMemcpyHostToDevice);
        cudaCheckErrors("copies to the device");
        dim3 threads(512);
        dim3 blocks((N + threads.x - 1) / threads.x);
        saxpy<<<blocks, threads>>>(N, input.a, d_x, d_y);
        cudaCheckErrors("launch");
        cudaDeviceSynchronize();
        cudaCheckErrors("kernel");
        cudaMemcpy(&z[0], d_y, N * sizeof(float), cudaMemcpyDeviceToHost);
        cudaCheckErrors("copy to the host");
        cudaFree(d_x);
        cudaFree(d_y);
    }
    write_result(argv[2], z);
    exit(EXIT_SUCCESS);
    // ---- end ----
    write_result(argv[2], z);
    return 0;
}
