// SPDX-License-Identifier: MIT
// A vector sum as a first program has it. -DFAULT=n plants one mistake, which the line marked with its number must be
// named for; without it the program is right. So it is in the other files here.
#include <cstdio>
#include <cstdlib>

#ifndef FAULT
#define FAULT 0
#endif

__global__ void add(const float* a, const float* b, float* c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (FAULT == 1 ? i <= n : FAULT == 2 ? true : i < n)
        // fault 1: out of bounds, fault 2: out of bounds, fault 3: host memory, fault 4: uninit, fault 5: null,
        // fault 6: freed
        c[i] = a[i] + b[i];
}

int main() {
    const int n = 1000;
    const size_t bytes = n * sizeof(float);
    float *a = (float*)malloc(bytes), *b = (float*)malloc(bytes), *c = (float*)malloc(bytes);
    for (int i = 0; i < n; ++i) a[i] = b[i] = i;
    float *device_a, *device_b, *device_c;
    cudaMalloc(&device_a, FAULT == 7 ? n : bytes);
    cudaMalloc(&device_b, bytes);
    cudaMalloc(&device_c, bytes);
    if (FAULT != 4)
        cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice);  // fault 7: 4000 bytes + 1000
    if (FAULT == 8) cudaMemcpy(b, device_b, bytes, cudaMemcpyHostToDevice);  // fault 8: cudaMemcpyHostToDevice
    cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice);
    if (FAULT == 9) device_a[0] = 1;  // fault 9: host code writes device memory
    if (FAULT == 6) cudaFree(device_b);
    const int block = FAULT == 10 ? 2048 : 256;
    // fault 10: never launched + 2048
    add<<<(n + block - 1) / block, block>>>(FAULT == 3 ? a : FAULT == 5 ? nullptr : device_a, device_b, device_c, n);
    if (FAULT == 11) cudaFree(device_c);
    // fault 11: freed, fault 14: 16000 bytes + 4000
    cudaMemcpy(c, device_c, FAULT == 14 ? bytes * sizeof(float) : bytes, cudaMemcpyDeviceToHost);
    if (FAULT == 12) printf("%g\n", device_c[7]);  // fault 12: host code reads device memory
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += c[i] != a[i] + b[i];
    if (FAULT == 13) cudaFree(a);  // fault 13: cudaFree
    cudaFree(device_a);
    if (FAULT != 6) cudaFree(device_b);
    if (FAULT != 11) cudaFree(device_c);
    if (FAULT == 15) cudaFree(device_a);  // fault 15: cudaFree + was freed before
    free(a);
    free(b);
    free(c);
    printf("%s\n", wrong == 0 ? "right" : "wrong");
    return 0;
}
