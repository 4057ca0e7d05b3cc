// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "classroom/grades/class_grades.hpp"
#include "grades/sample_class.hpp"
#include "kit/kit.hpp"

using namespace course;

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

/// Ada has all, Bob 1.8 of 4 because he is late, Cy nothing, and of Dan the grader could say nothing.
void fill(test::SampleClass& sample) {
    sample.enroll("ada", "Ada Lovelace");
    sample.enroll("bob", "Bob");
    sample.enroll("cy", "Cy");
    sample.enroll("dan", "Dan");
    sample.submit("ada");
    sample.graded("08_passed", "08-raw-add");
    sample.graded("12_passed", "12-reduce");
    sample.submit("bob", test::noon + 3600);
    sample.graded("08_no_guard", "08-raw-add");
    sample.submit("dan");
    sample.answer(nullptr, "08-raw-add", "the GPU fell off the bus");
    sample.write("class.toml", "format = 1\ndeadline = 2026-12-01T12:00:00Z\n[late]\nlose = 0.1\n");
    sample.finish();
}

/// `course mark` with the results, and whatever else.
test::Run mark(const test::SampleClass& sample, std::vector<std::string> more) {
    more.insert(more.begin(), {"mark", sample.path().string()});
    return test::course_program(more);
}

std::string exported(const test::SampleClass& sample, std::vector<std::string> options) {
    std::vector<std::string> all = {"export", sample.path().string(), "--out", (sample / "out").string(), "--format"};
    all.insert(all.end(), options.begin(), options.end());
    const test::Run ran = test::course_program(all);
    INFO(ran.text);
    CHECK(ran.code == 0);
    return test::read(sample / "out");
}

std::string line_with(const std::string& text, const std::string& part) {
    const std::size_t at = text.find(part);
    if (at == text.npos) return "";
    const std::size_t begin = text.rfind('\n', at) + 1;
    return text.substr(begin, text.find('\n', at) - begin);
}

/// The grades as class.toml weighs them.
struct Graded {
    ClassResults read;
    ClassPolicy policy;
    ClassGrades grades;
    explicit Graded(const test::SampleClass& sample)
        : read(sample.results()),
          policy(read_policy(sample / "class.toml", "class.toml")),
          grades(grade_class(read, policy)) {}
    [[nodiscard]] const ExerciseGrade& of(const std::string& student, std::size_t exercise = 0) const {
        const auto at = std::find_if(grades.students.begin(), grades.students.end(),
                                     [&](const StudentGrade& one) { return one.student.id == student; });
        return at->exercises.at(exercise);
    }
};

}  // namespace

TEST_CASE("a mark stands above the grader's points, and nothing is lost of it for time") {
    test::SampleClass sample;
    fill(sample);
    test::Run ran = mark(sample, {});
    CHECK(ran.code == 0);
    CHECK(has(ran.text, "Nothing is marked by hand."));
    CHECK(Graded(sample).of("bob").points == doctest::Approx(1.8));

    ran = mark(sample, {"bob", "8", "--points", "3", "--comment", "a good idea", "--by", "T. Tutor"});
    INFO(ran.text);
    CHECK(ran.code == 0);
    CHECK(has(ran.text, "bob, exercise 8: 3 of 4 by hand (the grader: 1.8 of 4): a good idea\n"));
    const nlohmann::json file = nlohmann::json::parse(test::read(sample / "marks.json"));
    REQUIRE(file["marks"].size() == 1);
    CHECK(file["marks"][0]["points"] == 3);
    CHECK(file["marks"][0]["of"] == 4);
    CHECK(file["marks"][0]["by"] == "T. Tutor");
    CHECK(file["marks"][0]["submission"] == "bob-1");
    {
        const Graded graded(sample);
        CHECK(graded.of("bob").points == 3);
        CHECK(graded.of("ada").points == 4);
        CHECK(graded.of("bob").marks.at(0).text() == "3 of 4 by hand (the grader: 1.8 of 4): a good idea");
        CHECK_FALSE(graded.of("bob").marks.at(0).is_of_other_answer);
    }
    ran = mark(sample, {});
    CHECK(ran.code == 0);
    CHECK(has(ran.text, "1 mark by hand:\n  bob, exercise 8: 3 of 4 by hand (the grader: 1.8 of 4): a good idea\n"));
    CHECK(has(ran.text, ", by T. Tutor\n"));

    // What isn't said anew stays, and an email address names a student, too.
    ran = mark(sample, {"BOB@example.org", "08", "--points", "2.5"});
    CHECK(has(ran.text, "bob, exercise 8: 2.5 of 4 by hand (the grader: 1.8 of 4): a good idea\n"));
    CHECK(Graded(sample).read.marks.size() == 1);
    CHECK(read_marks(sample.path()).at(0).by == "T. Tutor");
    mark(sample, {"bob", "8", "--comment", "a good idea", "--by", "U. Tutor"});
    CHECK(read_marks(sample.path()).at(0).by == "U. Tutor");
    CHECK(read_marks(sample.path()).at(0).points == 2.5);

    // Another weight of the exercise leaves the share as it is.
    sample.write("class.toml", "format = 1\n[[exercise]]\nnumber = 8\npoints = 8\n");
    CHECK(Graded(sample).of("bob").points == 5);
    CHECK(has(mark(sample, {}).text, "5 of 8 by hand (given as 2.5 of 4; the grader: 4 of 8)"));
    sample.write("class.toml", "format = 1\ndeadline = 2026-12-01T12:00:00Z\n[late]\nlose = 0.1\n");

    ran = mark(sample, {"bob", "8", "--clear"});
    CHECK(ran.code == 0);
    CHECK(has(ran.text, "Taken back: bob, exercise 8. The grader's points count again."));
    CHECK(Graded(sample).of("bob").points == doctest::Approx(1.8));
    CHECK(mark(sample, {"bob", "8", "--clear"}).code == 4);
}

TEST_CASE("a comment alone leaves the points, and a mark of a task the other tasks'") {
    test::SampleClass sample;
    fill(sample);
    test::Run ran = mark(sample, {"ada", "8", "--comment", "nice"});
    CHECK(has(ran.text, "ada, exercise 8: nice\n"));
    CHECK(Graded(sample).of("ada").points == 4);
    CHECK_FALSE(Graded(sample).of("ada").whole_mark());

    ran = mark(sample, {"bob", "8", "--task", "add", "--points", "1.5", "--comment", "nearly"});
    CHECK(has(ran.text, "bob, exercise 8, add: 1.5 of 2 by hand (the grader: 0 of 2): nearly\n"));
    {
        const Graded graded(sample);
        CHECK(graded.of("bob").points == doctest::Approx(1.5 + 0.9 * 2));  // the other task is late
        CHECK(graded.grades.warnings.empty());
    }
    ran = mark(sample, {"bob", "8", "--points", "3"});
    CHECK(ran.code == 4);
    CHECK(has(ran.text,
              "bob, exercise 8, add has points by hand already: 1.5 of 2 by hand (the grader: 0 of 2); take "
              "that back first, with --clear --task add"));
    CHECK(mark(sample, {"bob", "8", "--task", "add", "--clear"}).code == 0);
    CHECK(mark(sample, {"bob", "8", "--points", "3"}).code == 0);
    ran = mark(sample, {"bob", "8", "--task", "add", "--points", "1"});
    CHECK(ran.code == 4);
    CHECK(has(ran.text, "bob, exercise 8 has points as a whole by hand already: 3 of 4"));
}

TEST_CASE("points by hand where the grader has none: nothing handed in, or the grader failed") {
    test::SampleClass sample;
    fill(sample);
    CHECK(has(mark(sample, {"cy", "8", "--points", "4", "--comment", "on paper"}).text,
              "cy, exercise 8: 4 of 4 by hand (nothing handed in): on paper"));
    CHECK(has(mark(sample, {"dan", "8", "--points", "0"}).text, "dan, exercise 8: 0 of 4 by hand (not graded)"));
    const Graded graded(sample);
    CHECK(graded.of("cy").points == 4);
    CHECK(graded.of("dan").has_points());
    CHECK(graded.grades.students[3].complete);
    const test::Run ran = mark(sample, {"cy", "8", "--points", "1", "--task", "add"});
    CHECK(ran.code == 4);
    CHECK(has(ran.text,
              "exercise 8 of cy has no graded answer, so its tasks aren't known: mark the exercise as a "
              "whole, without --task"));
    const std::string moodle = exported(sample, {"moodle-gradebook"});
    CHECK(has(moodle, "cy,cy@example.org,4,0,4,Exercise 8: 4 of 4 by hand (nothing handed in): on paper<br>"));
    CHECK(has(moodle, "dan,dan@example.org,0,0,0,Exercise 8: 0 of 4 by hand (not graded)<br>"));
    CHECK(has(exported(sample, {"junit"}), "<testcase name=\"by hand\" classname=\"cy.08-raw-add\""));
    const test::Run report = test::course_program({"report", sample.path().string()});
    CHECK(report.code == 0);
    CHECK(has(test::read(sample / "report/students/cy.html"), "4 of 4 by hand (nothing handed in): on paper</li>"));
    CHECK(has(test::read(sample / "report/students/dan.html"), "<p><strong>0 of 4</strong>: not graded</p>"));
}

TEST_CASE("a mark that can't be is an error that names the value and the rule") {
    test::SampleClass sample;
    fill(sample);
    for (const auto& [arguments, expected] : std::vector<std::pair<std::vector<std::string>, std::string>>{
             {{"bbo", "8", "--points", "1"}, "there is no student \"bbo\"; did you mean \"bob\"?"},
             {{"Ada Lovelac", "8", "--points", "1"},
              "there is no student \"Ada Lovelac\"; did you mean \"Ada Lovelace\"?"},
             {{"bob", "9", "--points", "1"}, "exercise 9 isn't among those that count: 8, 12"},
             {{"bob", "8", "--points", "three"}, "--points \"three\" isn't a number; write 3 or 2.5"},
             {{"bob", "8", "--points", "2,5"}, "--points \"2,5\" isn't a number; write 3 or 2.5"},
             {{"bob", "8", "--points", "nan"}, "--points \"nan\" isn't a number"},
             {{"bob", "8", "--points", "-1"}, "--points -1: expected 0 or more"},
             {{"bob", "8", "--points", "4.5"}, "--points 4.5: exercise 8 has 4 at most; class.toml can give it more"},
             {{"bob", "8", "--task", "add", "--points", "3"}, "--points 3: exercise 8, add has 2 at most"},
             {{"bob", "8", "--task", "ad", "--points", "1"},
              "exercise 8 has no task \"ad\" with points; did you mean "
              "\"add\"?"},
             {{"bob", "8", "--task", "nonsense", "--points", "1"}, "with points; it has add, mul"},
             {{"bob", "8"}, "what is the mark? Give --points 3, --comment"},
             {{"bob", "--points", "1"}, "which exercise, and whose?"},
             {{"bob", "8", "--comment", " "}, "--comment is empty, and there are no points"},
             {{"bob", "8", "--comment", std::string(5000, 'x')}, "--comment has 5000 bytes; at most 4000 bytes"},
             {{"bob", "8", "--clear", "--points", "1"}, "--clear takes a mark back: give it without"},
             {{"bob", "8", "--clear"}, "bob, exercise 8: nothing is marked by hand"}}) {
        const test::Run ran = mark(sample, arguments);
        INFO(ran.text);
        CHECK(ran.code == 4);
        CHECK(has(ran.text, expected));
    }
    CHECK(Graded(sample).read.marks.empty());
    // Points would be wrong without the file, so nothing goes on.
    const std::string good =
        R"({"student": "bob", "exercise": 8, "task": "", "points": 3, "of": 4, "comment": "", "by": "", "when": "",)"
        R"( "submission": "", "digest": ""})";
    const auto with = [&](const std::string& key, const std::string& value) {
        const std::size_t at = good.find("\"" + key + "\": ") + key.size() + 4;
        return good.substr(0, at) + value + good.substr(good.find_first_of(",}", at));
    };
    const std::string points = "the mark of bob: \"marks[0].points\" should be ";
    for (const auto& [marks, expected] : std::vector<std::pair<std::string, std::string>>{
             {R"({"student": "bob"})", "the mark of bob: \"marks[0].exercise\" should be there"},
             {with("student", "7"), "\"marks[0].student\" should be a string"},
             {with("exercise", "\"8\""), "the mark of bob: \"marks[0].exercise\" should be an integer"},
             {with("exercise", "100"), "\"marks[0].exercise\" should be 1 to 99"},
             {with("points", "\"3\""), points + "a number"},
             {with("points", "-1"), points + "0 to 1000000"},
             {with("points", "5"), points + "4 at most, as \"of\" has"},
             {with("points", "1e300"), points + "0 to 1000000"},
             {with("points", "NaN"), "parse error"},
             {with("points", "1e999"), "number overflow"},
             {with("of", "null"), "the mark of bob: \"marks[0].of\" should be 0 to 1000000"},
             {with("comment", "[]"), "the mark of bob: \"marks[0].comment\" should be a string"},
             {with("task", "\"\", \"pionts\": 3"), "\"marks[0].pionts\" is unknown; did you mean \"points\"?"},
             {good + ", " + good, "two marks of bob on exercise 8"},
             {"7", "marks[0] isn't a JSON object"}}) {
        sample.write("marks.json", R"({"schema": 1, "marks": [)" + marks + "]}");
        const test::Run ran = test::course_program({"report", sample.path().string()});
        INFO(ran.text);
        CHECK(ran.code == 4);
        CHECK(has(ran.text, "marks.json: "));
        CHECK(has(ran.text, expected));
    }
    sample.write("marks.json", R"({"schema": 1, "marks": [)" + good + "]}");
    CHECK(sample.results().marks.at(0).points == 3);
    for (const char* broken : {"", "{", "[]", R"({"schema": 2, "marks": []})", R"({"schema": 1, "marks": {}})"}) {
        sample.write("marks.json", broken);
        CHECK_THROWS_AS(sample.results(), UsageError);
        for (const char* command : {"mark", "report"}) {
            const test::Run ran = test::course_program({command, sample.path().string()});
            CHECK(ran.code == 4);
            CHECK(has(ran.text, "marks.json: "));
        }
    }
}

TEST_CASE("a review that is marked by hand is settled, with all points given or with those of its task") {
    test::SampleClass sample;
    sample.enroll("ada");
    sample.submit("ada");
    sample.answer(test::review_of("08_passed"), "08-raw-add");
    sample.write("class.toml", "format = 1\n");
    sample.finish();
    CHECK(has(test::course_program({"confirm", sample.path().string()}).text, "or give points by hand: course mark "));
    CHECK(mark(sample, {"ada", "8", "--comment", "I am looking"}).code == 0);
    CHECK(Graded(sample).of("ada").waits_for_review());
    CHECK(mark(sample, {"ada", "8", "--points", "2", "--task", "mul"}).code == 0);
    CHECK(Graded(sample).of("ada").waits_for_review());  // it is of the other task
    CHECK(mark(sample, {"ada", "8", "--clear"}).code == 0);
    for (const std::vector<std::string>& more :
         {std::vector<std::string>{"--points", "1"}, {"--points", "1", "--task", "add"}}) {
        std::vector<std::string> all = {"ada", "8"};
        all.insert(all.end(), more.begin(), more.end());
        CHECK(mark(sample, all).code == 0);
        CHECK_FALSE(Graded(sample).of("ada").waits_for_review());
        CHECK(test::course_program({"confirm", sample.path().string()}).code == 0);
        CHECK(test::course_program({"report", sample.path().string()}).code == 0);
        CHECK(has(test::read(sample / "report/index.html"), "<dt>awaiting review</dt><dd>0</dd>"));
        CHECK(mark(sample, {"ada", "8", "--clear"}).code == 0);
    }
    CHECK(Graded(sample).of("ada").waits_for_review());
}

TEST_CASE("a group's marks, and an answer that changes after it was marked") {
    test::SampleClass sample;
    for (const char* student : {"ada", "bob", "cy"}) sample.enroll(student);
    sample.submit("ada", test::noon - 60, 1, {"ada", "bob"});
    sample.graded("08_no_guard", "08-raw-add");
    sample.write("class.toml", "format = 1\nbest_of = \"latest\"\n");
    sample.finish();
    test::Run ran = mark(sample, {"ada", "8", "--points", "4"});
    CHECK(has(ran.text, "This is for ada alone; --group gives it to all who handed it in together (ada, bob)."));
    CHECK(Graded(sample).of("bob").points == 2);
    ran = mark(sample, {"ada", "8", "--points", "3", "--group"});
    CHECK(has(ran.text, "ada, exercise 8: 3 of 4 by hand"));
    CHECK(has(ran.text, "bob, exercise 8: 3 of 4 by hand"));
    CHECK(Graded(sample).of("bob").points == 3);

    sample.submit("ada", test::noon - 30, 2, {"ada", "bob"});
    sample.graded("08_passed", "08-raw-add");
    sample.intake.submissions.back().answers[0].digest = "01";
    CHECK(Graded(sample).of("ada").points == 3);  // a mark is never lost
    CHECK(Graded(sample).of("ada").marks.at(0).is_of_other_answer);
    CHECK(has(mark(sample, {}).text, "another answer counts now than the one that was marked: look again"));
    CHECK(test::course_program({"report", sample.path().string()}).code == 0);
    CHECK(has(test::read(sample / "report/index.html"), "2 marks of an earlier answer"));

    sample.intake.roster.pop_back();
    sample.intake.submissions.clear();
    sample.submit("cy");
    sample.graded("08_passed", "08-raw-add");
    sample.intake.roster.erase(sample.intake.roster.begin(), sample.intake.roster.begin() + 2);
    sample.finish();
    ran = mark(sample, {});
    CHECK(has(ran.text, "the mark of ada on exercise 8 changes nothing: nobody of that name is in the class"));
    CHECK(mark(sample, {"ada", "8", "--clear"}).code == 0);
}

TEST_CASE("every export has the points by hand, and every page") {
    test::SampleClass sample;
    fill(sample);
    REQUIRE(mark(sample, {"bob", "8", "--points", "3", "--comment", "a <b>good</b> idea\n=1+1\x1b[31m"}).code == 0);
    REQUIRE(mark(sample, {"ada", "12", "--task", "tree", "--points", "1", "--comment", "copied"}).code == 0);
    const std::string both = "3 of 4 by hand (the grader: 1.8 of 4)";
    const std::string escaped =
        "3 of 4 by hand (the grader: 1.8 of 4; add: crashed): a &lt;b&gt;good&lt;/b&gt; idea<br>=1+1[31m";
    const std::string moodle = exported(sample, {"moodle-gradebook"});
    CHECK(has(moodle, "bob,bob@example.org,3,0,3,\"Exercise 8: " + escaped + "<br>Exercise 12: nothing handed in\"\n"));
    CHECK(has(moodle,
              "ada,ada@example.org,4,9,13,\"Exercise 8: 4 of 4 points<br>Exercise 12: 9 of 11 points; tree: 1 of "
              "3 by hand (the grader: 3 of 3): copied\"\n"));
    sample.write("worksheet.csv",
                 "Identifier,Full name,Email address,Grade,Maximum grade,Last modified (grade),Feedback comments\n"
                 "Participant 1,Bob,bob@example.org,,4,-,\n");
    CHECK(has(
        exported(sample, {"moodle-worksheet", "--exercise", "8", "--worksheet", (sample / "worksheet.csv").string()}),
        "bob@example.org,3,4,-,\"Exercise 8: " + escaped + "\"\n"));
    CHECK(has(exported(sample, {"canvas"}), "Bob,,bob,bob,,3,0\n"));
    CHECK(has(exported(sample, {"nbgrader"}), "bob@example.org,3,0,3,4\n"));
    CHECK(has(exported(sample, {"junit"}), "<property name=\"by_hand\" value=\"" + both + ": a &lt;b&gt;good"));
    CHECK(has(exported(sample, {"junit"}), "<property name=\"points\" value=\"3\"/>"));

    using Json = nlohmann::json;
    const auto of_bob = [&](const std::string& format) { return exported(sample, {format, "--submission", "bob-1"}); };
    const Json gradescope = Json::parse(of_bob("gradescope"));
    CHECK(gradescope["score"] == 3);
    CHECK(has(gradescope["output"], "3 of 4 by hand (the grader: 1.8 of 4; add: crashed)"));
    CHECK(gradescope["tests"][0]["name"] == "08-raw-add: by hand");
    CHECK(gradescope["tests"][0]["score"] == 3);
    CHECK_FALSE(gradescope["tests"][1].contains("score"));
    const Json prairie = Json::parse(of_bob("prairielearn"));
    CHECK(prairie["score"] == doctest::Approx(3.0 / 15));
    CHECK(has(prairie["tests"][0]["message"], both));
    const Json github = Json::parse(of_bob("github"));
    double sum = 0;
    for (const Json& test : github["tests"]) sum += test["score"].get<double>();
    CHECK(sum == 3);
    CHECK(has(github["tests"][0]["message"], both));
    CHECK(has(of_bob("github-lines"), "::notice title=Autograding complete::Points 3/15\n"));
    CHECK(has(of_bob("github-lines"), "::notice title=08-raw-add%3A by hand::" + both + ": a <b>good</b> idea%0A=1+1"));
    const Json ada = Json::parse(exported(sample, {"github", "--submission", "ada-1"}));
    sum = 0;
    for (const Json& test : ada["tests"]) sum += test["score"].get<double>();
    CHECK(sum == 13);
    const Json of_task = Json::parse(exported(sample, {"gradescope", "--submission", "ada-1"}));
    CHECK(of_task["score"] == 13);
    CHECK(std::any_of(of_task["tests"].begin(), of_task["tests"].end(), [](const Json& test) {
        return test["name"] == "12-reduce: tree" && test["score"] == 1 &&
               has(test["output"], "tree: 1 of 3 by hand (the grader: 3 of 3): copied");
    }));

    CHECK(test::course_program({"report", sample.path().string()}).code == 0);
    const std::string page = test::read(sample / "report/index.html");
    CHECK(has(page, "2 marks by hand"));
    CHECK(has(page, both + ": a &lt;b&gt;good&lt;/b&gt; idea"));
    CHECK_FALSE(has(page, "\x1b"));
    const std::string all = page.substr(page.find("Find a student"));
    CHECK(has(line_with(all, "students/bob.html\">bob</a> Bob"), "8 by hand"));
    const std::string student = test::read(sample / "report/students/bob.html");
    CHECK(has(student, "<strong>3 of 4</strong>: crashed"));
    CHECK(has(student, both + ": a &lt;b&gt;good&lt;/b&gt; idea"));
    CHECK_FALSE(has(student, "Handed in late"));
    CHECK(has(test::read(sample / "report/students/ada.html"), "1 of 3 by hand"));
    CHECK(has(test::read(sample / "report/feedback/bob.md"), "3 of 4 by hand (the grader: 1.8 of 4): a \\<b\\>good"));

    // What is said of a task that is right is read as well.
    REQUIRE(mark(sample, {"ada", "8", "--task", "mul", "--comment", "neat"}).code == 0);
    const std::string lines = exported(sample, {"github-lines", "--submission", "ada-1"});
    CHECK(has(lines, "::notice title=08-raw-add%3A mul::a grid of any size: grid-stride loop: passed%0Amul: neat"));
    const Json neat = Json::parse(exported(sample, {"github", "--submission", "ada-1"}));
    CHECK(std::any_of(neat["tests"].begin(), neat["tests"].end(), [](const Json& test) {
        return test["name"] == "08-raw-add: mul" && has(test["message"], "mul: neat");
    }));
}

TEST_CASE("a task's mark doesn't tell of hidden cases") {
    test::SampleClass sample;
    sample.enroll("ada");
    sample.submit("ada");
    sample.answer(test::folded("08_passed", 0), "08-raw-add", "", test::hidden_of("add", "passed", "wrong"));
    sample.write("class.toml", "format = 1\n");
    sample.finish();
    REQUIRE(mark(sample, {"ada", "8", "--task", "add", "--points", "1"}).code == 0);
    CHECK(Graded(sample).of("ada").points == 3);
    CHECK(test::course_program({"report", sample.path().string()}).code == 0);
    const std::string page = test::read(sample / "report/students/ada.html");
    CHECK(has(page, "add: 1 of 2 by hand"));
    CHECK_FALSE(has(page, "the grader: 0 of 2"));
    CHECK(has(test::read(sample / "report/index.html"), "add: 1 of 2 by hand (the grader: 0 of 2)"));
    const nlohmann::json gradescope = nlohmann::json::parse(exported(sample, {"gradescope"}));
    CHECK(gradescope["score"] == 3);
    for (const nlohmann::json& test : gradescope["tests"])
        if (test["visibility"] == "visible") CHECK_FALSE(has(test["output"], "the grader: 0 of 2"));
}

TEST_CASE("while names are hidden, a mark hides them, too, and takes a hidden name") {
    test::SampleClass sample;
    fill(sample);
    CHECK(test::course_program({"report", sample.path().string(), "--anonymous"}).code == 0);
    const nlohmann::json kept = nlohmann::json::parse(test::read(sample / "anonymous.json"));
    std::size_t at = 0;
    while (kept["students"].at(at) != "bob") ++at;
    const std::string name = fmt::format("Student {}", at + 1);

    test::Run ran = mark(sample, {name, "8", "--points", "3", "--comment", "a good idea"});
    INFO(ran.text);
    CHECK(ran.code == 0);
    CHECK(has(ran.text, name + ", exercise 8: 3 of 4 by hand"));
    CHECK(Graded(sample).of("bob").points == 3);
    for (const std::vector<std::string>& more :
         {std::vector<std::string>{}, {"bob", "8", "--comment", "better"}, {"bobb", "8", "--points", "1"},
          {"bob", "8", "--points", "9"}, {"bob", "8", "--clear"}}) {
        ran = mark(sample, more);
        CAPTURE(ran.text);
        CHECK_FALSE(has(ran.text, "bob@"));
        CHECK_FALSE(has(ran.text, "\"bob\""));
        CHECK_FALSE(has(ran.text, "bob,"));
    }
    CHECK(has(ran.text, "Taken back: " + name));
    const test::Run waiting = test::course_program({"confirm", sample.path().string()});
    CHECK_FALSE(has(waiting.text, "ada"));
    CHECK(has(mark(sample, {"Student 99", "8", "--points", "1"}).text, "there is no student"));
}

TEST_CASE("a student is also known by what `course grade` prints, with the attempt or without") {
    test::SampleClass sample;
    sample.enroll("Participant 1", "Ada Lovelace");
    sample.submit("Participant 1");
    sample.graded("08_passed", "08-raw-add");
    sample.finish();
    const std::string id = read_class_results(sample.path()).intake.submissions.at(0).id;
    for (const std::string& name : {id, id.substr(0, id.rfind('-'))}) {
        CAPTURE(name);
        const test::Run ran = mark(sample, {name, "8", "--points", "1", "--comment", "on paper"});
        CAPTURE(ran.text);
        CHECK(ran.code == 0);
        CHECK(read_marks(sample.path()).at(0).student == "Participant 1");
        CHECK(mark(sample, {name, "8", "--clear"}).code == 0);
    }
}

TEST_CASE("a student is known by whatever the roster or the LMS calls one student alone") {
    test::SampleClass sample;
    sample.enroll("001002", "Grace Hopper");
    sample.enroll("Participant 104107", "Nobody Handedin");
    sample.enroll("h1", "Olga Cat");
    sample.enroll("a1", "Twin");
    sample.enroll("a2", "Twin");
    sample.intake.roster[0].canvas = "1002";
    sample.intake.roster[4].email = "A1@example.org";
    sample.submit("h1").lms_name = LmsName{.lms = "moodle", .who = "Olga Cat", .number = "104106"};
    sample.graded("08_passed", "08-raw-add");
    sample.finish();
    const auto marked = [&](const std::string& name) {
        const test::Run ran = mark(sample, {name, "8", "--points", "1"});
        if (ran.code != 0) return ran.text;
        const std::string student = read_marks(sample.path()).at(0).student;
        CHECK(mark(sample, {name, "8", "--clear"}).code == 0);
        return student;
    };
    for (const char* name : {"Nobody Handedin", "nobody handedin", "Nobody Handedin (Participant 104107)"})
        CHECK(marked(name) == "Participant 104107");
    CHECK(marked("1002") == "001002");
    CHECK(marked("104106") == "h1");
    CHECK(has(marked("104107"), "there is no student \"104107\""));  // only the roster tells
    sample.write("roster.csv",
                 "id,name,Username,github_username,Email address\n001002,Grace Hopper,gh2,,\n"
                 "Participant 104107,Nobody Handedin,,nobody99,\nh1,Olga Cat,,octo-cat,\na1,Twin,,,\na2,Twin,,,\n");
    CHECK(marked("GH2") == "001002");
    CHECK(marked("octo-cat") == "h1");
    CHECK(marked("nobody99") == "Participant 104107");
    CHECK(marked("a1") == "a1");
    CHECK(has(marked("Twin"), "\"Twin\" is one of 2 students: a1, a2; give the ID"));
    CHECK(has(marked("a1@example.org"), "is one of 2 students: a1, a2; give the ID"));
    CHECK(has(marked("octo-kat"), "there is no student \"octo-kat\""));
    sample.write("roster.csv", "Identifier,Full name\nParticipant 104107,Nobody Handedin\n");
    CHECK(marked("104107") == "Participant 104107");
    sample.write("roster.csv", "broken");
    CHECK(marked("h1") == "h1");
    // Extensions and decisions name them alike.
    sample.write("class.toml", "format = 1\nexercises = [8]\n[[student]]\nid = \"Olga Cat\"\nexempt = [8]\n");
    CHECK(Graded(sample).read.intake.roster.size() == 5);
    CHECK(has(exported(sample, {"canvas"}), "Olga Cat,,h1,h1,,EX\n"));
    sample.write("class.toml", "format = 1\nexercises = [8]\n[[student]]\nid = \"Twin\"\nexempt = [8]\n");
    CHECK(has(mark(sample, {}).text, "class.toml:3:1: \"Twin\" is one of 2 students: a1, a2; give the ID"));
}
