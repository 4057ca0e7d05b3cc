// SPDX-License-Identifier: MIT
#ifdef GPU_WITH_CUDA
#include "calls/fake_runtime.hpp"

#include <cuda_runtime_api.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <thread>

namespace fake_runtime {

namespace {

/// One function's; they form a list that only grows.
struct Counter {
    explicit Counter(const char* function) : name(function), next(first.load()) {
        while (!first.compare_exchange_weak(next, this)) {}
    }
    const char* name;
    std::atomic<int> count{0};
    Counter* next;
    static std::atomic<Counter*> first;
};
std::atomic<Counter*> Counter::first{nullptr};

thread_local int current_device = 0;

std::mutex loading_mutex;
std::set<std::thread::id> loading;

}  // namespace

Calls calls() {
    Calls all;
    for (const Counter* counter = Counter::first; counter != nullptr; counter = counter->next)
        if (counter->count != 0) all[counter->name] += counter->count;
    return all;
}

void forget() {
    {
        const std::lock_guard lock(loading_mutex);
        loading.clear();
    }
    for (Counter* counter = Counter::first; counter != nullptr; counter = counter->next) counter->count = 0;
}

namespace {

int watched = -1;
const void* watched_pointer = nullptr;

}  // namespace

std::size_t loading_threads() {
    const std::lock_guard lock(loading_mutex);
    return loading.size();
}

void watch_argument(int k) { watched = k; }
const void* watched_argument() { return watched_pointer; }

std::string to_string(const Calls& calls) {
    std::string text;
    for (const auto& [name, count] : calls) text += (text.empty() ? "" : ", ") + name + " " + std::to_string(count);
    return text;
}

namespace {

cudaError_t handle_of(void** handle) {
    static std::atomic<std::uintptr_t> next{1};
    *handle = reinterpret_cast<void*>(next++ << 12);
    return cudaSuccess;
}

cudaError_t memory_of(void** data, std::size_t bytes) {
    *data = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
    return *data == nullptr ? cudaErrorMemoryAllocation : cudaSuccess;
}

}  // namespace

}  // namespace fake_runtime

// The functions that libgpu uses, all that the library would have: it isn't linked then.
#define COUNTED                                                \
    static fake_runtime::Counter counter{__func__};            \
    counter.count.fetch_add(1, std::memory_order_relaxed)
#define SUCCEEDS(name, ...)             \
    cudaError_t name(__VA_ARGS__) {     \
        COUNTED;                        \
        return cudaSuccess;             \
    }

extern "C" {

cudaError_t cudaDriverGetVersion(int* version) {
    COUNTED;
    *version = CUDART_VERSION;
    return cudaSuccess;
}
cudaError_t cudaGetDeviceCount(int* count) {
    COUNTED;
    *count = 1;
    return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
    COUNTED;
    *device = fake_runtime::current_device;
    return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
    COUNTED;
    fake_runtime::current_device = device;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr which, int) {
    COUNTED;
    switch (which) {
        case cudaDevAttrComputeCapabilityMajor: *value = 9; break;
        case cudaDevAttrComputeCapabilityMinor: *value = 0; break;
        case cudaDevAttrMultiProcessorCount: *value = 132; break;
        case cudaDevAttrMaxGridDimX: *value = 0x7fffffff; break;
        case cudaDevAttrMaxSharedMemoryPerBlock: *value = 48 * 1024; break;
        case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = 227 * 1024; break;
        case cudaDevAttrMemoryPoolsSupported: *value = 1; break;
        default: *value = 1024;
    }
    return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
    COUNTED;
    std::memset(static_cast<void*>(properties), 0, sizeof *properties);
    std::strcpy(properties->name, "a GPU that does nothing");
    properties->totalGlobalMem = std::size_t{1} << 30;
    return cudaSuccess;
}
cudaError_t cudaGetLastError() {
    COUNTED;
    return cudaSuccess;
}
const char* cudaGetErrorName(cudaError_t) { return "cudaError"; }
const char* cudaGetErrorString(cudaError_t) { return "an error of the test's own"; }

cudaError_t cudaMalloc(void** data, std::size_t bytes) {
    COUNTED;
    return fake_runtime::memory_of(data, bytes);
}
cudaError_t cudaMallocAsync(void** data, std::size_t bytes, cudaStream_t) {
    COUNTED;
    return fake_runtime::memory_of(data, bytes);
}
cudaError_t cudaHostAlloc(void** data, std::size_t bytes, unsigned) {
    COUNTED;
    return fake_runtime::memory_of(data, bytes);
}
cudaError_t cudaFree(void* data) {
    COUNTED;
    std::free(data);
    return cudaSuccess;
}
cudaError_t cudaFreeAsync(void* data, cudaStream_t) {
    COUNTED;
    std::free(data);
    return cudaSuccess;
}
cudaError_t cudaFreeHost(void* data) {
    COUNTED;
    std::free(data);
    return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind, cudaStream_t) {
    COUNTED;
    std::memmove(to, from, bytes);
    return cudaSuccess;
}
cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, std::size_t bytes, cudaStream_t) {
    COUNTED;
    std::memmove(to, from, bytes);
    return cudaSuccess;
}
cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* texel, std::size_t width,
                            std::size_t height, unsigned) {
    COUNTED;
    const auto bits = static_cast<std::size_t>(texel->x + texel->y + texel->z + texel->w);
    void* data = nullptr;
    const cudaError_t error = fake_runtime::memory_of(&data, width * (height > 0 ? height : 1) * bits / 8);
    *array = static_cast<cudaArray_t>(data);
    return error;
}
cudaError_t cudaFreeArray(cudaArray_t array) {
    COUNTED;
    std::free(array);
    return cudaSuccess;
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, std::size_t, std::size_t, const void* from, std::size_t pitch,
                                     std::size_t, std::size_t rows, cudaMemcpyKind, cudaStream_t) {
    COUNTED;
    std::memmove(static_cast<void*>(to), from, pitch * rows);
    return cudaSuccess;
}
cudaError_t cudaCreateTextureObject(cudaTextureObject_t* texture, const cudaResourceDesc*, const cudaTextureDesc*,
                                    const cudaResourceViewDesc*) {
    COUNTED;
    static cudaTextureObject_t made = 0;
    *texture = ++made;
    return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* data, int byte, std::size_t bytes, cudaStream_t) {
    COUNTED;
    std::memset(data, byte, bytes);
    return cudaSuccess;
}
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
    COUNTED;
    *free = *total = std::size_t{1} << 30;
    return cudaSuccess;
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void*) {
    COUNTED;
    *attributes = {};
    return cudaSuccess;
}
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int) {
    COUNTED;
    return fake_runtime::handle_of(reinterpret_cast<void**>(pool));
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t, cudaMemPoolAttr, void* value) {
    COUNTED;
    std::memset(value, 0, sizeof(std::uint64_t));
    return cudaSuccess;
}
SUCCEEDS(cudaMemPoolSetAttribute, cudaMemPool_t, cudaMemPoolAttr, void*)
SUCCEEDS(cudaMemPoolSetAccess, cudaMemPool_t, const cudaMemAccessDesc*, std::size_t)
SUCCEEDS(cudaMemPoolTrimTo, cudaMemPool_t, std::size_t)
SUCCEEDS(cudaDeviceEnablePeerAccess, int, unsigned)
SUCCEEDS(cudaDeviceSynchronize, void)
cudaError_t cudaDeviceCanAccessPeer(int* can, int, int) {
    COUNTED;
    *can = 1;
    return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
    COUNTED;
    return fake_runtime::handle_of(reinterpret_cast<void**>(stream));
}
SUCCEEDS(cudaDestroyTextureObject, cudaTextureObject_t)
SUCCEEDS(cudaStreamDestroy, cudaStream_t)
SUCCEEDS(cudaStreamSynchronize, cudaStream_t)
SUCCEEDS(cudaStreamWaitEvent, cudaStream_t, cudaEvent_t, unsigned)
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
    COUNTED;
    return fake_runtime::handle_of(reinterpret_cast<void**>(event));
}
SUCCEEDS(cudaEventDestroy, cudaEvent_t)
SUCCEEDS(cudaEventRecord, cudaEvent_t, cudaStream_t)
SUCCEEDS(cudaEventSynchronize, cudaEvent_t)
SUCCEEDS(cudaEventQuery, cudaEvent_t)
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t, cudaEvent_t) {
    COUNTED;
    *milliseconds = 0;
    return cudaSuccess;
}

SUCCEEDS(cudaStreamBeginCapture, cudaStream_t, cudaStreamCaptureMode)
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t* graph) {
    COUNTED;
    return fake_runtime::handle_of(reinterpret_cast<void**>(graph));
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* instance, cudaGraph_t, unsigned long long) {
    COUNTED;
    return fake_runtime::handle_of(reinterpret_cast<void**>(instance));
}
SUCCEEDS(cudaGraphLaunch, cudaGraphExec_t, cudaStream_t)
SUCCEEDS(cudaGraphExecDestroy, cudaGraphExec_t)
SUCCEEDS(cudaGraphDestroy, cudaGraph_t)

cudaError_t cudaLibraryLoadData(cudaLibrary_t* library, const void*, cudaJitOption*, void**, unsigned,
                                cudaLibraryOption*, void**, unsigned) {
    COUNTED;
    {
        const std::lock_guard lock(fake_runtime::loading_mutex);
        fake_runtime::loading.insert(std::this_thread::get_id());
    }
    return fake_runtime::handle_of(reinterpret_cast<void**>(library));
}
SUCCEEDS(cudaLibraryUnload, cudaLibrary_t)
cudaError_t cudaLibraryGetKernel(cudaKernel_t* kernel, cudaLibrary_t, const char*) {
    COUNTED;
    return fake_runtime::handle_of(reinterpret_cast<void**>(kernel));
}
cudaError_t cudaLibraryGetGlobal(void** data, std::size_t* bytes, cudaLibrary_t, const char*) {
    COUNTED;
    *data = nullptr;
    *bytes = 0;
    return cudaErrorInvalidValue;
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void*) {
    COUNTED;
    *attributes = {};
    attributes->maxThreadsPerBlock = 1024;
    return cudaSuccess;
}
cudaError_t cudaFuncGetParamInfo(const void*, std::size_t, std::size_t*, std::size_t*) {
    COUNTED;
    return cudaErrorNotSupported;  // as an older driver: how many parameters there are isn't known
}
SUCCEEDS(cudaKernelSetAttributeForDevice, cudaKernel_t, cudaFuncAttribute, int, int)
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void*, int, std::size_t) {
    COUNTED;
    *blocks = 1;
    return cudaSuccess;
}
cudaError_t cudaLaunchKernel(const void*, dim3, dim3, void** arguments, std::size_t, cudaStream_t) {
    COUNTED;
    if (fake_runtime::watched >= 0)
        std::memcpy(&fake_runtime::watched_pointer, arguments[fake_runtime::watched], sizeof(void*));
    return cudaSuccess;
}
static void count_cooperative() { COUNTED; }
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void*, void** arguments) {
    COUNTED;
    for (unsigned k = 0; k < config->numAttrs; ++k)
        if (config->attrs[k].id == cudaLaunchAttributeCooperative && config->attrs[k].val.cooperative == 1)
            count_cooperative();
    if (fake_runtime::watched >= 0)
        std::memcpy(&fake_runtime::watched_pointer, arguments[fake_runtime::watched], sizeof(void*));
    return cudaSuccess;
}

}  // extern "C"
#endif
