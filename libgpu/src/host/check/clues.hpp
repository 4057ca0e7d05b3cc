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

// What a kernel's text tells of a finding whose lines are known.

/// Where a function of the text is called, if it isn't the kernel itself.
struct CallPlace {
    std::string function;  ///< "block_reduce"
    int line = 0;
    WayTo way{};
    /// "block_reduce, which reduce.cu:31 calls".
    [[nodiscard]] std::string text(const Snippet& snippet) const {
        return function + ", which " + snippet.file + ':' + std::to_string(line + snippet.line - 1) + " calls";
    }
};

/// The call in `kernel` that leads to this line of the text, counted from 1; of several calls the one that not all
/// threads may make, if there is one. None if the line stands in the kernel, or if the text doesn't tell.
std::optional<CallPlace> call_leading_to(const std::vector<Token>& tokens, int line, const std::string& kernel);

/// True if the line, counted from 1, stands in a loop's condition, as where a thread waits for a flag.
bool is_waiting(const std::vector<Token>& tokens, int line);

/// Fills in a race's cure, as far as the text tells: see RawFinding. `first_line` is the number of the text's first.
/// `has_warps`: the block has several, so that a barrier for all of it may be what is missing.
void add_race_clues(RawFinding& race, const std::vector<Token>& tokens, int first_line, bool has_warps);

/// Advises on an access past the end of a global array by the tests in the kernel's text that it passed: a guard that
/// is there isn't to be put there. `first_line` is the number of the text's first.
void add_guard_clue(RawFinding& outside, const std::vector<Token>& tokens, int first_line, const std::string& kernel);

/// Says which element of which array an address is that belongs to none, where the line names one array alone, and
/// whether the index looks like an int that ran over.
void add_far_clue(RawFinding& outside, const std::vector<Token>& tokens, int first_line);

/// An access outside of an array, with what is known of its launch.
struct OutsideAccess {
    std::int64_t index = 0, length = 0;    ///< of the access, and of the array: elements
    std::int64_t x = 0, y = 0;             ///< the thread's place in the grid
    std::int64_t width = 0, height = 0;    ///< of the grid, in threads
    std::vector<std::pair<std::int64_t, std::int64_t>> shapes = {};  ///< rows and columns that the array may have
    std::string array = {};
    bool is_flat = true;                   ///< the grid has no third axis
};

/// True if a guard on the thread's place in the grid wouldn't leave this access out.
bool has_own_element(const OutsideAccess& access);

/// What looks wrong with the index or the launch, as advice; empty: nothing that the numbers tell.
std::string likely_mistake(const OutsideAccess& access);

/// Advice for two threads with one element, if one of them is beside the matrix, in the next row; else empty.
std::string beside_matrix(const OutsideAccess& one, const OutsideAccess& other);

}  // namespace gpu::detail::host
