// SPDX-License-Identifier: MIT
#include "host/check/block_turns.hpp"

#include <memory>
#include <system_error>
#include <utility>

#include "host/base/start_thread.hpp"

namespace gpu::detail::host {

BlockTurns::BlockTurns(std::function<void()> take_blocks, std::function<bool()> has_more)
    : take_blocks_(std::move(take_blocks)), has_more_(std::move(has_more)) {}

void BlockTurns::join() {
    // A thread that ends may have started another.
    for (std::size_t k = 0;; ++k) {
        std::thread thread;
        {
            const std::lock_guard lock(mutex_);
            if (k == threads_.size()) return;
            thread = std::move(threads_[k]);
        }
        if (thread.joinable()) thread.join();
    }
}

void BlockTurns::begin() {
    const std::lock_guard lock(mutex_);
    ++running_;
}

void BlockTurns::end() {
    const std::lock_guard lock(mutex_);
    progress();
    --running_;
    hand_over();
}

void BlockTurns::next_block() {
    std::unique_lock lock(mutex_);
    progress();
    if (queue_.empty()) return;
    ++takers_;
    queue_up(lock);
    --takers_;
}

void BlockTurns::pass() {
    std::unique_lock lock(mutex_);
    start_thread_if_needed();
    if (!queue_.empty()) queue_up(lock);
}

bool BlockTurns::all_wait() {
    const std::lock_guard lock(mutex_);
    const auto blocks = static_cast<int>(queue_.size()) + running_;
    return takers_ == 0 && waiting_ == blocks &&
           (!has_more_() || threads_.size() >= most_threads || has_no_more_threads_);
}

// Behind all that are queued already. Those that run beside this one are others' business.
void BlockTurns::queue_up(std::unique_lock<std::mutex>& lock) {
    Turn turn;
    queue_.push_back(&turn);
    --running_;
    hand_over();
    wait_for(turn, lock);
}

void BlockTurns::wait_for(const Turn& turn, std::unique_lock<std::mutex>& lock) {
    turned_.wait(lock, [&turn] { return turn.is_mine; });
}

void BlockTurns::hand_over() {
    if (queue_.empty()) return;
    queue_.front()->is_mine = true;
    queue_.pop_front();
    ++running_;
    turned_.notify_all();
}

// Nobody who would begin other blocks: a new thread, which queues up for its first turn. Without one, this block waits
// in vain at worst.
void BlockTurns::start_thread_if_needed() {
    if (takers_ > 0 || threads_.size() >= most_threads || !has_more_()) return;
    const auto turn = std::make_shared<Turn>();
    queue_.push_back(turn.get());
    ++takers_;
    try {
        threads_.push_back(start_thread([this, turn] {
            {
                std::unique_lock lock(mutex_);
                wait_for(*turn, lock);
                --takers_;
            }
            take_blocks_();
        }));
    } catch (const std::system_error&) {
        queue_.pop_back();
        --takers_;
        has_no_more_threads_ = true;
    }
}

}  // namespace gpu::detail::host
