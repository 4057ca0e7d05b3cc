// SPDX-License-Identifier: MIT
#include "manifest/read_tags.hpp"

#include <fmt/format.h>

namespace course {

namespace {

constexpr std::int64_t last_tag = 16;

int tag_at(const TomlTable& table, std::string_view key) {
    const std::int64_t tag = table.integer(key, 1);
    if (tag > last_tag)
        table.fail(key, fmt::format("\"{}\" is {}; expected the number of a misconception, 1 to {}", key, tag,
                                    last_tag));
    return static_cast<int>(tag);
}

}  // namespace

std::optional<int> read_tag(const TomlTable& table) {
    return table.has("tag") ? std::optional(tag_at(table, "tag")) : std::nullopt;
}

std::vector<Sign> read_signs(const TomlTable& table) {
    std::vector<Sign> signs;
    for (const std::string& says : table.keys()) {
        if (says.find_first_not_of(' ') == says.npos)
            table.fail_at_key(says, "\"\" is in every verdict; expected a few words that one may say");
        signs.push_back({says, tag_at(table, says)});
    }
    return signs;
}

}  // namespace course
