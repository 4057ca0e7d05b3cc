// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <vector>

#include "classroom/class_report/student_view.hpp"
#include "kit/kit.hpp"

namespace course {

/// What each student of a class may see now: the same for the report and for feedback sent back to students.
class StudentPages {
public:
    /// @param results the folder, which has the key of the leaderboard's pseudonyms. @throws FileError
    StudentPages(const Kit& kit, const ClassPolicy& policy, const ClassGrades& grades, const std::string& results);

    [[nodiscard]] StudentPageView view(const ClassGrades& grades, const StudentGrade& student) const;
    /// By student id; empty without a leaderboard.
    [[nodiscard]] const std::map<std::string, std::string>& pseudonyms() const { return names_; }
    [[nodiscard]] const std::vector<Misconception>& misconceptions() const { return misconceptions_; }
    [[nodiscard]] const AnswerCode& code() const { return code_; }

private:
    const ClassPolicy* policy_;
    std::vector<Misconception> misconceptions_;
    std::map<std::string, std::string> names_;
    std::chrono::sys_seconds now_;
    AnswerCode code_;
};

}  // namespace course
