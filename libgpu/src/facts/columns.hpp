// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gpu/facts.hpp>

#include "../base.hpp"

// Counted work as columns of a table: those for one kernel each row, and those in the margin of a kernel's text.
namespace gpu::facts {

enum class Style { full, margin };

struct Column {
    std::string_view group, name;
    std::string_view meaning;                        ///< for the reader, below the table; empty: self-explanatory
    bool (*used)(const WorkCounts&);                 ///< false: nothing to show
    std::string (*value)(const WorkCounts&, Style);  ///< called only where used
    enum Where { everywhere, table, margin } where;
};

/// The columns for which at least one of these rows has a value.
std::vector<Column> columns_for(const std::vector<WorkCounts>& rows, Style style);

/// A row's value in a column; empty if there is none.
std::string cell(const Column& column, const WorkCounts& work, Style style);

/// "sectors: ...", one line each, for the columns that need it.
std::string legend(const std::vector<Column>& columns);

/// Rows of cells, aligned. The first `left` columns start at the left, the others end at the right.
class TextTable {
public:
    explicit TextTable(std::size_t left) : left_(left) {}

    /// `groups` are above `names`: each appears once, where it begins.
    void head(const std::vector<std::string_view>& groups, const std::vector<std::string_view>& names);
    void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

    /// One line each, all of equal length if `padded`, otherwise without trailing spaces.
    [[nodiscard]] std::vector<std::string> lines(bool padded) const;

private:
    std::size_t left_;
    std::vector<std::string> groups_;
    std::vector<std::vector<std::string>> rows_;
};

// Numbers for people. Independent of the program's locale.

using detail::thousands;

/// "12", "65,536", "1.05 M": at most seven characters up to 10^14.
std::string short_number(std::uint64_t number);

/// "12 B", "4.0 KiB".
std::string bytes(std::uint64_t number);

/// "12.5": a / b with one digit after the point; "" if b is 0.
std::string ratio(std::uint64_t a, std::uint64_t b);

/// "13%": rounded, at most 100; but neither 0% nor 100% unless it is exactly that. "" if b is 0.
std::string percent(std::uint64_t a, std::uint64_t b);

/// "1 launch", "2,000 launches".
std::string counted(std::uint64_t number, std::string_view one, std::string_view more);

}  // namespace gpu::facts
