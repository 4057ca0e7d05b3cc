// SPDX-License-Identifier: MIT
#include "submissions/answer_places.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "manifest/folders.hpp"
#include "submissions/formats/names.hpp"
#include "submissions/intake.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace course {

namespace {

/// Folders of a course or a repository that hold no answers.
bool holds_no_answers(std::string_view folder) {
    static constexpr std::array<std::string_view, 8> names = {"solutions", "wrong",   "lazy",         "right",
                                                              "build",     "lessons", "node_modules", "__macosx"};
    const std::string low = lower_ascii(folder);
    return low.starts_with('.') || std::find(names.begin(), names.end(), low) != names.end();
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
    for (const NumberedCopy& name : possible_originals(path.back())) {
        const auto file = std::find_if(edit.begin(), edit.end(), [&](const std::string& one) {
            return lower_ascii(one) == lower_ascii(name.original);
        });
        if (file == edit.end()) continue;
        AnswerPlace place{.exercise = exercise->second,
                          .file = static_cast<std::size_t>(file - edit.begin()),
                          .rank = 2,
                          .exact = *file == name.original,
                          .copy = name.number};
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

std::optional<AnswerPlace> AnswerPlaces::find_bare(const std::string& bare_name) const {
    for (const NumberedCopy& name : possible_originals(bare_name)) {
        const auto found = by_name_.find(lower_ascii(name.original));
        if (found == by_name_.end()) continue;
        if (found->second.size() != 1) return std::nullopt;
        const auto [exercise, file] = found->second.front();
        return AnswerPlace{.exercise = exercise,
                           .file = file,
                           .rank = bare,
                           .exact = exercises_[exercise].edit[file] == name.original,
                           .copy = name.number};
    }
    return std::nullopt;
}

std::optional<std::size_t> AnswerPlaces::exercise_meant(const std::vector<std::string>& path) const {
    const std::string& name = path.back();
    const std::vector<std::string> folder(path.begin(), path.end() - 1);
    if (is_litter(name) || name.starts_with('.') || !may_hold(folder)) return std::nullopt;
    if (std::any_of(folder.begin(), folder.end(), [](const auto& one) { return lower_ascii(one) == "exercises"; }))
        return std::nullopt;  // a course's own files
    if (!folder.empty())
        if (const auto found = by_folder_.find(lower_ascii(folder.back())); found != by_folder_.end())
            return found->second;
    std::vector<std::string_view> known;
    for (const auto& [one, where] : by_name_)
        if (where.size() == 1) known.push_back(one);
    const std::string near = near_word(lower_ascii(name), known);
    return near.empty() ? std::nullopt : std::optional(by_name_.find(near)->second.front().first);
}

bool AnswerPlaces::is_file_name(const std::string& name) const {
    const std::vector<NumberedCopy> names = possible_originals(name);
    return std::any_of(exercises_.begin(), exercises_.end(), [&](const KnownExercise& exercise) {
        return std::any_of(exercise.edit.begin(), exercise.edit.end(), [&](const std::string& one) {
            return std::any_of(names.begin(), names.end(), [&](const NumberedCopy& copy) {
                return lower_ascii(copy.original) == lower_ascii(one);
            });
        });
    });
}

std::string AnswerPlaces::expected_names(const std::vector<std::size_t>& exercises) const {
    constexpr std::size_t max_names = 8;
    std::vector<std::string> names;
    const auto add = [&](const KnownExercise& one) { names.insert(names.end(), one.edit.begin(), one.edit.end()); };
    for (const std::size_t one : exercises) add(exercises_[one]);
    if (names.empty())
        for (const KnownExercise& one : exercises_)
            if (one.bare) add(one);
    if (names.size() <= max_names) return fmt::format("{}", fmt::join(names, ", "));
    const KnownExercise& first = exercises_[exercises.empty() ? 0 : exercises.front()];
    return fmt::format("an exercise's files, such as {} in {}/", fmt::join(first.edit, ", "), first.folder);
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
