// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "host/base/thread_variables.hpp"
#include "host/fibers/block_scheduler.hpp"

// The few functions that every wait passes through, inlined into both of block_scheduler.cpp and warp_operations.cpp:
// a barrier costs each thread some nanoseconds, and calls would be half of them.
namespace gpu::detail::host {

// Parts of a warp instruction, see abi.hpp.
constexpr std::uint32_t mask_of(std::uint64_t instruction) noexcept {
    return static_cast<std::uint32_t>(instruction >> 32);
}
constexpr int operation_of(std::uint64_t instruction) noexcept { return static_cast<int>(instruction >> 16 & 0xffff); }
constexpr int argument_of(std::uint64_t instruction) noexcept { return static_cast<int>(instruction & 0xffff); }
constexpr bool same_operation(std::uint64_t differs) noexcept { return differs >> 16 == 0; }

constexpr std::uint32_t bit(int lane) noexcept { return std::uint32_t{1} << lane; }

GPU_HOT_ON_KERNEL_STACK void BlockScheduler::make_current(int thread) noexcept {
    current_ = thread;
    std::memcpy(static_cast<void*>(state_), &index_[thread], sizeof(ThreadIndex));
}

// Where to switch to so that a thread goes on, or begins on a free stack.
GPU_HOT_ON_KERNEL_STACK void* BlockScheduler::fiber_of(int thread) {
    Warp& warp = warp_[thread / 32];
    if ((warp.begun & bit(thread % 32)) != 0) return fiber_[thread];
    return begin_fiber(thread);
}

// The next runnable thread: higher lanes of this warp, its lower ones, then the next warps. -1: none.
GPU_HOT_ON_KERNEL_STACK int BlockScheduler::next() noexcept {
    if (ready_ == 0) return -1;
    if (__builtin_expect(random_ != 0, 0)) return random_runnable();
    int w = current_ / 32;
    std::uint32_t lanes = warp_[w].runnable;
    if (lanes != 0) {
        const int lane = current_ % 32;
        const std::uint32_t above = lanes & ~((bit(lane) << 1) - 1);
        if (above != 0) lanes = above;
    } else {
        const std::uint32_t above = ready_ & ~((bit(w) << 1) - 1);
        w = std::countr_zero(above != 0 ? above : ready_);
        lanes = warp_[w].runnable;
    }
    return w * 32 + std::countr_zero(lanes);
}

// After a barrier, threads go on in their order, as they began: so the lowest one is the first to meet a mistake.
GPU_HOT_ON_KERNEL_STACK int BlockScheduler::first_runnable() noexcept {
    if (__builtin_expect(random_ != 0, 0)) return random_runnable();
    const int w = std::countr_zero(ready_);
    return w * 32 + std::countr_zero(warp_[w].runnable);
}

GPU_HOT_ON_KERNEL_STACK void BlockScheduler::stop_running(int thread) noexcept {
    Warp& warp = warp_[thread / 32];
    warp.runnable &= ~bit(thread % 32);
    if (warp.runnable != 0) return;
    if (warp.asking != 0) return answer(warp);
    ready_ &= ~bit(thread / 32);
}

GPU_HOT_ON_KERNEL_STACK void BlockScheduler::switch_to_next() {
    const int from = current_;
    const int to = next();
    if (to < 0) fail(Fault::Kind::stuck, line_[from], 0);
    make_current(to);
    switch_fiber(&fiber_[from], fiber_of(to));
}

// A thread brings its value to an operation of its warp. True: all lanes that it names wait.
GPU_HOT_ON_KERNEL_STACK bool BlockScheduler::deposit(Warp& warp, unsigned thread, std::uint64_t instruction,
                                                     std::uint64_t value, int line) noexcept {
    const unsigned lane = thread % 32;
    const std::uint32_t waiting = warp.waiting | std::uint32_t{1} << lane;
    if (warp.waiting == 0) {
        warp.first = instruction;
        warp.differs = 0;
    } else {
        warp.differs |= warp.first ^ instruction;
    }
    warp.waiting = waiting;
    warp.instruction[lane] = instruction;
    warp.value[lane] = value;
    line_[thread] = line;
    const std::uint32_t need = mask_of(instruction) & warp.live;
    return (waiting & need) == need;
}

GPU_HOT_ON_KERNEL_STACK void BlockScheduler::wait_at_barrier(int line) {
    const int thread = current_;
    ++arrived_;
    line_[thread] = line;
    warp_[thread / 32].at_barrier |= bit(thread % 32);
    if (__builtin_expect(observer_ != nullptr, 0)) observer_->thread_waits(thread);
    stop_running(thread);
    if (arrived_ != alive_) return switch_to_next();
    open_barrier();
    const int first = first_runnable();
    if (first == thread) return;
    make_current(first);
    switch_fiber(&fiber_[thread], fiber_[first]);
}

}  // namespace gpu::detail::host
