// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace course {

/// A student's progress with one exercise.
struct ExerciseProgress {
    bool passed = false;
    int hints_used = 0;
    int attempts = 0;                ///< verdicts of begun answers
    int points = 0;                  ///< the maximum that an answer has earned
    std::string first_pass = {};     ///< "2026-11-23T01:02:03Z"; empty: not passed, or unknown
    std::string last_verdict = {};   ///< "over budget"; empty: none yet
    std::string last_answer = {};    ///< the digest of the answer that got it
    std::set<std::string> stars = {};   ///< bonus tasks that an answer passed
    std::map<std::string, std::string> before = {};   ///< a task's cost in the last right answer that was over a budget
    std::map<int, int> met = {};     ///< misconceptions that verdicts named, and how often
    std::map<int, std::string> met_on = {};   ///< the day of the last time: "2026-11-30"
    std::vector<std::string> unknown = {};  ///< words KEY=VALUE from a newer kit
};

/// Merges two records: nothing that one of them has reached is lost. Idempotent. Pure.
ExerciseProgress merged(ExerciseProgress a, const ExerciseProgress& b);

/// The contents of a progress file.
struct ProgressText {
    using Records = std::map<std::string, ExerciseProgress>;
    Records records;                    ///< by exercise name
    std::vector<std::string> unknown;   ///< lines that this kit doesn't understand, preserved
};

/// Writes and parses the file's text: lines that can't be parsed are kept as `unknown`, comments are not. Pure.
std::string progress_text(const ProgressText& progress);
ProgressText parse_progress(const std::string& text);

/// The student's progress: a small text file, which may be deleted, edited or only partly understood.
class Progress {
public:
    using Records = ProgressText::Records;

    /// @param work the course's folder work/. Next to it is exercises/, which records renamed exercises.
    explicit Progress(const std::filesystem::path& work);

    /// The file's records, under the exercises' current names; empty if it can't be read.
    [[nodiscard]] Records read() const;
    /// The same with the lines that weren't understood; a missing file is an empty one. @throws FileError
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

/// The student who hands in.
struct Student {
    std::string name, id;
};

/// Why this can't be a name or an ID; empty if it can. `what` is "name" or "ID". Pure.
std::string why_not_a_name(const std::string& text, const std::string& what);

/// The name and ID given before, from a file in work/; empty if there are none.
Student read_student(const std::filesystem::path& file);
/// @throws FileError
void write_student(const std::filesystem::path& file, const Student& student);

}  // namespace course
