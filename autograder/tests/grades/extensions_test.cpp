// SPDX-License-Identifier: MIT
#include <algorithm>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "classroom/grades/class_grades.hpp"
#include "classroom/grades/extensions.hpp"
#include "grades/sample_class.hpp"
#include "manifest/manifest.hpp"

using namespace course;

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

constexpr const char* head =
    "format = 1\ntime_zone = \"Europe/Berlin\"\ndeadline = 2026-12-01T13:00:00\nexercises = [8, 12]\n"
    "extensions = \"extensions.csv\"\n";

/// Three students, who handed in both exercises an hour after the deadline of noon.
void fill(test::SampleClass& sample, const std::string& csv = "id\n", const std::string& toml = "") {
    for (const char* student : {"ada", "bob", "cy"}) {
        sample.enroll(student, std::string(student) + " Someone");
        sample.submit(student, test::noon + 3600);
        sample.graded("08_passed", "08-raw-add");
        sample.graded("12_passed", "12-reduce");
    }
    sample.write("extensions.csv", csv);
    sample.write("class.toml", head + toml + "[late]\nlose = 0.5\n");
    sample.finish();
}

struct Graded {
    ClassResults read;
    ClassPolicy policy;
    ClassGrades grades;
    explicit Graded(const test::SampleClass& sample)
        : read(sample.results()), policy(bound(sample, read)), grades(grade_class(read, policy)) {}

private:
    static ClassPolicy bound(const test::SampleClass& sample, const ClassResults& read) {
        ClassPolicy policy = read_policy(sample / "class.toml", "class.toml");
        bind_extensions(policy, read.intake, {});
        return policy;
    }
};

std::string mistake(const std::string& csv, const std::string& toml = "", bool has_roster = true) {
    test::SampleClass sample;
    fill(sample, csv, toml);
    if (!has_roster) sample.intake.roster.clear();
    try {
        const Graded graded(sample);
        return graded.policy.warnings.empty() ? "" : "warning: " + graded.policy.warnings.at(0);
    } catch (const ManifestError& error) {
        return error.what();
    }
}

std::string exported(const test::SampleClass& sample, std::vector<std::string> options, std::string* notes = nullptr) {
    std::vector<std::string> all = {"export", sample.path().string(), "--out", (sample / "out").string(), "--format"};
    all.insert(all.end(), options.begin(), options.end());
    const test::Run ran = test::course_program(all);
    INFO(ran.text);
    CHECK(ran.code == 0);
    if (notes) *notes = ran.text;
    return test::read(sample / "out");
}

}  // namespace

TEST_CASE("an extension moves a student's deadline, for all exercises or for some") {
    test::SampleClass sample;
    fill(sample, "id,name,deadline,exercises\nada,Ada,2026-12-05T23:59,\nBOB@example.org,Bob,2026-12-02 10:00:00,12\n");
    const Graded graded(sample);
    const auto& students = graded.grades.students;
    CHECK(students[0].points == 15);
    CHECK(students[0].exercises[1].extended == "until 2026-12-05 23:59 Europe/Berlin: extended");
    CHECK(students[1].exercises[0].points == 2);  // late: half of it
    CHECK(students[1].exercises[0].extended.empty());
    CHECK(students[1].exercises[1].points == 11);
    CHECK(students[2].points == 7.5);
    CHECK(graded.grades.warnings.empty());

    CHECK(test::course_program({"report", sample.path().string()}).code == 0);
    const std::string page = test::read(sample / "report/index.html");
    CHECK(has(page, "<td>1</td><td class=\"text\">until 2026-12-05 23:59 Europe/Berlin: extended</td>"));
    CHECK(has(page, "12 until 2026-12-02 10:00 Europe/Berlin: extended"));
    CHECK(has(test::read(sample / "report/students/ada.html"),
              "<dt>your deadline</dt><dd>until 2026-12-05 23:59 Europe/Berlin: extended</dd>"));
    CHECK(has(test::read(sample / "report/students/bob.html"),
              "<li>Your deadline: until 2026-12-02 10:00 Europe/Berlin: extended</li>"));
    CHECK_FALSE(has(test::read(sample / "report/students/cy.html"), "extended"));
    CHECK(has(test::read(sample / "report/feedback/ada.md"), "Your deadline: until 2026-12-05 23:59 Europe/Berlin"));
    CHECK(has(exported(sample, {"nbgrader"}), "12-reduce,2026-12-02 09:00:00,"));
}

TEST_CASE("[[student]] says the same in class.toml, and one exercise's deadline comes before that of all") {
    test::SampleClass sample;
    fill(sample, "id\n",
         "last_acceptance = 2026-12-01T13:30:00\n"
         "[[student]]\nid = \"ada\"\ndeadline = 2026-12-01T14:30:00\n"
         "[[student]]\nid = \"ada\"\nexercises = [12]\ndeadline = 2026-12-01T13:45:00\n"
         "[[student]]\nid = \"bob\"\nlast_acceptance = 2026-12-03T00:00:00+00:00\nexempt = [12]\n");
    const Graded graded(sample);
    const auto& students = graded.grades.students;
    CHECK(students[0].exercises[0].points == 4);  // the last acceptance isn't before the student's own deadline
    CHECK(students[0].exercises[1].points == 0);
    CHECK(students[0].exercises[1].extended == "until 2026-12-01 13:45 Europe/Berlin: extended");
    CHECK(students[1].exercises[0].points == 2);
    CHECK(students[1].exercises[0].extended == "accepted until 2026-12-03 01:00 Europe/Berlin: extended");
    CHECK(students[1].exercises[1].standing == Standing::exempt);
    CHECK(students[2].points == 0);
}

TEST_CASE("an extension that Moodle granted counts, unless class.toml has one for the same student") {
    test::SampleClass sample;
    fill(sample, "id\n",
         "[[student]]\nid = \"bob\"\ndeadline = 2026-12-01T13:30:00\n"
         "[[student]]\nid = \"cy\"\nexercises = [12]\ndeadline = 2026-12-01T13:30:00\n");
    for (ClassStudent& one : sample.intake.roster) one.extended_until = test::at(test::noon + 7200);
    const Graded graded(sample);
    const auto& students = graded.grades.students;
    CHECK(students[0].points == 15);
    CHECK(students[0].exercises[0].extended == "until 2026-12-01 15:00 Europe/Berlin: extended");
    CHECK(students[1].points == 7.5);
    CHECK(students[1].exercises[0].extended == "until 2026-12-01 13:30 Europe/Berlin: extended");
    CHECK(students[2].exercises[0].points == 4);
    CHECK(students[2].exercises[1].points == 5.5);
    REQUIRE(graded.policy.warnings.size() == 1);
    CHECK(has(graded.policy.warnings[0],
              "the roster: the extension of bob until 2026-12-01 15:00 Europe/Berlin "
              "doesn't count: class.toml:"));
    CHECK(has(graded.policy.warnings[0], " gives the student 2026-12-01 13:30 Europe/Berlin"));
    for (ClassStudent& one : sample.intake.roster) one.extended_until = test::at(test::noon - 7200);
    CHECK(has(Graded(sample).policy.warnings.at(0),
              "the extension of ada until 2026-12-01 11:00 Europe/Berlin changes "
              "nothing: it is earlier than the class's"));
}

TEST_CASE("an exempt exercise doesn't count, and pages and exports say so") {
    test::SampleClass sample;
    fill(sample, "id,exempt,deadline\nada,8,2026-12-09T00:00\nbob,8 12,\n");
    const Graded graded(sample);
    const StudentGrade& ada = graded.grades.students[0];
    CHECK(ada.points == 11);
    CHECK(ada.max_points == 11);
    CHECK(ada.complete);
    CHECK(ada.points_of(15) == 15);
    CHECK(graded.grades.students[1].is_exempt_of_all());

    std::string notes;
    const std::string moodle = exported(sample, {"moodle-gradebook"}, &notes);
    CHECK(has(moodle, "ada,ada@example.org,,11,15,Exercise 8: exempt<br>Exercise 12: 11 of 11 points\n"));
    CHECK(has(moodle, "bob,bob@example.org,,,,Exercise 8: exempt<br>Exercise 12: exempt\n"));
    CHECK(has(notes, "ada: exempt from something: 11 of 11 points are 15 of 15 in the sum"));
    CHECK(has(notes, "bob: exempt from all; the cell of the sum is empty"));
    CHECK(has(exported(sample, {"canvas"}), "ada Someone,,ada,ada,,EX,11\n"));
    CHECK(has(exported(sample, {"canvas", "--total", "Week 2"}), "ada Someone,,ada,ada,,15\n"));
    CHECK(has(exported(sample, {"canvas", "--total", "Week 2"}), "bob Someone,,bob,bob,,EX\n"));
    CHECK(has(exported(sample, {"nbgrader"}), "ada@example.org,,,,\n"));
    sample.write("worksheet.csv",
                 "Identifier,Full name,Email address,Grade,Maximum grade,Last modified (grade),Feedback comments\n"
                 "Participant 1,Ada,ada@example.org,,30,-,\nParticipant 2,Bob,bob@example.org,,30,-,old\n");
    const std::vector<std::string> worksheet = {"--worksheet", (sample / "worksheet.csv").string()};
    std::string text = exported(sample, {"moodle-worksheet", worksheet[0], worksheet[1]}, &notes);
    CHECK(has(text, "ada@example.org,30,30,-,Exercise 8: exempt<br>"));
    CHECK(has(text, "bob@example.org,,30,-,old\n"));
    CHECK(has(notes, "Participant 2: exempt; the row stays as it is"));
    text = exported(sample, {"moodle-worksheet", "--exercise", "8", worksheet[0], worksheet[1]}, &notes);
    CHECK(has(text, "ada@example.org,,30,-,\n"));
    CHECK(
        has(exported(sample, {"junit"}),
            "<testcase name=\"submission\" classname=\"ada.08-raw-add\" time=\"0.000\"><skipped message=\"exempt\"/>"));

    using Json = nlohmann::json;
    const auto of_ada = [&](const std::string& format) { return exported(sample, {format, "--submission", "ada-1"}); };
    const Json gradescope = Json::parse(of_ada("gradescope"));
    CHECK(gradescope["score"] == 15);  // of the assignment's points there
    CHECK(gradescope["tests"][0]["output"] == "exempt: it doesn't count for you");
    CHECK(Json::parse(of_ada("prairielearn"))["score"] == 1);
    const Json github = Json::parse(of_ada("github"));
    CHECK(github["max_score"] == 11);
    CHECK(github["status"] == "pass");
    CHECK(has(of_ada("github-lines"), "Points 11/11\n"));

    CHECK(test::course_program({"report", sample.path().string()}).code == 0);
    const std::string page = test::read(sample / "report/index.html");
    CHECK(has(page, "ada</a> ada Someone</th><td class=\"text\">exempt</td>"));
    CHECK(has(page, "11 of 11"));
    CHECK(
        has(test::read(sample / "report/students/ada.html"), "<strong>exempt</strong>: it doesn&#39;t count for you"));
    CHECK(has(test::read(sample / "report/students/ada.html"), "<dd>11 of 11 points</dd>"));

    const test::Run ran = test::course_program({"mark", sample.path().string(), "ada", "8", "--points", "1"});
    CHECK(ran.code == 4);
    CHECK(has(ran.text, "class.toml exempts ada from exercise 8, so it can't have points"));
}

TEST_CASE("mistakes in extensions name the line, the value and the rule") {
    CHECK(has(mistake("id,deadline\naad,2026-12-05T23:59\n"),
              "extensions.csv:2: there is no student \"aad\" in the class; did you mean \"ada\"?"));
    CHECK(has(mistake("id,deadline\nzorro,2026-12-05T23:59\n"),
              "extensions.csv:2: there is no student \"zorro\" in the class"));
    CHECK(has(mistake("id,deadline\nzorro,2026-12-05T23:59\n", "", false),
              "warning: "));  // who handed in nothing is known by a roster alone
    CHECK(has(mistake("id,deadline\nada,\nbob,5 December\n"),
              "extensions.csv:3: \"deadline\" is \"5 December\"; expected a date and time, as in 2026-12-05T23:59"));
    for (const char* time : {"2026-12-05", "2026-02-30T10:00", "2026-12-05T25:00", "2026-12-05T23:59:00.5", "12:00"})
        CHECK(has(mistake(fmt::format("id,deadline\nada,{}\n", time)),
                  fmt::format("\"deadline\" is \"{}\"; expected a date and time", time)));
    CHECK(mistake("id,deadline\nada,2026-12-05T23:59+01:00\n") == "");
    CHECK(mistake("id;deadline\nada;2026-12-05 23:59Z\n") == "");
    CHECK(has(mistake("id,deadline\nada,2027-03-28T02:30\n"), "an hour that Europe/Berlin leaves out in spring"));
    CHECK(has(mistake("id,dedline\nada,x\n"),
              "extensions.csv:1: unknown column \"dedline\"; did you mean \"deadline\"?"));
    CHECK(has(mistake("name,deadline\nAda,x\n"), "extensions.csv:1: no column says who"));
    CHECK(has(mistake("id,exempt\nada,eight\n"), "extensions.csv:2: \"exempt\" has \"eight\"; expected exercises'"));
    CHECK(has(mistake("id,exempt\nada,9\n"), "extensions.csv:2: exercise 9 isn't in the list \"exercises\""));
    CHECK(has(mistake(""), "extensions.csv: it is empty"));
    CHECK(has(mistake("id,deadline\nada,2026-12-05T23:59\nada@example.org,2026-12-06T23:59\n"),
              "\"ada\" has a deadline for all exercises already"));
    CHECK(has(mistake("id\n", "[[student]]\nid = \"ada\"\n"),
              "class.toml:6:1: nothing is said of the student \"ada\": expected \"deadline\", \"last_acceptance\" or "
              "\"exempt\""));
    CHECK(has(mistake("id\n", "[[student]]\nid = \"cz\"\nexempt = [8]\n"),
              "class.toml:6:1: there is no student \"cz\" in the class; did you mean \"cy\"?"));
    CHECK(has(mistake("id\n", "[[student]]\nid = \"ada\"\nexemt = [8]\n"), "did you mean \"exempt\"?"));
    // An extension never takes anything away.
    CHECK(has(
        mistake("id,deadline\nada,2026-11-05T23:59\n"),
        "extensions.csv:2: the deadline of ada, 2026-11-05 23:59 Europe/Berlin, changes nothing: it is earlier than "
        "the class's, 2026-12-01 13:00 Europe/Berlin, which counts"));
    test::SampleClass sample;
    fill(sample, "id,deadline\nada,2026-11-05T23:59\n");
    CHECK(Graded(sample).grades.students[0].points == 7.5);
    const test::Run ran = test::course_program({"report", sample.path().string()});
    CHECK(ran.code == 0);
    CHECK(has(ran.text, "extensions.csv:2: the deadline of ada, 2026-11-05 23:59 Europe/Berlin, changes nothing"));
    CHECK(has(test::read(sample / "report/index.html"), "changes nothing: it is earlier than"));
    sample.write("class.toml", "format = 1\nextensions = \"missing.csv\"\n");
    const test::Run missing = test::course_program({"report", sample.path().string()});
    CHECK(missing.code == 4);
    CHECK(has(missing.text, "class.toml:2:14: \"extensions\" names missing.csv, and there is no such file"));
    sample.write("extensions.csv", "id,deadline\nada,2026-12-05T23:59\n");
    sample.write("class.toml", "format = 1\nextensions = \"extensions.csv\"\n");
    CHECK(has(test::course_program({"report", sample.path().string()}).text,
              "says no time zone: class.toml has no "
              "time_zone, so add an offset"));
}
