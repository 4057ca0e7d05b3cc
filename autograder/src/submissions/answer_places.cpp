// SPDX-License-Identifier: MIT
#include "submissions/answer_places.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "manifest/folders.hpp"
#include "submissions/intake.hpp"
#include "submissions/names.hpp"
#include "support/files.hpp"

namespace course {

namespace {

/// Folders of a course or a repository that hold no answers.
bool holds_no_answers(std::string_view folder) {
    static constexpr std::array<std::string_view, 8> names = {"solutions", "wrong",   "lazy",         "right",
                                                              "build",     "lessons", "node_modules", "__macosx"};
    const std::string low = lower_ascii(folder);
    return low.starts_with('.') || std::find(names.begin(), names.end(), low) != names.end();
}

/// "raw_add-2.cu" and "raw_add (2).cu" -> "raw_add.cu" and 2.
std::pair<std::string, int> without_copy_number(const std::string& name) {
    const std::size_t dot = name.rfind('.');
    if (dot == name.npos) return {name, 0};
    std::string_view stem = std::string_view(name).substr(0, dot);
    const bool in_brackets = stem.ends_with(')');
    if (in_brackets) stem.remove_suffix(1);
    std::size_t begin = stem.size();
    while (begin > 0 && stem[begin - 1] >= '0' && stem[begin - 1] <= '9') --begin;
    const std::string_view digits = stem.substr(begin);
    stem.remove_suffix(digits.size());
    const std::string_view mark = in_brackets ? " (" : "-";
    if (digits.empty() || digits.size() > 4 || stem.size() <= mark.size() || !stem.ends_with(mark)) return {name, 0};
    stem.remove_suffix(mark.size());
    return {std::string(stem) + name.substr(dot), std::stoi(std::string(digits))};
}

}  // namespace

AnswerPlaces::AnswerPlaces(std::vector<KnownExercise> exercises) : exercises_(std::move(exercises)) {
    for (std::size_t k = 0; k < exercises_.size(); ++k) {
        by_folder_.emplace(lower_ascii(exercises_[k].folder), k);
        for (std::size_t j = 0; exercises_[k].bare && j < exercises_[k].edit.size(); ++j)
            by_name_[lower_ascii(exercises_[k].edit[j])].emplace_back(k, j);
    }
}

bool AnswerPlaces::is_exercise(std::string_view folder) const { return by_folder_.contains(lower_ascii(folder)); }

bool AnswerPlaces::may_hold(const std::vector<std::string>& folder, std::size_t around) const {
    if (std::any_of(folder.begin(), folder.end(), holds_no_answers)) return false;
    if (folder.empty()) return true;
    std::size_t before = folder.size();
    if (is_exercise(folder.back())) --before;
    const bool course =
        before > 0 && (lower_ascii(folder[before - 1]) == "work" || lower_ascii(folder[before - 1]) == "exercises");
    return before - (course ? 1 : 0) <= around;
}

std::optional<AnswerPlace> AnswerPlaces::find(const std::vector<std::string>& path) const {
    if (path.empty() || is_litter(path.back())) return std::nullopt;
    const std::vector<std::string> folder(path.begin(), path.end() - 1);
    if (!may_hold(folder, most_around)) return std::nullopt;
    const std::string name = lower_ascii(path.back());
    const auto exercise = folder.empty() ? by_folder_.end() : by_folder_.find(lower_ascii(folder.back()));
    if (exercise == by_folder_.end()) {
        // Bare files of a whole course's folder are none of an answer's.
        if (!folder.empty() && lower_ascii(folder.back()) == "exercises") return std::nullopt;
        if (!may_hold(folder)) return std::nullopt;
        std::optional<AnswerPlace> place = find_bare(path.back());
        if (place && !folder.empty()) ++place->rank;
        return place;
    }
    const std::vector<std::string>& edit = exercises_[exercise->second].edit;
    for (std::size_t k = 0; k < edit.size(); ++k) {
        if (lower_ascii(edit[k]) != name) continue;
        AnswerPlace place{.exercise = exercise->second, .file = k, .rank = 2, .exact = edit[k] == path.back()};
        std::size_t before = folder.size() - 1;
        if (before > 0 && lower_ascii(folder[before - 1]) == "work")
            place.rank = 0, --before;
        else if (before > 0 && lower_ascii(folder[before - 1]) == "exercises")
            place.rank = of_exercises, --before;
        place.rank += static_cast<int>(before <= 1 ? before : 8 * (before - 1));
        return place;
    }
    return std::nullopt;
}

std::optional<AnswerPlace> AnswerPlaces::find_bare(const std::string& name) const {
    int copy = 0;
    auto found = by_name_.find(lower_ascii(name));
    std::string plain = name;
    if (found == by_name_.end()) {
        std::tie(plain, copy) = without_copy_number(name);
        found = by_name_.find(lower_ascii(plain));
    }
    if (found == by_name_.end() || found->second.size() != 1) return std::nullopt;
    const auto [exercise, file] = found->second.front();
    return AnswerPlace{.exercise = exercise,
                       .file = file,
                       .rank = bare,
                       .exact = exercises_[exercise].edit[file] == plain,
                       .copy = copy};
}

std::vector<KnownExercise> known_exercises(const std::filesystem::path& root, const std::vector<int>& bare,
                                           std::vector<std::string>& problems) {
    std::vector<KnownExercise> known;
    std::vector<int> missing = bare;
    for (const ExerciseFolder& folder : exercise_folders(root)) {
        std::erase(missing, folder.number);
        try {
            const Manifest manifest = read_manifest(folder.path);
            KnownExercise one{
                .number = folder.number, .folder = folder.path.filename().string(), .edit = manifest.edit};
            one.bare = bare.empty() || std::find(bare.begin(), bare.end(), folder.number) != bare.end();
            for (const std::string& name : manifest.edit) one.stubs.push_back(read_file(folder.path / name));
            known.push_back(std::move(one));
        } catch (const ManifestError& why) {
            problems.push_back(fmt::format("exercise {} isn't taken in: {}", folder.number, why.what()));
        }
    }
    if (!missing.empty())
        throw IntakeError(fmt::format("there is no exercise {} in {}", missing.front(), root.string()));
    return known;
}

}  // namespace course
