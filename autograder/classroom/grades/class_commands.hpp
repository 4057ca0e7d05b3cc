// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "classroom/grades/class_grades.hpp"
#include "classroom/submissions/anonymity.hpp"
#include "classroom/submissions/roster.hpp"
#include "kit/kit.hpp"

namespace course {

/// RESULTS, and the policy that makes points of it.
struct ResultsOptions {
    std::string results;  ///< the folder
    std::string policy;   ///< class.toml; empty: RESULTS/class.toml, or nothing but defaults if that is missing
};

/// What `course confirm` decides. Without a student it lists what waits.
struct ConfirmOptions {
    ResultsOptions read;
    std::string student, because;
    int exercise = 0, attempt = 0;  ///< attempt 0: the only one that waits
    bool reject = false;
};

int confirm_command(const Kit& kit, const ConfirmOptions& options);

/// What `course mark` writes. Without a student it lists the marks.
struct MarkOptions {
    ResultsOptions read;
    std::string student, task, by;
    int exercise = 0;
    std::optional<std::string> points, comment;  ///< as they were typed
    bool group = false;                          ///< for all who handed it in together
    bool clear = false;                          ///< take it back
};

int mark_command(const Kit& kit, const MarkOptions& options);

/// The policy in force, with the extensions of this class's students. @throws ManifestError
ClassPolicy policy_of(const ResultsOptions& options, const ClassIntake& intake);

/// How these commands call students: as the class does, or "Student 17" where a report has hidden the names.
class ShownNames {
public:
    ShownNames(const std::filesystem::path& results, const ClassIntake& intake);

    [[nodiscard]] std::string in(const std::string& text) const { return hidden_ ? hidden_->in(text) : text; }
    void print(const std::string& text) const;
    /// What somebody must look at: files that can't be read, extensions and marks without an effect.
    void print_problems(const ClassResults& read, const ClassGrades& grades) const;
    /// The one student whom the text names, by students_named() or as hidden. @throws UsageError with the near ones.
    [[nodiscard]] const StudentGrade& find(const ClassGrades& grades, const ClassIntake& intake,
                                           const std::string& text) const;

private:
    std::optional<Anonymity> hidden_;
    std::optional<Roster> roster_;
};

}  // namespace course
