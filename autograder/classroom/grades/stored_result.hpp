// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "classroom/grades/marks.hpp"
#include "classroom/submissions/take_in.hpp"

namespace course {

/// A finding of check mode in a kernel.
struct StoredFinding {
    std::string kind, file, what, advice;
    int line = 0, rule = 0;
};

/// A task's measured speed.
struct StoredSpeed {
    double speedup = 0, at_least = 0, copy_percent = 0, seconds = 0, bytes = 0;
    int pairs = 0;  ///< 0: it wasn't measured
    bool graded = false, implausible = false;
};

/// A task of a result.json, with what grades, exports and reports need.
struct StoredTask {
    std::string id, title, status, message;
    int points = 0, max_points = 0;
    bool star = false;
    std::vector<int> tags = {};
    std::vector<StoredFinding> found = {};
    std::optional<StoredSpeed> speed = {};
    std::string case_name = {}, case_text = {};  ///< the first case that isn't right, and why
    std::string budget_text = {};                ///< the first exceeded budget, and why
};

/// What is said of a task that isn't right: `message`, its budget and its case, without the lines that the message has
/// already. Pure.
std::vector<std::string> said_of(const StoredTask& task, const std::string& message);

/// A result.json.
struct StoredExercise {
    int number = 0;
    std::string exercise, title, status, message;
    int points = 0, max_points = 0, stars = 0;
    std::vector<StoredTask> tasks;
    std::string backend, device, compiler, kit_version, machine;
    std::vector<std::string> sandbox;
    double seconds = 0;
    /// Why a task isn't right: its own message, or the exercise's if the task has none, as when it doesn't compile.
    /// Contains text from the student's code: escape it.
    [[nodiscard]] const std::string& message_of(const StoredTask& task) const;
};

/// The outcome of a task's hidden cases, which the result's verdict and points already include.
struct StoredHidden {
    std::string id;            ///< the task
    std::string status;        ///< of the hidden cases
    std::string shown_status;  ///< of those that students have
    int passed = 0, total = 0;
};

/// A file in RESULTS/results/: the result of one answer.
struct StoredResult {
    std::string submission, folder, key;
    std::string grader_fault;  ///< why it couldn't be graded; not the student's fault
    std::string finished;
    std::string not_taken;                 ///< why the answer can't be taken, by the student's fault; empty: it can
    std::optional<StoredExercise> result;  ///< empty if the grader was at fault
    std::vector<StoredHidden> hidden;      ///< empty: no hidden cases ran
    [[nodiscard]] const StoredHidden* hidden_of(const StoredTask& task) const;
};

/// Replaces the verdict if the answer can't be taken: result.json has "environment" there, but the machine isn't the
/// cause.
inline constexpr const char* not_taken_status = "can't be taken";

/// True for a verdict that result.json can have.
bool is_verdict(std::string_view status);

/// Parses such a file strictly: a wrong type, a number out of range or an unknown verdict is an error; unknown keys are
/// ignored. @throws std::runtime_error that says which key isn't as expected.
StoredResult read_stored_result(std::string_view text);

/// The same for a result.json alone.
StoredExercise read_result_json(std::string_view text);

/// An instructor's decision on a verdict `review`. It only holds for the result with this key: a changed answer has
/// another key, and needs a new decision.
struct Confirmation {
    std::string student, submission, key, because, when;
    int exercise = 0;
    bool accepted = true;  ///< false: rejected, no points
};

/// The contents of RESULTS.
struct ClassResults {
    ClassIntake intake;
    std::map<std::pair<std::string, int>, StoredResult> results;  ///< by submission id and exercise number
    std::set<std::pair<std::string, int>> unreadable;             ///< whose result's file exists but is unusable
    std::set<int> tried;  ///< the exercises of which any answer has a result's file, even an unreadable one
    std::vector<Confirmation> confirmed;
    std::vector<Mark> marks;
    std::vector<std::pair<std::string, std::string>> ran_with;  ///< from grade.json: "kit_version", "0.1.0"
    std::vector<std::string> problems;  ///< missing or unreadable files, one per line
};

/// Who handed in what. @throws UsageError without a readable intake.json: RESULTS is then something else.
ClassIntake read_class_intake(const std::filesystem::path& folder);

/// Reads all of it, on all processors. An unusable file only becomes a line in `problems`.
/// @throws UsageError without a readable intake.json: RESULTS is then something else; as read_marks does.
ClassResults read_class_results(const std::filesystem::path& folder);

/// The decision on this result; nullptr if there is none.
const Confirmation* decision_on(const ClassResults& class_results, const StoredResult& result);

/// Adds a decision to RESULTS/confirmed.json atomically, replacing an earlier one on the same result.
/// @throws FileError; std::runtime_error if the existing file can't be read.
void add_confirmation(const std::filesystem::path& folder, const Confirmation& decision);

}  // namespace course
