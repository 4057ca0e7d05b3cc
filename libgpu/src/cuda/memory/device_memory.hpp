// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include <gpu/dtype.hpp>
#include <gpu/error.hpp>

#include "backend/address_map.hpp"
#include "cuda/base/cudart.hpp"

namespace gpu::detail::cuda {

/// Freed small blocks of one device's memory, for the next small array, which then needs no CUDA call.
///
/// For programs that only use the default stream, as most do: all work on a block is in that stream when it is freed,
/// and so is all work on the array that gets it next, so one follows the other. With a second stream this no longer
/// holds, hence close().
class SmallBlocks {
public:
    static constexpr std::size_t min_bytes = 256, max_bytes = std::size_t{256} << 10;  ///< bytes
    static constexpr std::size_t max_kept = std::size_t{32} << 20;           ///< bytes of all kept blocks

    struct Block {
        void* data = nullptr;
        std::size_t bytes = 0;  ///< the size of its last array
    };

    /// The length of a block for this many bytes.
    [[nodiscard]] static std::size_t length_for(std::size_t bytes) noexcept {
        return bytes <= min_bytes ? min_bytes : std::bit_ceil(bytes);
    }

    [[nodiscard]] bool is_open() const noexcept { return open_.load(std::memory_order_relaxed); }

    /// A block that is long enough; null data if there is none.
    [[nodiscard]] Block take(std::size_t bytes) {
        const std::lock_guard lock(mutex_);
        std::vector<Block>& kept = kept_[place_of(bytes)];
        if (kept.empty()) return {};
        const Block block = kept.back();
        kept.pop_back();
        kept_bytes_ -= length_for(bytes);
        return block;
    }

    /// False if the block isn't kept: the caller must free it.
    [[nodiscard]] bool keep(void* data, std::size_t bytes) noexcept {
        const std::lock_guard lock(mutex_);
        if (!is_open() || kept_bytes_ + length_for(bytes) > max_kept) return false;
        std::vector<Block>& kept = kept_[place_of(bytes)];
        if (kept.size() == in_class) return false;
        if (kept.capacity() == 0) {
            try {
                kept.reserve(in_class);
            } catch (...) {
                return false;
            }
        }
        kept.push_back({data, bytes});
        kept_bytes_ += length_for(bytes);
        return true;
    }

    /// All kept blocks, to be freed.
    [[nodiscard]] std::vector<void*> drained() {
        std::vector<void*> all;
        const std::lock_guard lock(mutex_);
        for (std::vector<Block>& kept : kept_) {
            for (const Block& block : kept) all.push_back(block.data);
            kept.clear();
        }
        kept_bytes_ = 0;
        return all;
    }

    /// Stops keeping blocks. True the first time.
    bool close() noexcept {
        const std::lock_guard lock(mutex_);
        return open_.exchange(false, std::memory_order_relaxed);
    }

private:
    static constexpr std::size_t in_class = 256;
    static std::size_t place_of(std::size_t bytes) noexcept {
        return static_cast<std::size_t>(std::countr_zero(length_for(bytes)) - std::countr_zero(min_bytes));
    }

    std::mutex mutex_;
    std::array<std::vector<Block>, 11> kept_;
    std::size_t kept_bytes_ = 0;
    std::atomic<bool> open_{true};
};

/// Device memory from CUDA's stream-ordered allocator (each device's default pool, configured to keep freed memory), or
/// from cudaMalloc on devices without pools.
class DeviceMemory {
public:
    explicit DeviceMemory(int device_count);

    /// @throws OutOfMemory after trimming the pool and trying once more.
    [[nodiscard]] void* allocate(int device, std::size_t bytes, cudaStream_t stream);

    /// Frees in the legacy default stream, hence after all work enqueued so far in blocking streams, which all of
    /// libgpu's are: the memory outlives every kernel that may still use it. This doesn't cover a learner's stream
    /// created with cudaStreamNonBlocking.
    void deallocate(int device, void* data, std::size_t bytes) noexcept;

    /// Says that a stream other than the default one is used on this device from now on.
    void use_streams(int device) noexcept;

    /// Frees memory that was used only in `stream`.
    void deallocate_in_stream(int device, void* data, std::size_t bytes, cudaStream_t stream) noexcept;

    /// Workspace for a library's calls. The default stream's is kept for the next call, until trim(): within a stream,
    /// calls follow each other. So such a call costs no CUDA call.
    [[nodiscard]] void* take_workspace(int device, std::size_t bytes, cudaStream_t stream);
    void give_workspace(int device, void* data, std::size_t bytes, cudaStream_t stream) noexcept;

    [[nodiscard]] MemoryUse use(int device);
    /// Waits for the device, then returns to the system what the pool doesn't need.
    void trim(int device);
    /// From the next synchronisation on, the pool keeps at most this much; 0: everything.
    void limit_kept(int device, std::size_t bytes);

    /// Registers page-locked memory, which kernels may access too, until it is freed.
    void knows(int device, const void* data, std::size_t bytes);
    void forgets(const void* data) noexcept;
    /// Records the element type of the array that begins here: for the message of a segmentation fault.
    void describe(const void* data, DType elements) noexcept;

    /// Lets `device` access memory of `owner` directly, if the machine can. True if so.
    bool connect(int device, int owner);

private:
    void know_or_free(int device, void* data, std::size_t bytes, cudaStream_t stream);

    struct DeviceState {
        std::once_flag prepared;
        bool has_pool = false;
        cudaMemPool_t pool = nullptr;
        std::unique_ptr<std::once_flag[]> connected;  ///< per device that accesses this one's memory
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

/// Scratch memory for one operation, freed in its stream.
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
