// SPDX-License-Identifier: MIT
// Copies and kernels in several streams with page-locked memory, ordered by events.
#include <cassert>
#include <cstdio>

constexpr int streams = 4, piece = 4096, n = streams * piece;

__global__ void scale(float* x, int count, float by) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) x[i] *= by;
}
__global__ void total(const float* x, int count, double* result) {
    __shared__ double partial[256];
    double sum = 0;
    for (int i = threadIdx.x; i < count; i += blockDim.x) sum += x[i];
    partial[threadIdx.x] = sum;
    __syncthreads();
    for (int width = blockDim.x / 2; width > 0; width /= 2) {
        if (threadIdx.x < width) partial[threadIdx.x] += partial[threadIdx.x + width];
        __syncthreads();
    }
    if (threadIdx.x == 0) *result = partial[0];
}

int main() {
    float *host = nullptr, *device = nullptr;
    double *result = nullptr, sum = 0;
    cudaMallocHost(&host, n * sizeof(float));
    cudaMalloc(&device, n * sizeof(float));
    cudaMalloc(&result, sizeof(double));
    for (int i = 0; i < n; ++i) host[i] = float(i % 100);
    cudaStream_t queues[streams], last;
    cudaEvent_t done[streams], start, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&stop, cudaEventBlockingSync);
    cudaStreamCreateWithFlags(&last, cudaStreamNonBlocking);
    cudaEventRecord(start, 0);
    for (int k = 0; k < streams; ++k) {
        cudaStreamCreate(&queues[k]);
        cudaEventCreateWithFlags(&done[k], cudaEventDisableTiming);
        float* at = device + k * piece;
        cudaMemcpyAsync(at, host + k * piece, piece * sizeof(float), cudaMemcpyHostToDevice, queues[k]);
        scale<<<8, 128, 0, queues[k]>>>(at, piece, float(k + 1));
        cudaMemcpyAsync(host + k * piece, at, piece * sizeof(float), cudaMemcpyDeviceToHost, queues[k]);
        cudaEventRecord(done[k], queues[k]);
        cudaStreamWaitEvent(last, done[k], 0);
    }
    total<<<1, 256, 0, last>>>(device, n, result);
    cudaMemcpyAsync(&sum, result, sizeof sum, cudaMemcpyDeviceToHost, last);
    cudaStreamSynchronize(last);
    cudaEventRecord(stop);
    cudaEventSynchronize(stop);
    float milliseconds = -1;
    assert(cudaEventElapsedTime(&milliseconds, start, stop) == cudaSuccess);
    double expected = 0;
    for (int i = 0; i < n; ++i) expected += double(float(i % 100) * float(i / piece + 1));
    printf("sum %.0f, expected %.0f, %s\n", sum, expected, milliseconds >= 0 ? "timed" : "not timed");
    printf("host[%d] = %g\n", n - 1, host[n - 1]);
    printf("query: %s\n", cudaGetErrorName(cudaStreamQuery(last)));
    for (int k = 0; k < streams; ++k) {
        cudaStreamDestroy(queues[k]);
        cudaEventDestroy(done[k]);
    }
    cudaStreamDestroy(last);
    cudaFreeHost(host);
    cudaFree(device);
    cudaFree(result);
    return sum == expected ? 0 : 1;
}
