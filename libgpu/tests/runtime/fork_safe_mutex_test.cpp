// SPDX-License-Identifier: MIT
#include "base/fork_safe_mutex.hpp"

#include <doctest/doctest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <latch>
#include <mutex>
#include <thread>

using namespace gpu::detail;
using namespace std::chrono_literals;

TEST_CASE("a fork takes a mutex that is held while backends are asked before theirs, and leaves all unlocked") {
    ForkSafeMutex of_backend, around{ForkOrder::first};
    std::latch is_held{1};
    std::thread other([&] {
        const std::lock_guard outer(around);
        is_held.count_down();
        std::this_thread::sleep_for(50ms);   // meanwhile the fork waits
        const std::lock_guard inner(of_backend);
    });
    is_held.wait();
    ::alarm(60);   // rather than wait for ever
    const pid_t child = ::fork();
    if (child == 0) {
        ::alarm(10);
        const std::lock_guard outer(around);
        const std::lock_guard inner(of_backend);
        ::_exit(fork_generation() == 1 ? 0 : 1);
    }
    other.join();
    ::alarm(0);
    int status = -1;
    ::waitpid(child, &status, 0);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
}
