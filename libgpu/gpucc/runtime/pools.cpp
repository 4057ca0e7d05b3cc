// SPDX-License-Identifier: MIT
#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "gpucc/runtime/memory.hpp"
#include "gpucc/runtime/program.hpp"
#include "gpucc/runtime/stream.hpp"

/// A pool: what the program has set. Its memory comes from the device's own.
struct CUmemPoolHandle_st {
    bool is_default = false;
    std::array<std::uint64_t, 9> values{0, 1, 1, 1, 0, 0, 0, 0, 0};  ///< by cudaMemPoolAttr
};

namespace gpucc {

namespace {

// The device's default pool, and the one that cudaMallocAsync() takes.
cudaMemPool_t& pool_of(int device, bool is_default) {
    static auto* const pools = new std::map<std::pair<int, bool>, cudaMemPool_t>;  // never destroyed
    cudaMemPool_t& pool = (*pools)[{device, is_default}];
    if (pool == nullptr) pool = is_default ? new CUmemPoolHandle_st{true} : pool_of(device, true);
    return pool;
}

bool is_device(int device) { return device >= 0 && device < Program::get().backend().device_count(); }

bool is_number_of_bytes(cudaMemPoolAttr attribute) { return attribute >= cudaMemPoolAttrReleaseThreshold; }

cudaError_t give_pool(cudaMemPool_t* pool, int device, bool is_default, const Call& call) {
    if (pool == nullptr || !is_device(device)) return Program::get().fail(cudaErrorInvalidDevice, call);
    const std::lock_guard lock(Program::get().mutex);
    *pool = pool_of(device, is_default);
    return cudaSuccess;
}

cudaError_t check_attribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, const void* value, const Call& call) {
    const bool is_known =
        attribute >= cudaMemPoolReuseFollowEventDependencies && attribute <= cudaMemPoolAttrUsedMemHigh;
    return pool != nullptr && value != nullptr && is_known ? cudaSuccess
                                                           : Program::get().fail(cudaErrorInvalidValue, call);
}

}  // namespace

}  // namespace gpucc

using namespace gpucc;

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device, const char* file, int line) {
    GPUCC_CALL;
    return give_pool(pool, device, true, call);
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device, const char* file, int line) {
    GPUCC_CALL;
    return give_pool(pool, device, false, call);
}
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool, const char* file, int line) {
    GPUCC_CALL;
    if (pool == nullptr || !is_device(device)) return Program::get().fail(cudaErrorInvalidValue, call);
    const std::lock_guard lock(Program::get().mutex);
    pool_of(device, false) = pool;
    return cudaSuccess;
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties, const char* file, int line) {
    GPUCC_CALL;
    if (pool == nullptr || properties == nullptr || properties->allocType != cudaMemAllocationTypePinned)
        return Program::get().fail(cudaErrorInvalidValue, call, "allocType must be cudaMemAllocationTypePinned");
    *pool = new CUmemPoolHandle_st;
    return cudaSuccess;
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool, const char* file, int line) {
    GPUCC_CALL;
    if (pool == nullptr || pool->is_default)
        return Program::get().fail(cudaErrorInvalidValue, call, "a device's default pool stays");
    delete pool;
    return cudaSuccess;
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value, const char* file,
                                    int line) {
    GPUCC_CALL;
    if (const cudaError_t error = check_attribute(pool, attribute, value, call); error != cudaSuccess) return error;
    pool->values[attribute] = is_number_of_bytes(attribute) ? *static_cast<std::uint64_t*>(value)
                                                            : static_cast<std::uint64_t>(*static_cast<int*>(value));
    return cudaSuccess;
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value, const char* file,
                                    int line) {
    GPUCC_CALL;
    if (const cudaError_t error = check_attribute(pool, attribute, value, call); error != cudaSuccess) return error;
    Program& program = Program::get();
    const bool is_use = attribute == cudaMemPoolAttrUsedMemCurrent || attribute == cudaMemPoolAttrReservedMemCurrent;
    if (is_use)
        *static_cast<std::uint64_t*>(value) = program.backend().memory_use(program.device()).used;
    else if (is_number_of_bytes(attribute))
        *static_cast<std::uint64_t*>(value) = pool->values[attribute];
    else
        *static_cast<int*>(value) = static_cast<int>(pool->values[attribute]);
    return cudaSuccess;
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t, const char* file, int line) {
    GPUCC_CALL;
    Program& program = Program::get();
    if (pool == nullptr) return program.fail(cudaErrorInvalidValue, call, "the pool is null");
    return program.run(call, [&] {
        program.backend().trim_memory(program.device());
        return cudaSuccess;
    });
}
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* access, size_t count, const char* file,
                                 int line) {
    GPUCC_CALL;
    if (pool == nullptr || (access == nullptr && count > 0)) return Program::get().fail(cudaErrorInvalidValue, call);
    return cudaSuccess;  // each device uses the others' memory
}
cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream,
                                    const char* file, int line) {
    GPUCC_CALL;
    if (pool == nullptr) return Program::get().fail(cudaErrorInvalidValue, call, "the pool is null");
    if (!is_stream(stream))
        return Program::get().fail(cudaErrorInvalidResourceHandle, call, "its stream doesn't exist (any more)");
    return allocate_memory(pointer, bytes, Space::device, call);
}
