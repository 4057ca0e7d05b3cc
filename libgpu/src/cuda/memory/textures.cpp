// SPDX-License-Identifier: MIT
#include "cuda/memory/textures.hpp"

#include <memory>
#include <string>
#include <utility>

#include <gpu/error.hpp>

#include "backend/observers.hpp"

namespace gpu::detail::cuda {

namespace {

struct FreeArray {
    using pointer = cudaArray_t;
    void operator()(cudaArray_t array) const noexcept { (void)cudaFreeArray(array); }
};
struct FreeLinear {
    void operator()(void* data) const noexcept { (void)cudaFree(data); }
};

cudaChannelFormatDesc channels_of(const TextureLayout& layout) {
    const int bits = 8 * static_cast<int>(size_of(layout.elements)), n = layout.channels;
    const cudaChannelFormatKind kind = is_floating(layout.elements)   ? cudaChannelFormatKindFloat
                                       : is_unsigned(layout.elements) ? cudaChannelFormatKindUnsigned
                                                                      : cudaChannelFormatKindSigned;
    return {.x = bits, .y = n > 1 ? bits : 0, .z = n > 2 ? bits : 0, .w = n > 2 ? bits : 0, .f = kind};
}

cudaTextureAddressMode mode_of(TextureAddressing addressing) {
    switch (addressing) {
        case TextureAddressing::clamp: return cudaAddressModeClamp;
        case TextureAddressing::border: return cudaAddressModeBorder;
        case TextureAddressing::wrap: return cudaAddressModeWrap;
        case TextureAddressing::mirror: return cudaAddressModeMirror;
    }
    return cudaAddressModeClamp;
}

cudaTextureDesc reading_of(const TextureLayout& layout) {
    cudaTextureDesc reading{};
    // A one-axis texture is read as a one-row plane, at the row's centre line.
    for (cudaTextureAddressMode& mode : reading.addressMode) mode = cudaAddressModeClamp;
    for (int axis = 0; axis < layout.rank; ++axis) reading.addressMode[axis] = mode_of(layout.addressing);
    reading.filterMode = layout.filter == TextureFilter::linear ? cudaFilterModeLinear : cudaFilterModePoint;
    reading.readMode = layout.normalized_values ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    reading.normalizedCoords = layout.normalized_coordinates ? 1 : 0;
    return reading;
}

void check_allocated(cudaError_t error, const char* what, int device, std::size_t bytes) {
    if (error == cudaErrorMemoryAllocation) {
        (void)cudaGetLastError();
        throw OutOfMemory(bytes, {}, "cuda:" + std::to_string(device) + " (a texture)");
    }
    check(error, what);
}

std::uint64_t object_of(const cudaResourceDesc& resource, const TextureLayout& layout) {
    const cudaTextureDesc reading = reading_of(layout);
    cudaTextureObject_t object = 0;
    check(cudaCreateTextureObject(&object, &resource, &reading, nullptr), "cudaCreateTextureObject");
    return object;
}

}  // namespace

std::uint64_t Textures::create(int device, const TextureLayout& layout, const void* texels, cudaStream_t stream) {
    free_aside();
    use_device(device);
    const auto width = static_cast<std::size_t>(layout.width), rows = static_cast<std::size_t>(layout.height);
    const cudaChannelFormatDesc channels = channels_of(layout);
    const std::size_t row = layout.row_bytes();
    std::unique_ptr<void, FreeLinear> linear;
    std::unique_ptr<cudaArray_t, FreeArray> array;
    cudaResourceDesc resource{};
    if (layout.linear_memory) {
        void* data = nullptr;  // from cudaMalloc, whose alignment suffices for textures
        check_allocated(cudaMalloc(&data, row), "cudaMalloc", device, row);
        linear.reset(data);
        check(cudaMemcpyAsync(data, texels, row, cudaMemcpyDeviceToDevice, stream), "cudaMemcpyAsync");
        resource.resType = cudaResourceTypeLinear;
        resource.res.linear.devPtr = data;
        resource.res.linear.desc = channels;
        resource.res.linear.sizeInBytes = row;
    } else {
        cudaArray_t made = nullptr;
        check_allocated(cudaMallocArray(&made, &channels, width, layout.rank == 2 ? rows : 0, cudaArrayDefault),
                        "cudaMallocArray", device, layout.bytes());
        array.reset(made);
        check(cudaMemcpy2DToArrayAsync(made, 0, 0, texels, row, row, rows, cudaMemcpyDeviceToDevice, stream),
              "cudaMemcpy2DToArrayAsync");
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = made;
    }
    const std::lock_guard lock(mutex_);
    const auto place = memory_.try_emplace({device, 0}).first;  // first what may throw
    std::uint64_t handle = 0;
    try {
        handle = object_of(resource, layout);
    } catch (...) {
        memory_.erase(place);
        throw;
    }
    auto node = memory_.extract(place);
    node.key() = {device, handle};
    node.mapped() = {array.release(), linear.release()};
    memory_.insert(std::move(node));
    return handle;
}

void Textures::destroy(int device, std::uint64_t handle) noexcept {
    {
        const std::lock_guard lock(mutex_);
        try {
            aside_.emplace_back(device, handle);
        } catch (...) {  // out of memory: it stays until the process ends
            return;
        }
    }
    free_aside();
}

void Textures::free_aside() noexcept {
    if (is_capturing()) return;
    std::vector<Key> aside;
    {
        const std::lock_guard lock(mutex_);
        aside.swap(aside_);
    }
    for (const Key& key : aside) {
        // A kernel's error stays with the device, for whoever waits for it.
        if (try_use_device(key.first) != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) continue;
        Memory memory;
        {
            const std::lock_guard lock(mutex_);
            const auto found = memory_.find(key);
            if (found == memory_.end()) continue;
            memory = found->second;
            memory_.erase(found);  // before the driver gives the handle to another texture
        }
        (void)cudaDestroyTextureObject(key.second);
        if (memory.array != nullptr) (void)cudaFreeArray(memory.array);
        if (memory.linear != nullptr) (void)cudaFree(memory.linear);
    }
}

}  // namespace gpu::detail::cuda
