// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace course {

/// A piece of a text, one line or more that end with newlines.
struct Part {
    std::string text;
    int rank = 0;   ///< 0: always shown; of the others those of the highest rank are left out first
};

/// The highest rank of which all parts fit, with those of lower rank: into `most` lines, each broken to `columns`. Pure.
int fitting_rank(std::span<const Part> parts, std::size_t most, std::size_t columns);

/// The parts that fit so, in their order. Pure.
std::string few_lines(std::span<const Part> parts, std::size_t most, std::size_t columns);

}  // namespace course
