// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "backend/backend.hpp"
#include "cuda/base/cudart.hpp"

namespace gpu::detail::cuda {

/// The textures of all devices, each with its own memory: a CUDA array, or linear memory for tex1Dfetch().
class Textures {
public:
    /// Copies the texels in stream order. @throws OutOfMemory, DeviceError
    [[nodiscard]] std::uint64_t create(int device, const TextureLayout& layout, const void* texels,
                                       cudaStream_t stream);
    /// Waits for the device's work, which may read it. While the thread captures, waiting isn't allowed: then the
    /// texture is destroyed by the next call outside a capture.
    void destroy(int device, std::uint64_t handle) noexcept;

private:
    struct Memory {
        cudaArray_t array = nullptr;
        void* linear = nullptr;
    };
    using Key = std::pair<int, std::uint64_t>;  // device and handle: two devices may use the same handle

    void free_aside() noexcept;

    std::mutex mutex_;
    std::map<Key, Memory> memory_;
    std::vector<Key> aside_;
};

}  // namespace gpu::detail::cuda
