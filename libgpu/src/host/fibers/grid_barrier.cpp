// SPDX-License-Identifier: MIT
#include "host/fibers/grid_barrier.hpp"

#include <algorithm>

#include "host/fibers/context_switch.hpp"
#include "host/memory/kernel_stacks.hpp"

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

// Runs on kernels' stacks, which may be abandoned: no locals with destructors.

namespace {

constexpr unsigned phase_bits = 24;

// True if a phase comes after another: they are less than half the range apart.
bool is_after(unsigned phase, unsigned other) noexcept {
    return phase != other && ((phase - other) & ((1U << phase_bits) - 1)) < 1U << (phase_bits - 1);
}

}  // namespace

void PendingCopies::forget() noexcept {
    for (unsigned thread = 0; threads_ != nullptr && thread < max_block_threads; ++thread) {
        threads_[thread].copies.clear();
        threads_[thread].ends.clear();
        threads_[thread].done = 0;
    }
    barriers_.clear();
    is_used_ = false;
}

GPU_ON_KERNEL_STACK PendingCopies::OfThread& PendingCopies::of(unsigned thread) {
    if (threads_ == nullptr) threads_ = std::make_unique<OfThread[]>(max_block_threads);
    is_used_ = true;
    return threads_[thread];
}

GPU_ON_KERNEL_STACK void PendingCopies::add(const gpu_copy& copy) { of(copy.thread).copies.push_back(copy); }

GPU_ON_KERNEL_STACK void PendingCopies::end_group(unsigned thread) {
    OfThread& own = of(thread);
    own.ends.push_back(own.copies.size());
}

GPU_ON_KERNEL_STACK bool PendingCopies::next(unsigned thread, unsigned left, gpu_copy& copy) {
    OfThread& own = of(thread);
    if (own.ends.size() <= left) return false;
    const std::size_t finished = own.ends.size() - left, end = own.ends[finished - 1];
    if (own.done < end) {
        copy = own.copies[own.done++];
        return true;
    }
    // Finished groups can be dropped: they come before the unfinished ones.
    own.ends.erase(own.ends.begin(), own.ends.begin() + static_cast<std::ptrdiff_t>(finished));
    own.copies.erase(own.copies.begin(), own.copies.begin() + static_cast<std::ptrdiff_t>(end));
    for (std::size_t& other : own.ends) other -= end;
    own.done = 0;
    return false;
}

GPU_ON_KERNEL_STACK void PendingCopies::add(const gpu_copy& copy, const void* barrier, unsigned phase) {
    is_used_ = true;
    const auto found = std::find_if(barriers_.begin(), barriers_.end(),
                                    [barrier](const OfBarrier& one) { return one.barrier == barrier; });
    OfBarrier& own = found != barriers_.end() ? *found : barriers_.emplace_back();
    own.barrier = barrier;
    // The barrier was initialised again: nobody can wait for its earlier copies any more.
    const bool is_new = !own.phases.empty() && is_after(own.phases.back(), phase);
    if (is_new || own.done == own.copies.size()) {
        own.copies.clear();
        own.phases.clear();
        own.done = 0;
    }
    own.copies.push_back(copy);
    own.phases.push_back(phase);
}

GPU_ON_KERNEL_STACK bool PendingCopies::next(const void* barrier, unsigned last, gpu_copy& copy) {
    for (OfBarrier& own : barriers_) {
        if (own.barrier != barrier || own.done == own.copies.size() || is_after(own.phases[own.done], last)) continue;
        copy = own.copies[own.done++];
        return true;
    }
    return false;
}

}  // namespace gpu::detail::host
