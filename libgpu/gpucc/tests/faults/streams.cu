// SPDX-License-Identifier: MIT
// Two streams, page-locked and managed memory; see vector_sum.cu.
#include <cstdio>

#ifndef FAULT
#define FAULT 0
#endif

__global__ void scale(float* x, int n, float by) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        x[i] *= by;  // fault 1: stream, fault 2: stream
}
__managed__ int counter = 0;
__global__ void count(int* up, int n) {
    if (threadIdx.x < n) atomicAdd(up, 1);
    if (threadIdx.x == 0) atomicAdd(&counter, n);
}

int main() {
    const int n = 4096;
    float *host, *device;
    int* managed;
    cudaMallocHost(&host, n * sizeof(float));
    cudaMalloc(&device, n * sizeof(float));
    cudaMallocManaged(&managed, sizeof(int));
    for (int i = 0; i < n; ++i) host[i] = i;
    *managed = 0;
    cudaStream_t first, second;
    cudaEvent_t scaled;
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&scaled, cudaEventDisableTiming);
    cudaMemcpyAsync(device, host, n * sizeof(float), cudaMemcpyHostToDevice, first);
    if (FAULT == 3) host[5] = 7;  // fault 3: buffer in use
    scale<<<4, 128, 0, first>>>(device, n, 2);
    if (FAULT != 2) cudaEventRecord(scaled, first);
    if (FAULT != 1) cudaStreamWaitEvent(second, scaled, 0);
    scale<<<4, 128, 0, second>>>(device, n, 3);
    cudaMemcpyAsync(host, device, n * sizeof(float), cudaMemcpyDeviceToHost, FAULT == 4 ? first : second);
    if (FAULT != 5) cudaStreamSynchronize(second);
    printf("%g\n", host[10]);  // fault 5: buffer in use, fault 4: buffer in use
    count<<<1, 64, 0, second>>>(managed, 50);
    cudaStreamSynchronize(second);
    printf("%d\n", *managed);
    cudaDeviceSynchronize();
    count<<<1, 64>>>(managed, 50);
    cudaDeviceSynchronize();
    printf("%d\n", counter);
    cudaDeviceSynchronize();
    cudaStreamDestroy(second);
    if (FAULT == 6) count<<<1, 64, 0, second>>>(managed, 1);  // fault 6: stream
    if (FAULT == 7) cudaStreamDestroy(second);  // fault 7: cudaStreamDestroy
    cudaStreamDestroy(first);
    cudaEventDestroy(scaled);
    cudaFreeHost(host);
    if (FAULT == 8) cudaFreeHost(device);  // fault 8: cudaFreeHost
    cudaFree(device);
    cudaFree(managed);
    return 0;
}
