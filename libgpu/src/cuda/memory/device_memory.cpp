// SPDX-License-Identifier: MIT
#include "cuda/memory/device_memory.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <string>
#include <utility>

#include <gpu/error.hpp>

#include "backend/host_access.hpp"

namespace gpu::detail::cuda {

namespace {

// compute-sanitizer sets these variables for the programs that it runs. It detects accesses outside an allocation, so
// each array then needs an allocation of its own size.
bool is_watched_by_a_sanitizer() {
    return std::getenv("NV_SANITIZER_INJECTION_PORT_BASE") != nullptr ||
           std::getenv("NV_SANITIZER_INJECTION_PORT_RANGE_BEGIN") != nullptr;
}

}  // namespace

DeviceMemory::DeviceMemory(int device_count) {
    name_host_accesses(device_arrays());
    const auto count = static_cast<std::size_t>(device_count);
    for (int device = 0; device < device_count; ++device) {
        auto& state = *devices_.emplace_back(std::make_unique<DeviceState>());
        state.connected = std::make_unique<std::once_flag[]>(count);
        state.reached_by = std::make_unique<bool[]>(count);
        if (is_watched_by_a_sanitizer()) (void)state.small.close();
    }
}

DeviceMemory::DeviceState& DeviceMemory::prepare(int device) {
    DeviceState& state = *devices_.at(static_cast<std::size_t>(device));
    use_device(device);
    std::call_once(state.prepared, [&] {
        state.has_pool = attribute(device, cudaDevAttrMemoryPoolsSupported) != 0;
        if (!state.has_pool) return;
        check(cudaDeviceGetDefaultMemPool(&state.pool, device), "cudaDeviceGetDefaultMemPool");
        // By default, the pool returns its memory to the system at every synchronisation, which is slow.
        std::uint64_t keep_everything = UINT64_MAX;
        check(cudaMemPoolSetAttribute(state.pool, cudaMemPoolAttrReleaseThreshold, &keep_everything),
              "cudaMemPoolSetAttribute");
    });
    return state;
}

void* DeviceMemory::allocate(int device, std::size_t bytes, cudaStream_t stream) {
    DeviceState& state = prepare(device);
    const bool is_small =
        bytes <= SmallBlocks::max_bytes && stream == nullptr && state.has_pool && state.small.is_open();
    if (is_small) {
        const SmallBlocks::Block block = state.small.take(bytes);
        if (block.data != nullptr) {
            if (block.bytes != bytes) know_or_free(device, block.data, bytes, stream);
            state.held += bytes;
            return block.data;
        }
    }
    const std::size_t rounded = is_small ? SmallBlocks::length_for(bytes) : std::max<std::size_t>(bytes, 1);
    const auto attempt = [&](void** data) {
        return state.has_pool ? cudaMallocAsync(data, rounded, stream) : cudaMalloc(data, rounded);
    };
    void* data = nullptr;
    cudaError_t error = attempt(&data);
    if (error == cudaErrorMemoryAllocation && state.has_pool) {
        (void)cudaGetLastError();
        // Pending frees, or pool memory in pieces that are too small, may be the cause.
        trim(device);
        error = attempt(&data);
    }
    if (error == cudaErrorMemoryAllocation) {
        (void)cudaGetLastError();
        throw OutOfMemory(bytes, use(device), "cuda:" + std::to_string(device));
    }
    check(error, state.has_pool ? "cudaMallocAsync" : "cudaMalloc");
    know_or_free(device, data, bytes, stream);
    state.held += bytes;
    return data;
}

// Without memory for the note, nobody gets the array, so nobody would free it.
void DeviceMemory::know_or_free(int device, void* data, std::size_t bytes, cudaStream_t stream) {
    try {
        knows(device, data, bytes);
    } catch (...) {
        forgets(data);
        (void)(devices_[static_cast<std::size_t>(device)]->has_pool ? cudaFreeAsync(data, stream) : cudaFree(data));
        throw;
    }
}

void DeviceMemory::knows(int device, const void* data, std::size_t bytes) {
    const auto address = reinterpret_cast<std::uintptr_t>(data);
    AddressRange range;
    range.begin = range.array = address;
    range.length = std::max<std::size_t>(bytes, 1);
    range.bytes = bytes;
    range.device = device;
    device_arrays().add(range);
}

void DeviceMemory::forgets(const void* data) noexcept {
    device_arrays().remove(reinterpret_cast<std::uintptr_t>(data));
}

void DeviceMemory::describe(const void* data, DType elements) noexcept {
    device_arrays().describe(reinterpret_cast<std::uintptr_t>(data), elements);
}

MemoryUse DeviceMemory::use(int device) {
    DeviceState& state = prepare(device);
    MemoryUse use{.used = state.held, .held = state.held};
    check(cudaMemGetInfo(&use.free, &use.total), "cudaMemGetInfo");
    if (!state.has_pool) return use;
    std::uint64_t reserved = 0;
    check(cudaMemPoolGetAttribute(state.pool, cudaMemPoolAttrReservedMemCurrent, &reserved), "cudaMemPoolGetAttribute");
    use.held = static_cast<std::size_t>(reserved);
    return use;
}

void DeviceMemory::trim(int device) {
    DeviceState& state = prepare(device);
    free_small(device);
    free_workspace(device);
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    if (state.has_pool) check(cudaMemPoolTrimTo(state.pool, 0), "cudaMemPoolTrimTo");
}

void DeviceMemory::limit_kept(int device, std::size_t bytes) {
    DeviceState& state = prepare(device);
    if (!state.has_pool) return;
    if (bytes != 0 && bytes < SmallBlocks::max_kept && state.small.close()) free_small(device);
    std::uint64_t threshold = bytes == 0 ? UINT64_MAX : bytes;
    check(cudaMemPoolSetAttribute(state.pool, cudaMemPoolAttrReleaseThreshold, &threshold), "cudaMemPoolSetAttribute");
}

bool DeviceMemory::connect(int device, int owner) {
    if (device == owner) return true;
    DeviceState& state = prepare(owner);
    const auto index = static_cast<std::size_t>(device);
    std::call_once(state.connected[index], [&] {
        int can = 0;
        check(cudaDeviceCanAccessPeer(&can, device, owner), "cudaDeviceCanAccessPeer");
        if (can == 0) return;
        cudaError_t error = cudaSuccess;
        if (state.has_pool) {  // memory from a pool has its own access rights
            cudaMemAccessDesc access{};
            access.location.type = cudaMemLocationTypeDevice;
            access.location.id = device;
            access.flags = cudaMemAccessFlagsProtReadWrite;
            error = cudaMemPoolSetAccess(state.pool, &access, 1);
        } else {
            use_device(device);
            error = cudaDeviceEnablePeerAccess(owner, 0);
            if (error == cudaErrorPeerAccessAlreadyEnabled) error = cudaSuccess;
        }
        (void)cudaGetLastError();  // refused: the driver then stages copies
        state.reached_by[index] = error == cudaSuccess;
    });
    return state.reached_by[index];
}

void DeviceMemory::deallocate(int device, void* data, std::size_t bytes) noexcept {
    deallocate_in_stream(device, data, bytes, cudaStreamLegacy);
}

void DeviceMemory::deallocate_in_stream(int device, void* data, std::size_t bytes, cudaStream_t stream) noexcept {
    if (!data) return;
    DeviceState& state = *devices_[static_cast<std::size_t>(device)];
    state.held -= bytes;
    const bool by_default = stream == nullptr || stream == cudaStreamLegacy;
    const bool is_small = by_default && bytes <= SmallBlocks::max_bytes && state.has_pool;
    if (is_small && state.small.is_open() && state.small.keep(data, bytes)) return;
    forgets(data);
    // The runtime may be gone, or a kernel may have broken the context; there is nobody to report to.
    if (try_use_device(device) != cudaSuccess) return;
    (void)(state.has_pool ? cudaFreeAsync(data, stream) : cudaFree(data));
}

void* DeviceMemory::take_workspace(int device, std::size_t bytes, cudaStream_t stream) {
    DeviceState& state = prepare(device);
    if (stream == nullptr) {
        const std::lock_guard lock(state.workspace_mutex);
        if (state.workspace.data != nullptr && state.workspace.bytes == bytes) {
            state.held += bytes;
            return std::exchange(state.workspace, {}).data;
        }
    }
    return allocate(device, bytes, stream);
}

void DeviceMemory::give_workspace(int device, void* data, std::size_t bytes, cudaStream_t stream) noexcept {
    DeviceState& state = *devices_[static_cast<std::size_t>(device)];
    if (stream == nullptr) {
        const std::lock_guard lock(state.workspace_mutex);
        if (state.workspace.data == nullptr) {
            state.held -= bytes;
            state.workspace = {data, bytes};
            return;
        }
    }
    deallocate_in_stream(device, data, bytes, stream);
}

void DeviceMemory::free_workspace(int device) noexcept {
    DeviceState& state = *devices_[static_cast<std::size_t>(device)];
    const std::lock_guard lock(state.workspace_mutex);
    const SmallBlocks::Block block = std::exchange(state.workspace, {});
    state.held += block.bytes;  // as long as when it was lent
    deallocate_in_stream(device, block.data, block.bytes, nullptr);
}

void DeviceMemory::use_streams(int device) noexcept {
    SmallBlocks& small = devices_[static_cast<std::size_t>(device)]->small;
    if (small.is_open() && small.close()) free_small(device);
}

void DeviceMemory::free_small(int device) noexcept {
    try {
        for (void* const data : devices_[static_cast<std::size_t>(device)]->small.drained()) {
            forgets(data);
            if (try_use_device(device) == cudaSuccess) (void)cudaFreeAsync(data, cudaStreamLegacy);
        }
    } catch (const std::bad_alloc&) {  // they stay in the pool
    }
}

}  // namespace gpu::detail::cuda
