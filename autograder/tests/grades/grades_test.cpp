// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "classroom/grades/class_grades.hpp"
#include "classroom/grades/read_json.hpp"
#include "grades/sample_class.hpp"
#include "manifest/manifest.hpp"
#include "support/golden.hpp"
#include "support/text.hpp"

using namespace course;

namespace {

ClassPolicy policy(const std::string& text) {
    const test::Folder folder;
    folder.write("class.toml", "format = 1\n" + text);
    return read_policy(folder / "class.toml", "class.toml");
}

std::string mistake(const std::string& text) {
    try {
        policy(text);
    } catch (const ManifestError& error) {
        return error.what();
    }
    return "";
}

const ExerciseGrade& only(const ClassGrades& grades, std::size_t student = 0, std::size_t exercise = 0) {
    return grades.students.at(student).exercises.at(exercise);
}

bool has_note(const std::vector<std::string>& notes, const std::string& part) {
    for (const std::string& note : notes)
        if (note.find(part) != note.npos) return true;
    return false;
}

}  // namespace

TEST_CASE("class.toml: every key is read") {
    const ClassPolicy read = policy(R"(
title = "GPUs, autumn"
time_zone = "Europe/Berlin"
deadline = 2026-12-01T23:59:00
last_acceptance = 2026-12-08T23:59:00
exercises = [3, 8, 12]
best_of = "latest"
points_per_star = 0.5
hidden_share = 0.25
[late]
grace_minutes = 10
lose = 0.1
each_hours = 12
floor = 0.5
[[exercise]]
number = 8
points = 10
best_of = "best"
hidden_share = 0.5
deadline = 2026-06-01T12:00:00
last_acceptance = 2026-06-02T12:00:00+00:00
[students]
hidden_results_from = 2026-12-09T00:00:00Z
speed_ups = false
findings = false
[leaderboard]
exercise = 12
)");
    CHECK(read.title == "GPUs, autumn");
    CHECK(read.time_zone.name() == "Europe/Berlin");
    CHECK(utc_text(read.deadline.value()) == "2026-12-01T22:59:00Z");  // winter time
    CHECK(utc_text(read.last_acceptance.value()) == "2026-12-08T22:59:00Z");
    CHECK(read.exercises == std::vector<int>{3, 8, 12});
    CHECK(read.best_of == BestOf::latest);
    CHECK(read.points_per_star == 0.5);
    CHECK(read.hidden_share == 0.25);
    CHECK(read.late == LateRule{10, 0.1, 12, 0.5});
    const ExercisePolicy own = read.of(8);
    CHECK(own.points.value() == 10);
    CHECK(own.best_of == BestOf::best);
    CHECK(own.hidden_share.value() == 0.5);
    CHECK(utc_text(own.deadline.value()) == "2026-06-01T10:00:00Z");  // summer time
    CHECK(utc_text(own.last_acceptance.value()) == "2026-06-02T12:00:00Z");
    const ExercisePolicy other = read.of(3);
    CHECK_FALSE(other.points);
    CHECK(other.best_of == BestOf::latest);
    CHECK(other.deadline == read.deadline);
    CHECK(utc_text(read.students.hidden_results_from.value()) == "2026-12-09T00:00:00Z");
    CHECK_FALSE(read.students.speed_ups);
    CHECK_FALSE(read.students.findings);
    CHECK(read.leaderboard.value() == 12);

    const ClassPolicy usual = policy("");
    CHECK_FALSE(usual.deadline);
    CHECK(usual.best_of == BestOf::best);
    CHECK(usual.points_per_star == 0);
    CHECK(usual.students.findings);
    CHECK_FALSE(usual.students.hidden_results_from);
    CHECK_FALSE(usual.leaderboard);
    CHECK_FALSE(policy("[leaderboard]\nshow = false\nexercise = 8\n").leaderboard);
}

TEST_CASE("class.toml: mistakes name the place and the near word") {
    test::check_messages(
        "grades",
        {mistake("deadlin = 1\n"), mistake("[late]\ngrace_minuets = 1\n"), mistake("[students]\nspeedups = true\n"),
         mistake("colour = 1\n"), mistake("best_of = \"last\"\n"), mistake("deadline = 2026-12-01T23:59:00\n"),
         mistake("time_zone = \"Europe/Berlni\"\n"), mistake("time_zone = \"../../etc/passwd\"\n"),
         mistake("time_zone = \"Europe/Berlin\"\ndeadline = 2026-03-29T02:30:00\n"), mistake("hidden_share = 1.5\n"),
         mistake("[late]\nlose = -1\n"), mistake("[late]\neach_hours = 0\n"), mistake("exercises = [8, 8]\n"),
         mistake("exercises = [8.5]\n"), mistake("exercises = [8]\n[[exercise]]\nnumber = 9\n"),
         mistake("[[exercise]]\nnumber = 8\n[[exercise]]\nnumber = 8\n"), mistake("[students]\nfindings = \"no\"\n"),
         mistake("deadline = \"tomorrow\"\n")});
    CHECK(mistake("deadline = 1\n") != "");
    CHECK(closest_match("dog", {"deadline", "late"}).empty());
}

TEST_CASE("an hour that a zone has twice is the later one, in the student's favour") {
    const TimeZone berlin("Europe/Berlin");
    CHECK(utc_text(berlin.to_utc({2026, 10, 25, 2, 30, 0}).value()) == "2026-10-25T01:30:00Z");
    CHECK(berlin.text(test::at(test::noon)) == "2026-12-01 13:00 Europe/Berlin");
    CHECK(utc_text(test::at(test::noon)) == "2026-12-01T12:00:00Z");
}

TEST_CASE("what a late answer keeps") {
    const LateRule rule{10, 0.1, 24, 0.35};
    const auto factor = [&](std::int64_t seconds) {
        return late_factor(rule, test::at(test::noon), test::at(test::noon + seconds));
    };
    CHECK(factor(-5) == 1);
    CHECK(factor(600) == 1);    // the grace's last second
    CHECK(factor(601) == 0.9);  // then it counts from the deadline
    CHECK(factor(24 * 3600) == 0.9);
    CHECK(factor(24 * 3600 + 1) == 0.8);
    CHECK(factor(30 * 24 * 3600) == 0.35);
}

TEST_CASE("points are the tasks', weighed, less what is late") {
    test::SampleClass sample;
    sample.enroll("ada");
    sample.enroll("bob");
    sample.enroll("eve");
    sample.submit("ada");
    sample.graded("08_passed", "08-raw-add");
    sample.graded("12_barrier_in_if", "12-reduce");
    sample.submit("bob", test::noon + 3600);
    sample.graded("08_no_guard", "08-raw-add");
    const ClassResults read = sample.results();
    CHECK(read.problems.empty());
    const ClassGrades plain = grade_class(read, {});
    REQUIRE(plain.exercises.size() == 2);
    CHECK(plain.max_points == 15);
    CHECK(plain.students[0].points == 12);
    CHECK(only(plain, 1).points == 2);
    CHECK(only(plain, 1, 1).standing == Standing::nothing_handed_in);
    CHECK(plain.students[2].points == 0);
    CHECK(plain.students[2].complete);

    const ClassGrades weighed =
        grade_class(read, policy("deadline = 2026-12-01T12:00:00Z\nexercises = [8]\n"
                                 "[late]\nlose = 0.1\n[[exercise]]\nnumber = 8\npoints = 20\n"));
    CHECK(weighed.max_points == 20);
    CHECK(weighed.students[0].points == 20);
    CHECK(weighed.students[1].points == doctest::Approx(9));
    CHECK(has_note(only(weighed, 1).notes, "late: 90 % of the points count"));
    CHECK(only(weighed, 1).counting()->late_by == "1 h after the deadline of 2026-12-01 12:00 UTC");
    CHECK(only(weighed, 0).counting()->late_by.empty());
    const ClassGrades long_ago =
        grade_class(read, policy("time_zone = \"Europe/Berlin\"\ndeadline = 2026-11-29T11:54:30\n"));
    CHECK(only(long_ago, 1).counting()->late_by ==
          "2 days 2 h 5 min 30 s after the deadline of 2026-11-29 11:54:30 Europe/Berlin");
    const ClassGrades closed = grade_class(read, policy("last_acceptance = 2026-12-01T12:30:00Z\n"));
    CHECK(only(closed, 1).points == 0);
    CHECK(has_note(only(closed, 1).notes, "after the last acceptance, 2026-12-01 12:30 UTC"));
}

TEST_CASE("without the LMS' stamp nothing is late, and a line says so") {
    test::SampleClass sample;
    sample.enroll("ada");
    sample.submit("ada", std::nullopt);
    sample.graded("08_passed", "08-raw-add");
    const ClassResults read = sample.results();
    const ClassGrades grades = grade_class(read, policy("deadline = 2020-01-01T12:00:00Z\n[late]\nlose = 1\n"));
    CHECK(only(grades).points == 4);
    CHECK(has_note(only(grades).notes, "no time stamp"));
    CHECK(has_note(grades.notes, "1 of 1 submissions have no time stamp"));
    CHECK(only(grades).notes.size() == 1);
    CHECK(grades.students[0].late_without_time.empty());
}

TEST_CASE("what Canvas marks LATE, and nobody has the time of, is said to the instructor wherever points are") {
    test::SampleClass sample;
    for (const char* id : {"ada", "bob", "cy"}) sample.enroll(id);
    const auto late = [](bool is_late) {
        return LmsName{
            .lms = "canvas", .who = "x", .number = "1", .upload = "2", .file = "raw_add.cu", .is_late = is_late};
    };
    sample.submit("ada", std::nullopt, 1, {"ada", "cy"}).lms_name = late(true);
    sample.graded("08_passed", "08-raw-add");
    sample.submit("bob", std::nullopt).lms_name = late(false);
    sample.graded("08_passed", "08-raw-add");
    sample.write("class.toml", "format = 1\ndeadline = 2026-12-01T12:00:00Z\n[late]\nlose = 0.1\n");
    ClassResults read = sample.results();
    const std::string deadline = "deadline = 2026-12-01T12:00:00Z\n";
    const ClassGrades grades = grade_class(read, policy(deadline));
    CHECK(grades.students[0].late_without_time.find("give the time in the roster's column \"submitted\"") !=
          std::string::npos);
    CHECK(grades.students[1].late_without_time.empty());
    CHECK_FALSE(grades.students[2].late_without_time.empty());  // of the group
    CHECK(
        has_note(grades.notes,
                 "2 of 2 submissions have no time stamp from the LMS: they aren't late; Canvas marks 2 LATE: see the"));
    const test::Run exported = test::course_program({"export", sample.path().string(), "--format", "canvas"});
    CHECK(exported.text.find("Canvas marks it LATE, and doesn't say when it was handed in, so nothing is taken off") !=
          std::string::npos);
    CHECK(exported.text.find("(2: ada, cy)") != std::string::npos);
    REQUIRE(test::course_program({"report", sample.path().string()}).code == 0);
    const std::string page = test::read(sample / "report/index.html");
    CHECK(page.find("LATE in Canvas, time not known, to look at") != std::string::npos);
    CHECK(page.find("What was noticed about the submissions of 2 students") != std::string::npos);
    CHECK(test::read(sample / "report/students/ada.html").find("LATE") == std::string::npos);
    // Where no deadline counts, or the time is known, there is nothing to say.
    CHECK(grade_class(read, policy("")).students[0].late_without_time.empty());
    read.intake.submissions[0].time = test::at(test::noon + 3600);
    CHECK(grade_class(read, policy(deadline)).students[0].late_without_time.empty());
}

TEST_CASE("the best of several attempts, or the latest") {
    test::SampleClass sample;
    sample.enroll("ada");
    sample.submit("ada", test::noon - 100, 1);
    sample.graded("08_passed", "08-raw-add");
    sample.submit("ada", test::noon - 50, 2);
    sample.graded("08_no_guard", "08-raw-add");
    const ClassResults read = sample.results();
    CHECK(only(grade_class(read, {})).points == 4);
    CHECK(only(grade_class(read, policy("best_of = \"latest\"\n"))).points == 2);
    CHECK(only(grade_class(read, policy("[[exercise]]\nnumber = 8\nbest_of = \"latest\"\n"))).points == 2);
    // A late one that is better by tasks may be worse by points.
    const ClassGrades late = grade_class(read, policy("deadline = 2026-12-01T11:59:00Z\n[late]\nlose = 0.9\n"));
    CHECK(only(late).points == 4);
    CHECK(*only(late).counts == 0);
    CHECK(only(late).attempts[1].counted() == doctest::Approx(0.2));
}

TEST_CASE("a group's members get the same") {
    test::SampleClass sample;
    sample.enroll("ada", "Ada", "g1");
    sample.enroll("bob", "Bob", "g1");
    sample.submit("ada", test::noon, 1, {"ada", "bob"});
    sample.graded("08_no_guard", "08-raw-add");
    sample.submit("bob", test::noon + 10, 2, {"ada", "bob"});
    sample.graded("08_passed", "08-raw-add");
    const ClassResults read = sample.results();
    const ClassGrades grades = grade_class(read, {});
    CHECK(grades.students.size() == 2);
    CHECK(grades.students[0].points == 4);
    CHECK(grades.students[1].points == 4);
    CHECK(only(grades, 0).attempts.size() == 2);
}

TEST_CASE("the hidden cases' share") {
    test::SampleClass sample;
    sample.enroll("ada");
    sample.submit("ada");
    sample.answer(test::folded("08_passed", 0), "08-raw-add", "", test::hidden_of("add", "passed", "wrong"));
    sample.enroll("bob");
    sample.submit("bob");
    sample.graded("08_passed", "08-raw-add");
    sample.enroll("eve");
    sample.submit("eve");
    sample.answer(test::result_of("08_no_guard"), "08-raw-add", "", test::hidden_of("add", "crashed", "passed"));
    const ClassResults read = sample.results();
    CHECK(only(grade_class(read, {})).points == 2);  // as result.json has it: a task is right in all cases, or it isn't
    const ClassGrades grades = grade_class(read, policy("hidden_share = 0.25\n"));
    CHECK(only(grades).points == doctest::Approx(2 * 0.75 + 2));
    CHECK(only(grade_class(read, policy("[[exercise]]\nnumber = 8\nhidden_share = 0\n"))).points == 4);
    CHECK(only(grades, 1).points == 4);
    CHECK(has_note(only(grades, 1).notes, "no hidden cases ran"));
    CHECK(only(grades, 2).points == 2);  // right in the hidden cases alone is no answer
}

TEST_CASE("an answer that can't be taken is the student's fault") {
    test::SampleClass sample;
    sample.enroll("ada");
    sample.submit("ada").answers.push_back({8, "08-raw-add", "00"});
    nlohmann::ordered_json result = test::folded("08_no_guard", 1);
    result["status"] = "environment";
    nlohmann::ordered_json stored = {{"schema", 1},           {"key", "k"},
                                     {"submission", "ada-1"}, {"folder", "08-raw-add"},
                                     {"grader_fault", ""},    {"not_taken", "raw_add.cu is a link"},
                                     {"private", nullptr},    {"result", result}};
    sample.write("results/ada-1/08-raw-add.json", stored.dump());
    const ClassResults read = sample.results();
    CHECK(only(grade_class(read, {})).standing == Standing::graded);
    CHECK(has_note(only(grade_class(read, {})).notes, "can't be taken: raw_add.cu is a link"));
}

TEST_CASE("without a policy the exercises count that were graded, not all that was handed in") {
    test::SampleClass sample;
    sample.enroll("ada");
    sample.submit("ada").answers.push_back({12, "12-reduce", "00"});
    sample.graded("08_passed", "08-raw-add");
    sample.enroll("bob");
    sample.submit("bob").answers.push_back({8, "08-raw-add", "00"});  // the batch was stopped before it
    const ClassResults read = sample.results();
    const ClassGrades grades = grade_class(read, {});
    REQUIRE(grades.exercises.size() == 1);
    CHECK(grades.exercises[0].number == 8);
    CHECK(grades.students[0].complete);
    CHECK(has_note(grades.notes, "exercise 12 was handed in, and no answer to it has been graded: it doesn't count"));
    CHECK_FALSE(grades.students[1].complete);
    const ClassGrades asked =
        grade_class(read, policy("exercises = [8, 12]\n[[exercise]]\nnumber = 12\npoints = 11\n"));
    CHECK_FALSE(asked.students[0].complete);
    CHECK(asked.max_points == 15);
    // Nothing is graded yet: all of it.
    test::SampleClass fresh;
    fresh.enroll("ada");
    fresh.submit("ada").answers.push_back({8, "08-raw-add", "00"});
    CHECK(grade_class(fresh.results(), {}).exercises.size() == 1);
}

TEST_CASE("stars count only where the policy says so") {
    test::SampleClass sample;
    sample.enroll("ada");
    sample.submit("ada");
    nlohmann::ordered_json starred = test::result_of("08_passed");
    starred["stars"] = 1;
    sample.answer(starred, "08-raw-add");
    const ClassResults read = sample.results();
    CHECK(only(grade_class(read, {})).points == 4);
    CHECK(only(grade_class(read, policy("points_per_star = 0.5\n"))).points == 4.5);
    CHECK(grade_class(read, policy("points_per_star = 0.5\n")).max_points == 4);
}

TEST_CASE("a grader's fault is no zero") {
    test::SampleClass sample;
    sample.enroll("ada");
    sample.submit("ada");
    sample.answer(nullptr, "08-raw-add", "the GPU fell off the bus");
    sample.enroll("bob");
    sample.submit("bob");
    nlohmann::ordered_json no_compiler = test::result_of("08_no_guard");
    no_compiler["status"] = "environment";
    no_compiler["message"] = "no compiler";
    sample.answer(no_compiler, "08-raw-add");
    sample.enroll("eve");
    sample.submit("eve").answers.push_back({8, "08-raw-add", "00"});  // no file yet
    sample.enroll("dan");
    sample.submit("dan", test::noon - 100, 1);
    sample.graded("08_no_guard", "08-raw-add");
    sample.submit("dan", test::noon - 50, 2);
    sample.answer(nullptr, "08-raw-add", "the disk is full");
    const ClassResults read = sample.results();
    const ClassGrades grades = grade_class(read, policy("[[exercise]]\nnumber = 8\npoints = 4\n"));
    for (std::size_t k = 0; k < 3; ++k) {
        CHECK(only(grades, k).standing == Standing::not_graded);
        CHECK_FALSE(grades.students[k].complete);
    }
    CHECK(has_note(only(grades, 0).notes, "couldn't be graded because of the grader: the GPU fell off the bus"));
    CHECK(has_note(only(grades, 1).notes, "couldn't be graded because of the grader: no compiler"));
    CHECK(has_note(only(grades, 2).notes, "hasn't been graded yet"));
    CHECK(only(grades, 2).counting()->is_waiting);
    CHECK_FALSE(only(grades, 0).counting()->is_waiting);
    CHECK(only(grades, 3).points == 2);
    CHECK(grades.students[3].complete);
    CHECK(has_note(only(grades, 3).notes, "attempt 2 isn't graded: the disk is full"));
    CHECK(only(grade_class(read, policy("best_of = \"latest\"\n")), 3).standing == Standing::not_graded);
}

TEST_CASE("what was handed in and can't be used is told from nothing") {
    test::SampleClass sample;
    for (const char* id : {"ada", "bob", "cy", "dan"}) sample.enroll(id);
    sample.submit("ada").unusable = {{0, "none of the files has an exercise's file name (found: rawadd.cpp)"}};
    sample.submit("bob").unusable = {{12, "none of the files has its name (found: red.cu)"}};
    sample.graded("08_passed", "08-raw-add");
    sample.submit("dan").unusable = {{0, std::string(5000, 'x')}};
    const ClassResults read = sample.results();
    const ClassGrades grades = grade_class(read, policy("exercises = [8, 12]\n"));
    const auto& of = grades.students;
    for (const ExerciseGrade& one : of[0].exercises) {
        CHECK(one.standing == Standing::nothing_handed_in);
        CHECK(one.unusable == "none of the files has an exercise's file name (found: rawadd.cpp)");
    }
    CHECK(of[1].exercises[0].unusable.empty());
    CHECK(of[1].exercises[1].unusable == "none of the files has its name (found: red.cu)");
    for (const ExerciseGrade& one : of[2].exercises) CHECK(one.unusable.empty());
    CHECK(of[0].complete);
    CHECK(of[3].exercises[0].unusable.size() <= 1004);
}

TEST_CASE("equal warnings are one line, in the order in which they came") {
    CHECK(warning_lines({}).empty());
    CHECK(warning_lines(
              {{"ada", "is late"}, {"", "no roster"}, {"bob", "is late"}, {"ada", "is late"}, {"cy", "odd", " "}}) ==
          std::vector<std::string>{"is late (2: ada, bob)", "no roster", "cy odd"});
    std::vector<WarningOn> many;
    for (int k = 0; k < 50; ++k) many.push_back({std::to_string(k), "is late"});
    const std::string line = warning_lines(many).at(0);
    CHECK(line.starts_with("is late (50: 0, 1, 2, "));
    CHECK(line.ends_with(", 39, and 10 more)"));
}

TEST_CASE("review earns nothing until an instructor has confirmed it; a changed answer needs a new decision") {
    test::SampleClass sample;
    sample.enroll("ada");
    sample.submit("ada");
    sample.answer(test::review_of("08_passed"), "08-raw-add");
    sample.finish();
    const std::string results = sample.path().string();
    CHECK(only(grade_class(sample.results(), {})).points == 2);
    CHECK(only(grade_class(sample.results(), {})).waits_for_review());

    const test::Run listed = test::course_program({"confirm", results});
    CHECK(listed.code == 1);
    CHECK(listed.text.find("1 result waits for review:\n  ada              exercise  8, attempt 1: add (141 % of the "
                           "device's copy bandwidth)") != std::string::npos);
    CHECK(test::course_program({"confirm", results, "ada", "8"}).text.find("say why") != std::string::npos);
    CHECK(test::course_program({"confirm", results, "aad", "8", "--because", "x"}).text.find("did you mean \"ada\"?") !=
          std::string::npos);
    CHECK(test::course_program({"confirm", results, "ada", "9", "--because", "x"}).code == 4);
    const test::Run confirmed =
        test::course_program({"confirm", results, "ada", "08", "--because", "all in the cache"});
    CHECK(confirmed.code == 0);
    ClassResults read = sample.results();
    CHECK(only(grade_class(read, {})).points == 4);
    CHECK(has_note(only(grade_class(read, {})).notes, "review confirmed: all in the cache"));
    CHECK(test::course_program({"confirm", results}).code == 0);

    CHECK(test::course_program({"confirm", results, "ada", "8", "--because", "no", "--reject"}).code == 4);
    CHECK(
        test::course_program({"confirm", results, "ada", "8", "--because", "no", "--reject", "--attempt", "1"}).code ==
        0);
    read = sample.results();
    CHECK(read.confirmed.size() == 1);
    CHECK(only(grade_class(read, {})).points == 2);
    CHECK_FALSE(only(grade_class(read, {})).waits_for_review());

    sample.intake.submissions.clear();  // the same student's changed answer: another key
    sample.submit("ada");
    sample.answer(test::review_of("08_passed"), "08-raw-add", "", nullptr, "k2");
    CHECK(only(grade_class(sample.results(), {})).waits_for_review());
}

TEST_CASE("a broken file is one line, and not the end") {
    test::SampleClass sample;
    sample.enroll("ada");
    sample.submit("ada");
    sample.graded("08_passed", "08-raw-add");
    const std::string good = test::read(sample / "results/ada-1/08-raw-add.json");
    const auto problem = [&](const std::string& text) {
        sample.write("results/ada-1/08-raw-add.json", text);
        const ClassResults read = sample.results();
        CHECK(read.results.empty());
        CHECK_FALSE(grade_class(read, policy("[[exercise]]\nnumber = 8\npoints = 4\n")).students[0].complete);
        return read.problems.size() == 1 ? read.problems[0] : "no line, or several";
    };
    CHECK(problem(good.substr(0, good.size() / 2)).starts_with("results/ada-1/08-raw-add.json: "));
    test::check_messages("grades",
                         {problem("[1]"), problem(test::replaced(good, "\"points\": 4", "\"points\": 400")),
                          problem(test::replaced(good, "\"points\": 4", "\"points\": \"4\"")),
                          problem(test::replaced(good, "\"points\": 4", "\"points\": 3")),
                          problem(test::replaced(good, "\"status\": \"passed\"", "\"status\": \"perfect\"")),
                          problem(test::replaced(good, "\"submission\": \"ada-1\"", "\"submission\": \"bob-1\"")),
                          problem(std::string(200, '[')), problem(std::string((std::size_t{16} << 20) + 1, ' '))});
    sample.write("results/ada-1/08-raw-add.json", good);
    sample.write("confirmed.json", "{");
    CHECK(sample.results().problems.size() == 1);
    CHECK(sample.results().results.size() == 1);

    sample.intake.submissions[0].answers.push_back({9, "../../../etc", "00"});
    CHECK_THROWS_WITH(sample.results(), doctest::Contains("submissions[0].answers[1].folder isn't a file's name"));
    sample.write("intake.json", "{}");
    CHECK(test::course_program({"confirm", sample.path().string()}).code == 4);
    const test::Folder empty;
    CHECK(test::course_program({"confirm", empty.path().string()}).text.find("there is no intake.json") !=
          std::string::npos);
}

TEST_CASE("points have two decimals at most, and halves go up") {
    for (const auto& [points, text] : std::vector<std::pair<double, std::string>>{{0, "0"},
                                                                                  {2.5, "2.5"},
                                                                                  {0.1 + 0.2, "0.3"},
                                                                                  {6.5 / 8 * 10, "8.13"},
                                                                                  {8.135, "8.14"},
                                                                                  {1.005, "1.01"},
                                                                                  {8.1249, "8.12"},
                                                                                  {2.675, "2.68"},
                                                                                  {10, "10"}}) {
        CHECK(points_text(points) == text);
        CHECK(rounded(points) == doctest::Approx(std::stod(text)));
    }
}
