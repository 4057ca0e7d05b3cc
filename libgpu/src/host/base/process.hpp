// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace gpu::detail::host {

/// How a program ended and what it said.
struct ProcessResult {
    enum class End { exited, signalled, timed_out, not_started };
    End end = End::exited;
    int code = 0;        ///< exit status, signal, or errno
    std::string output;  ///< stdout and stderr together, at most 1 MiB
};

/// Runs a program and waits for it; no shell. Its environment is ours plus `environment` ("NAME=value"); after `limit`
/// its whole process group is killed.
ProcessResult run_process(const std::vector<std::string>& command, const std::vector<std::string>& environment,
                          std::chrono::milliseconds limit);

/// Where a program is: itself if it has a slash and can be executed, else on PATH; empty if nowhere.
std::string find_program(const std::string& name);

}  // namespace gpu::detail::host
