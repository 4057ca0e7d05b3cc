// SPDX-License-Identifier: MIT
#include "child.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

extern char** environ;

namespace gallery {

ChildResult run_self(const std::vector<std::string>& arguments) {
    ChildResult result;
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return {false, std::strerror(errno), {}};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    std::vector<char*> argv{const_cast<char*>("gallery_test")};
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    pid_t child = -1;
    const int problem = ::posix_spawn(&child, "/proc/self/exe", &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    if (problem == 0) {
        char buffer[4096];
        ssize_t count = 0;
        while ((count = ::read(ends[0], buffer, sizeof buffer)) > 0 || (count < 0 && errno == EINTR))
            if (count > 0) result.output.append(buffer, static_cast<std::size_t>(count));
        int status = 0;
        while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
        result.ended_well = WIFEXITED(status) && WEXITSTATUS(status) == 0;
        result.ending = WIFEXITED(status) ? "exit code " + std::to_string(WEXITSTATUS(status))
                                          : "signal " + std::to_string(WTERMSIG(status));
    } else {
        result.ending = std::strerror(problem);
    }
    ::close(ends[0]);
    return result;
}

}  // namespace gallery
