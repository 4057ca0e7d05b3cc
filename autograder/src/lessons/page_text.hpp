// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "support/text.hpp"

namespace course {

/// A Markdown page as plain text for a terminal: paragraphs and lists wrapped, tables in columns, or where a row is too
/// long as an entry with its text below; links without their targets.
/// @param section a heading: only what stands below it; empty: the whole page
/// @return empty if there is no such heading
std::string page_text(std::string_view page, std::string_view section = {}, std::size_t columns = text_columns(96));

}  // namespace course
