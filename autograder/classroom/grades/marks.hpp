// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace course {

/// What an instructor says of a student's exercise, or of one of its tasks: points, a comment, or both. It is the
/// student's and not a result's, so a new result leaves it as it is.
struct Mark {
    std::string student, task = {};  ///< task empty: the whole exercise
    int exercise = 0;
    std::optional<double> points = {};  ///< none: the grader's stay
    double of = 0;                      ///< that were possible when the points were given
    std::string comment = {}, by = {}, when = {};
    std::string submission = {}, digest = {};  ///< the answer that was looked at; empty: there was none

    /// The points where so many are possible now: class.toml may weigh the exercise in another way since. Pure.
    [[nodiscard]] double points_of(double possible) const;
};

inline constexpr std::size_t max_comment_bytes = 4000, max_comment_lines = 100;

/// The text of marks.json. Nothing is guessed: a field that is missing, unknown, of another type or out of range is an
/// error. Pure. @throws std::runtime_error with the student and the field.
std::vector<Mark> read_marks_json(std::string_view text);

/// RESULTS/marks.json; none if there is no such file. @throws UsageError if it can't be read: without it points would
/// be wrong.
std::vector<Mark> read_marks(const std::filesystem::path& folder);

/// Changes RESULTS/marks.json so that a reader sees the old file or the new one, and two instructors at once lose
/// nothing. `change` gets the marks as they are. @throws FileError; what read_marks does; what `change` does.
void change_marks(const std::filesystem::path& folder, const std::function<void(std::vector<Mark>&)>& change);

}  // namespace course
