// SPDX-License-Identifier: MIT
// What a program asks about devices and kernels.
#include <cstdio>
#include <cstring>

__global__ void scale(float* x, float by) {
    __shared__ float memory[100];
    memory[threadIdx.x] = x[threadIdx.x];
    x[threadIdx.x] = memory[threadIdx.x] * by;
}

int main() {
    int count = 0, device = -1, value = 0;
    cudaGetDeviceCount(&count);
    printf("devices: %d\n", int(count > 0));
    cudaSetDevice(0);
    cudaGetDevice(&device);
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, device);
    printf("name: %d, warp %d, threads %d, %d x %d x %d\n", int(strlen(properties.name) > 0), properties.warpSize,
           properties.maxThreadsPerBlock, properties.maxThreadsDim[0], properties.maxThreadsDim[1],
           properties.maxThreadsDim[2]);
    printf("grid %d x %d, shared %zu, constant %zu, capability %d\n", properties.maxGridSize[0], properties.maxGridSize[1],
           properties.sharedMemPerBlock, properties.totalConstMem, int(properties.major >= 5));
    cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerBlock, device);
    printf("attribute %d\n", value);
    cudaFuncAttributes attributes;
    cudaFuncGetAttributes(&attributes, scale);
    printf("shared memory of its own: %zu, threads %d\n", attributes.sharedSizeBytes, attributes.maxThreadsPerBlock);
    int blocks = 0, min_grid = 0, block = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, 256, 0);
    printf("occupancy: %d blocks\n", blocks);
    cudaOccupancyMaxPotentialBlockSize(&min_grid, &block, scale, 0, 0);
    printf("block %d, grid %d\n", block, int(min_grid > 0));
    size_t free = 0, total = 0;
    cudaMemGetInfo(&free, &total);
    printf("memory: %d\n", int(total > 0 && free <= total));
    int version = 0, driver = 0;
    cudaRuntimeGetVersion(&version);
    cudaDriverGetVersion(&driver);
    printf("version: %d\n", int(version >= 12000 && driver >= version));
    int* pinned = nullptr;
    int* mapped = nullptr;
    cudaHostAlloc(&pinned, sizeof(int), cudaHostAllocMapped);
    cudaHostGetDevicePointer(&mapped, pinned, 0);
    cudaPointerAttributes kind;
    cudaPointerGetAttributes(&kind, pinned);
    printf("mapped %d, type %d\n", int(mapped != nullptr), int(kind.type));
    cudaFreeHost(pinned);
    cudaStream_t queue;
    int least = 1, greatest = 1;
    cudaDeviceGetStreamPriorityRange(&least, &greatest);
    printf("priority %s\n", cudaGetErrorString(cudaStreamCreateWithPriority(&queue, cudaStreamNonBlocking, greatest)));
    cudaStreamDestroy(queue);
    return 0;
}
