// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "host/base/abi.hpp"

namespace gpu::detail::host {

/// The limits of a cooperative launch: each block runs in an OS thread of its own, and each of its threads has a stack.
inline constexpr std::uint64_t max_cooperative_blocks = 256, max_cooperative_threads = 65536;

/// Where the blocks of a cooperative launch wait for each other.
class GridBarrier {
public:
    explicit GridBarrier(std::uint64_t blocks) : blocks_(blocks) {}
    GridBarrier(const GridBarrier&) = delete;
    GridBarrier& operator=(const GridBarrier&) = delete;

    enum class Outcome : std::uint8_t {
        passed,
        stuck,    ///< a block that the others wait for has ended, or can't begin
        given_up  ///< another block has failed
    };
    /// Called when a block has arrived: returns when all have.
    Outcome arrive();
    /// Called when a block has ended and won't arrive again.
    void block_ends();
    /// Called when a block has failed: releases all that wait.
    void give_up();

protected:
    ~GridBarrier() = default;
    /// Waits until something has changed, or less. With the lock held.
    virtual void wait(std::unique_lock<std::mutex>& lock) { changed_.wait(lock); }
    /// Called when all have arrived. With the lock held.
    virtual void opens() {}
    /// With the lock held.
    void give_up_locked() noexcept { given_up_ = true; }
    void get_stuck() noexcept { stuck_ = true; }

private:
    void look_whether_stuck();

    const std::uint64_t blocks_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::uint64_t arrived_ = 0, ended_ = 0, passed_ = 0;
    bool stuck_ = false, given_up_ = false;
};

/// The barrier for blocks that wait in their OS threads.
class ThreadsGridBarrier final : public GridBarrier {
public:
    using GridBarrier::GridBarrier;
};

/// The asynchronous copies of one block that nobody has waited for yet. A GPU may perform a copy at any moment between
/// the call and the wait; here the wait performs it, at the last moment, so that a kernel that reads too early finds
/// nothing. The kernel itself does it: what a copy reads and writes counts as the kernel's.
class PendingCopies {
public:
    /// Discards the previous block's: copies that nobody waited for never happen.
    void begin_block() noexcept {
        if (is_used_) forget();
    }

    /// Adds a copy to its thread's open group.
    void add(const gpu_copy& copy);
    void end_group(unsigned thread);
    /// Takes the next copy of a thread's ended groups, except the last `left` groups. False: there is none.
    bool next(unsigned thread, unsigned left, gpu_copy& copy);

    /// Adds a copy to a barrier's phase: whoever waits for the end of that phase waits for it.
    void add(const gpu_copy& copy, const void* barrier, unsigned phase);
    /// Takes the next copy of a barrier's phases up to `last`. Phases are 24-bit numbers that wrap around.
    bool next(const void* barrier, unsigned last, gpu_copy& copy);

private:
    struct OfThread {
        std::vector<gpu_copy> copies;
        std::vector<std::size_t> ends;  // of the ended groups, in `copies`
        std::size_t done = 0;
    };
    struct OfBarrier {
        const void* barrier = nullptr;
        std::vector<gpu_copy> copies;
        std::vector<unsigned> phases;  // one per copy
        std::size_t done = 0;
    };

    void forget() noexcept;
    OfThread& of(unsigned thread);

    bool is_used_ = false;
    std::unique_ptr<OfThread[]> threads_;
    std::vector<OfBarrier> barriers_;
};

}  // namespace gpu::detail::host
