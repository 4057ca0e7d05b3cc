// SPDX-License-Identifier: MIT
#include "support/warning_lines.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace course {

std::vector<std::string> warning_lines(const std::vector<WarningOn>& warnings) {
    constexpr std::size_t max_names = 40;
    std::map<std::string, std::vector<const WarningOn*>> by_text;
    std::vector<const std::string*> order;
    for (const WarningOn& one : warnings) {
        const auto [at, is_new] = by_text.try_emplace(one.what);
        if (is_new) order.push_back(&at->first);
        at->second.push_back(&one);
    }
    std::vector<std::string> lines;
    for (const std::string* const what : order) {
        const std::vector<const WarningOn*>& all = by_text.at(*what);
        std::vector<std::string> names;
        for (const WarningOn* const one : all)
            if (!one->who.empty() && std::find(names.begin(), names.end(), one->who) == names.end())
                names.push_back(one->who);
        if (names.empty()) {
            lines.push_back(*what);
        } else if (names.size() == 1) {
            lines.push_back(names[0] + all.front()->between + *what);
        } else {
            const std::size_t count = names.size(), more = count - std::min(count, max_names);
            names.resize(count - more);
            lines.push_back(fmt::format("{} ({}: {}{})", *what, count, fmt::join(names, ", "),
                                        more > 0 ? fmt::format(", and {} more", more) : ""));
        }
    }
    return lines;
}

}  // namespace course
