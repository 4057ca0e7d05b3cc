// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codegen/kernel_text.hpp"
#include "codegen/kernel_tokens.hpp"
#include "host/check/raw_finding.hpp"

namespace gpu::detail::host {

// What a kernel's text reveals about a finding whose lines are known.

/// The place where a function of the text is called, if it isn't the kernel itself.
struct CallPlace {
    std::string function;  ///< "block_reduce"
    int line = 0;
    WayTo way{};
    /// "block_reduce, which reduce.cu:31 calls".
    [[nodiscard]] std::string text(const SourceText& snippet) const {
        return function + ", which " + snippet.file + ':' + std::to_string(line + snippet.line - 1) + " calls";
    }
};

/// The call in `kernel` that leads to this line of the text, counted from 1; among several, one that not all threads
/// make, if there is one. None if the line is in the kernel, or if the text doesn't show it.
std::optional<CallPlace> call_leading_to(const std::vector<Token>& tokens, int line, const std::string& kernel);

/// True if the line, counted from 1, is in a loop's condition, as where a thread waits for a flag.
bool is_waiting(const std::vector<Token>& tokens, int line);

/// Fills in a race's cure as far as the text reveals it: see RawFinding. `first_line` is the number of the text's first
/// line. `has_warps`: the block has several, so a barrier for all of it may be missing.
void add_race_clues(RawFinding& race, const std::vector<Token>& tokens, int first_line, bool has_warps);

/// Advises on an access past the end of a global array by the tests in the kernel's text that it passed: an existing
/// guard needn't be added. `first_line` is the number of the text's first line.
void add_guard_clue(RawFinding& outside, const std::vector<Token>& tokens, int first_line, const std::string& kernel);

/// Says which element of which array an address outside all arrays would be, if the line names only one array, and
/// whether the index looks like an overflowed int.
void add_far_clue(RawFinding& outside, const std::vector<Token>& tokens, int first_line);

/// An access outside an array, with the known facts of its launch.
struct OutsideAccess {
    std::int64_t index = 0, length = 0;    ///< in elements: of the access, and of the array
    std::int64_t x = 0, y = 0;             ///< the thread's position in the grid
    std::int64_t width = 0, height = 0;    ///< of the grid, in threads
    std::vector<std::pair<std::int64_t, std::int64_t>> shapes = {};  ///< rows and columns that the array may have
    std::string array = {};
    bool is_flat = true;                   ///< the grid has no third axis
};

/// True if a guard on the thread's position in the grid wouldn't exclude this access.
bool has_own_element(const OutsideAccess& access);

/// What looks wrong with the index or the launch, as advice; empty if the numbers don't show it.
std::string likely_mistake(const OutsideAccess& access);

/// Advice for two threads with one element, if one of them is beside the matrix, in the next row; otherwise empty.
std::string beside_matrix(const OutsideAccess& one, const OutsideAccess& other);

}  // namespace gpu::detail::host
