// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "codegen/kernel_scopes.hpp"
#include "codegen/kernel_text.hpp"
#include "host/check/raw_finding.hpp"

// What a kernel's text tells of a finding whose lines are known.
namespace gpu::detail::host {

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

}  // namespace gpu::detail::host
