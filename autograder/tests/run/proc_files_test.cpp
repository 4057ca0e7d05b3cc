// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "support/process.hpp"

#include <atomic>
#include <csignal>
#include <thread>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

using course::ProcessStat;
using course::stat_of;

TEST_CASE("/proc says a process's parent, session, threads and begin, whatever the process calls itself") {
    const ProcessStat before = stat_of(::getpid());
    CHECK(before.parent == ::getppid());
    CHECK(before.session == ::getsid(0));
    CHECK(before.begin > 0);
    CHECK(before.threads >= 1);
    std::atomic<bool> end{false};
    std::thread other([&] { end.wait(false); });
    CHECK(stat_of(::getpid()).threads == before.threads + 1);
    end = true;
    end.notify_all();
    other.join();

    int ready[2];
    REQUIRE(::pipe(ready) == 0);
    const pid_t child = ::fork();
    if (child == 0) {
        ::prctl(PR_SET_NAME, "a) R 1 1 (b");
        (void)!::write(ready[1], "!", 1);
        for (;;) ::pause();
    }
    char byte = 0;
    CHECK(::read(ready[0], &byte, 1) == 1);
    CHECK(stat_of(child).parent == ::getpid());
    CHECK(stat_of(child).session == before.session);
    CHECK(stat_of(child).threads == 1);
    CHECK(stat_of(child).begin >= before.begin);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    CHECK(stat_of(child).parent == 0);
    CHECK(stat_of(child).begin == 0);
    ::close(ready[0]);
    ::close(ready[1]);
}
