// SPDX-License-Identifier: MIT
#include "cuda/device_memory.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

#include <gpu/error.hpp>

namespace gpu::detail::cuda {

DeviceMemory::DeviceMemory(int device_count) {
    for (int device = 0; device < device_count; ++device) devices_.push_back(std::make_unique<DeviceState>());
}

DeviceMemory::DeviceState& DeviceMemory::prepare(int device) {
    DeviceState& state = *devices_.at(static_cast<std::size_t>(device));
    use_device(device);
    std::call_once(state.prepared, [&] {
        state.has_pool = attribute(device, cudaDevAttrMemoryPoolsSupported) != 0;
        if (!state.has_pool) return;
        cudaMemPool_t pool = nullptr;
        check(cudaDeviceGetDefaultMemPool(&pool, device), "cudaDeviceGetDefaultMemPool");
        // By default the pool returns its memory to the system at every synchronisation, which is slow.
        std::uint64_t keep_everything = UINT64_MAX;
        check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep_everything),
              "cudaMemPoolSetAttribute");
    });
    return state;
}

void* DeviceMemory::allocate(int device, std::size_t bytes, cudaStream_t stream) {
    DeviceState& state = prepare(device);
    const std::size_t rounded = std::max<std::size_t>(bytes, 1);
    const auto attempt = [&](void** data) {
        return state.has_pool ? cudaMallocAsync(data, rounded, stream) : cudaMalloc(data, rounded);
    };
    void* data = nullptr;
    cudaError_t error = attempt(&data);
    if (error == cudaErrorMemoryAllocation && state.has_pool) {
        (void)cudaGetLastError();
        // Frees that are still enqueued, or memory that the pool keeps in pieces too small, may be all it takes.
        cudaMemPool_t pool = nullptr;
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        check(cudaDeviceGetDefaultMemPool(&pool, device), "cudaDeviceGetDefaultMemPool");
        check(cudaMemPoolTrimTo(pool, 0), "cudaMemPoolTrimTo");
        error = attempt(&data);
    }
    if (error == cudaErrorMemoryAllocation) {
        (void)cudaGetLastError();
        std::size_t free = 0, total = 0;
        (void)cudaMemGetInfo(&free, &total);
        throw OutOfMemory(bytes, state.held, free, "cuda:" + std::to_string(device));
    }
    check(error, state.has_pool ? "cudaMallocAsync" : "cudaMalloc");
    state.held += bytes;
    return data;
}

void DeviceMemory::deallocate(int device, void* data, std::size_t bytes) noexcept {
    deallocate_in_stream(device, data, bytes, cudaStreamLegacy);
}

void DeviceMemory::deallocate_in_stream(int device, void* data, std::size_t bytes, cudaStream_t stream) noexcept {
    if (!data) return;
    DeviceState& state = *devices_[static_cast<std::size_t>(device)];
    state.held -= bytes;
    // The runtime may be gone, or the context broken by a kernel; there is nobody to tell.
    int current = -1;
    if (cudaGetDevice(&current) != cudaSuccess) return;
    if (current != device && cudaSetDevice(device) != cudaSuccess) return;
    (void)(state.has_pool ? cudaFreeAsync(data, stream) : cudaFree(data));
}

}  // namespace gpu::detail::cuda
