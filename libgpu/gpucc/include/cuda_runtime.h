// SPDX-License-Identifier: MIT
#pragma once
#define __CUDA_RUNTIME_H__

#ifndef __cplusplus
#error "gpucc has CUDA's runtime API for C++ alone: name this file .cpp or .cu"
#endif

// What nvcc includes before each file.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmath>
#include <cstdlib>
#include <new>
#include <utility>

#include <cuda_runtime_api.h>
#include <vector_functions.h>

#if !defined(__align__) && !defined(__CUDA_ARCH__)  // the device has it
#define __align__(bytes) __attribute__((aligned(bytes)))
#endif
#define __builtin_align__(bytes) __align__(bytes)

/// What gpucc's rewriter leaves in a program: the host's half of a launch.
namespace gpucc {

struct Unit;

/// A kernel's stub, or one instance's of a template; known by its address.
struct Kernel {
    void* state;
};

/// A configuration that waits for its launch; it is dropped at its statement's end, if an argument has thrown.
struct GPUCC_API Configured {
    Configured(size_t around) : depth(around) {}
    Configured(const Configured&) = delete;
    Configured& operator=(const Configured&) = delete;
    ~Configured();
    size_t depth;  ///< of the launches around it, whose arguments it is in
};

/// The type in which a `__device__` lambda's struct keeps what it captures by value.
template <class T>
struct Captured {
    using type = T;
};
template <class T>
struct Captured<const T> : Captured<T> {};
template <class T>
struct Captured<T&> : Captured<T> {};

/// Notes the configuration of the launch whose arguments come next.
GPUCC_API Configured configure(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = nullptr, GPUCC_PLACE);
/// Launches with the noted configuration; the values are those of the kernel's parameters.
GPUCC_API void launch(Kernel& kernel, void** values, int count);
/// Makes a file's kernels known.
GPUCC_API void register_unit(const Unit* unit);
/// The place of a managed variable.
GPUCC_API void* managed_variable(const Unit* unit, const char* name, size_t bytes);

/// A `__device__` or `__constant__` variable, by the address of what stands for it in the host's code.
struct GPUCC_API Variable {
    Variable(const Unit* unit, const void* stand_in, size_t bytes, const char* name);
};

template <class F>
const void* address(F* function) {
    return reinterpret_cast<const void*>(function);
}

}  // namespace gpucc

// The typed forms.
template <class T>
cudaError_t cudaMalloc(T** pointer, size_t bytes, GPUCC_PLACE) {
    return cudaMalloc((void**)pointer, bytes, file, line);
}
template <class T>
cudaError_t cudaMallocHost(T** pointer, size_t bytes, unsigned int = 0, GPUCC_PLACE) {
    return cudaMallocHost((void**)pointer, bytes, file, line);
}
template <class T>
cudaError_t cudaHostAlloc(T** pointer, size_t bytes, unsigned int flags, GPUCC_PLACE) {
    return cudaHostAlloc((void**)pointer, bytes, flags, file, line);
}
template <class T>
cudaError_t cudaMallocManaged(T** pointer, size_t bytes, unsigned int flags = cudaMemAttachGlobal, GPUCC_PLACE) {
    return cudaMallocManaged((void**)pointer, bytes, flags, file, line);
}
template <class T>
cudaError_t cudaMallocPitch(T** pointer, size_t* pitch, size_t width, size_t height, GPUCC_PLACE) {
    return cudaMallocPitch((void**)pointer, pitch, width, height, file, line);
}
template <class T>
cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaStream_t stream, GPUCC_PLACE) {
    return cudaMallocAsync((void**)pointer, bytes, stream, file, line);
}
template <class T>
cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned int flags) {
    return cudaHostGetDevicePointer((void**)device, host, flags);
}
template <class T>
cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t bytes, size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice, GPUCC_PLACE) {
    return cudaMemcpyToSymbol((const void*)&symbol, from, bytes, offset, kind, file, line);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost, GPUCC_PLACE) {
    return cudaMemcpyFromSymbol(to, (const void*)&symbol, bytes, offset, kind, file, line);
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t bytes, size_t offset = 0,
                                    cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = nullptr,
                                    GPUCC_PLACE) {
    return cudaMemcpyToSymbolAsync((const void*)&symbol, from, bytes, offset, kind, stream, file, line);
}
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = nullptr,
                                      GPUCC_PLACE) {
    return cudaMemcpyFromSymbolAsync(to, (const void*)&symbol, bytes, offset, kind, stream, file, line);
}
template <class T>
cudaError_t cudaGetSymbolAddress(void** address, const T& symbol, GPUCC_PLACE) {
    return cudaGetSymbolAddress(address, (const void*)&symbol, file, line);
}
template <class T>
cudaError_t cudaGetSymbolSize(size_t* bytes, const T& symbol, GPUCC_PLACE) {
    return cudaGetSymbolSize(bytes, (const void*)&symbol, file, line);
}
inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) {
    return cudaEventCreateWithFlags(event, flags);
}
template <class... P>
cudaError_t cudaLaunchKernel(void (*kernel)(P...), dim3 grid, dim3 block, void** arguments, size_t shared = 0,
                             cudaStream_t stream = nullptr, GPUCC_PLACE) {
    return cudaLaunchKernel(gpucc::address(kernel), grid, block, arguments, shared, stream, file, line);
}
template <class... P>
cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(P...), dim3 grid, dim3 block, void** arguments,
                                        size_t shared = 0, cudaStream_t stream = nullptr, GPUCC_PLACE) {
    return cudaLaunchCooperativeKernel(gpucc::address(kernel), grid, block, arguments, shared, stream, file, line);
}
template <class... P>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, void (*kernel)(P...), GPUCC_PLACE) {
    return cudaFuncGetAttributes(attributes, gpucc::address(kernel), file, line);
}
template <class... P>
cudaError_t cudaFuncSetAttribute(void (*kernel)(P...), cudaFuncAttribute attribute, int value, GPUCC_PLACE) {
    return cudaFuncSetAttribute(gpucc::address(kernel), attribute, value, file, line);
}
template <class... P>
cudaError_t cudaFuncSetCacheConfig(void (*kernel)(P...), cudaFuncCache config) {
    return cudaFuncSetCacheConfig(gpucc::address(kernel), config);
}
template <class... P>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void (*kernel)(P...), int threads, size_t shared,
                                                          GPUCC_PLACE) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, gpucc::address(kernel), threads, shared, file, line);
}
template <class... P>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, void (*kernel)(P...), int threads,
                                                                   size_t shared, unsigned int, GPUCC_PLACE) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, gpucc::address(kernel), threads, shared, file, line);
}
template <class... P>
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, void (*kernel)(P...), int blocks, int threads,
                                                      GPUCC_PLACE) {
    return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, gpucc::address(kernel), blocks, threads, file, line);
}
template <class F>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* min_grid, int* block, F* kernel, size_t shared = 0, int limit = 0,
                                               GPUCC_PLACE) {
    return gpuccSuggestedBlock(min_grid, block, gpucc::address(kernel), shared, limit, file, line);
}

/// `shared_of` gives the bytes of dynamic shared memory that a block of so many threads takes.
template <class F, class SharedOf>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* min_grid, int* block, F* kernel, SharedOf shared_of,
                                                           int limit = 0, GPUCC_PLACE) {
    int best = 0, best_blocks = 0;
    const int largest = limit > 0 && limit < 1024 ? limit : 1024;
    for (int threads = (largest + 31) / 32 * 32; threads > 0; threads -= 32) {
        const int size = threads < largest ? threads : largest;
        int blocks = 0;
        const cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, gpucc::address(kernel), size,
                                                                                size_t(shared_of(size)), file, line);
        if (error != cudaSuccess) return error;
        if (blocks * size > best * best_blocks) {
            best = size;
            best_blocks = blocks;
        }
    }
    int device = 0, processors = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    *block = best;
    *min_grid = best_blocks * processors;
    return cudaSuccess;
}
template <class F>
cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* min_grid, int* block, F* kernel, size_t shared = 0,
                                                        int limit = 0, unsigned int = 0, GPUCC_PLACE) {
    return gpuccSuggestedBlock(min_grid, block, gpucc::address(kernel), shared, limit, file, line);
}

#include "gpucc/absent.h"

// Functions that CUDA has for both sides and C++ hasn't, or not without namespace.
#define GPUCC_SMALLER_LARGER(T)                                \
    inline constexpr T min(T a, T b) { return b < a ? b : a; } \
    inline constexpr T max(T a, T b) { return a < b ? b : a; }
GPUCC_SMALLER_LARGER(int)
GPUCC_SMALLER_LARGER(unsigned int)
GPUCC_SMALLER_LARGER(long)
GPUCC_SMALLER_LARGER(unsigned long)
GPUCC_SMALLER_LARGER(long long)
GPUCC_SMALLER_LARGER(unsigned long long)
#undef GPUCC_SMALLER_LARGER
inline constexpr unsigned int min(int a, unsigned int b) { return min((unsigned int)a, b); }
inline constexpr unsigned int min(unsigned int a, int b) { return min(a, (unsigned int)b); }
inline constexpr unsigned int max(int a, unsigned int b) { return max((unsigned int)a, b); }
inline constexpr unsigned int max(unsigned int a, int b) { return max(a, (unsigned int)b); }
inline float min(float a, float b) { return fminf(a, b); }
inline float max(float a, float b) { return fmaxf(a, b); }
inline double min(double a, double b) { return fmin(a, b); }
inline double max(double a, double b) { return fmax(a, b); }
inline double min(float a, double b) { return fmin(a, b); }
inline double min(double a, float b) { return fmin(a, b); }
inline double max(float a, double b) { return fmax(a, b); }
inline double max(double a, float b) { return fmax(a, b); }
inline float rsqrtf(float x) { return 1.0F / sqrtf(x); }
inline double rsqrt(double x) { return 1.0 / sqrt(x); }
