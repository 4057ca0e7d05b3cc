// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace course {

/// Text of an untrusted program made fit to print: valid UTF-8 (else U+FFFD), no control characters but \n and \t, no
/// characters that turn the direction of writing, no more than so many bytes and lines ("..." marks what was cut).
std::string plain_text(std::string_view text, std::size_t max_bytes, std::size_t max_lines);

/// A name of any length, on one line of plain text.
std::string plain_name(std::string_view name);

}  // namespace course
