// SPDX-License-Identifier: MIT
#pragma once
#define __CUDA_RUNTIME_API_H__

#ifndef __cplusplus
#error "gpucc has CUDA's runtime API for C++ alone: name this file .cpp or .cu"
#endif

#include <driver_types.h>
#include <texture_types.h>
#include <vector_types.h>

// CUDA's runtime API over libgpu's host backend. The last parameters of some functions are the place of the call, for
// messages; programs leave them out.

#define CUDART_VERSION 13000
#define CUDART_CB
#define GPUCC_API __attribute__((visibility("default")))
#define GPUCC_PLACE const char *file = __builtin_FILE(), int line = __builtin_LINE()

// Functions that programs hand on, as deleters: their calls are those of functions that know their place.
extern "C" {
GPUCC_API cudaError_t cudaFree(void* pointer);
GPUCC_API cudaError_t cudaFreeHost(void* pointer);
GPUCC_API cudaError_t cudaHostUnregister(void* pointer);
GPUCC_API cudaError_t cudaStreamDestroy(cudaStream_t stream);
GPUCC_API cudaError_t cudaStreamSynchronize(cudaStream_t stream);
GPUCC_API cudaError_t cudaEventDestroy(cudaEvent_t event);
GPUCC_API cudaError_t cudaEventSynchronize(cudaEvent_t event);
GPUCC_API cudaError_t cudaDeviceSynchronize();
GPUCC_API cudaError_t cudaDeviceReset();
}
#define cudaFree(...) gpuccFree(__VA_ARGS__)
#define cudaFreeHost(...) gpuccFreeHost(__VA_ARGS__)
#define cudaHostUnregister(...) gpuccHostUnregister(__VA_ARGS__)
#define cudaStreamDestroy(...) gpuccStreamDestroy(__VA_ARGS__)
#define cudaStreamSynchronize(...) gpuccStreamSynchronize(__VA_ARGS__)
#define cudaEventDestroy(...) gpuccEventDestroy(__VA_ARGS__)
#define cudaEventSynchronize(...) gpuccEventSynchronize(__VA_ARGS__)
#define cudaDeviceSynchronize(...) gpuccDeviceSynchronize(__VA_ARGS__)
#define cudaDeviceReset(...) gpuccDeviceReset(__VA_ARGS__)

// Errors.
GPUCC_API cudaError_t cudaGetLastError();
GPUCC_API cudaError_t cudaPeekAtLastError();
GPUCC_API const char* cudaGetErrorString(cudaError_t error);
GPUCC_API const char* cudaGetErrorName(cudaError_t error);

// Devices.
GPUCC_API cudaError_t cudaGetDeviceCount(int* count);
GPUCC_API cudaError_t cudaGetDevice(int* device);
GPUCC_API cudaError_t cudaSetDevice(int device, GPUCC_PLACE);
GPUCC_API cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
GPUCC_API cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
GPUCC_API cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* properties);
GPUCC_API cudaError_t gpuccDeviceSynchronize(GPUCC_PLACE);
GPUCC_API cudaError_t gpuccDeviceReset(GPUCC_PLACE);
GPUCC_API cudaError_t cudaSetDeviceFlags(unsigned int flags);
GPUCC_API cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value);
GPUCC_API cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit);
GPUCC_API cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config);
GPUCC_API cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
GPUCC_API cudaError_t cudaDriverGetVersion(int* version);
GPUCC_API cudaError_t cudaRuntimeGetVersion(int* version);
GPUCC_API cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer);
GPUCC_API cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags);
GPUCC_API cudaError_t cudaDeviceDisablePeerAccess(int peer);
GPUCC_API cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device);
GPUCC_API cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text);
GPUCC_API cudaError_t cudaGetDeviceFlags(unsigned int* flags);
GPUCC_API cudaError_t cudaInitDevice(int device, unsigned int device_flags, unsigned int flags);
GPUCC_API cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config);
GPUCC_API cudaError_t cudaCtxResetPersistingL2Cache();
GPUCC_REMOVED("cudaDeviceSynchronize()") inline cudaError_t cudaThreadSynchronize(GPUCC_PLACE) {
    return cudaDeviceSynchronize(file, line);
}
GPUCC_REMOVED("cudaDeviceReset()") inline cudaError_t cudaThreadExit(GPUCC_PLACE) {
    return cudaDeviceReset(file, line);
}
GPUCC_REMOVED("leave it out, banks have four bytes")
inline cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
    *config = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
}
GPUCC_REMOVED("leave it out, banks have four bytes")
inline cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }
inline cudaError_t cudaProfilerStart() { return cudaSuccess; }
inline cudaError_t cudaProfilerStop() { return cudaSuccess; }

// Memory.
GPUCC_API cudaError_t cudaMalloc(void** pointer, size_t bytes, GPUCC_PLACE);
GPUCC_API cudaError_t gpuccFree(void* pointer, GPUCC_PLACE);
GPUCC_API cudaError_t cudaMallocHost(void** pointer, size_t bytes, GPUCC_PLACE);
GPUCC_API cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned int flags, GPUCC_PLACE);
GPUCC_API cudaError_t gpuccFreeHost(void* pointer, GPUCC_PLACE);
GPUCC_API cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned int flags, GPUCC_PLACE);
GPUCC_API cudaError_t gpuccHostUnregister(void* pointer, GPUCC_PLACE);
GPUCC_API cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int flags);
GPUCC_API cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned int flags = cudaMemAttachGlobal,
                                        GPUCC_PLACE);
GPUCC_API cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height, GPUCC_PLACE);
GPUCC_API cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream, GPUCC_PLACE);
GPUCC_API cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream, GPUCC_PLACE);
GPUCC_API cudaError_t cudaMemGetInfo(size_t* free, size_t* total);
GPUCC_API cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer);
GPUCC_API cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, GPUCC_PLACE);
GPUCC_API cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                                      cudaStream_t stream = nullptr, GPUCC_PLACE);
GPUCC_API cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                                   size_t height, cudaMemcpyKind kind, GPUCC_PLACE);
GPUCC_API cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                                        size_t height, cudaMemcpyKind kind, cudaStream_t stream = nullptr, GPUCC_PLACE);
GPUCC_API cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t bytes,
                                     GPUCC_PLACE);
GPUCC_API cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t bytes,
                                          cudaStream_t stream = nullptr, GPUCC_PLACE);
GPUCC_API cudaError_t cudaMemset(void* to, int value, size_t bytes, GPUCC_PLACE);
GPUCC_API cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream = nullptr, GPUCC_PLACE);
GPUCC_API cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height, GPUCC_PLACE);
GPUCC_API cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height,
                                        cudaStream_t stream = nullptr, GPUCC_PLACE);
GPUCC_API cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset = 0,
                                         cudaMemcpyKind kind = cudaMemcpyHostToDevice, GPUCC_PLACE);
GPUCC_API cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset = 0,
                                           cudaMemcpyKind kind = cudaMemcpyDeviceToHost, GPUCC_PLACE);
GPUCC_API cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes, size_t offset,
                                              cudaMemcpyKind kind, cudaStream_t stream = nullptr, GPUCC_PLACE);
GPUCC_API cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset,
                                                cudaMemcpyKind kind, cudaStream_t stream = nullptr, GPUCC_PLACE);
GPUCC_API cudaError_t cudaGetSymbolAddress(void** address, const void* symbol, GPUCC_PLACE);
GPUCC_API cudaError_t cudaGetSymbolSize(size_t* bytes, const void* symbol, GPUCC_PLACE);
GPUCC_API cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, int device,
                                           cudaStream_t stream = nullptr);
GPUCC_API cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, cudaMemLocation location,
                                           unsigned int flags, cudaStream_t stream = nullptr);
GPUCC_API cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice, int device);
GPUCC_API cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice,
                                    cudaMemLocation location);

// Streams and events.
GPUCC_API cudaError_t cudaStreamCreate(cudaStream_t* stream);
GPUCC_API cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags);
GPUCC_API cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority);
GPUCC_API cudaError_t gpuccStreamDestroy(cudaStream_t stream, GPUCC_PLACE);
GPUCC_API cudaError_t gpuccStreamSynchronize(cudaStream_t stream, GPUCC_PLACE);
GPUCC_API cudaError_t cudaStreamQuery(cudaStream_t stream, GPUCC_PLACE);
GPUCC_API cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags, GPUCC_PLACE);
GPUCC_API cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority, GPUCC_PLACE);
GPUCC_API cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device, GPUCC_PLACE);
GPUCC_API cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* memory, size_t bytes = 0,
                                               unsigned int flags = cudaMemAttachSingle, GPUCC_PLACE);
GPUCC_API cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags = 0, GPUCC_PLACE);
/// Waits for the stream's earlier work and calls the function: the host goes on behind it.
GPUCC_API cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data, GPUCC_PLACE);
GPUCC_API cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void* data,
                                            unsigned int flags, GPUCC_PLACE);
GPUCC_API cudaError_t cudaEventCreate(cudaEvent_t* event);
GPUCC_API cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags);
GPUCC_API cudaError_t gpuccEventDestroy(cudaEvent_t event, GPUCC_PLACE);
GPUCC_API cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr, GPUCC_PLACE);
inline cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream = nullptr, unsigned int = 0,
                                            GPUCC_PLACE) {
    return cudaEventRecord(event, stream, file, line);
}
GPUCC_API cudaError_t gpuccEventSynchronize(cudaEvent_t event, GPUCC_PLACE);
GPUCC_API cudaError_t cudaEventQuery(cudaEvent_t event, GPUCC_PLACE);
GPUCC_API cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t stop, GPUCC_PLACE);

// Kernels by their address.
GPUCC_API cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared = 0,
                                       cudaStream_t stream = nullptr, GPUCC_PLACE);
GPUCC_API cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                                  size_t shared = 0, cudaStream_t stream = nullptr, GPUCC_PLACE);
GPUCC_API cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* kernel, GPUCC_PLACE);
GPUCC_API cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute, int value, GPUCC_PLACE);
GPUCC_API cudaError_t cudaFuncSetCacheConfig(const void* kernel, cudaFuncCache config);
GPUCC_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* kernel, int threads,
                                                                    size_t shared, GPUCC_PLACE);
GPUCC_API cudaError_t gpuccSuggestedBlock(int* min_grid, int* block, const void* kernel, size_t shared, int limit,
                                          const char* file, int line);
GPUCC_API cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* kernel, int blocks,
                                                                int threads, GPUCC_PLACE);

#include <gpucc/array_api.h>
#include <gpucc/graph_api.h>
#include <gpucc/pool_api.h>
