// SPDX-License-Identifier: MIT
#pragma once

// Pools of memory, included by cuda_runtime_api.h. All take their memory from the device's own pool, which keeps what
// it wants: attributes can be set and read, and change nothing.

GPUCC_API cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device, GPUCC_PLACE);
GPUCC_API cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device, GPUCC_PLACE);
GPUCC_API cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool, GPUCC_PLACE);
GPUCC_API cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties, GPUCC_PLACE);
GPUCC_API cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool, GPUCC_PLACE);
GPUCC_API cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value, GPUCC_PLACE);
GPUCC_API cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value, GPUCC_PLACE);
GPUCC_API cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t kept, GPUCC_PLACE);
GPUCC_API cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* access, size_t count,
                                           GPUCC_PLACE);
GPUCC_API cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream,
                                              GPUCC_PLACE);
template <class T>
cudaError_t cudaMallocFromPoolAsync(T** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream, GPUCC_PLACE) {
    return cudaMallocFromPoolAsync((void**)pointer, bytes, pool, stream, file, line);
}
template <class T>
cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream, GPUCC_PLACE) {
    return cudaMallocFromPoolAsync((void**)pointer, bytes, pool, stream, file, line);
}
