// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "classroom/grades/class_grades.hpp"
#include "classroom/submissions/anonymity.hpp"
#include "kit/kit.hpp"

namespace course {

/// RESULTS, and the policy that turns them into points.
struct ResultsOptions {
    std::string results;  ///< the folder
    std::string policy;   ///< class.toml; empty: RESULTS/class.toml, or the defaults if that is missing
};

/// What `course confirm` decides. Without a student it lists what is waiting.
struct ConfirmOptions {
    ResultsOptions read;
    std::string student, because;
    int exercise = 0, attempt = 0;  ///< attempt 0: the only waiting one
    bool reject = false;
};

int confirm_command(const Kit& kit, const ConfirmOptions& options);

/// What `course mark` writes. Without a student it lists the marks.
struct MarkOptions {
    ResultsOptions read;
    std::string student, task, by;
    int exercise = 0;
    std::optional<std::string> points, comment;  ///< as typed
    bool group = false;                          ///< for everybody who handed it in together
    bool clear = false;                          ///< remove it
};

int mark_command(const Kit& kit, const MarkOptions& options);

/// The policy in force, with the extensions of this class's students. @throws ManifestError
ClassPolicy policy_of(const ResultsOptions& options, const ClassIntake& intake);

/// How these commands name students: by their names, or as "Student 17" if a report has hidden the names.
class ShownNames {
public:
    ShownNames(const std::filesystem::path& results, const ClassIntake& intake);

    [[nodiscard]] std::string in(const std::string& text) const { return hidden_ ? hidden_->in(text) : text; }
    void print(const std::string& text) const;
    /// Prints what somebody must look at: unreadable files, extensions and marks without an effect.
    void print_problems(const ClassResults& read, const ClassGrades& grades) const;
    /// The student with this id, email address or hidden name. @throws UsageError with similar ones.
    [[nodiscard]] const StudentGrade& find(const ClassGrades& grades, const ClassIntake& intake,
                                           const std::string& text) const;

private:
    std::optional<Anonymity> hidden_;
};

}  // namespace course
