// SPDX-License-Identifier: MIT
// Every atomic operation, also on shared memory, and one of our own for double by compare and swap.
#include <algorithm>
#include <climits>
#include <cstdio>

__device__ double atomic_max(double* address, double value) {
    auto* const word = (unsigned long long*)address;
    unsigned long long old = *(volatile unsigned long long*)word, assumed;
    do {
        assumed = old;
        if (__longlong_as_double(assumed) >= value) break;
        old = atomicCAS(word, assumed, __double_as_longlong(value));
    } while (assumed != old);
    return __longlong_as_double(old);
}

struct Results {
    int add, sub, min, max, ands, ors, xors, exchanged;
    unsigned inc, dec;
    unsigned long long wide;
    float single;
    double twice, largest;
};

__global__ void all_of(Results* r, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    atomicAdd(&r->add, i);
    atomicSub(&r->sub, 2);
    atomicMin(&r->min, 500 - i);
    atomicMax(&r->max, i * 7 % n);
    atomicAnd(&r->ands, ~(1 << (i % 8)));
    atomicOr(&r->ors, 1 << (i % 20));
    atomicXor(&r->xors, i);
    atomicExch(&r->exchanged, 42);
    atomicInc(&r->inc, 9);
    atomicDec(&r->dec, 6);
    atomicAdd(&r->wide, 1ull << 33);
    atomicAdd(&r->single, 0.5f);
    atomicAdd(&r->twice, 0.25);
    atomic_max(&r->largest, (i * 37 % n) * 1.5);
}

__global__ void letters(const char* text, int n, int* counts) {
    __shared__ int local[26];
    for (int k = threadIdx.x; k < 26; k += blockDim.x) local[k] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        if (text[i] >= 'a' && text[i] <= 'z') atomicAdd_block(&local[text[i] - 'a'], 1);
    __syncthreads();
    for (int k = threadIdx.x; k < 26; k += blockDim.x)
        if (local[k] != 0) atomicAdd(counts + k, local[k]);
}

int main() {
    const int n = 1000;
    Results host = {}, *device;
    host.min = INT_MAX;
    host.max = INT_MIN;
    host.ands = 0xffff;
    cudaMalloc(&device, sizeof host);
    cudaMemcpy(device, &host, sizeof host, cudaMemcpyHostToDevice);
    all_of<<<8, 128>>>(device, n);
    cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d %x %x %d %d\n", host.add, host.sub, host.min, host.max, host.ands, host.ors, host.xors,
           host.exchanged);
    printf("%u %u %llu %g %g %g\n", host.inc, host.dec, host.wide >> 30, host.single, host.twice, host.largest);
    char text[n];
    for (int i = 0; i < n; ++i) text[i] = "the quick brown fox jumps over the lazy dog "[i * 5 % 44];
    char* device_text;
    int *counts, host_counts[26], expected[26] = {};
    cudaMalloc(&device_text, sizeof text);
    cudaMalloc(&counts, sizeof host_counts);
    cudaMemset(counts, 0, sizeof host_counts);
    cudaMemcpy(device_text, text, sizeof text, cudaMemcpyHostToDevice);
    letters<<<3, 64>>>(device_text, n, counts);
    cudaMemcpy(host_counts, counts, sizeof host_counts, cudaMemcpyDeviceToHost);
    for (char c : text)
        if (c != ' ') ++expected[c - 'a'];
    printf("letters %s\n", std::equal(expected, expected + 26, host_counts) ? "as on the host" : "WRONG");
    cudaFree(device);
    cudaFree(device_text);
    cudaFree(counts);
    return 0;
}
