// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace course {

/// How far a student is with one exercise.
struct ExerciseProgress {
    bool passed = false;
    int hints_used = 0;
    int attempts = 0;                ///< verdicts of answers that had been started
    int points = 0;                  ///< the most that an answer has earned
    std::string first_pass = {};     ///< "2026-11-23T01:02:03Z"; empty: not passed, or not known when
    std::string last_verdict = {};   ///< "over budget"; empty: none yet
    std::string last_answer = {};    ///< the digest of the answer that got it
    std::set<std::string> stars = {};   ///< bonus tasks that an answer has passed
    std::map<std::string, std::string> before = {};   ///< what a task cost in the last right answer over a budget
    std::map<int, int> met = {};     ///< misconceptions that verdicts named, and how often
    std::vector<std::string> unknown = {};  ///< words KEY=VALUE of a newer kit
};

/// The two together: nothing that one of them has reached is lost. Merging twice is merging once. Pure.
ExerciseProgress merged(ExerciseProgress a, const ExerciseProgress& b);

/// What a progress file says.
struct ProgressText {
    using Records = std::map<std::string, ExerciseProgress>;
    Records records;                    ///< by exercise name
    std::vector<std::string> unknown;   ///< lines that this kit doesn't understand, kept as they are
};

/// The file's text, and the way back: lines that make no sense are kept as `unknown`, comments are not. Pure.
std::string progress_text(const ProgressText& progress);
ProgressText parse_progress(const std::string& text);

/// The student's progress: a small text file that may be deleted, edited or half understood.
class Progress {
public:
    using Records = ProgressText::Records;

    /// @param work the course's folder work/. Beside it lies exercises/, which knows what has been renamed.
    explicit Progress(const std::filesystem::path& work);

    /// What the file says, under the exercises' present names. One that can't be read is an empty one.
    [[nodiscard]] Records read() const;
    /// The same with what wasn't understood; a missing file is an empty one. @throws FileError
    [[nodiscard]] ProgressText read_all() const;
    [[nodiscard]] ExerciseProgress of(const std::string& name) const { return read()[name]; }

    /// Changes the text under a lock and replaces the file. @throws FileError
    void update_all(const std::function<void(ProgressText&)>& change) const;
    /// The same for one exercise's record.
    void update(const std::string& name, const std::function<void(ExerciseProgress&)>& change) const;

private:
    void use_present_names(ProgressText& progress) const;

    std::filesystem::path root_, file_, lock_;
};

/// Who hands in.
struct Student {
    std::string name, id;
};

/// Why this can't be a name or an ID: empty if it can. `what` is "name" or "ID". Pure.
std::string why_not_a_name(const std::string& text, const std::string& what);

/// What was said before, from a file in work/; empty where nothing usable is.
Student read_student(const std::filesystem::path& file);
/// @throws FileError
void write_student(const std::filesystem::path& file, const Student& student);

}  // namespace course
