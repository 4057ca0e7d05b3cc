// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace programs {

/// A barrier in a kernel's text: `__syncthreads()`, `__syncwarp(mask)` or `group.sync()`.
struct Barrier {
    std::size_t begin = 0, end = 0;  ///< its characters, without the semicolon
    int line = 0;
};

/// The barriers in the order in which they are written. Those in comments don't count, nor do votes and shuffles.
[[nodiscard]] std::vector<Barrier> barriers_in(const std::string& text);

/// The text with a variable in constant memory, `int removed_barrier`: threads pass the barrier of this number, counted
/// from 1, without waiting. One compile is enough for all. Lines stay where they are.
[[nodiscard]] std::string with_removable_barriers(const std::string& text);

/// The text without its n-th barrier, counted from 1.
[[nodiscard]] std::string without_barrier(const std::string& text, std::size_t n);

}  // namespace programs
