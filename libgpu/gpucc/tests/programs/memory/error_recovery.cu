// SPDX-License-Identifier: MIT
// What errors stay and which go: the last error, exceptions for failed calls, memory that is freed on the way out.
#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>

class CudaError : public std::runtime_error {
public:
    CudaError(cudaError_t code, const std::string& where)
        : std::runtime_error(where + ": " + cudaGetErrorName(code)), code_(code) {}
    cudaError_t code() const noexcept { return code_; }

private:
    cudaError_t code_;
};
void require(cudaError_t code, const char* where) {
    if (code != cudaSuccess) throw CudaError(code, where);
}

struct DeviceFree {
    void operator()(void* p) const {
        printf("freed\n");
        cudaFree(p);
    }
};
template <class T>
std::unique_ptr<T[], DeviceFree> allocate(size_t n) {
    T* p = nullptr;
    require(cudaMalloc(&p, n * sizeof(T)), "allocate");
    return std::unique_ptr<T[], DeviceFree>(p);
}

__global__ void fill(float* p, float value) { p[blockIdx.x * blockDim.x + threadIdx.x] = value; }

float run(int threads) {
    const auto memory = allocate<float>(64);
    fill<<<1, threads>>>(memory.get(), 2.5f);
    require(cudaGetLastError(), "fill");
    float value = 0;
    require(cudaMemcpy(&value, memory.get() + 63, sizeof value, cudaMemcpyDeviceToHost), "copy");
    return value;
}

int main() {
    try {
        printf("%g\n", run(64));
        run(4096);
        printf("not reached\n");
    } catch (const CudaError& error) {
        printf("caught: %s (%d)\n", error.what(), error.code() != cudaSuccess);
    }
    try {
        allocate<char>(size_t(1) << 60);
    } catch (const CudaError& error) {
        printf("caught: %s\n", error.what());
    }
    printf("peek: %s\n", cudaGetErrorName(cudaPeekAtLastError()));
    printf("get: %s\n", cudaGetErrorName(cudaGetLastError()));
    printf("again: %s\n", cudaGetErrorString(cudaGetLastError()));
    printf("sync: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    float host = 0;
    printf("no memory: %s\n", cudaGetErrorName(cudaMemcpy(nullptr, &host, 4, cudaMemcpyHostToDevice)));
    printf("free of null: %s\n", cudaGetErrorName(cudaFree(nullptr)));
    int device = 0;
    printf("device 99: %s, ", cudaGetErrorName(cudaSetDevice(99)));
    (void)cudaGetLastError();
    printf("device %s\n", cudaGetDevice(&device) == cudaSuccess && device == 0 ? "0 still" : "?");
    printf("%g\n", run(64));
    return 0;
}
