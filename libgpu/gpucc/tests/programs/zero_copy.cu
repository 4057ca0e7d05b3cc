// SPDX-License-Identifier: MIT
// Kernels that use host memory in place: page-locked, and registered.
#include <cstdio>
#include <cstdlib>

__global__ void square(const int* in, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] * in[i];
}

int main() {
    const int n = 1000;
    int *in = nullptr, *out = nullptr, *d_in = nullptr, *d_out = nullptr;
    cudaSetDeviceFlags(cudaDeviceMapHost);
    cudaHostAlloc((void**)&in, n * sizeof(int), cudaHostAllocMapped | cudaHostAllocWriteCombined);
    out = (int*)malloc(n * sizeof(int));
    cudaHostRegister(out, n * sizeof(int), cudaHostRegisterMapped);
    for (int i = 0; i < n; ++i) in[i] = i;
    cudaHostGetDevicePointer((void**)&d_in, in, 0);
    cudaHostGetDevicePointer((void**)&d_out, out, 0);
    square<<<(n + 127) / 128, 128>>>(d_in, d_out, n);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += out[i] != i * i;
    printf("%d wrong, %d\n", wrong, out[n - 1]);
    cudaHostUnregister(out);
    free(out);
    cudaFreeHost(in);
    return wrong;
}
