// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>

#include <fcntl.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include "support/folder.hpp"
#include "support/process.hpp"

using namespace course;
using Ending = ProcessResult::Ending;

namespace {

ProcessResult shell(const std::string& script, double seconds = 30) {
    Command command;
    command.arguments = {"/bin/sh", "-c", script};
    command.environment = {"PATH=/usr/bin:/bin", "GREETING=hello"};
    command.seconds = seconds;
    return run_process(command);
}

bool alive(const std::string& pid) { return ::kill(std::stoi(pid), 0) == 0; }

}  // namespace

TEST_CASE("a command's output and exit code are returned") {
    const ProcessResult result = shell("echo out; echo $GREETING $HOME >&2; exit 3");
    CHECK(result.ending == Ending::exited);
    CHECK(result.code == 3);
    CHECK(result.output == "out\nhello\n");
    CHECK_FALSE(result.succeeded());
    CHECK(shell("true").succeeded());
}

TEST_CASE("a command that dies of a signal is told from one that exits") {
    const ProcessResult result = shell("kill -SEGV $$");
    CHECK(result.ending == Ending::signalled);
    CHECK(result.code == SIGSEGV);
}

TEST_CASE("a command that can't be started says why") {
    Command command;
    command.arguments = {"/nowhere/program"};
    CHECK(run_process(command).ending == Ending::not_started);
    CHECK(run_process(command).code == ENOENT);
    command.arguments = {"/etc/passwd"};
    CHECK(run_process(command).code == EACCES);
    command.arguments = {"/bin/true"};
    command.folder = "/nowhere";
    CHECK(run_process(command).code == ENOENT);
}

TEST_CASE("a command has its own three descriptors and no other, and not what this program passes on by mistake") {
    const int left_open = ::open("/dev/null", O_RDONLY);
    const ProcessResult result = shell("ls /proc/self/fd | wc -l; readlink /proc/self/fd/0");
    ::close(left_open);
    CHECK(result.output == "4\n/dev/null\n");   // ls has the folder open as well
}

TEST_CASE("this program's environment with other values, and without some variables") {
    ::setenv("COURSE_TEST_A", "1", 1);
    ::setenv("COURSE_TEST_B", "2", 1);
    const std::vector<std::string> own = own_environment({"COURSE_TEST_A=3", "COURSE_TEST_B="});
    ::unsetenv("COURSE_TEST_A");
    ::unsetenv("COURSE_TEST_B");
    CHECK(std::count(own.begin(), own.end(), "COURSE_TEST_A=3") == 1);
    CHECK(std::none_of(own.begin(), own.end(), [](const std::string& one) {
        return one == "COURSE_TEST_A=1" || one.starts_with("COURSE_TEST_B=");
    }));
    CHECK(own.size() == own_environment().size() + 1);
}

TEST_CASE("a command that takes too long is killed with all that it started") {
    const auto start = std::chrono::steady_clock::now();
    const ProcessResult result = shell("sleep 1000 & echo $!; wait", 0.3);
    CHECK(result.ending == Ending::timed_out);
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
    REQUIRE_FALSE(result.output.empty());
    for (int k = 0; k < 500 && alive(result.output); ++k) ::usleep(10'000);  // init reaps it
    CHECK_FALSE(alive(result.output));
}

TEST_CASE("what a command leaves running in its group ends with it") {
    const ProcessResult result = shell("sleep 1000 >/dev/null 2>&1 & echo $!");
    CHECK(result.succeeded());
    for (int k = 0; k < 500 && alive(result.output); ++k) ::usleep(10'000);
    CHECK_FALSE(alive(result.output));
}

TEST_CASE("output beyond the limit is thrown away, and the command goes on") {
    Command command;
    command.arguments = {"/bin/sh", "-c", "head -c 3000000 /dev/zero; exit 5"};
    command.environment = {"PATH=/usr/bin:/bin"};
    command.output_bytes = 1000;
    const ProcessResult result = run_process(command);
    CHECK(result.output.size() == 1000);
    CHECK(result.code == 5);
}

TEST_CASE("a command can't write a file beyond the limit") {
    const test::Folder folder;
    Command command;
    command.arguments = {"/bin/sh", "-c", "head -c 100000 /dev/zero > big"};
    command.environment = {"PATH=/usr/bin:/bin"};
    command.folder = folder.path();
    command.file_bytes = 4096;
    CHECK_FALSE(run_process(command).succeeded());
    CHECK(std::filesystem::file_size(folder / "big") == 4096);
}

TEST_CASE("a command gets signals as usual, whatever this program blocks or ignores") {
    sigset_t blocked, before;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    ::pthread_sigmask(SIG_BLOCK, &blocked, &before);
    const ProcessResult result = shell("kill -TERM $$; exit 0");
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    CHECK(result.ending == Ending::signalled);
    CHECK(result.code == SIGTERM);
}
