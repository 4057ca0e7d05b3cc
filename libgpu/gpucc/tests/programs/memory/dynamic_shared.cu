// SPDX-License-Identifier: MIT
// Dynamic shared memory: several arrays in one, of a size that the host computes, beyond 48 KiB when asked for.
#include <cstdio>
#include <vector>

struct Entry {
    double key;
    int place;
};

// Doubles, then structures, then bytes.
__global__ void pack(const double* in, double* out, int n) {
    extern __shared__ __align__(16) unsigned char memory[];
    double* const values = reinterpret_cast<double*>(memory);
    Entry* const entries = reinterpret_cast<Entry*>(values + n);
    bool* const is_odd = (bool*)&entries[n];
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        values[i] = in[i];
        entries[i] = {in[i] * 2, n - 1 - i};
        is_odd[i] = i % 2 == 1;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        out[i] = values[entries[i].place] + (is_odd[i] ? entries[(i + 1) % n].key : 0);
}

extern __shared__ int big[];
__global__ void far_apart(int* out, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) big[i] = i * 3;
    __syncthreads();
    if (threadIdx.x < 4) out[threadIdx.x] = big[n - 1 - threadIdx.x];
}

int main() {
    const int n = 200;
    std::vector<double> host(n), back(n);
    for (int i = 0; i < n; ++i) host[i] = i * 0.5;
    double *in, *out;
    cudaMalloc(&in, n * sizeof(double));
    cudaMalloc(&out, n * sizeof(double));
    cudaMemcpy(in, host.data(), n * sizeof(double), cudaMemcpyHostToDevice);
    const size_t bytes = n * (sizeof(double) + sizeof(Entry) + sizeof(bool));
    pack<<<1, 64, bytes>>>(in, out, n);
    cudaMemcpy(back.data(), out, n * sizeof(double), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += back[i] != host[n - 1 - i] + (i % 2 == 1 ? 2 * host[(i + 1) % n] : 0);
    printf("%zu bytes, %d wrong, %g\n", bytes, wrong, back[3]);

    const int words = 20000;
    int *device, last[4];
    cudaMalloc(&device, sizeof last);
    far_apart<<<1, 128, words * sizeof(int)>>>(device, words);
    printf("too large: %s\n", cudaGetLastError() != cudaSuccess ? "refused" : "taken");
    cudaFuncSetAttribute(far_apart, cudaFuncAttributeMaxDynamicSharedMemorySize, words * sizeof(int));
    far_apart<<<1, 128, words * sizeof(int)>>>(device, words);
    printf("asked for: %s\n", cudaGetErrorString(cudaGetLastError()));
    cudaMemcpy(last, device, sizeof last, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d\n", last[0], last[1], last[2], last[3]);
    cudaFree(in);
    cudaFree(out);
    cudaFree(device);
    return wrong;
}
