// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace gpucc {

/// What of the process's own memory an address is in, "on the stack", "of malloc() or new"; empty if it is
/// in none that can be told.
[[nodiscard]] std::string host_memory_kind(const void* address);

}  // namespace gpucc
