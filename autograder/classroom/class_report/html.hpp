// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/text.hpp"

namespace course {

/// A self-contained page, whose policy only allows its own style and script, by their hashes.
struct HtmlPage {
    std::string title;   ///< escaped here
    std::string body;    ///< HTML
    std::string script;  ///< empty: none
    std::string style = {};   ///< in addition to that of all pages
};
std::string html_page(const HtmlPage& page);

/// A table row: the first cell is its header.
struct HtmlRow {
    std::string head;                ///< HTML
    std::vector<std::string> cells;  ///< HTML
};

/// A table that can be scrolled with the keyboard if it is wider than the page.
/// @param caption plain text, which is escaped
std::string html_table(const std::string& caption, const std::vector<std::string>& columns,
                       const std::vector<HtmlRow>& rows);

}  // namespace course
