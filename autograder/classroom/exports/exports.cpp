// SPDX-License-Identifier: MIT
#include "classroom/exports/exports.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "classroom/class_report/student_pages.hpp"
#include "report/terminal.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace course {

namespace {

constexpr std::size_t max_worksheet_bytes = std::size_t{64} << 20;

/// True for the formats for one submission.
bool is_for_one(const std::string& format) {
    return format == "gradescope" || format == "prairielearn" || format == "github" || format == "github-lines";
}

/// Removes all other submissions from the intake, so that the points are this one's alone.
void keep_one(ClassResults& read, const std::string& id) {
    std::vector<ClassSubmission>& all = read.intake.submissions;
    if (id.empty()) {
        if (all.size() == 1) return;
        throw UsageError(fmt::format("this format is for one submission, and there are {}; say which with --submission",
                                     all.size()));
    }
    if (std::none_of(all.begin(), all.end(), [&](const ClassSubmission& one) { return one.id == id; })) {
        std::vector<std::string_view> ids;
        for (const ClassSubmission& one : all) ids.push_back(one.id);
        const std::string near = near_word(id, ids);
        throw UsageError(fmt::format("there is no submission \"{}\"{}", plain_line(id),
                                     near.empty() ? "" : fmt::format("; did you mean \"{}\"?", plain_line(near))));
    }
    std::erase_if(all, [&](const ClassSubmission& one) { return one.id != id; });
}

Export export_one(ClassResults& read, const ClassPolicy& policy, const ExportOptions& options) {
    keep_one(read, options.submission);
    const ClassGrades grades = grade_class(read, policy);
    const std::string& who = read.intake.submissions.front().student;
    const auto student = std::find_if(grades.students.begin(), grades.students.end(),
                                      [&](const StudentGrade& one) { return one.student.id == who; });
    const ExportedSubmission one{&*student, &grades, &policy};
    if (options.format == "gradescope") return {gradescope_results(one), {}};
    if (options.format == "prairielearn") return {prairielearn_results(one), {}};
    return {options.format == "github" ? github_results(one) : github_lines(one), {}};
}

bool is_feedback(const std::string& format) { return format == "moodle-feedback" || format == "canvas-feedback"; }

Export made_of(const Kit& kit, const ClassResults& read, const ClassGrades& grades, const ClassPolicy& policy,
               const ExportOptions& options) {
    const std::optional<int> exercise = options.exercise > 0 ? std::optional(options.exercise) : std::nullopt;
    if (options.format == "junit") return junit_xml(grades, exercise);
    if (options.format == "moodle-gradebook") return moodle_gradebook(grades, policy, exercise);
    if (options.format == "canvas") return canvas_gradebook(grades, exercise, options.total);
    if (is_feedback(options.format))
        return lms_feedback(read.intake, grades, policy, StudentPages(kit, policy, grades, options.read.results),
                            options.format, exercise);
    if (options.format == "nbgrader") return nbgrader_table(grades, exercise);
    if (options.worksheet.empty())
        throw UsageError(
            "this format fills in Moodle's own file: --worksheet FILE (in the assignment, \"Download grading "
            "worksheet\")");
    const std::string text = read_file(options.worksheet, max_worksheet_bytes);
    if (text.size() > max_worksheet_bytes) throw UsageError(options.worksheet + ": that is too long for a worksheet");
    try {
        return moodle_worksheet(grades, exercise, text);
    } catch (const UsageError&) {
        throw;
    } catch (const std::runtime_error& error) {
        throw UsageError(fmt::format("{}: {}", options.worksheet, error.what()));
    }
}

Export export_class(const Kit& kit, const ClassResults& read, const ClassPolicy& policy, const ExportOptions& options) {
    const ClassGrades grades = grade_class(read, policy);
    Export made = made_of(kit, read, grades, policy, options);
    for (const std::string& line : grades.warnings) made.notes.push_back({"", line});
    return made;
}

}  // namespace

const std::vector<std::string>& export_formats() {
    static const std::vector<std::string> formats = {
        "gradescope",      "junit",    "moodle-gradebook", "moodle-worksheet", "moodle-feedback", "canvas",
        "canvas-feedback", "nbgrader", "prairielearn",     "github",           "github-lines"};
    return formats;
}

int export_command(const Kit& kit, const ExportOptions& options) {
    if (is_feedback(options.format) && options.out.empty())
        throw UsageError("this format is a zip file: say where it goes with --out FILE.zip");
    ClassResults read = read_class_results(options.read.results);
    const ClassPolicy policy = policy_of(options.read, read.intake);
    const Export made =
        is_for_one(options.format) ? export_one(read, policy, options) : export_class(kit, read, policy, options);
    for (const std::string& problem : read.problems) print_error(fmt::format("course: {}\n", problem));
    for (const std::string& line : warning_lines(made.notes))
        print_error(fmt::format("course: {}\n", plain_line(line)));
    if (options.out.empty())
        print(made.text);
    else
        write_file_atomically(options.out, made.text);
    return read.problems.empty() ? 0 : 1;
}

}  // namespace course
