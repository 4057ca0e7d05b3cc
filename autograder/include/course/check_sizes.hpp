// SPDX-License-Identifier: MIT
#pragma once

// Sizes that find mistakes. Part of check.hpp.

#include <cstdint>
#include <string>

namespace course::sizes {

/// Where index arithmetic goes wrong: nothing, one, around a warp, around a block, a prime, many blocks.
inline constexpr std::int64_t edges[] = {0, 1, 31, 32, 33, 255, 256, 257, 5003, 100'003};

/// The same without 0, for functions that have no answer for nothing.
inline constexpr std::int64_t not_empty[] = {1, 31, 32, 33, 255, 256, 257, 5003, 100'003};

struct Shape2 {
    std::int64_t rows, columns;
};
/// The same in two dimensions: `for (auto [rows, columns] : sizes::shapes)`.
inline constexpr Shape2 shapes[] = {{1, 1}, {1, 33}, {33, 1}, {4, 4}, {19, 67}, {64, 64}, {257, 100}};

/// "19 x 67": for next_case(), as cases of one matrix are named without it.
inline std::string text(std::int64_t rows, std::int64_t columns) {
    return std::to_string(rows) + " x " + std::to_string(columns);
}

}  // namespace course::sizes
