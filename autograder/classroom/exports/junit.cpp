// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "classroom/exports/exports.hpp"
#include "support/text.hpp"

namespace course {

namespace {

/// Text for an element or an attribute: escaped, and without the characters that XML 1.0 can't represent.
std::string xml(std::string_view text) {
    std::string safe;
    for (const char c : plain_text(text, std::size_t{1} << 16, 1000)) switch (c) {
            case '&': safe += "&amp;"; break;
            case '<': safe += "&lt;"; break;
            case '>': safe += "&gt;"; break;
            case '"': safe += "&quot;"; break;
            case '\n': safe += "&#10;"; break;
            default: safe += c;
        }
    // U+FFFE and U+FFFF aren't characters of XML either.
    for (const std::string_view none : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"})
        for (std::size_t at = 0; (at = safe.find(none, at)) != safe.npos;) safe.replace(at, none.size(), "?");
    return safe;
}

/// A task's outcome. `failure` is the answer's, `error` a crash's or the grader's.
std::string outcome(const StoredTask& task, const StoredExercise& result) {
    if (task.status == "passed" || task.status == "noisy") return "";
    if (task.star && task.status == "not started") return "<skipped/>";
    std::vector<std::string> said = said_of(task, result.message_of(task));
    for (const StoredFinding& found : task.found) said.push_back(found.what);
    const std::string text = fmt::format("{}", fmt::join(said, "\n"));
    const bool died = task.status == "crashed" || task.status == "timed out" || task.status == "out of memory";
    const char* element = died ? "error" : "failure";
    return fmt::format("<{0} message=\"{1}\" type=\"{1}\">{2}</{0}>", element, xml(task.status), xml(text));
}

struct Suite {
    std::string cases, properties;
    int tests = 0, failures = 0, errors = 0, skipped = 0;
    double seconds = 0;

    void add(const std::string& name, const std::string& classname, const std::string& outcome) {
        ++tests;
        failures += outcome.rfind("<failure", 0) == 0 ? 1 : 0;
        errors += outcome.rfind("<error", 0) == 0 ? 1 : 0;
        skipped += outcome.rfind("<skipped", 0) == 0 ? 1 : 0;
        cases += fmt::format("    <testcase name=\"{}\" classname=\"{}\" time=\"0.000\">{}</testcase>\n", xml(name),
                             xml(classname), outcome);
    }
    void add_property(std::string_view name, std::string_view value) {
        if (!value.empty()) properties += fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", name, xml(value));
    }
};

Suite suite_of(const ExerciseGrade& grade, const std::string& classname) {
    Suite suite;
    const GradedAttempt* const attempt = grade.counting();
    if (grade.standing == Standing::exempt) {
        suite.add("submission", classname, "<skipped message=\"exempt\"/>");
        return suite;
    }
    for (const GivenMark& mark : grade.marks) suite.add_property("by_hand", mark.text());
    if (grade.whole_mark() && (!attempt || !attempt->points)) {
        suite.add_property("points", points_text(grade.points));
        suite.add_property("max_points", points_text(grade.max_points));
        suite.add("by hand", classname, "");
        return suite;
    }
    if (attempt && attempt->is_waiting) {
        suite.add("grader", classname, "<skipped message=\"not graded yet\"/>");
        return suite;
    }
    if (attempt && !attempt->points) {
        suite.add("grader", classname,
                  fmt::format("<error message=\"not graded\" type=\"grader\">{}</error>", xml(attempt->fault)));
        return suite;
    }
    suite.add_property("points", points_text(grade.points));
    suite.add_property("max_points", points_text(grade.max_points));
    if (!attempt) {
        const char* const what = grade.unusable.empty() ? "nothing handed in" : "can't be used";
        suite.add("submission", classname,
                  fmt::format("<failure message=\"{0}\" type=\"{0}\">{1}</failure>", what, xml(grade.unusable)));
        return suite;
    }
    const StoredExercise& result = *attempt->result->result;
    for (const StoredTask& task : result.tasks) suite.add(task.id, classname, outcome(task, result));
    suite.seconds = result.seconds;
    suite.add_property("backend", result.backend);
    suite.add_property("device", result.device);
    suite.add_property("compiler", result.compiler);
    suite.add_property("kit_version", result.kit_version);
    return suite;
}

}  // namespace

Export junit_xml(const ClassGrades& grades, std::optional<int> exercise) {
    std::string suites;
    Suite sum;
    const std::vector<std::size_t> chosen = exported_exercises(grades, exercise);
    for (const StudentGrade& student : grades.students)
        for (const std::size_t k : chosen) {
            const std::string classname = fmt::format("{}.{}", student.student.id, grades.exercises[k].folder);
            const Suite suite = suite_of(student.exercises[k], classname);
            const GradedAttempt* const attempt = student.exercises[k].counting();
            suites += fmt::format(
                "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" "
                "time=\"{:.3f}\"{}>\n",
                xml(classname), suite.tests, suite.failures, suite.errors, suite.skipped, suite.seconds,
                attempt && attempt->submission->time
                    ? fmt::format(" timestamp=\"{}\"", utc_text(*attempt->submission->time).substr(0, 19))
                    : "");
            if (!suite.properties.empty()) suites += "    <properties>\n" + suite.properties + "    </properties>\n";
            suites += suite.cases + "  </testsuite>\n";
            sum.tests += suite.tests;
            sum.failures += suite.failures;
            sum.errors += suite.errors;
            sum.seconds += suite.seconds;
        }
    return {fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"course\" tests=\"{}\" "
                        "failures=\"{}\" errors=\"{}\" time=\"{:.3f}\">\n{}</testsuites>\n",
                        sum.tests, sum.failures, sum.errors, sum.seconds, suites),
            {}};
}

}  // namespace course
