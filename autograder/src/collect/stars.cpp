// SPDX-License-Identifier: MIT
#include "collect/stars.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <sstream>

#include "collect/answer_text.hpp"
#include "collect/collect.hpp"

namespace course {

namespace {

/// Calls `line` for each line of the text: with the task of the part in which it stands, or none.
void each_line(const std::string& text,
               const std::function<void(const std::string&, const std::optional<std::string>&, bool first)>& line) {
    std::istringstream lines(text);
    std::optional<std::string> star;
    for (std::string one; std::getline(lines, one);) {
        const std::optional<std::string> begins = star_named_by(one);
        if (begins) star = begins;
        line(one, star, begins.has_value());
        if (star && one.find(part_end_mark) != one.npos) star.reset();
    }
}

}  // namespace

std::optional<std::string> star_named_by(const std::string& line) {
    const std::size_t at = line.find(star_mark);
    if (at == line.npos) return std::nullopt;
    const std::string rest = line.substr(at + star_mark.size());
    std::string name = rest.substr(0, std::min(rest.find('('), rest.find("----")));
    std::erase(name, ' ');
    return name;
}

std::vector<std::string> starred_parts(const std::string& text, const std::string& id) {
    std::vector<std::string> parts;
    each_line(text, [&](const std::string& line, const std::optional<std::string>& star, bool first) {
        if (!star || (!star->empty() && *star != id)) return;
        if (first) parts.emplace_back();
        parts.back() += line + "\n";
    });
    return parts;
}

std::string without_starred_parts(const std::string& text) {
    std::string rest;
    each_line(text, [&](const std::string& line, const std::optional<std::string>& star, bool) {
        if (!star) rest += line + "\n";
    });
    return rest;
}

std::vector<std::string> stars_not_begun(const Manifest& manifest, const std::vector<FileAndStub>& files) {
    std::vector<std::string> not_begun;
    for (const Task& task : manifest.tasks) {
        if (!task.star) continue;
        std::size_t all = 0, same = 0;
        for (const FileAndStub& file : files) {
            const std::vector<std::string> own = starred_parts(file.text, task.id);
            const std::vector<std::string> stub = starred_parts(file.stub, task.id);
            all += std::max(own.size(), stub.size());
            for (std::size_t k = 0; k < std::min(own.size(), stub.size()); ++k)
                same += same_but_for_space(own[k], stub[k]) ? 1 : 0;
        }
        if (all > 0 && same == all) not_begun.push_back(task.id);
    }
    return not_begun;
}

}  // namespace course
