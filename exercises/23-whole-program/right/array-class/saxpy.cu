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
#include <stdexcept>
#include <string>

void check(cudaError_t error) {
    if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}

// Floats on the device, freed at the end of their scope.
class DeviceArray {
public:
    explicit DeviceArray(size_t n) : n_(n) { check(cudaMalloc(&data_, n * sizeof(float))); }
    explicit DeviceArray(const std::vector<float>& h) : DeviceArray(h.size()) {
        check(cudaMemcpy(data_, h.data(), n_ * sizeof(float), cudaMemcpyHostToDevice));
    }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;
    ~DeviceArray() { cudaFree(data_); }
    void copy_to(std::vector<float>& h) const {
        check(cudaMemcpy(h.data(), data_, n_ * sizeof(float), cudaMemcpyDeviceToHost));
    }
    float* data() const { return data_; }

private:
    float* data_ = nullptr;
    size_t n_;
};

template <typename T>
__global__ void saxpy(T a, const T* x, T* y, size_t n) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
        y[i] = a * x[i] + y[i];
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
    try {
        if (!z.empty()) {
            DeviceArray x(input.x), y(input.y);
            saxpy<float><<<16, 256>>>(input.a, x.data(), y.data(), z.size());
            check(cudaGetLastError());
            check(cudaDeviceSynchronize());
            y.copy_to(z);
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "error: %s\n", error.what());
        return 1;
    }
    // ---- end ----
    write_result(argv[2], z);
    return 0;
}
