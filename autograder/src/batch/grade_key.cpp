// SPDX-License-Identifier: MIT
#include "batch/grade_key.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "kit/machine.hpp"
#include "report/result_json.hpp"
#include "support/files.hpp"

namespace fs = std::filesystem;

namespace course {

std::string GradeKey::text() const { return fmt::format("{}.{}.{}.{}", answer, exercise, hidden, grader); }

std::string exercise_digest(const fs::path& exercise) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(exercise))
        if (entry.is_regular_file() && entry.path().extension() != ".md") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::string all;
    for (const fs::path& file : files) all += file.filename().string() + ' ' + digest(read_file(file)) + '\n';
    return digest(all).substr(0, 16);
}

std::string grader_digest() { return digest(fmt::format("{} {}", kit_version(), result_schema)).substr(0, 16); }

namespace {

std::vector<std::string> parts_of(const std::string& key) {
    std::vector<std::string> parts;
    for (std::size_t from = 0, to; from <= key.size(); from = to + 1) {
        to = std::min(key.find('.', from), key.size());
        parts.push_back(key.substr(from, to - from));
    }
    return parts;
}

}  // namespace

std::string hidden_of_key(const std::string& key) {
    const std::vector<std::string> parts = parts_of(key);
    return parts.size() == 4 ? parts[2] : "none";
}

std::string why_graded(const std::string& old_key, const GradeKey& key) {
    if (old_key.empty()) return "new";
    const std::vector<std::string> old = parts_of(old_key);
    const std::pair<const std::string*, const char*> parts[] = {{&key.answer, "answer changed"},
                                                                {&key.exercise, "exercise changed"},
                                                                {&key.hidden, "hidden cases changed"},
                                                                {&key.grader, "grader changed"}};
    if (old.size() != std::size(parts)) return "grader changed";
    for (std::size_t k = 0; k < old.size(); ++k)
        if (old[k] != *parts[k].first) return parts[k].second;
    return {};
}

}  // namespace course
