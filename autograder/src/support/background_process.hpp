// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "support/cleanup.hpp"

namespace course {

/// A program that works while this one goes on: same output, no input, a process group of its own. At the end of the
/// scope, and at a signal that ends this program, it gets SIGHUP and is waited for; if this program dies otherwise,
/// SIGTERM.
class BackgroundProcess {
public:
    /// @param arguments the program's path first
    /// @throws std::system_error if it can't be started
    explicit BackgroundProcess(std::vector<std::string> arguments);
    ~BackgroundProcess();
    BackgroundProcess(const BackgroundProcess&) = delete;
    BackgroundProcess& operator=(const BackgroundProcess&) = delete;

    /// The exit code, or 128 + the signal, once it has ended.
    [[nodiscard]] std::optional<int> ended();

private:
    std::optional<int> code_;
    pid_t process_;
    AtSignal at_signal_;
};

}  // namespace course
