// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "classroom/grades/class_grades.hpp"
#include "classroom/submissions/anonymity.hpp"
#include "classroom/submissions/roster.hpp"
#include "command_line.hpp"

namespace course {

/// RESULTS, and the policy that turns them into points.
struct ResultsOptions {
    std::string results;  ///< the folder
    std::string policy;   ///< class.toml; empty: RESULTS/class.toml, or nothing but defaults if that is missing

    void add(const CommandOptions& command);
};

AddCommand add_confirm, add_mark;

/// The policy in force, with the extensions of this class's students. @throws ManifestError; UsageError if it names an
/// exercise that neither this edition nor the class has
ClassPolicy policy_of(const Kit& kit, const ResultsOptions& options, const ClassIntake& intake);

/// How these commands name students: by their names, or as "Student 17" if a report has hidden the names.
class ShownNames {
public:
    ShownNames(const std::filesystem::path& results, const ClassIntake& intake);

    [[nodiscard]] std::string in(const std::string& text) const { return hidden_ ? hidden_->in(text) : text; }
    void print(const std::string& text) const;
    /// Prints what somebody must look at: unreadable files, extensions and marks without an effect.
    void print_problems(const ClassResults& read, const ClassGrades& grades) const;
    /// The one student whom the text names, by students_named() or as hidden. @throws UsageError with the near ones.
    [[nodiscard]] const StudentGrade& find(const ClassGrades& grades, const ClassIntake& intake,
                                           const std::string& text) const;

private:
    std::optional<Anonymity> hidden_;
    Roster roster_;
};

}  // namespace course
