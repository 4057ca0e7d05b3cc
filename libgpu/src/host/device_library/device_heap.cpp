// SPDX-License-Identifier: MIT
#include "host/device_library/device_heap.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <iterator>
#include <map>
#include <mutex>
#include <unordered_map>

#include "host/base/fork_guard.hpp"

namespace gpu::detail::host {

namespace {

// What is known of pieces lies elsewhere: kernels that write beside theirs don't harm it.
class DeviceHeap {
public:
    static DeviceHeap& of_this_process() {
        static auto& heap = *new DeviceHeap;
        return heap;
    }

    void* allocate(unsigned long long bytes) {
        if (bytes > device_heap_bytes) return nullptr;
        const std::size_t size = heap_piece(bytes);
        const std::lock_guard lock(mutex_);
        if (!begin()) return nullptr;
        for (auto piece = free_.begin(); piece != free_.end(); ++piece) {  // the first that is large enough
            if (piece->second < size) continue;
            const auto [address, whole] = *piece;
            free_.erase(piece);
            if (whole > size) free_[address + size] = whole - size;
            used_[address] = size;
            return reinterpret_cast<void*>(address);
        }
        return nullptr;
    }

    bool release(void* data) {
        if (data == nullptr) return true;
        const std::lock_guard lock(mutex_);
        const auto used = used_.find(reinterpret_cast<std::uintptr_t>(data));
        if (used == used_.end()) return false;
        auto piece = free_.emplace(used->first, used->second).first;
        used_.erase(used);
        if (const auto next = std::next(piece); next != free_.end() && piece->first + piece->second == next->first) {
            piece->second += next->second;
            free_.erase(next);
        }
        if (piece == free_.begin()) return true;
        if (const auto before = std::prev(piece); before->first + before->second == piece->first) {
            before->second += piece->second;
            free_.erase(piece);
        }
        return true;
    }

private:
    bool begin() {
        if (has_begun_) return true;
        void* const memory = ::mmap(nullptr, device_heap_bytes, PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) return false;
        free_[reinterpret_cast<std::uintptr_t>(memory)] = device_heap_bytes;
        return has_begun_ = true;
    }

    ForkSafeMutex mutex_;
    bool has_begun_ = false;
    std::map<std::uintptr_t, std::size_t> free_;
    std::unordered_map<std::uintptr_t, std::size_t> used_;
};

}  // namespace

void* allocate_in_kernel(unsigned long long bytes) noexcept { return DeviceHeap::of_this_process().allocate(bytes); }
bool release_in_kernel(void* data) noexcept { return DeviceHeap::of_this_process().release(data); }

}  // namespace gpu::detail::host
