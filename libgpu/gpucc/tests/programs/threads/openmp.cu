// SPDX-License-Identifier: MIT
// OpenMP on the host: a stream for every thread, the same work on both sides.
#include <omp.h>

#include <cstdio>
#include <vector>

__host__ __device__ inline unsigned mixed(unsigned x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    return x * 0x846ca68bu;
}
__global__ void mix(unsigned* x, int n, int rounds) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (int k = 0; k < rounds; ++k) x[i] = mixed(x[i]);
}

int main() {
    const int parts = 4, n = 3000, rounds = 5;
    std::vector<unsigned> host(parts * n), device(parts * n);
    for (int i = 0; i < parts * n; ++i) host[i] = device[i] = i;
    int errors = 0, threads = 0;
#pragma omp parallel for num_threads(parts) reduction(+ : errors)
    for (int part = 0; part < parts; ++part) {
        if (omp_get_thread_num() == 0) threads = omp_get_num_threads();
        unsigned* const own = device.data() + part * n;
        unsigned* memory = nullptr;
        cudaStream_t stream;
        errors += cudaStreamCreate(&stream) != cudaSuccess;
        errors += cudaMalloc(&memory, n * sizeof(unsigned)) != cudaSuccess;
        cudaMemcpyAsync(memory, own, n * sizeof(unsigned), cudaMemcpyHostToDevice, stream);
        mix<<<(n + 127) / 128, 128, 0, stream>>>(memory, n, rounds);
        errors += cudaGetLastError() != cudaSuccess;
        cudaMemcpyAsync(own, memory, n * sizeof(unsigned), cudaMemcpyDeviceToHost, stream);
        errors += cudaStreamSynchronize(stream) != cudaSuccess;
        cudaFree(memory);
        cudaStreamDestroy(stream);
    }
#pragma omp parallel for
    for (int i = 0; i < parts * n; ++i)
        for (int k = 0; k < rounds; ++k) host[i] = mixed(host[i]);
    printf("%s, %d errors, %s\n", threads == parts ? "all threads" : "fewer threads", errors,
           host == device ? "the same on both sides" : "DIFFERENT");
    return host != device;
}
