// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace course {

/// An instructor's points or comment, or both, for a student's exercise or one of its tasks. It belongs to the student
/// and not to a result, so a new result doesn't change it.
struct Mark {
    std::string student, task = {};  ///< task empty: the whole exercise
    int exercise = 0;
    std::optional<double> points = {};  ///< empty: the grader's points stay
    double of = 0;                      ///< the maximum when the points were given
    std::string comment = {}, by = {}, when = {};
    std::string submission = {}, digest = {};  ///< the answer that was marked; empty: there was none

    /// The points scaled to the present maximum: class.toml may have changed the exercise's weight since. Pure.
    [[nodiscard]] double points_of(double possible) const;
};

inline constexpr std::size_t max_comment_bytes = 4000, max_comment_lines = 100;

/// Parses the text of marks.json. Nothing is guessed: a field that is missing, unknown, of another type or out of range
/// is an error. Pure. @throws std::runtime_error with the student and the field.
std::vector<Mark> read_marks_json(std::string_view text);

/// Reads RESULTS/marks.json; empty if there is no such file. @throws UsageError if it can't be read: without it points
/// would be wrong.
std::vector<Mark> read_marks(const std::filesystem::path& folder);

/// Changes RESULTS/marks.json atomically, so that a reader sees the old file or the new one, and two instructors lose
/// nothing. `change` receives the current marks. @throws FileError; as read_marks and `change` do.
void change_marks(const std::filesystem::path& folder, const std::function<void(std::vector<Mark>&)>& change);

}  // namespace course
