// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

namespace gpu::detail::cuda {

/// Small blocks of one device's memory that were freed, for the next small array: that costs no call of CUDA's.
///
/// It serves programs that only use the default stream, as most do. All work on a block is queued there when it is
/// freed, and so is all work on the array that gets it next: one comes after the other. With another stream that isn't
/// so any more, hence close().
class SmallBlocks {
public:
    static constexpr std::size_t least = 256, most = std::size_t{256} << 10;  ///< bytes
    static constexpr std::size_t most_kept = std::size_t{32} << 20;           ///< bytes of all that are kept

    struct Block {
        void* data = nullptr;
        std::size_t bytes = 0;  ///< that its last array had
    };

    /// How long a block for so many bytes is.
    [[nodiscard]] static std::size_t length_for(std::size_t bytes) noexcept {
        return bytes <= least ? least : std::bit_ceil(bytes);
    }

    [[nodiscard]] bool is_open() const noexcept { return open_.load(std::memory_order_relaxed); }

    /// A block that is long enough; null data if none is kept.
    [[nodiscard]] Block take(std::size_t bytes) {
        const std::lock_guard lock(mutex_);
        std::vector<Block>& kept = kept_[place_of(bytes)];
        if (kept.empty()) return {};
        const Block block = kept.back();
        kept.pop_back();
        kept_bytes_ -= length_for(bytes);
        return block;
    }

    /// False if it isn't kept: it must be freed.
    [[nodiscard]] bool keep(void* data, std::size_t bytes) noexcept {
        const std::lock_guard lock(mutex_);
        if (!is_open() || kept_bytes_ + length_for(bytes) > most_kept) return false;
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

    /// All blocks that are kept, to be freed.
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

    /// From now on nothing is kept. True the first time.
    bool close() noexcept {
        const std::lock_guard lock(mutex_);
        return open_.exchange(false, std::memory_order_relaxed);
    }

private:
    static constexpr std::size_t in_class = 256;
    static std::size_t place_of(std::size_t bytes) noexcept {
        return static_cast<std::size_t>(std::countr_zero(length_for(bytes)) - std::countr_zero(least));
    }

    std::mutex mutex_;
    std::array<std::vector<Block>, 11> kept_;
    std::size_t kept_bytes_ = 0;
    std::atomic<bool> open_{true};
};

}  // namespace gpu::detail::cuda
