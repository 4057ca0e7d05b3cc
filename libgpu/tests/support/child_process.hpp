// SPDX-License-Identifier: MIT
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

/// What a program printed (on stdout and stderr), and how it ended.
struct ChildResult {
    int exit_code = -1;  ///< -1: a signal ended it
    std::string output;
};

/// Runs a program with more environment variables than this one has.
inline ChildResult run_child(const std::vector<std::string>& command,
                             const std::vector<std::pair<std::string, std::string>>& environment) {
    ChildResult result;
    int ends[2];
    if (::pipe(ends) != 0) return result;
    const pid_t child = ::fork();
    if (child == 0) {
        for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
        ::dup2(ends[1], 1);
        ::dup2(ends[1], 2);
        ::close(ends[0]);
        std::vector<char*> arguments;
        for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
        arguments.push_back(nullptr);
        ::execv(arguments.front(), arguments.data());
        ::_exit(127);
    }
    ::close(ends[1]);
    char buffer[4096];
    for (ssize_t got = 0; (got = ::read(ends[0], buffer, sizeof buffer)) > 0;)
        result.output.append(buffer, static_cast<std::size_t>(got));
    ::close(ends[0]);
    int status = 0;
    if (child > 0 && ::waitpid(child, &status, 0) == child && WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
    return result;
}

/// Runs one test case of this program, which is marked doctest::skip(), in a process of its own.
inline ChildResult run_test_case(const std::string& name,
                                 const std::vector<std::pair<std::string, std::string>>& environment) {
    return run_child({"/proc/self/exe", "--no-skip", "--test-case=" + name}, environment);
}
