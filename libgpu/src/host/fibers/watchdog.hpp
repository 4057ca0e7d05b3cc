// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>

#include <pthread.h>

namespace gpu::detail::host {

/// A thread that runs kernels, as the watchdog sees it. Lives as long as the thread.
///
/// Each stay in a kernel (a block of fibers, a chunk of a loop) has a limit, in seconds of computing. Once that is
/// exceeded, the thread gets SIGURG again and again until one arrives while it executes the kernel's own instructions,
/// which can be abandoned at any point; so a stop never comes while a lock is held.
class WatchedThread {
public:
    WatchedThread();
    ~WatchedThread();
    WatchedThread(const WatchedThread&) = delete;
    WatchedThread& operator=(const WatchedThread&) = delete;

    /// Limits stays to this many seconds from now on; 0: no limit. The kernel's instructions are [begin, end).
    void arm(double seconds, std::uintptr_t begin, std::uintptr_t end);

    void enter() noexcept {
        expired_.store(false, std::memory_order_relaxed);
        stays_.store(stays_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
        inside_.store(true, std::memory_order_relaxed);
    }
    void leave() noexcept { inside_.store(false, std::memory_order_relaxed); }
    [[nodiscard]] bool inside() const noexcept { return inside_.load(std::memory_order_relaxed); }

    /// In a signal handler: whether the kernel must be stopped, and can be at this instruction.
    [[nodiscard]] bool stops_at(std::uintptr_t instruction) const noexcept {
        return expired_.load(std::memory_order_relaxed) && instruction - begin_ < end_ - begin_;
    }
    [[nodiscard]] double limit() const noexcept { return limit_.load(std::memory_order_relaxed); }

private:
    friend class Watchdog;

    const pthread_t thread_;
    std::uintptr_t begin_ = 0, end_ = 0;
    std::atomic<double> limit_{0};
    std::atomic<std::uint64_t> stays_{0};
    std::atomic<bool> inside_{false}, expired_{false};
    // Used only by the watchdog:
    std::uint64_t seen_stay_ = 0;
    std::int64_t since_ = 0, processor_since_ = 0;  // nanoseconds
};

/// LIBGPU_HOST_TIMEOUT, in seconds; 60 if it isn't set, 0: no limit. @throws Error for anything else.
double kernel_time_limit();

}  // namespace gpu::detail::host
