// SPDX-License-Identifier: MIT
#include "submissions/answer_choice.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "collect/collect.hpp"

namespace course {

void ProblemLines::add(const std::string& line) {
    if (std::find(lines_.begin(), lines_.end(), line) != lines_.end()) return;
    if (lines_.size() < most_)
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
        // A copy of the course has each exercise's stub: nobody handed that in.
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

}  // namespace course
