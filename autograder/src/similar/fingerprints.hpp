// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace course {

/// A token as answers are compared: names and layout are gone.
struct ComparedToken {
    std::uint64_t kind = 0;          ///< equal for all names, all numbers, all built-in types; else the token's own
    std::size_t begin = 0, end = 0;  ///< in the file's text
};

/// The tokens of a file without its comments, preprocessor lines, braces, `const` and the like. Keywords, signs and
/// CUDA's own names stay what they are. At most `max_answer_tokens`. Pure.
std::vector<ComparedToken> compared_tokens(const std::string& text);

inline constexpr std::size_t max_answer_tokens = 20'000;  ///< of a file; the kit's longest solution has about 1000

/// So many tokens in a row must be the same: about a line. Fewer are alike in any two loops.
inline constexpr std::size_t run_tokens = 16;

/// A hash of each run of `run_tokens`, by its first token; none if there are fewer tokens. Pure.
std::vector<std::uint64_t> run_hashes(const std::vector<ComparedToken>& tokens);

/// The fingerprints of a file: of each `window` runs that follow each other the one with the smallest hash, sorted,
/// each once. Two files with `run_tokens` + `window` - 1 tokens in common, in a row, have one in common (Schleimer,
/// Wilkerson, Aiken: Winnowing, SIGMOD 2003). Pure.
std::vector<std::uint64_t> winnowed(const std::vector<std::uint64_t>& runs);

inline constexpr std::size_t window = 8;

}  // namespace course
