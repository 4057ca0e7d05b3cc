// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace gpucc {

/// The command that runs a program in gdb, with libgpu's commands for kernels, which lie in `commands`. gdb stops at
/// the
/// first mistake that check mode finds, and at `at` if that isn't empty. Sets what kernels need in the environment.
/// @throws std::runtime_error if there is no gdb that can
[[nodiscard]] std::vector<std::string> debug_command(const std::vector<std::string>& program, const std::string& at,
                                                     const std::string& commands);

}  // namespace gpucc
