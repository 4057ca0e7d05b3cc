// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace course {

/// How many columns text may take on stdout: the terminal's, or `usual` where it has more or there is none.
std::size_t text_columns(std::size_t usual);

/// The columns of the terminal that stdout is; 0: it isn't one, or doesn't say.
std::size_t terminal_columns();

/// The text with each line that is longer than `columns` broken at a space, what follows below its own column. Lines of
/// code ("12 | int i;") stay as they are, and a word that is too long has a line of its own. Colours take no room.
/// Pure.
std::string fitted(std::string_view text, std::size_t columns);

/// Paragraphs filled to `columns` at most, each line behind the indent; lines of the text that are indented stay as
/// they are.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t columns = text_columns(96));

}  // namespace course
