// SPDX-License-Identifier: MIT
#include "classroom/exports/exports.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "classroom/class_report/student_pages.hpp"
#include "classroom/grades/extensions.hpp"
#include "report/terminal.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace course {

namespace {

/// What `course export` writes.
struct ExportOptions {
    ResultsOptions read;
    std::string format;      ///< one of those that add_export() lists
    std::string worksheet;   ///< Moodle's file, for moodle-worksheet
    std::string total;       ///< for canvas: the name of the one column; empty: a column for each exercise
    std::string submission;  ///< for the formats of one; empty: the only one
    std::string out;         ///< empty: standard output
    int exercise = 0;        ///< 0: all that count
};

constexpr std::size_t max_worksheet_bytes = std::size_t{64} << 20;

/// True for the formats for one submission.
bool is_for_one(const std::string& format) {
    return format == "gradescope" || format == "prairielearn" || format == "github" || format == "github-lines";
}

/// An option that the format has no use for would be passed over, and the file be another one than was asked for.
void refuse_unused(const ExportOptions& options) {
    const auto refuse = [&](const char* option, const std::string& given, bool is_used, const char* formats) {
        if (!given.empty() && !is_used)
            throw UsageError(fmt::format("{} is for {}, and means nothing for {}", option, formats, options.format));
    };
    refuse("--submission", options.submission, is_for_one(options.format),
           "gradescope, prairielearn, github and github-lines");
    refuse("--total", options.total, options.format == "canvas", "canvas");
    refuse("--worksheet", options.worksheet, options.format == "moodle-worksheet", "moodle-worksheet");
}

/// What else may be meant: those of the student whom the text names, with an attempt behind it perhaps; else one with
/// an ID like it, which would be a stranger's where the student is known.
std::string near_submission(const ClassIntake& intake, const Roster& roster, const std::string& text) {
    std::vector<std::string> students = students_named(intake, roster, text);
    if (students.empty()) students = students_named(intake, roster, text.substr(0, text.rfind('-')));
    std::vector<std::string> own;
    std::vector<std::string_view> ids;
    for (const ClassSubmission& one : intake.submissions) {
        ids.push_back(one.id);
        if (students.size() == 1 && std::find(one.members.begin(), one.members.end(), students[0]) != one.members.end())
            own.push_back(fmt::format("\"{}\"", plain_line(one.id)));
    }
    if (students.size() == 1)
        return own.empty() ? fmt::format("; {} handed in nothing", plain_line(students[0]))
                           : fmt::format("; did you mean {}, which {} handed in?", fmt::join(own, " or "),
                                         plain_line(students[0]));
    const std::string near = closest_match(text, ids);
    return near.empty() ? "" : fmt::format("; did you mean \"{}\"?", plain_line(near));
}

/// Leaves this submission alone in the intake, so that its points are those of it and no other.
void keep_one(ClassResults& read, const ExportOptions& options) {
    const std::string& id = options.submission;
    std::vector<ClassSubmission>& all = read.intake.submissions;
    if (id.empty()) {
        if (all.size() == 1) return;
        throw UsageError(fmt::format("this format is for one submission, and there are {}; say which with --submission",
                                     all.size()));
    }
    if (std::none_of(all.begin(), all.end(), [&](const ClassSubmission& one) { return one.id == id; }))
        throw UsageError(fmt::format("there is no submission \"{}\"{}", plain_line(id),
                                     near_submission(read.intake, kept_roster(options.read.results), id)));
    std::erase_if(all, [&](const ClassSubmission& one) { return one.id != id; });
}

Export export_one(ClassResults& read, const ClassPolicy& policy, const ExportOptions& options) {
    keep_one(read, options);
    ClassGrades grades = grade_class(read, policy);
    if (options.exercise > 0) grades = only_exercise(grades, exported_exercises(grades, options.exercise).front());
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
    if (options.format != "moodle-worksheet") throw std::logic_error("--format " + options.format + " has no writer");
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
    for (const StudentGrade& one : grades.students)
        if (!one.late_without_time.empty()) made.notes.push_back({one.student.id, one.late_without_time});
    return made;
}

int export_command(const Kit& kit, const ExportOptions& options) {
    refuse_unused(options);
    if (is_feedback(options.format) && options.out.empty())
        throw UsageError("this format is a zip file: say where it goes with --out FILE.zip");
    ClassResults read = read_class_results(options.read.results);
    const ClassPolicy policy = policy_of(kit, options.read, read.intake);
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

}  // namespace

void add_export(CommandLine& line) {
    auto [command, options] = line.add("export", "points or feedback for an LMS, or another grader", export_command);
    options.read.add(command);
    command.option("--format", &options.format, "the output format",
                   {.required = true,
                    .one_of = {"gradescope", "junit", "moodle-gradebook", "moodle-worksheet", "moodle-feedback",
                               "canvas", "canvas-feedback", "nbgrader", "prairielearn", "github", "github-lines"}});
    command.option("--exercise", &options.exercise, "this one alone", {.is_number = true});
    command.option("--total", &options.total,
                   "canvas: one column of this name, with the sum or the points of --exercise");
    command.option("--worksheet", &options.worksheet, "Moodle's grading worksheet, to be filled in");
    command.option("--submission", &options.submission, "which, of several (gradescope, github, ...)");
    command.option("--out", &options.out, "the file to write (default: standard output)");
}

}  // namespace course
