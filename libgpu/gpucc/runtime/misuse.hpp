// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <gpu/check.hpp>

namespace gpucc {

/// Why a call of the API is refused although a program that is right wouldn't have made it.
struct Misuse {
    const char* kind;  ///< "wrong copy", "double free", ...: docs/plain-cuda.md lists them
    std::string why;
};

/// A misuse in check mode's form. Its kind isn't one of gpu::FindingKind, which are those of kernels and of memory.
struct FoundMisuse {
    const char* kind;
    gpu::Finding finding;
};

/// Adds one; what the same line does for the same reason is counted.
void note_misuse(std::vector<FoundMisuse>& found, const char* kind, gpu::Finding finding);

/// The report of a program's run as JSON: its own mistakes before those that check mode found, all in one list.
[[nodiscard]] std::string json_of(gpu::CheckReport report, const std::vector<FoundMisuse>& misuses, int exit_code);

}  // namespace gpucc
