// SPDX-License-Identifier: MIT
#pragma once

#include <csignal>
#include <thread>
#include <utility>

namespace gpu::detail::host {

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
