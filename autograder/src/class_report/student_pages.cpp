// SPDX-License-Identifier: MIT
#include "class_report/student_pages.hpp"

#include <chrono>
#include <filesystem>

#include <fmt/format.h>

#include "class_report/pseudonyms.hpp"
#include "manifest/manifest.hpp"
#include "report/output.hpp"

namespace course {

namespace {

std::vector<Misconception> known_misconceptions(const Kit& kit) {
    try {
        return read_misconceptions(kit.root);
    } catch (const ManifestError& error) {
        print_error(fmt::format("course: misconceptions stay without names: {}\n", error.what()));
        return {};
    }
}

}  // namespace

StudentPages::StudentPages(const Kit& kit, const ClassPolicy& policy, const ClassGrades& grades,
                           const std::string& results)
    : policy_(&policy),
      misconceptions_(known_misconceptions(kit)),
      now_(std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now())),
      code_(results) {
    if (!policy.leaderboard) return;
    std::vector<std::string> ids;
    for (const StudentGrade& one : grades.students) ids.push_back(one.student.id);
    names_ = course::pseudonyms(ids, pseudonym_key(std::filesystem::path(results) / "pseudonyms.key"));
}

StudentPageView StudentPages::view(const ClassGrades& grades, const StudentGrade& student) const {
    const auto name = names_.find(student.student.id);
    return view_student(grades, student,
                        {.policy = policy_,
                         .misconceptions = &misconceptions_,
                         .now = now_,
                         .pseudonym = name == names_.end() ? "" : name->second,
                         .code = &code_});
}

}  // namespace course
