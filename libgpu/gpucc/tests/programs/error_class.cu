// SPDX-License-Identifier: MIT
// Error checks as samples have them: a template, a macro with the expression's text, and a check after launches.
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>

template <typename T>
void check(T result, char const* const function, const char* const file, int const line) {
    if (result) {
        std::cout << "error " << static_cast<unsigned int>(result) << " (" << cudaGetErrorName(result) << ") in \""
                  << function << "\"\n";
        (void)cudaGetLastError();
    }
    (void)file;
    (void)line;
}
#define checkCudaErrors(val) check((val), #val, __FILE__, __LINE__)
#define getLastCudaError(msg) last_error(msg)
inline void last_error(const char* message) {
    const cudaError_t error = cudaGetLastError();
    if (cudaSuccess != error) std::cout << message << ": " << cudaGetErrorString(error) << std::endl;
}

template <int N>
__global__ void write(int* out) {
    out[threadIdx.x] = N * threadIdx.x;
}

int main() {
    int *d_out = nullptr, host[32];
    checkCudaErrors(cudaMalloc((void**)&d_out, sizeof(int) * 32));
    write<3><<<1, 32>>>(d_out);
    getLastCudaError("write<3>");
    write<4><<<1, 1025>>>(d_out);
    getLastCudaError("write<4>");
    checkCudaErrors(cudaMemcpy(host, d_out, sizeof(int) * 32, cudaMemcpyDeviceToHost));
    checkCudaErrors(cudaMemcpy(host, d_out, sizeof(int) * 32, static_cast<cudaMemcpyKind>(77)));
    cudaEvent_t event;
    checkCudaErrors(cudaEventCreate(&event));
    checkCudaErrors(cudaEventDestroy(event));
    std::cout << host[31] << std::endl;
    checkCudaErrors(cudaFree(d_out));
    return 0;
}
