// SPDX-License-Identifier: MIT
#pragma once

#include <csignal>
#include <cstdint>
#include <mutex>
#include <thread>
#include <utility>

namespace gpu::detail::host {

/// A mutex that a forked child finds unlocked, whatever the parent's other threads were doing.
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

/// How many forks lie between this process and the one that loaded libgpu: threads of other generations are gone.
std::uint64_t fork_generation() noexcept;

/// Starts a thread of libgpu's own. It blocks signals meant for the program's threads and receives only a kernel's
/// faults and the watchdog's SIGURG. @throws std::system_error
template <class F>
std::thread start_thread(F&& function) {
    struct Mask {
        sigset_t before;
        Mask() {
            sigset_t blocked;
            sigfillset(&blocked);
            for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS, SIGURG})
                sigdelset(&blocked, own);
            ::pthread_sigmask(SIG_SETMASK, &blocked, &before);
        }
        ~Mask() { ::pthread_sigmask(SIG_SETMASK, &before, nullptr); }
    } const mask;
    return std::thread(std::forward<F>(function));
}

}  // namespace gpu::detail::host
