// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <mutex>

namespace gpu::detail::host {

/// A mutex that a forked child finds unlocked, whatever other threads of the parent did at that moment.
class ForkSafeMutex {
public:
    ForkSafeMutex();
    ~ForkSafeMutex();
    ForkSafeMutex(const ForkSafeMutex&) = delete;
    ForkSafeMutex& operator=(const ForkSafeMutex&) = delete;

    void lock() { mutex_.lock(); }
    void unlock() { mutex_.unlock(); }
    /// For condition variables.
    [[nodiscard]] std::mutex& native() noexcept { return mutex_; }

private:
    std::mutex mutex_;
};

/// How many forks lie between this process and the one that loaded libgpu: threads of another generation are gone.
std::uint64_t fork_generation() noexcept;

}  // namespace gpu::detail::host
