// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/text.hpp"

namespace course {

/// A page that needs no other file, and whose policy allows its own style and script and nothing else, by their hashes.
struct HtmlPage {
    std::string title;   ///< escaped here
    std::string body;    ///< HTML
    std::string script;  ///< empty: none
    std::string style = {};   ///< of its own, besides that of all pages
};
std::string html_page(const HtmlPage& page);

/// A row of a table: its first cell names the row.
struct HtmlRow {
    std::string head;                ///< HTML
    std::vector<std::string> cells;  ///< HTML
};

/// A table that can be scrolled with the keyboard where it is wider than the page.
/// @param caption escaped, and without elements
std::string html_table(const std::string& caption, const std::vector<std::string>& columns,
                       const std::vector<HtmlRow>& rows);

}  // namespace course
