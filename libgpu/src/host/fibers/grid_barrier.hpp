// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace gpu::detail::host {

/// How many blocks and threads a cooperative launch may have: each block runs in an OS thread, and each of its threads
/// has a stack.
inline constexpr std::uint64_t most_cooperative_blocks = 256, most_cooperative_threads = 65536;

/// Where the blocks of a cooperative launch wait for each other.
class GridBarrier {
public:
    explicit GridBarrier(std::uint64_t blocks) : blocks_(blocks) {}
    GridBarrier(const GridBarrier&) = delete;
    GridBarrier& operator=(const GridBarrier&) = delete;

    enum class Outcome : std::uint8_t {
        passed,
        stuck,    ///< a block has ended that the others wait for, or can't begin
        given_up  ///< another block has failed
    };
    /// A block has arrived: comes back when all have.
    Outcome arrive();
    /// A block has ended, and comes no more.
    void block_ends();
    /// A block has failed: nobody waits any longer.
    void give_up();

protected:
    ~GridBarrier() = default;
    /// Until something has changed, or shorter. With the lock.
    virtual void wait(std::unique_lock<std::mutex>& lock) { changed_.wait(lock); }
    /// All have arrived. With the lock.
    virtual void opens() {}
    /// With the lock.
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

/// The same where blocks wait in their OS threads.
class ThreadsGridBarrier final : public GridBarrier {
public:
    using GridBarrier::GridBarrier;
};

}  // namespace gpu::detail::host
