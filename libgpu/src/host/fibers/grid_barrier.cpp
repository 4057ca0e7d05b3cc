// SPDX-License-Identifier: MIT
#include "host/fibers/grid_barrier.hpp"

namespace gpu::detail::host {

GridBarrier::Outcome GridBarrier::arrive() {
    std::unique_lock lock(mutex_);
    const std::uint64_t before = passed_;
    if (++arrived_ == blocks_) {
        arrived_ = 0;
        ++passed_;
        opens();
        changed_.notify_all();
        return Outcome::passed;
    }
    look_whether_stuck();
    while (passed_ == before && !stuck_ && !given_up_) wait(lock);
    if (passed_ != before) return Outcome::passed;
    return stuck_ ? Outcome::stuck : Outcome::given_up;
}

void GridBarrier::block_ends() {
    const std::lock_guard lock(mutex_);
    ++ended_;
    look_whether_stuck();
}

void GridBarrier::give_up() {
    const std::lock_guard lock(mutex_);
    give_up_locked();
    changed_.notify_all();
}

void GridBarrier::look_whether_stuck() {
    if (arrived_ == 0 || arrived_ + ended_ < blocks_) return;
    stuck_ = true;
    changed_.notify_all();
}

}  // namespace gpu::detail::host
