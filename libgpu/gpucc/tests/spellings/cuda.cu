// SPDX-License-Identifier: MIT
// The spellings of docs/from-libgpu-to-cuda.md in plain CUDA. libgpu.cpp has the others; both print the same.
#include <cuda_runtime.h>
#include <curand_kernel.h>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                             \
    do {                                                                                        \
        const cudaError_t error = (call);                                                       \
        if (error != cudaSuccess) {                                                             \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            std::exit(1);                                                                       \
        }                                                                                       \
    } while (0)

__constant__ float weights[3];

__global__ void saxpy(float a, const float* x, const float* y, float* z, int n) {
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < n) z[k] = a * x[k] + y[k];
}

__global__ void sum(const float* x, float* total, int n) {
    extern __shared__ float part[];
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    part[t] = i < n ? x[i] : 0;
    for (int width = blockDim.x / 2; width > 0; width /= 2) {
        __syncthreads();
        if (t < width) part[t] += part[t + width];
    }
    if (t == 0) atomicAdd(total, part[0]);
}

__global__ void weigh(float* x) { x[threadIdx.x] *= weights[threadIdx.x]; }

__global__ void draw(float* x, int n, unsigned long long seed) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    curandStatePhilox4_32_10_t state;
    curand_init(seed, i, 0, &state);
    x[i] = curand_uniform(&state);
}

static void print(const char* name, const float* x, int n) {
    std::vector<float> h(n);
    CHECK(cudaMemcpy(h.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost));
    std::printf("%s: %g ... %g\n", name, h.front(), h.back());
}

int main() {
    const int n = 1000;
    std::vector<float> h(n);
    for (int i = 0; i < n; ++i) h[i] = static_cast<float>(i % 7);

    // Arrays and copies.
    float *x = nullptr, *y = nullptr, *z = nullptr;
    CHECK(cudaMalloc(&x, n * sizeof(float)));
    CHECK(cudaMalloc(&y, n * sizeof(float)));
    CHECK(cudaMalloc(&z, n * sizeof(float)));
    CHECK(cudaMemset(z, 0, n * sizeof(float)));
    CHECK(cudaMemcpy(x, h.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(y, x, n * sizeof(float), cudaMemcpyDeviceToDevice));
    CHECK(cudaMemcpy(h.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost));
    std::printf("copied: %g ... %g\n", h.front(), h.back());

    // Launches and their errors.
    saxpy<<<(n + 255) / 256, 256>>>(2, x, y, z, n);
    CHECK(cudaGetLastError());
    print("saxpy", z, n);
    saxpy<<<1, 2048>>>(2, x, y, z, n);
    if (cudaGetLastError() != cudaSuccess) std::printf("a block of 2048 threads is refused\n");

    // Reductions and their kin.
    float* total = nullptr;
    CHECK(cudaMalloc(&total, sizeof(float)));
    CHECK(cudaMemset(total, 0, sizeof(float)));
    sum<<<(n + 255) / 256, 256, 256 * sizeof(float)>>>(x, total, n);
    CHECK(cudaGetLastError());
    print("sum", total, 1);
    thrust::device_vector<float> v(h.begin(), h.end());
    std::printf("sum: %g\n", thrust::reduce(v.begin(), v.end()));
    thrust::inclusive_scan(v.begin(), v.end(), v.begin());
    print("running sum", thrust::raw_pointer_cast(v.data()), n);
    thrust::sort(v.begin(), v.end());
    print("sorted", thrust::raw_pointer_cast(v.data()), n);

    // Variables of the device.
    const float h_weights[] = {1, 10, 100};
    CHECK(cudaMemcpyToSymbol(weights, h_weights, sizeof h_weights));
    weigh<<<1, 3>>>(y);
    CHECK(cudaGetLastError());
    print("weighed", y, 3);

    // Streams and events.
    float* p = nullptr;
    CHECK(cudaMallocHost(&p, n * sizeof(float)));
    cudaStream_t one, other;
    CHECK(cudaStreamCreate(&one));
    CHECK(cudaStreamCreate(&other));
    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaEventRecord(start, one));
    saxpy<<<(n + 255) / 256, 256, 0, one>>>(2, x, x, z, n);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(stop, one));
    CHECK(cudaStreamWaitEvent(other, stop, 0));
    CHECK(cudaMemcpyAsync(p, z, n * sizeof(float), cudaMemcpyDeviceToHost, other));
    CHECK(cudaStreamSynchronize(other));
    float ms = 0;
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    std::printf("in a stream: %g ... %g, in %s time\n", p[0], p[n - 1], ms >= 0 ? "some" : "no");

    // Random numbers.
    draw<<<(n + 255) / 256, 256>>>(z, n, 42);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), z, n * sizeof(float), cudaMemcpyDeviceToHost));
    double mean = 0;
    for (const float one_draw : h) mean += one_draw / n;
    std::printf("uniform numbers have a mean near 0.5: %s\n", mean > 0.45 && mean < 0.55 ? "yes" : "no");

    // Devices.
    int count = 0, blocks = 0;
    cudaDeviceProp properties;
    CHECK(cudaGetDeviceCount(&count));
    CHECK(cudaSetDevice(0));
    CHECK(cudaGetDeviceProperties(&properties, 0));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, saxpy, 256, 0));
    std::printf("devices, multiprocessors and blocks at once: %s\n",
                count > 0 && properties.multiProcessorCount > 0 && blocks > 0 ? "yes" : "no");

    for (float* const one_array : {x, y, z, total}) CHECK(cudaFree(one_array));
    CHECK(cudaFreeHost(p));
    for (const cudaStream_t stream : {one, other}) CHECK(cudaStreamDestroy(stream));
    for (const cudaEvent_t event : {start, stop}) CHECK(cudaEventDestroy(event));
}
