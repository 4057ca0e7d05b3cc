// SPDX-License-Identifier: MIT
// What a hostile object may do in a real course-runner (objects/attacks.cpp), and how each must end.

#include <doctest/doctest.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <fstream>

#include <sys/resource.h>
#include <unistd.h>

#include "sandbox/cgroup.hpp"
#include "session_fixture.hpp"

using namespace course;
using namespace course::test;

namespace {

void check_ends(const std::string& function, Outcome outcome, const std::string& message, double seconds = 10,
                std::size_t mib = 4096) {
    CAPTURE(function);
    for (const bool timed : {false, true}) {
        CAPTURE(timed);
        {
            Attack attack(seconds, mib);
            const CallResult reply = attack(function, timed);
            CHECK(reply.outcome == outcome);
            CHECK(reply.message == message);
            CHECK(reply.results.empty());
            const CallResult next = attack("correct");
            CHECK(next.outcome == Outcome::returned);
        }
        CHECK(processes_left() == 0);
    }
}

void check_works(const std::string& function, bool timed = false) {
    CAPTURE(function);
    {
        Attack attack;
        for (int repeat = 0; repeat < 2; ++repeat) {
            const CallResult reply = attack(function, timed);
            CHECK(reply.outcome == Outcome::returned);
            CHECK(reply.message == "");
            REQUIRE(reply.results.size() == 1);
            CHECK(elements(reply.results[0]) == twice);
        }
    }
    CHECK(processes_left() == 0);
}

/// How many threads this user, or the container that all of this runs in, may have.
rlim_t max_threads() {
    rlimit processes{};
    ::getrlimit(RLIMIT_NPROC, &processes);
    rlim_t most = ::geteuid() == 0 ? RLIM_INFINITY : processes.rlim_cur;
    for (const char* file : {"/sys/fs/cgroup/pids.max", "/sys/fs/cgroup/pids/pids.max"})   // versions 2 and 1
        if (rlim_t here = 0; std::ifstream(file) >> here) most = std::min(most, here);     // "max" is no number
    return most;
}

}  // namespace

TEST_CASE("a function that ends the program has not returned") {
    check_ends("exits_0", Outcome::exited, "your code ended the program itself (exit code 0)");
    check_ends("quick_exits_0", Outcome::exited, "your code ended the program itself (exit code 0)");
    check_ends("prints_pass_and_exits", Outcome::exited, "your code ended the program itself (exit code 0)");
    check_ends("exits_with_112", Outcome::bad_reply,
               "the runner broke the protocol: its connection to the grader was closed");
}

TEST_CASE("what is printed is text, never a verdict") {
    Attack attack;
    CHECK(attack("prints_pass_and_exits").outcome == Outcome::exited);
    CHECK(attack.output() == "PASS 100/100\n{\"status\": \"passed\"}");
}

TEST_CASE("a crash names its signal") {
    check_ends("segfault", Outcome::crashed, "your code crashed: segmentation fault (SIGSEGV)");
    check_ends("aborts", Outcome::crashed,
               "your code crashed: abort (SIGABRT): an index past the end of a std::vector, a failed assert, an "
               "uncaught exception, a damaged heap or abort() itself");
    check_ends("throws_in_noexcept", Outcome::crashed,
               "your code crashed: abort (SIGABRT): an index past the end of a std::vector, a failed assert, an "
               "uncaught exception, a damaged heap or abort() itself");
    check_ends("writes_a_huge_file", Outcome::crashed,
               "your code crashed: it wrote a file of more than 256 MiB (SIGXFSZ)");
}

TEST_CASE("an exception names its type and text, and the runner lives on") {
    check_ends("throws", Outcome::exception, "your code threw std::out_of_range: index 7 of 5");
    check_ends("throws_an_int", Outcome::exception, "your code threw a value of type int");
}

TEST_CASE("a crash between two calls is the second call's outcome, and the third one works") {
    Attack attack;
    CHECK(attack("crashes_later").outcome == Outcome::returned);
    ::usleep(300'000);
    CHECK(attack("correct").outcome == Outcome::crashed);
    CHECK(attack("correct").outcome == Outcome::returned);
}

TEST_CASE("an endless loop runs out of time") {
    const std::string message = "no answer within 0.3 s; is there a loop that never ends?";
    check_ends("loops", Outcome::timed_out, message, 0.3);
    check_ends("prints_without_end", Outcome::timed_out, message, 0.3);
}

TEST_CASE("memory in use is limited, in children too; memory that is only asked for isn't") {
    const std::string message = "your code used more than 256 MiB of memory, which is the limit";
    check_ends("allocates_without_end", Outcome::out_of_memory, message, 10, 256);
    check_ends("allocates_in_a_child", Outcome::out_of_memory, message, 10, 256);
    check_ends("allocates_in_a_daemon", Outcome::out_of_memory, message, 10, 256);
    check_ends("hides_memory_in_files_without_names", Outcome::out_of_memory, message, 10, 256);
    check_ends("allocates_when_its_first_thread_has_ended", Outcome::out_of_memory, message, 10, 256);
    check_ends("fills_page_tables", Outcome::out_of_memory, message, 10, 256);
    check_works("allocates_untouched");
    Attack attack;
    const CallResult reply = attack("asks_for_too_much");
#if defined(__SANITIZE_ADDRESS__)
    CHECK(reply.outcome == Outcome::exited);   // its allocator ends the program where the usual one throws
#else
    CHECK(reply.outcome == Outcome::exception);
    CHECK(reply.message == "your code threw std::bad_alloc: std::bad_alloc");
#endif
}

TEST_CASE("memory that the grader can't see is limited where the machine has a cgroup for it") {
    if (usable_cgroups().version == 0) {
        MESSAGE("SKIP: no cgroup can be made here");
        check_works("hides_memory_in_closed_files");   // within the limit of 4 GiB
        return;
    }
    check_ends("hides_memory_in_closed_files", Outcome::out_of_memory,
               "your code used more than 256 MiB of memory, which is the limit", 10, 256);
    check_works("hides_memory_in_closed_files");
}

TEST_CASE("threads are limited: a machine has a number for each, and they run out") {
    if (const rlim_t most = max_threads(); most <= 4096) {   // the system refuses them first, and other tests' as well
        std::printf("SKIP: threads are limited: this user or container may have %llu at most\n",
                    static_cast<unsigned long long>(most));
        return;
    }
    check_ends("starts_threads_without_end", Outcome::out_of_memory,
               "your code started more than 4096 threads, which is the limit", 60);   // a busy machine takes a while
}

TEST_CASE("what is written to files is limited, all of them together, wherever they lie") {
    const std::string message = "your code wrote more than 100 MiB of files, which is the limit";
    check_ends("fills_the_disk", Outcome::out_of_memory, message);
    check_ends("fills_the_disk_below_the_longest_path", Outcome::out_of_memory, message);
    check_ends("fills_the_disk_in_a_closed_folder", Outcome::out_of_memory, message);
    check_ends("makes_files_without_end", Outcome::out_of_memory, message, 60);   // a slow disk takes a while
}

TEST_CASE("10 MB of output neither block the call nor are they kept") {
    check_works("prints_10_mb");
    check_works("prints_10_mb", true);
    Attack attack;
    attack("prints_10_mb");
    const std::string output = attack.output();
    CHECK(output.size() < 66 * 1024);
    CHECK(output.starts_with("xxx"));
    CHECK(output.ends_with("\n[... and 9934464 bytes more, not kept]"));
}

TEST_CASE("what is printed is sanitised, from both streams") {
    Attack attack;
    attack("prints_control_characters");
    const std::string output = attack.output();
    CHECK(output.find("[2J[31mred \xEF\xBF\xBD\xEF\xBF\xBD caf\xc3\xa9\n") != std::string::npos);
    CHECK(output.find("to stderr") != std::string::npos);
}

TEST_CASE("no process outlives its session, whatever it did to leave it") {
    check_works("leaves_a_child");
    check_works("leaves_a_daemon");
    check_ends("leaves_a_daemon_and_exits", Outcome::exited, "your code ended the program itself (exit code 0)");
    check_ends("leaves_a_child_with_the_socket_and_aborts", Outcome::crashed,
               "your code crashed: abort (SIGABRT): an index past the end of a std::vector, a failed assert, an "
               "uncaught exception, a damaged heap or abort() itself");
}

TEST_CASE("a runner whose descriptors are closed or written to has broken the protocol") {
    const std::string prefix = "the runner broke the protocol: ";
    check_ends("closes_everything", Outcome::bad_reply, prefix + "its connection to the grader was closed");
    CHECK(Attack()("closes_everything_and_loops").message == prefix + "its connection to the grader was closed");
    CHECK(Attack(0.3)("closes_everything_and_loops", true).outcome == Outcome::timed_out);
    CHECK(processes_left() == 0);
    check_ends("sends_nothing", Outcome::bad_reply, prefix + "a message that isn't a reply");
    check_ends("writes_garbage", Outcome::bad_reply, prefix + "a message that isn't a reply");
    check_ends("replies_early", Outcome::bad_reply,
               prefix + "a reply to no request of ours (its sequence number is wrong)");
    check_works("closes_the_pipe");
}

TEST_CASE("shared memory can be neither resized nor, where it is the input, written") {
    Attack attack;
    const CallResult resized = attack("resizes_the_output");
    REQUIRE(resized.outcome == Outcome::returned);
    const std::vector<float> sizes = elements(resized.results.at(0));
    CHECK(sizes[0] == EPERM);
    CHECK(sizes[1] == EPERM);
    const CallResult written = attack("writes_the_input");
    REQUIRE(written.outcome == Outcome::returned);
    const std::vector<float> errors = elements(written.results.at(0));
    CHECK(errors[0] == EBADF);
    CHECK(errors[1] == EACCES);
    CHECK(errors[2] == EPERM);
    CHECK(errors[3] == EPERM);
}

TEST_CASE("results that are written after the reply come too late") {
    Attack attack;
    const CallResult reply = attack("writes_results_late");
    ::usleep(300'000);
    REQUIRE(reply.outcome == Outcome::returned);
    for (const float value : elements(reply.results.at(0))) CHECK(std::isnan(value));
    CHECK(elements(attack("correct").results.at(0)) == twice);
}
