// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace gpu::detail::host {

/// Whose turn it is to run a block of a checked launch.
///
/// As many threads run at once as the check has workers. A block that waits for another block's write gives its turn
/// away and gets it back when all others had theirs; while it waits, a thread that is started for it takes the blocks
/// that nobody has begun. So a block may wait for any other one, in every order of blocks, and one worker's order of
/// events is always the same.
class BlockTurns {
public:
    /// `take_blocks` is a worker's share of the launch, by one that has its turn already; it doesn't throw. `has_more`:
    /// there are blocks that nobody has begun.
    BlockTurns(std::function<void()> take_blocks, std::function<bool()> has_more);
    ~BlockTurns() { join(); }
    BlockTurns(const BlockTurns&) = delete;
    BlockTurns& operator=(const BlockTurns&) = delete;

    /// A worker begins and ends its share, and comes from one block to the next.
    void begin();
    void end();
    void next_block();
    /// Waits for the threads that were started.
    void join();

    /// The running block waits, and nothing in it goes on: everybody else's turn. Comes back at once where there is
    /// nobody.
    void pass();
    /// Something has gone on: counted, so that a block that waits can tell.
    void progress() noexcept { progress_.fetch_add(1, std::memory_order_relaxed); }
    [[nodiscard]] std::uint64_t progress_so_far() const noexcept { return progress_.load(std::memory_order_relaxed); }
    /// The running block has begun to wait, or waits no longer.
    void set_waiting(bool waiting) noexcept { waiting_ += waiting ? 1 : -1; }
    /// True if no block can go on but by what other blocks do.
    [[nodiscard]] bool all_wait();

private:
    struct Turn {
        bool is_mine = false;
    };
    void wait_for(const Turn& turn, std::unique_lock<std::mutex>& lock);
    void queue_up(std::unique_lock<std::mutex>& lock);
    void hand_over();
    void start_thread_if_needed();

    static constexpr std::size_t most_threads = 255;

    const std::function<void()> take_blocks_;
    const std::function<bool()> has_more_;
    std::mutex mutex_;
    std::condition_variable turned_;
    std::deque<Turn*> queue_;
    std::vector<std::thread> threads_;
    int running_ = 0;  // have a turn
    bool has_no_more_threads_ = false;  // the system grants none
    int takers_ = 0;   // wait for one to take another block
    std::atomic<int> waiting_{0};
    std::atomic<std::uint64_t> progress_{0};
};

}  // namespace gpu::detail::host
