// SPDX-License-Identifier: MIT
#include "classroom/submissions/answer_choice.hpp"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "classroom/submissions/formats/names.hpp"
#include "classroom/submissions/take_in.hpp"
#include "collect/collect.hpp"
#include "manifest/names.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace course {

void ProblemLines::add(const std::string& line) {
    if (std::find(lines_.begin(), lines_.end(), line) != lines_.end()) return;
    if (lines_.size() < max_lines_)
        lines_.push_back(line);
    else
        ++left_out_;
}

std::string ProblemLines::text() const {
    constexpr std::size_t max_lines = 3;
    const std::size_t count = std::min(lines_.size(), max_lines);
    return fmt::format("{}{}", fmt::join(lines_.begin(), lines_.begin() + static_cast<std::ptrdiff_t>(count), "; "),
                       count < lines_.size() ? "; ..." : "");
}

std::vector<std::string> ProblemLines::take() {
    if (left_out_ > 0) lines_.push_back(fmt::format("and {} more of such lines", left_out_));
    left_out_ = 0;
    return std::exchange(lines_, {});
}

void AnswerChoice::add(const AnswerPlace& place, const std::string& folder, const std::string& shown, std::string bytes,
                       UploadOrder order) {
    const std::string& name = places_.exercises()[place.exercise].edit[place.file];
    Folder& here = found_[place.exercise]
                       .try_emplace(folder, Folder{.rank = place.rank, .order = order, .shown = folder, .files = {}})
                       .first->second;
    here.order = std::max(here.order, order);
    Held held{.file = {.name = name, .bytes = std::move(bytes), .shown = shown},
              .exact = place.exact,
              .order = order,
              .copy = place.copy};
    const auto [there, is_new] = here.files.try_emplace(place.file, held);
    if (is_new) return;
    Held& old = there->second;
    const auto time_of = [](const Held& one) { return std::tie(one.order, one.copy); };
    const bool by_capitals = time_of(old) == time_of(held) && old.exact != held.exact;
    const bool better = by_capitals ? held.exact : time_of(held) >= time_of(old);
    const Held& kept = better ? held : old;
    if (old.file.shown == shown)
        problems_.add(fmt::format("{} is there twice; the later one was taken", shown));
    else if (by_capitals)
        problems_.add(
            fmt::format("{} and {} differ in capitals only; {} was taken", old.file.shown, shown, kept.file.shown));
    else if (old.file.bytes != held.file.bytes)
        problems_.add(fmt::format("{} and {} are both {}; {} was taken", old.file.shown, shown, name, kept.file.shown));
    if (better) old = std::move(held);
}

bool AnswerChoice::is_stub(const KnownExercise& exercise, const Folder& folder) const {
    return std::all_of(folder.files.begin(), folder.files.end(), [&](const auto& one) {
        return one.first < exercise.stubs.size() &&
               same_but_for_space(one.second.file.bytes, exercise.stubs[one.first]);
    });
}

bool AnswerChoice::are_equal(const Folder& one, const Folder& other) {
    return std::equal(
        one.files.begin(), one.files.end(), other.files.begin(), other.files.end(),
        [](const auto& a, const auto& b) { return a.first == b.first && a.second.file.bytes == b.second.file.bytes; });
}

std::vector<TakenAnswer> AnswerChoice::choose() {
    std::vector<TakenAnswer> answers;
    for (auto& [index, folders] : found_) {
        const KnownExercise& exercise = places_.exercises()[index];
        // A copy of the course has each exercise's stub: that isn't a submission.
        const std::size_t stubs = std::erase_if(folders, [&](const auto& one) {
            return one.second.rank % 8 / 2 * 2 == AnswerPlaces::of_exercises && is_stub(exercise, one.second);
        });
        has_stubs_ = has_stubs_ || stubs > 0;
        if (folders.empty()) continue;
        auto best = folders.begin();
        for (auto other = folders.begin(); other != folders.end(); ++other)
            if (other->second.rank < best->second.rank ||
                (other->second.rank == best->second.rank && other->second.order >= best->second.order))
                best = other;
        for (const auto& [where, other] : folders)
            if (&other != &best->second && !are_equal(other, best->second)) {
                problems_.add(fmt::format("exercise {} is there in {} and in {}, with different files; {} was taken",
                                          exercise.number, other.shown.empty() ? "the submission itself" : other.shown,
                                          best->second.shown.empty() ? "the submission itself" : best->second.shown,
                                          best->second.shown.empty() ? "the latter" : best->second.shown));
                break;
            }
        TakenAnswer answer{.number = exercise.number, .folder = exercise.folder, .files = {}};
        std::vector<std::string> missing;
        for (std::size_t k = 0; k < exercise.edit.size(); ++k) {
            const auto file = best->second.files.find(k);
            if (file == best->second.files.end()) {
                missing.push_back(exercise.edit[k]);
                continue;
            }
            if (!file->second.exact)
                problems_.add(fmt::format("{} was taken as {}: the kit's names have small letters",
                                          file->second.file.shown, exercise.edit[k]));
            answer.files.push_back(std::move(file->second.file));
        }
        if (!missing.empty())
            problems_.add(fmt::format("exercise {} isn't whole: {} {} missing", exercise.number,
                                      fmt::join(missing, ", "), missing.size() == 1 ? "is" : "are"));
        answers.push_back(std::move(answer));
    }
    std::sort(answers.begin(), answers.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
    return answers;
}

namespace {

/// True for a folder of a course or a repository that has no answers.
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
    if (!may_hold(folder, max_around)) return std::nullopt;
    const auto exercise = folder.empty() ? by_folder_.end() : by_folder_.find(lower_ascii(folder.back()));
    if (exercise == by_folder_.end()) {
        // Bare files directly in a course's exercises/ belong to no answer.
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
    const std::string near = closest_match(lower_ascii(name), known);
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
