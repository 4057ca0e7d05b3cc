// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace course {

/// Text of an untrusted program made fit to print: valid UTF-8 (else U+FFFD), no control characters but \n and \t, no
/// characters that turn the direction of writing, no more than so many bytes and lines ("..." marks what was cut).
std::string plain_text(std::string_view text, std::size_t max_bytes, std::size_t max_lines);

/// The same of a name, on one line: it can't look like lines of ours.
std::string plain_line(std::string_view text);

/// Without the white space around it.
std::string_view trimmed(std::string_view text);

/// The parts of a text, each ended by this character; the last one may do without.
std::vector<std::string> split(std::string_view text, char end);

template <class Names = std::initializer_list<std::string_view>>
bool is_one_of(std::string_view name, const Names& names) {
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

}  // namespace course
