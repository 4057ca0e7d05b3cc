// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string>

#include "support/folder.hpp"
#include "support/patch.hpp"

namespace test {

/// A planted answer's patch that replaces all of a file, whose lines all have an end.
inline std::string patch(const std::string& head, const std::string& file, const std::string& before,
                         const std::string& after) {
    std::string text = head + "\n--- a/" + file + "\n+++ b/" + file + "\n";
    const auto range = [](const std::string& lines) {
        return "1," + std::to_string(std::count(lines.begin(), lines.end(), '\n'));
    };
    text += "@@ -" + range(before) + " +" + range(after) + " @@\n";
    const auto add = [&](char kind, const std::string& lines) {
        for (std::size_t at = 0, end = 0; at < lines.size(); at = end) {
            end = lines.find('\n', at) + 1;
            text += kind + lines.substr(at, end - at);
        }
    };
    add('-', before);
    add('+', after);
    return text;
}

/// What `planted`, "wrong/thrice", makes of a file of the course's exercise.
inline std::string planted_file(const std::filesystem::path& course, const std::string& exercise,
                                const std::string& planted, const std::string& file) {
    const std::string solution = read(course / "solutions" / exercise / file);
    const auto patch = course::read_patch(read(course / "exercises" / exercise / (planted + ".patch")), planted);
    const course::FilePatch* const change = patch.find(file);
    return change == nullptr ? solution : course::apply_patch(patch, *change, solution);
}

}  // namespace test
