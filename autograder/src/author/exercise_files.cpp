// SPDX-License-Identifier: MIT
#include "author/exercise_files.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "collect/collect.hpp"
#include "support/text.hpp"

namespace course {

namespace {

constexpr std::ptrdiff_t max_page_lines = 64;

/// The lines outside the student's parts, with the marks; none if the marks aren't in pairs.
std::optional<std::vector<std::string>> frame_of(const std::string& text, Frame frame) {
    std::vector<std::string> lines;
    bool inside = false, has_marks = false;
    for (std::string& line : split(text, '\n')) {
        const bool begins = line.find(part_mark) != line.npos, ends = line.find(part_end_mark) != line.npos;
        if ((begins && inside) || (ends && !inside)) return std::nullopt;
        const bool is_second_blank = line.empty() && !lines.empty() && lines.back().empty();
        const bool left_out =
            frame == Frame::includes_differ && (line.starts_with("#include <") || is_second_blank);
        if ((begins || ends || !inside) && !left_out) lines.push_back(std::move(line));
        inside = begins || (inside && !ends);
        has_marks = has_marks || begins;
    }
    if (inside) return std::nullopt;
    return has_marks ? lines : std::vector<std::string>();
}

}  // namespace

std::string fault_of_frame(const std::string& stub, const std::string& text, Frame frame) {
    const auto wanted = frame_of(stub, frame), got = frame_of(text, frame);
    if (!got) return fmt::format("expected pairs of \"{}\" and \"{}\"", part_mark, part_end_mark);
    if (!wanted || *wanted == *got) return "";
    const auto [want, has] = std::mismatch(wanted->begin(), wanted->end(), got->begin(), got->end());
    return fmt::format("differs from the stub outside the student's part: {}; the stub has {}",
                       has == got->end() ? "it ends" : "\"" + *has + "\"",
                       want == wanted->end() ? "no more" : "\"" + *want + "\"");
}

std::string fault_of_page(const std::string& text, const std::string& folder) {
    if (std::count(text.begin(), text.end(), '\n') > max_page_lines)
        return fmt::format("has more than {} lines; a task fits on a page", max_page_lines);
    const std::string where = fmt::format("puts your files into `work/{}/", folder);
    return text.find(where) == text.npos ? fmt::format("doesn't say where to edit: {}`", where) : "";
}

}  // namespace course
