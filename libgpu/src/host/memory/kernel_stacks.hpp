// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gpu::detail::host {

/// The maximum number of threads in a block.
inline constexpr int max_block_threads = 1024;

/// Stacks of one worker: a large one for loop mode, and one of 64 KiB for each thread that can wait in fiber mode. Each
/// ends at a guard page. Memory is committed only where a kernel touches it.
class KernelStacks {
public:
    KernelStacks() = default;
    ~KernelStacks();
    KernelStacks(const KernelStacks&) = delete;
    KernelStacks& operator=(const KernelStacks&) = delete;

    /// Makes room for blocks of this many threads and frees all stacks. @throws OutOfMemory
    void reset(int threads);

    [[nodiscard]] int take() noexcept { return free_[--free_count_]; }
    void give_back(int stack) noexcept { free_[free_count_++] = static_cast<std::uint16_t>(stack); }
    [[nodiscard]] void* top(int stack) const noexcept { return tops_[stack]; }
    [[nodiscard]] static std::size_t size() noexcept;

    /// The large stack. @throws OutOfMemory
    [[nodiscard]] void* loop_top();
    [[nodiscard]] static std::size_t loop_size() noexcept;

    /// The stack that an address lies in, guard pages included; -1: none. A stack ends where the next one begins.
    [[nodiscard]] int stack_of(std::uintptr_t address) const noexcept;
    /// The lowest address of a stack and its length, guard page included.
    [[nodiscard]] std::uintptr_t bottom(int stack) const noexcept;
    [[nodiscard]] static std::size_t stride() noexcept;

    /// True if the address lies in a guard page: some thread's stack overflowed.
    [[nodiscard]] bool is_guard(std::uintptr_t address) const noexcept;

private:
    char* fibers_ = nullptr;
    char* loop_ = nullptr;
    int ready_ = 0;  // stacks whose guard page is in place
    int free_count_ = 0;
    std::uint16_t free_[max_block_threads] = {};
    void* tops_[max_block_threads] = {};
};

/// Makes one page inaccessible, without splitting the mapping where the system can (Linux 6.13).
/// @returns false if it can't be done.
bool guard_page(void* page) noexcept;

std::size_t page_size() noexcept;

}  // namespace gpu::detail::host
