// SPDX-License-Identifier: MIT
#include "batch/grade_key.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "kit/machine.hpp"
#include "report/result_json.hpp"
#include "support/digest.hpp"
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

std::string why_graded(const std::string& old_key, const GradeKey& key) {
    if (old_key.empty()) return "new";
    std::vector<std::string> old;
    for (std::size_t from = 0, to; from <= old_key.size(); from = to + 1) {
        to = std::min(old_key.find('.', from), old_key.size());
        old.push_back(old_key.substr(from, to - from));
    }
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
