// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <mutex>

namespace gpu::detail {

/// When fork() takes a mutex. What is held while others are taken comes before them, or a fork might wait for ever.
enum class ForkOrder {
    first,   ///< it is held while a backend is asked
    usual,   ///< in the order in which they were made
};

/// A mutex that a forked child finds unlocked, whatever the parent's other threads were doing.
class ForkSafeMutex {
public:
    explicit ForkSafeMutex(ForkOrder order = ForkOrder::usual);
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

/// How many forks lie between this process and the one that loaded libgpu: threads of other generations are gone.
std::uint64_t fork_generation() noexcept;

}  // namespace gpu::detail
