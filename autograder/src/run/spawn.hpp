// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

#include "run/session.hpp"
#include "sandbox/cgroup.hpp"
#include "sandbox/policy.hpp"

namespace course {

/// The runner's whole environment: fixed, but for PATH and the variables that tell libgpu and CUDA where things are.
std::vector<std::string> runner_environment(const SessionOptions& options);

/// All that the runner may touch: its own two folders, the student's files to read, the kit's libraries, the system's.
Policy runner_policy(const SessionOptions& options);

/// The runner's ends of what it shares with the grader.
struct RunnerDescriptors {
    int socket, input, output;   ///< become protocol::socket_fd, input_fd, output_fd
    int printed;                 ///< becomes its standard output and error
};

/// Starts the runner in a session of its own, with limits and under its policy, in options.scratch, with no other
/// descriptor than these, in the cgroup if there is one.
/// It is a noted process (support/cleanup.hpp): to be forgotten when it has been waited for.
/// @throws std::system_error that names the step that failed.
pid_t spawn_runner(const SessionOptions& options, const RunnerDescriptors& descriptors, const Cgroup* group);

}  // namespace course
