// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include <gpu/dtype.hpp>
#include <gpu/error.hpp>

#include "backend/ranges.hpp"
#include "cuda/base/cudart.hpp"
#include "cuda/memory/small_blocks.hpp"

namespace gpu::detail::cuda {

/// Device memory from CUDA's stream-ordered allocator (each device's default pool, told to keep what is freed), or
/// from cudaMalloc on devices that have no pools.
class DeviceMemory {
public:
    explicit DeviceMemory(int device_count);

    /// @throws OutOfMemory after one more try with the pool trimmed.
    [[nodiscard]] void* allocate(int device, std::size_t bytes, cudaStream_t stream);

    /// Frees on the legacy default stream: that is ordered after all work enqueued so far in blocking streams, which
    /// all of libgpu's are, so the memory outlives every kernel that may still use it. A stream of the learner's
    /// made with cudaStreamNonBlocking isn't covered.
    void deallocate(int device, void* data, std::size_t bytes) noexcept;

    /// From now on another stream than the default one is used on this device.
    void use_streams(int device) noexcept;

    /// Frees memory that was used in `stream` alone.
    void deallocate_in_stream(int device, void* data, std::size_t bytes, cudaStream_t stream) noexcept;

    /// Memory that a library's calls work in. That of the default stream is kept for its next call, until trim():
    /// in one stream one call comes after the other. So such a call costs no function of CUDA's.
    [[nodiscard]] void* take_workspace(int device, std::size_t bytes, cudaStream_t stream);
    void give_workspace(int device, void* data, std::size_t bytes, cudaStream_t stream) noexcept;

    [[nodiscard]] MemoryUse use(int device);
    /// Waits for the device, then gives what the pool doesn't need back to the system.
    void trim(int device);
    /// From the next synchronisation on the pool keeps at most this much; 0: everything.
    void limit_kept(int device, std::size_t bytes);

    /// Page-locked memory, which kernels may access as well; until it is freed.
    void knows(int device, const void* data, std::size_t bytes);
    void forgets(const void* data) noexcept;
    /// The array that begins here holds such elements: for the message of a segmentation fault.
    void describe(const void* data, DType elements) noexcept;

    /// Lets `device` reach memory of `owner` directly, if the machine can. True if so.
    bool connect(int device, int owner);

private:
    struct DeviceState {
        std::once_flag prepared;
        bool has_pool = false;
        cudaMemPool_t pool = nullptr;
        std::unique_ptr<std::once_flag[]> connected;  ///< by the device that reaches this one's memory
        std::unique_ptr<bool[]> reached_by;
        std::atomic<std::size_t> held{0};
        SmallBlocks small;
        std::mutex workspace_mutex;
        SmallBlocks::Block workspace;
    };

    DeviceState& prepare(int device);
    void free_small(int device) noexcept;
    void free_workspace(int device) noexcept;

    std::vector<std::unique_ptr<DeviceState>> devices_;
};

/// Scratch memory of one operation, freed in its stream.
class Scratch {
public:
    Scratch(DeviceMemory& memory, int device, std::size_t bytes, cudaStream_t stream)
        : memory_(memory),
          device_(device),
          bytes_(bytes),
          stream_(stream),
          data_(bytes > 0 ? memory.allocate(device, bytes, stream) : nullptr) {}
    ~Scratch() {
        if (data_) memory_.deallocate_in_stream(device_, data_, bytes_, stream_);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    [[nodiscard]] void* data() const noexcept { return data_; }

private:
    DeviceMemory& memory_;
    int device_;
    std::size_t bytes_;
    cudaStream_t stream_;
    void* data_;
};

}  // namespace gpu::detail::cuda
