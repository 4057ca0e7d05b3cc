// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace course {

/// A program to run to its end: a compiler, course-probe. Never a shell, never a student's code.
struct Command {
    std::vector<std::string> arguments;    ///< the program first: a path, or a name looked up in PATH
    std::vector<std::string> environment;  ///< all of it: "PATH=/usr/bin", ...
    std::filesystem::path folder;          ///< where it runs
    double seconds = 60;
    double cpu_seconds = 0;                                ///< of each of its processes; 0: as `seconds`
    std::size_t output_bytes = std::size_t{1} << 18;       ///< the rest of its output is thrown away
    std::size_t file_bytes = std::size_t{1} << 28;         ///< the largest file that it may write; 0: no limit
    std::size_t memory_bytes = 0;                          ///< address space of each of its processes; 0: no limit
    std::function<void(std::string_view)> on_output = {};  ///< gets what is printed as it comes, too
    /// Called in the new process before the program starts, where async-signal-safe calls alone are allowed; false,
    /// with errno set, if it must not be started.
    std::function<bool()> before_start = {};
    bool by_line = false;  ///< its output is a terminal, so that each line comes when it's printed
};

struct ProcessResult {
    enum class Ending { exited, signalled, timed_out, not_started };
    Ending ending = Ending::exited;
    int code = 0;        ///< exit code, signal, or errno of what could not be started
    std::string output;  ///< stdout and stderr together
    [[nodiscard]] bool succeeded() const { return ending == Ending::exited && code == 0; }
};

/// The environment of this program, for a Command.
std::vector<std::string> own_environment();

/// Runs the command and waits for it. It and all that it starts is killed after `seconds`, and when this program dies.
ProcessResult run_process(const Command& command);

}  // namespace course
