// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>
#include <tuple>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "classroom/exports/csv.hpp"
#include "classroom/exports/exports.hpp"
#include "support/csv.hpp"
#include "grades/sample_class.hpp"

using namespace course;

namespace {

/// Python with its package jsonschema: Debian's, where another Python comes first.
const std::string& python() {
    static const std::string found =
        test::program({"python3", "-c", "import jsonschema"}).code == 0 ? "python3" : "/usr/bin/python3";
    return found;
}

/// What check_format.py has against a file; empty: nothing.
std::string complaints(const std::string& format, const std::string& text) {
    const test::Folder folder;
    folder.write("file", text);
    const test::Run ran =
        test::program({python(), "-W", "ignore", COURSE_SOURCE_DIR "/autograder/tests/grades/check_format.py", format,
                       (folder / "file").string()});
    return ran.code == 0 && ran.text.empty() ? "" : ran.text + " ";
}

/// Four students: right, wrong in part and late, not graded, nothing handed in; and one who isn't on the roster.
void fill(test::SampleClass& sample) {
    sample.enroll("s1", "Ada, Countess of Lovelace");
    sample.enroll("s2", "=HYPERLINK(\"http://example.org\")");
    sample.enroll("s3", "Bob");
    sample.enroll("s4", "Eve Zero");
    sample.submit("s1");
    sample.graded("08_passed", "08-raw-add");
    sample.graded("12_passed", "12-reduce");
    sample.submit("s2", test::noon + 3600);
    sample.graded("08_no_guard", "08-raw-add");
    sample.graded("12_barrier_in_if", "12-reduce");
    sample.submit("s3");
    sample.answer(nullptr, "08-raw-add", "the GPU fell off the bus");
    sample.submit("stranger");
    sample.graded("08_passed", "08-raw-add");
    sample.write("class.toml",
                 "format = 1\ntitle = \"GPU course\"\ndeadline = 2026-12-01T12:00:00Z\n"
                 "[late]\nlose = 0.1\n[leaderboard]\nexercise = 8\n");
    sample.finish();
}

/// What `course export` writes with these options; its messages are left aside.
std::string exported(const test::SampleClass& sample, std::vector<std::string> options, int code = 0) {
    std::vector<std::string> all = {"export", sample.path().string(), "--out", (sample / "out").string(), "--format"};
    all.insert(all.end(), options.begin(), options.end());
    const test::Run ran = test::course_program(all);
    INFO(ran.text);
    CHECK(ran.code == code);
    return test::read(sample / "out");
}

const std::string worksheet =
    "\xEF\xBB\xBFIdentifier,\"Full name\",\"Email address\",Status,Grade,\"Maximum grade\",\"Grade can be changed\","
    "\"Last modified (submission)\",\"Last modified (grade)\",\"Feedback comments\"\r\n"
    "\"Participant 101\",\"Ada, Countess of Lovelace\",S1@example.org,\"Submitted for grading - \",,10,Yes,"
    "\"Tuesday, 1 December 2026, 12:59 PM\",-,\r\n"
    "\"Participant "
    "102\",\"=HYPERLINK(\"\"http://example.org\"\")\",s2@example.org,Submitted,2.50,\"10.00\",Yes,-,-,old\r\n"
    "\"Participant 103\",Bob,s3@example.org,Submitted,1.00,10.00,Yes,-,-,keep\r\n"
    "\"Participant 104\",Eve Zero,s4@example.org,Submitted,7.00,10.00,No,-,-,locked\r\n"
    "\"Participant 105\",Someone Else,else@example.org,Submitted,5.00,10.00,Yes,-,-,other\r\n";

}  // namespace

TEST_CASE("an exercise that neither this edition nor the class has is refused") {
    test::SampleClass sample;
    fill(sample);
    sample.write("class.toml", "format = 1\nexercises = [8, 88]\n");
    const test::Run ran = test::course_program({"export", sample.path().string(), "--format", "junit"});
    CHECK(ran.code == 4);
    CHECK_MESSAGE(ran.text.find("class.toml: there is no exercise 88; this edition has 1, 2, 3") != std::string::npos,
                  ran.text);
}

TEST_CASE("cells are quoted, and none is a formula") {
    CHECK(csv_row({"a", "b,c", "d\"e", "", "2.5"}) == "a,\"b,c\",\"d\"\"e\",,2.5\n");
    for (const char* evil : {"=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1"})
        CHECK(csv_cell(evil).find_first_of("'") < 2);
    CHECK(csv_cell("a=b") == "a=b");
    CHECK(csv_cell(" padded ") == "\" padded \"");
    const auto rows = csv_cells(
                          "\xEF\xBB\xBF"
                          "a,\"b\"\"\n,c\"\r\n\r\n1,2\r3,4\n5,")
                          .rows;
    REQUIRE(rows.size() == 5);
    CHECK(rows[0].cells[1].text == "b\"\n,c");
    CHECK(rows[0].cells[1].begin == 5);
    CHECK(rows[0].cells[1].end == 13);
    CHECK(rows[1].cells.size() == 1);
    CHECK(rows[2].line == 4);
    CHECK(rows[3].cells[1].text == "4");
    CHECK(rows[4].cells[1].text.empty());
    CHECK(csv_cells("a,\"b").open_quote == 1);
    for (const std::string separator : {",", ";", "\t"}) {
        const auto cells = csv_cells("\"a,;,;\"" + separator + "b\n1" + separator + "\"2,5\"\n").rows;
        REQUIRE(cells.size() == 2);
        REQUIRE(cells[1].cells.size() == 2);
        CHECK(cells[0].cells[0].text == "a,;,;");
        CHECK(cells[1].cells[1].text == "2,5");
    }
    CHECK(csv_row({"a\tb", "c"}) == "\"a\tb\",c\n");
}

TEST_CASE("our own results keep to their schemas, and the checker can tell") {
    test::SampleClass sample;
    fill(sample);
    for (const char* name :
         {"08_passed", "08_no_guard", "08_uncoalesced", "12_barrier_in_if", "03_passed", "06_passed"})
        CHECK(complaints("result", test::result_of(name).dump()) == "");
    CHECK(complaints("result", test::review_of("08_passed").dump()) == "");
    CHECK(complaints("class-result", test::read(sample / "results/s1-1/08-raw-add.json")) == "");
    CHECK(complaints("class-result", test::read(sample / "results/s3-1/08-raw-add.json")) == "");
    sample.submit("s4");
    sample.answer(test::folded("08_passed", 0), "08-raw-add", "", test::hidden_of("add", "passed", "wrong"));
    CHECK(complaints("class-result", test::read(sample / "results/s4-1/08-raw-add.json")) == "");
    nlohmann::ordered_json broken = test::result_of("08_passed");
    broken["tasks"][0]["status"] = "perfect";
    CHECK(complaints("result", broken.dump()).find("$.tasks[0].status") != std::string::npos);
    CHECK(complaints("canvas", "Student,ID\nAda,1\n") != "");
    CHECK(complaints("gradescope", R"({"tests":[{"name":"a","score":2,"max_score":1}]})") != "");
    CHECK(complaints("junit", "<testsuites tests='1' failures='0' errors='0'/>") != "");
}

TEST_CASE("Gradescope") {
    test::SampleClass sample;
    fill(sample);
    const std::string text = exported(sample, {"gradescope", "--submission", "s2-1"});
    CHECK(complaints("gradescope", text) == "");
    const auto json = nlohmann::json::parse(text);
    CHECK(json["score"] == 9);  // (2 + 8) * 0.9
    REQUIRE(json["tests"].size() == 7);
    CHECK(json["tests"][0]["name"] == "08-raw-add: add");
    CHECK(json["tests"][0]["number"] == "8.1");
    CHECK(json["tests"][0]["status"] == "failed");
    CHECK(json["tests"][0]["score"] == 0);
    CHECK(json["tests"][0]["max_score"] == 2);
    CHECK(json["tests"][0]["tags"][0] == "misconception 8");
    CHECK(json["tests"][0]["output"].get<std::string>().find("out of bounds: raw_add.cu:") != std::string::npos);
    CHECK(json["tests"][1]["status"] == "passed");
    CHECK(json["output"].get<std::string>().find("late (1 h after the deadline of 2026-12-01 12:00 UTC): 90 % count") !=
          std::string::npos);

    const test::Run fault =
        test::course_program({"export", sample.path().string(), "--format", "gradescope", "--submission", "s3-1"});
    CHECK(fault.code == 4);
    CHECK(fault.text.find("exercise 8 couldn't be graded because of the grader: the GPU fell off the bus. No file is "
                          "written") != std::string::npos);
    CHECK(test::course_program({"export", sample.path().string(), "--format", "gradescope"}).code == 4);
    CHECK(test::course_program({"export", sample.path().string(), "--format", "gradescope", "--submission", "s2-2"})
              .text.find("did you mean") != std::string::npos);
}

TEST_CASE("a submission that isn't there is never said to be a stranger's") {
    test::SampleClass sample;
    for (const char* id : {"31", "32", "33", "34"}) sample.enroll(id, std::string("Student no. ") + id);
    sample.submit("31");
    sample.graded("08_passed", "08-raw-add");
    sample.submit("32", test::noon - 60, 1, {"32", "33"});
    sample.graded("08_passed", "08-raw-add");
    sample.submit("32", test::noon - 30, 2);
    sample.graded("08_passed", "08-raw-add");
    sample.finish();
    for (const auto& [asked, answer] : std::vector<std::pair<std::string, std::string>>{
             {"33-1", "\"33-1\"; did you mean \"32-1\", which 33 handed in?"},
             {"33", "\"33\"; did you mean \"32-1\", which 33 handed in?"},
             {"33@example.org", "; did you mean \"32-1\", which 33 handed in?"},
             {"Student no. 31", "; did you mean \"31-1\", which 31 handed in?"},
             {"32-7", "; did you mean \"32-1\" or \"32-2\", which 32 handed in?"},
             {"34-1", "\"34-1\"; 34 handed in nothing"},
             {"35-1", "\"35-1\"; did you mean \"31-1\"?"}}) {  // a slip
        const test::Run ran =
            test::course_program({"export", sample.path().string(), "--format", "gradescope", "--submission", asked});
        CHECK(ran.code == 4);
        CHECK_MESSAGE(ran.text.find("there is no submission " + (answer[0] == ';' ? '"' + asked + '"' : "") + answer) !=
                          std::string::npos,
                      ran.text);
    }
}

TEST_CASE("Gradescope: hidden cases and the leaderboard") {
    test::SampleClass sample;
    sample.enroll("s1");
    sample.submit("s1");
    nlohmann::ordered_json fast = test::review_of("08_passed", 1);
    fast["tasks"][1]["status"] = "passed";
    fast["points"] = 2;
    fast["tasks"][1]["points"] = 2;
    fast["tasks"][0]["points"] = 0;
    fast["status"] = fast["tasks"][0]["status"] = "wrong";
    fast["tasks"][0]["message"] = "it doesn't pass all hidden cases";
    sample.answer(fast, "08-raw-add", "", test::hidden_of("add", "passed", "wrong"));
    sample.write("class.toml", "format = 1\nhidden_share = 0.5\n[leaderboard]\nexercise = 8\n");
    sample.finish();
    const std::string text = exported(sample, {"gradescope"});
    CHECK(complaints("gradescope", text) == "");
    auto json = nlohmann::json::parse(text);
    CHECK(json["score"] == 3);
    CHECK(json["tests"][0]["max_score"] == 1);
    CHECK(json["tests"][0]["status"] == "passed");  // of the cases that students have
    CHECK(json["tests"][0]["output"].get<std::string>().find("hidden") == std::string::npos);
    CHECK(json["tests"][2]["name"] == "08-raw-add: hidden cases");
    CHECK(json["tests"][2]["visibility"] == "hidden");
    CHECK(json["tests"][2]["score"] == 0);
    CHECK(json["leaderboard"][0]["value"] == 40);
    CHECK(complaints("github", exported(sample, {"github"})) == "");
    CHECK(exported(sample, {"moodle-gradebook"}).find("add: passed; hidden cases count, too") != std::string::npos);

    sample.write("class.toml", "format = 1\n[students]\nhidden_results_from = 2026-12-09T00:00:00Z\n");
    const std::string all_hidden = exported(sample, {"gradescope"});
    CHECK(complaints("gradescope", all_hidden) == "");
    json = nlohmann::json::parse(all_hidden);
    CHECK(json["score"] == 2);
    CHECK_FALSE(json["tests"][0].contains("score"));
    CHECK(json["tests"][2]["visibility"] == "after_published");
}

TEST_CASE("PrairieLearn") {
    test::SampleClass sample;
    fill(sample);
    const std::string text = exported(sample, {"prairielearn", "--submission", "s2-1"});
    CHECK(complaints("prairielearn", text) == "");
    const auto json = nlohmann::json::parse(text);
    CHECK(json["score"].get<double>() == doctest::Approx(9.0 / 15));
    CHECK(json["tests"][0]["points"] == 0);
    const std::string fault = exported(sample, {"prairielearn", "--submission", "s3-1"});
    CHECK(complaints("prairielearn", fault) == "");
    CHECK(nlohmann::json::parse(fault)["gradable"] == false);
}

TEST_CASE("GitHub Classroom") {
    test::SampleClass sample;
    fill(sample);
    const std::string text = exported(sample, {"github", "--submission", "s2-1"});
    CHECK(complaints("github", text) == "");
    const auto json = nlohmann::json::parse(text);
    CHECK(json["status"] == "fail");
    CHECK(json["max_score"] == 15);
    double sum = 0;
    for (const auto& one : json["tests"]) sum += one["score"].get<double>();
    CHECK(sum == doctest::Approx(9));
    CHECK(nlohmann::json::parse(exported(sample, {"github", "--submission", "s1-1"}))["status"] == "pass");
    CHECK(nlohmann::json::parse(exported(sample, {"github", "--submission", "s3-1"}))["status"] == "error");
    const std::string lines = exported(sample, {"github-lines", "--submission", "s2-1"});
    CHECK(lines.rfind("::notice title=Autograding complete::Points 9/15\n", 0) == 0);
    CHECK(lines.find("\n::error title=08-raw-add%3A add::one thread for each element: crashed%0A") !=
          std::string::npos);
    for (std::size_t at = 0; at < lines.size(); at = lines.find('\n', at) + 1) CHECK(lines.compare(at, 2, "::") == 0);
}

TEST_CASE("JUnit's XML, whatever a student's code prints") {
    test::SampleClass sample;
    fill(sample);
    nlohmann::ordered_json evil = test::result_of("08_no_guard");
    evil["tasks"][0]["message"] = "]]></failure><script>alert(1)</script> \x01\x1b[31m \xEF\xBF\xBE \xff & \"quoted\"";
    sample.submit("s4");
    sample.intake.submissions.back().answers.push_back({8, "08-raw-add", "00"});
    const nlohmann::ordered_json stored = {
        {"schema", 1},        {"key", "k"},         {"submission", "s4-1"}, {"folder", "08-raw-add"},
        {"grader_fault", ""}, {"private", nullptr}, {"finished", ""},       {"result", evil}};
    sample.write("results/s4-1/08-raw-add.json",
                 stored.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    sample.finish();
    sample.submit("odd\x01<id>");
    sample.intake.submissions.back().id = "odd-1";
    sample.graded("08_passed", "08-raw-add");
    sample.finish();
    const std::string text = exported(sample, {"junit"});
    CHECK(complaints("junit", text) == "");
    CHECK(text.find("<script>") == std::string::npos);
    CHECK(text.find("name=\"s2.08-raw-add\" tests=\"2\" failures=\"0\" errors=\"1\"") != std::string::npos);
    CHECK(text.find("<error message=\"not graded\" type=\"grader\">the GPU fell off the bus</error>") !=
          std::string::npos);
    CHECK(text.find("timestamp=\"2026-12-01T13:00:00\"") != std::string::npos);
    CHECK(exported(sample, {"junit", "--exercise", "12"}).find("08-raw-add") == std::string::npos);
}

TEST_CASE("an answer that can't be taken is said as such, and so is one after the last acceptance") {
    test::SampleClass sample;
    sample.enroll("s1");
    sample.submit("s1", test::noon + 3600).answers.push_back({8, "08-raw-add", "00"});
    nlohmann::ordered_json result = test::folded("08_no_guard", 1);
    result["status"] = result["tasks"][0]["status"] = result["tasks"][1]["status"] = "environment";
    const nlohmann::ordered_json stored = {{"schema", 1},          {"key", "k"},
                                           {"submission", "s1-1"}, {"folder", "08-raw-add"},
                                           {"grader_fault", ""},   {"not_taken", "raw_add.cu is missing"},
                                           {"private", nullptr},   {"result", result}};
    sample.write("results/s1-1/08-raw-add.json", stored.dump());
    sample.enroll("s2");
    sample.submit("s2", test::noon + 100 * 3600);
    sample.graded("08_passed", "08-raw-add");
    sample.write("class.toml",
                 "format = 1\ndeadline = 2026-12-01T12:00:00Z\nlast_acceptance = 2026-12-02T12:00:00Z\n"
                 "[late]\nlose = 0.1\n");
    sample.finish();
    const std::string table = exported(sample, {"moodle-gradebook"});
    CHECK(table.find("Exercise 8: 0 of 4 points (can't be taken), late (1 h after the deadline of 2026-12-01 12:00 "
                     "UTC): 90 % count") != std::string::npos);
    CHECK(table.find("Exercise 8: 0 of 4 points, after the last acceptance (4 days 4 h after the deadline of "
                     "2026-12-01 12:00 UTC)\"\n") != std::string::npos);
    const std::string junit = exported(sample, {"junit"});
    CHECK(complaints("junit", junit) == "");
    CHECK(junit.find("type=\"can't be taken\">raw_add.cu is missing</failure>") != std::string::npos);
    for (const std::string& text : {table, junit, exported(sample, {"gradescope", "--submission", "s1-1"})})
        CHECK(text.find("environment") == std::string::npos);
}

TEST_CASE("Moodle's gradebook import") {
    test::SampleClass sample;
    fill(sample);
    const std::string text = exported(sample, {"moodle-gradebook"});
    CHECK(complaints("moodle-gradebook", text) == "");
    CHECK(text.rfind("ID number,Email address,08-raw-add,12-reduce,GPU course,GPU course feedback\n"
                     "s1,s1@example.org,4,11,15,Exercise 8: 4 of 4 points<br>Exercise 12: ",
                     0) == 0);
    CHECK(text.find("\ns3,s3@example.org,,0,,") != std::string::npos);  // not graded: blank; nothing handed in: 0
    CHECK(text.find("\ns4,s4@example.org,0,0,0,") != std::string::npos);
    CHECK(text.find("stranger") == std::string::npos);
    CHECK(exported(sample, {"moodle-gradebook", "--exercise", "8"})
              .rfind("ID number,Email address,08-raw-add,08-raw-add feedback\n", 0) == 0);
    const test::Run ran = test::course_program({"export", sample.path().string(), "--format", "moodle-gradebook"});
    CHECK(ran.text.find("stranger isn't on the roster, and is left out") != std::string::npos);
    CHECK(ran.text.find("s3: not everything is graded; those cells are empty") != std::string::npos);
    // A grading worksheet without ID numbers is the roster: its numbers of participants are the assignment's alone.
    sample.intake.roster[3].id = "Participant 104";
    sample.finish();
    CHECK(exported(sample, {"moodle-gradebook"}).find("\n,s4@example.org,0,0,0,") != std::string::npos);
    CHECK(test::course_program({"export", sample.path().string(), "--format", "moodle-gradebook"})
              .text.find("map \"Email address\"") != std::string::npos);
    // Two with one address: Moodle would give both rows to the first.
    sample.intake.roster[2].email = "S4@example.org";
    sample.finish();
    const test::Run shared = test::course_program({"export", sample.path().string(), "--format", "moodle-gradebook"});
    CHECK(shared.text.find("\ns3,,,0,,") != std::string::npos);
    CHECK(shared.text.find("s3 has another student's email address, which is left out: in Moodle's import, map \"ID "
                           "number\"\n") != std::string::npos);
    CHECK(shared.text.find("4@example.org") == std::string::npos);
    CHECK(shared.text.find("Participant 104 has another student's email address and no ID number by which Moodle would "
                           "find the student, and is left out: correct the roster") != std::string::npos);
    sample.intake.roster.clear();
    sample.finish();
    CHECK(test::course_program({"export", sample.path().string(), "--format", "moodle-gradebook"}).code == 4);
}

TEST_CASE("Moodle's worksheet: two columns are filled in, and every other byte stays") {
    test::SampleClass sample;
    fill(sample);
    sample.write("worksheet.csv", worksheet);
    const std::string text =
        exported(sample, {"moodle-worksheet", "--exercise", "8", "--worksheet", (sample / "worksheet.csv").string()});
    CHECK(complaints("moodle-worksheet", text) == "");
    std::string expected = worksheet;
    expected = test::replaced(expected, "grading - \",,10", "grading - \",10,10");
    expected = test::replaced(expected, "12:59 PM\",-,\r\n", "12:59 PM\",-,Exercise 8: 4 of 4 points\r\n");
    expected = test::replaced(expected, "2.50,\"10.00\",Yes,-,-,old",
                              "4.5,\"10.00\",Yes,-,-,\"Exercise 8: 1.8 of 4 points (add: crashed), late (1 h "
                              "after the deadline of 2026-12-01 12:00 UTC): 90 % count\"");
    CHECK(text == expected);  // the ungraded, the locked and the unknown row as they were

    // A program for tables may have saved it with semicolons; they stay.
    std::string semicolons = worksheet;
    for (std::size_t k = 0, quotes = 0; k < semicolons.size(); ++k) {
        if (semicolons[k] == '"') ++quotes;
        if (semicolons[k] == ',' && quotes % 2 == 0) semicolons[k] = ';';
    }
    sample.write("worksheet.csv", semicolons);
    const std::string filled =
        exported(sample, {"moodle-worksheet", "--exercise", "8", "--worksheet", (sample / "worksheet.csv").string()});
    CHECK(filled.find("grading - \";10;10;Yes;") != std::string::npos);
    CHECK(filled.find(";4.5;\"10.00\";Yes;-;-;\"Exercise 8: 1.8 of 4 points") != std::string::npos);

    for (const char* broken : {"", "a\n1\n", "a,b\n1,2\n", "Identifier,Grade\n\"Participant 1,\n"}) {
        sample.write("worksheet.csv", broken);
        CHECK(test::course_program({"export", sample.path().string(), "--format", "moodle-worksheet", "--worksheet",
                                    (sample / "worksheet.csv").string()})
                  .code == 4);
    }
    CHECK(test::course_program({"export", sample.path().string(), "--format", "moodle-worksheet"}).code == 4);
}

TEST_CASE("Moodle's worksheet: who has no row there, or two, or shares an email address, is a line") {
    test::SampleClass sample;
    fill(sample);
    const auto fill_in = [&](const std::string& text) {
        sample.write("worksheet.csv", text);
        return test::course_program({"export", sample.path().string(), "--format", "moodle-worksheet", "--exercise",
                                     "8", "--worksheet", (sample / "worksheet.csv").string()});
    };
    const std::string no_row = " has no row in the worksheet, so the points go nowhere: download it for all";
    test::Run ran = fill_in(worksheet);
    CHECK(ran.text.find("stranger" + no_row) != std::string::npos);
    CHECK(ran.text.find("s1" + no_row) == std::string::npos);
    const std::string ada = worksheet.substr(worksheet.find("\"Participant 101"),
                                             worksheet.find("\"Participant 102") - worksheet.find("\"Participant 101"));
    ran = fill_in(test::replaced(worksheet, ada, ""));
    CHECK(ran.code == 0);
    CHECK(ran.text.find("has no row in the worksheet, so the points go nowhere: download it for all participants, or "
                        "give the points in Moodle (2: s1, stranger)\n") != std::string::npos);
    ran = fill_in(worksheet + test::replaced(ada, "101", "106"));
    CHECK(ran.text.find("Participant 106: a second row of s1; the row stays as it is\n") != std::string::npos);
    CHECK(ran.text.find(test::replaced(ada, "101", "106")) != std::string::npos);
    // Two with one address: the name says who it is, and nobody gets another's points.
    sample.intake.roster[0].email = "s2@example.org";
    sample.finish();
    ran = fill_in(test::replaced(worksheet, "S1@example.org", "s2@example.org"));
    CHECK(ran.text.find("grading - \",10,10") != std::string::npos);
    CHECK(ran.text.find("Submitted,4.5,\"10.00\"") != std::string::npos);
    ran = fill_in(test::replaced(worksheet, "\"Ada, Countess of Lovelace\",S1@example.org", "A. L.,s2@example.org"));
    CHECK(ran.text.find("no student of the results; the row stays as it is (2: Participant 101, Participant 105)") !=
          std::string::npos);
    CHECK(ran.text.find("(2: s1, stranger)") != std::string::npos);
}

TEST_CASE("Moodle's worksheet: points are scaled to its maximum grade, and a line says how") {
    test::SampleClass sample;
    fill(sample);  // of 15 points: 15, 9 and 0
    const auto export_with = [&](const std::string& from, const std::string& to) {
        sample.write("worksheet.csv", test::replaced(worksheet, from, to));
        std::filesystem::remove(sample / "out");
        return test::course_program({"export", sample.path().string(), "--format", "moodle-worksheet", "--worksheet",
                                     (sample / "worksheet.csv").string(), "--out", (sample / "out").string()});
    };
    test::Run ran = export_with(",,10,Yes", ",,7.5,Yes");
    CHECK(ran.code == 0);
    std::string text = test::read(sample / "out");
    CHECK(complaints("moodle-worksheet", text) == "");
    CHECK(text.find("grading - \",7.5,7.5,Yes") != std::string::npos);
    CHECK(text.find("Submitted,6,\"10.00\",Yes") != std::string::npos);
    CHECK(
        ran.text.find("course: grades are scaled to Moodle's maximum: points / 15 x 7.5 (15 of 15 points become 7.5 of "
                      "7.5)\n") != std::string::npos);
    CHECK(ran.text.find("points / 15 x 10 (9 of 15 points become 6 of 10)\n") != std::string::npos);

    // 16 of 16 on a maximum of 100, 8 of 16 on a maximum of 8.
    sample.write("class.toml", "format = 1\nexercises = [8]\n[[exercise]]\nnumber = 8\npoints = 16\n");
    ran = export_with(",,10,Yes", ",,\"100,00\",Yes");  // as a German Moodle writes it
    CHECK(test::read(sample / "out").find("grading - \",100,\"100,00\",Yes") != std::string::npos);
    ran = export_with("2.50,\"10.00\"", "2.50,8");
    CHECK(test::read(sample / "out").find("Submitted,4,8,Yes") != std::string::npos);
    CHECK(ran.text.find("points / 16 x 8 (8 of 16 points become 4 of 8)\n") != std::string::npos);
    ran = export_with(",,10,Yes", ",,16,Yes");
    CHECK(test::read(sample / "out").find("grading - \",16,16,Yes") != std::string::npos);
    CHECK(ran.text.find("x 16") == std::string::npos);  // nothing to say of it
    CHECK(test::replaced(worksheet, "Maximum grade", "Maximum Grade") != worksheet);
    ran = export_with("Maximum grade", "Maximum Grade");  // older ones
    CHECK(ran.code == 0);

    for (const char* bad : {"", "-", "0", "0.00", "-5", "ten", "10 points", "nan", "inf", "1e999"}) {
        ran = export_with(",,10,Yes", std::string(",,") + bad + ",Yes");
        CAPTURE(bad);
        CHECK(ran.code == 4);
        CHECK(ran.text.find("row 2 (Participant 101): its maximum grade is ") != std::string::npos);
        CHECK_FALSE(std::filesystem::exists(sample / "out"));
    }
    CHECK(ran.text.find("\"1e999\", and must be a number above 0") != std::string::npos);
    ran = export_with("\"Maximum grade\"", "\"Grade max\"");
    CHECK(ran.code == 4);
    CHECK(ran.text.find("it has no column \"Maximum grade\"") != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(sample / "out"));
    sample.write("class.toml", "format = 1\nexercises = [21]\n");  // which nobody has handed in
    CHECK(export_with("x", "x").text.find("no points are possible") != std::string::npos);
}

TEST_CASE("a compile error of host code reaches the student by every format, as text and not too long") {
    test::SampleClass sample;
    sample.enroll("s1");
    sample.submit("s1");
    const std::string first = "work/08-raw-add/raw_add.cpp:12:5: error: <b>'z'</b> & \"w\" :: not declared";
    sample.answer(test::does_not_compile("08_passed", first + "\n  12 | <script>alert(1)</script>\n     |     ^"),
                  "08-raw-add");
    sample.enroll("s2");
    sample.submit("s2");
    sample.answer(test::does_not_compile("08_passed", std::string(8000, 'e') + "\n" + std::string(1000, '\n')),
                  "08-raw-add");
    sample.finish();
    const auto of = [&](const std::string& format, const std::string& student) {
        const std::string text = exported(sample, {format, "--submission", student + "-1"});
        CHECK(text.size() < 30'000);
        if (format != "github-lines") CHECK(complaints(format, text) == "");
        return text;
    };
    const auto gradescope = nlohmann::json::parse(of("gradescope", "s1"));
    CHECK(gradescope["output"] == "Exercise 8: 0 of 4 points (add: does not compile, mul: does not compile): " + first);
    for (const auto& test : gradescope["tests"]) {
        CHECK(test["output"].get<std::string>().find(first + "\n  12 | <script>") != std::string::npos);
        CHECK(test["output_format"] == "text");
    }
    const auto prairielearn = nlohmann::json::parse(of("prairielearn", "s1"));
    for (const auto& test : prairielearn["tests"])
        CHECK(test["output"].get<std::string>().find(first) != std::string::npos);
    const auto github = nlohmann::json::parse(of("github", "s1"));
    for (const auto& test : github["tests"]) CHECK(test["message"].get<std::string>().find(first) != std::string::npos);
    const std::string lines = of("github-lines", "s1");
    CHECK(lines.find("does not compile%0Awork/08-raw-add/raw_add.cpp:12:5: error: ") != std::string::npos);
    CHECK(std::count(lines.begin(), lines.end(), '\n') == 3);
    for (const char* format : {"gradescope", "prairielearn", "github", "github-lines"}) {
        const std::string text = of(format, "s2");
        CHECK(text.find(std::string(200, 'e')) != std::string::npos);
        CHECK(text.find(std::string(4097, 'e')) == std::string::npos);
    }
    const std::string junit = exported(sample, {"junit"});
    CHECK(complaints("junit", junit) == "");
    CHECK(junit.find("type=\"does not compile\">work/08-raw-add/raw_add.cpp:12:5: error: &lt;b&gt;'z'&lt;/b&gt; &amp; "
                     "&quot;w&quot; :: not declared&#10;  12 | &lt;script&gt;") != std::string::npos);
    const std::string table = exported(sample, {"moodle-gradebook"});
    CHECK(complaints("moodle-gradebook", table) == "");
    CHECK(table.find("raw_add.cpp:12:5: error: &lt;b&gt;'z'") != std::string::npos);
    CHECK(table.find(std::string(301, 'e')) == std::string::npos);
}

TEST_CASE("what is wrong with a task is said once, in every format and on the student's page") {
    test::SampleClass sample;
    sample.enroll("s1");
    sample.submit("s1");
    nlohmann::ordered_json result = test::result_of("08_uncoalesced");
    nlohmann::ordered_json& task = result["tasks"][1];
    const std::string exact = "launches: 3 counted, exactly 1 (n = 31)", one_launch = "one expression is one launch",
                      bytes = "bytes_to_host: 1200036 counted, 8 to 16 (n = 100003)", stay = "stay on the device";
    const auto budget = [](const char* counter, double counted, double least, double most, const std::string& cause) {
        return nlohmann::ordered_json{{"counter", counter}, {"kernel", ""},    {"case", "n = 31"}, {"counted", counted},
                                      {"at_least", least},  {"at_most", most}, {"kept", false},    {"cause", cause}};
    };
    task["measurements"]["budgets"] = {budget("launches", 3, 1, 1, one_launch),
                                       budget("bytes_to_host", 1200036, 8, 16, stay)};
    task["message"] = exact + "\n" + one_launch + "\n" + bytes + "\n" + stay;
    sample.answer(result, "08-raw-add");
    sample.enroll("s2");
    sample.submit("s2");
    task["message"] = "";  // nobody else says it then
    task["measurements"]["budgets"] = {budget("bytes_to_host", 1200036, 8, 16, stay)};
    sample.answer(result, "08-raw-add");
    sample.finish();
    REQUIRE(test::course_program({"report", sample.path().string()}).code == 0);
    const auto count = [](const std::string& text, const std::string& what) {
        std::size_t times = 0;
        for (std::size_t at = 0; (at = text.find(what, at)) != text.npos; at += what.size()) ++times;
        return times;
    };
    std::vector<std::string> texts = {test::read(sample / "report/students/s1.html"),
                                      test::read(sample / "report/feedback/s1.md")};
    for (const char* format : {"gradescope", "prairielearn", "github", "github-lines"})
        texts.push_back(exported(sample, {format, "--submission", "s1-1"}));
    texts.push_back(exported(sample, {"junit"}));
    texts.back() = texts.back().substr(0, texts.back().find("s2.08-raw-add"));
    for (const std::string& text : texts) {
        INFO(text);
        CHECK(count(text, "launches: 3 counted") == 1);
        for (const std::string& what : {exact, one_launch, bytes, stay}) CHECK(count(text, what) == 1);
    }
    const std::string silent = exported(sample, {"gradescope", "--submission", "s2-1"});
    CHECK(count(silent, "bytes_to_host: 1200036 counted, 8 to 16 (n = 31)\\n" + stay) == 1);
}

TEST_CASE("an upload that can't be used, and an answer that isn't graded yet, are said to be just that") {
    test::SampleClass sample;
    sample.enroll("s1");
    sample.submit("s1").unusable = {{0,
                                     "none of the files has an exercise's file name (found: rawadd.cpp; expected: "
                                     "raw_add.cpp, raw_add.cu)"}};
    sample.enroll("s2");
    sample.submit("s2").answers.push_back({8, "08-raw-add", "00"});  // no result yet
    sample.enroll("s3");
    sample.submit("s3");
    sample.graded("08_passed", "08-raw-add");
    sample.enroll("s4");
    sample.finish();
    const std::string found = "found: rawadd.cpp; expected: raw_add.cpp, raw_add.cu";
    for (const char* format : {"gradescope", "prairielearn", "github", "github-lines"}) {
        const std::string text = exported(sample, {format, "--submission", "s1-1"});
        if (format != std::string("github-lines")) CHECK(complaints(format, text) == "");
        CHECK(text.find(found) != std::string::npos);
        CHECK(text.find("nothing handed in") == std::string::npos);
    }
    const std::string table = exported(sample, {"moodle-gradebook"});
    CHECK(table.find("s1,s1@example.org,0,\"Exercise 8: what was handed in can't be used: none of the files") !=
          std::string::npos);
    CHECK(table.find("s4,s4@example.org,0,Exercise 8: nothing handed in\n") != std::string::npos);
    const test::Run ran =
        test::course_program({"export", sample.path().string(), "--format", "gradescope", "--submission", "s2-1"});
    CHECK(ran.code == 4);
    CHECK(ran.text.find("exercise 8 hasn't been graded yet. No file is written") != std::string::npos);
    const auto prairielearn = nlohmann::json::parse(exported(sample, {"prairielearn", "--submission", "s2-1"}));
    CHECK(prairielearn["gradable"] == false);
    CHECK(prairielearn["message"] == "Not graded, and no attempt is lost: exercise 8 hasn't been graded yet");
    CHECK(exported(sample, {"github", "--submission", "s2-1"}).find("fault") == std::string::npos);
    // JUnit's XML has all of them.
    const std::string junit = exported(sample, {"junit"});
    CHECK(complaints("junit", junit) == "");
    for (const char* suite : {"name=\"s1.08-raw-add\" tests=\"1\" failures=\"1\" errors=\"0\" skipped=\"0\"",
                              "name=\"s2.08-raw-add\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"1\"",
                              "name=\"s3.08-raw-add\" tests=\"2\" failures=\"0\"",
                              "name=\"s4.08-raw-add\" tests=\"1\" failures=\"1\" errors=\"0\" skipped=\"0\"",
                              "<failure message=\"can't be used\" type=\"can't be used\">none of the files",
                              "<skipped message=\"not graded yet\"/>",
                              "<failure message=\"nothing handed in\" type=\"nothing handed in\"></failure>"})
        CHECK(junit.find(suite) != std::string::npos);
    CHECK(test::course_program({"export", sample.path().string(), "--format", "junit", "--exercise", "12"})
              .text.find("exercise 12 isn't among those that count") != std::string::npos);
    // Where nobody's upload can be used no exercise counts, and the student is told all the same.
    sample.intake.submissions.resize(1);
    sample.finish();
    for (const char* format : {"gradescope", "prairielearn", "github", "github-lines"})
        CHECK(exported(sample, {format}).find(found) != std::string::npos);
}

TEST_CASE("equal notes of an export are one line") {
    test::SampleClass sample;
    for (int k = 0; k < 35; ++k) {
        sample.enroll(fmt::format("s{}", k));
        sample.submit(fmt::format("s{}", k)).answers.push_back({8, "08-raw-add", "00"});
    }
    sample.submit("stranger");
    sample.graded("08_passed", "08-raw-add");
    sample.finish();
    const test::Run ran = test::course_program({"export", sample.path().string(), "--format", "canvas"});
    CHECK(ran.text.find("course: not everything is graded; those cells are empty (35: s0, s1, s2, ") !=
          std::string::npos);
    CHECK(ran.text.find("stranger isn't on the roster, and is left out\n") != std::string::npos);
}

TEST_CASE("Canvas' gradebook") {
    test::SampleClass sample;
    fill(sample);
    const std::string text = exported(sample, {"canvas"});
    CHECK(complaints("canvas", text) == "");
    CHECK(text.rfind("Student,ID,SIS User ID,SIS Login ID,Section,08-raw-add,12-reduce\n"
                     "\"    Points Possible\",,,,,4,11\n"
                     "\"Ada, Countess of Lovelace\",,s1,s1,,4,11\n",
                     0) == 0);
    CHECK(text.find("\"'=HYPERLINK(\"\"http://example.org\"\")\",,s2,s2,,1.8,7.2\n") != std::string::npos);
    CHECK(text.find("Bob,,s3,s3,,,0\n") != std::string::npos);
    CHECK(text.find("stranger") == std::string::npos);
}

TEST_CASE("Canvas' gradebook: students by Canvas' own numbers, and one column for the sum") {
    test::SampleClass sample;
    fill(sample);
    sample.intake.roster[0].canvas = "7001";
    // A gradebook without SIS IDs and logins: two students of the same name differ only in Canvas' number.
    sample.intake.roster[3] = {.id = "7004", .name = "Bob", .email = "", .group = "", .canvas = "7004"};
    sample.finish();
    const std::string text = exported(sample, {"canvas"});
    CHECK(complaints("canvas", text) == "");
    CHECK(text.find("\n\"Ada, Countess of Lovelace\",7001,s1,s1,,4,11\n") != std::string::npos);
    CHECK(text.find("\nBob,7004,,,,0,0\n") != std::string::npos);
    CHECK(exported(sample, {"canvas", "--total", "Week 2 (555)"}) ==
          "Student,ID,SIS User ID,SIS Login ID,Section,Week 2 (555)\n"
          "\"    Points Possible\",,,,,15\n"
          "\"Ada, Countess of Lovelace\",7001,s1,s1,,15\n"
          "\"'=HYPERLINK(\"\"http://example.org\"\")\",,s2,s2,,9\n"
          "Bob,,s3,s3,,\n"  // not all graded
          "Bob,7004,,,,0\n");
    // An assignment for each exercise: the column has that assignment's name.
    const std::string eight = exported(sample, {"canvas", "--exercise", "8", "--total", "Exercise 8 (7002)"});
    CHECK(eight.rfind("Student,ID,SIS User ID,SIS Login ID,Section,Exercise 8 (7002)\n"
                      "\"    Points Possible\",,,,,4\n"
                      "\"Ada, Countess of Lovelace\",7001,s1,s1,,4\n",
                      0) == 0);
    CHECK(eight.find(",s2,s2,,1.8\n") != std::string::npos);
}

TEST_CASE("an option that means nothing for a format is refused, and says for which it is") {
    test::SampleClass sample;
    fill(sample);
    const auto one = [](const std::string& format) {
        return format == "gradescope" || format == "prairielearn" || format.rfind("github", 0) == 0;
    };
    for (const std::string format :
         {"gradescope", "junit", "moodle-gradebook", "moodle-worksheet", "moodle-feedback", "canvas", "canvas-feedback",
          "nbgrader", "prairielearn", "github", "github-lines"}) {
        CAPTURE(format);
        for (const auto& [option, is_for, hint] : std::vector<std::tuple<std::string, bool, std::string>>{
                 {"--submission", one(format), "is for gradescope, prairielearn, github and github-lines"},
                 {"--total", format == "canvas", "is for canvas"},
                 {"--worksheet", format == "moodle-worksheet", "is for moodle-worksheet"}}) {
            CAPTURE(option);
            if (is_for) continue;
            std::filesystem::remove(sample / "out");
            const test::Run ran = test::course_program({"export", sample.path().string(), "--format", format, option,
                                                        "zz", "--out", (sample / "out").string()});
            CHECK(ran.code == 4);
            CHECK(ran.text.find("course: " + option + " " + hint + ", and means nothing for " + format) !=
                  std::string::npos);
            CHECK_FALSE(std::filesystem::exists(sample / "out"));
        }
    }
    // --exercise is for all of them.
    const auto json =
        nlohmann::json::parse(exported(sample, {"gradescope", "--submission", "s2-1", "--exercise", "8"}));
    CHECK(json["tests"].size() == 2);
    CHECK(json["score"] == 1.8);
    CHECK(test::course_program(
              {"export", sample.path().string(), "--format", "github", "--submission", "s2-1", "--exercise", "21"})
              .text.find("exercise 21 isn't among those that count") != std::string::npos);
}

TEST_CASE("nbgrader's table") {
    test::SampleClass sample;
    fill(sample);
    const std::string text = exported(sample, {"nbgrader"});
    CHECK(complaints("nbgrader", text) == "");
    CHECK(
        text.find("08-raw-add,2026-12-01 12:00:00,2026-12-01 11:59:00,s1,Lovelace,\"Ada, Countess of\",s1@example.org,"
                  "4,0,4,4\n") != std::string::npos);
    CHECK(text.find("s2@example.org,2,0.2,1.8,4\n") != std::string::npos);
    CHECK(text.find("s3@example.org,,,,4\n") != std::string::npos);
}

TEST_CASE("points are capped at an exercise's maximum, stars or not") {
    test::SampleClass sample;
    sample.enroll("s1");
    sample.submit("s1");
    nlohmann::ordered_json starred = test::result_of("08_passed");
    starred["stars"] = 3;
    sample.answer(starred, "08-raw-add");
    sample.write("class.toml", "format = 1\npoints_per_star = 1\n");
    sample.finish();
    CHECK(exported(sample, {"canvas"}).find("s1,,s1,s1,,4\n") != std::string::npos);
    CHECK(complaints("moodle-gradebook", exported(sample, {"moodle-gradebook"})) == "");
    CHECK(complaints("github", exported(sample, {"github"})) == "");
}

TEST_CASE("make gradescope packs what Gradescope looks for") {
    const std::filesystem::path root = COURSE_SOURCE_DIR;
    if (!std::filesystem::exists(root / ".git")) return;  // an edition without history
    const test::Folder folder;
    const test::Run made = test::program({"make", "gradescope", "OUT=" + (folder / "g.zip").string()});
    INFO(made.text);
    REQUIRE(made.code == 0);
    const test::Run listed = test::program({python(), "-c",
                                            "import sys, zipfile\n"
                                            "for one in zipfile.ZipFile(sys.argv[1]).infolist():\n"
                                            "    print(one.filename, bool(one.external_attr >> 16 & 0o100))",
                                            (folder / "g.zip").string()});
    for (const char* file :
         {"setup.sh True\n", "run_autograder True\n", "kit/setup True\n", "kit/CMakePresets.json False\n"})
        CHECK(listed.text.find(file) != std::string::npos);

    std::filesystem::create_directories(folder / "submission");
    const test::Run ran = test::program({"env", "AUTOGRADER=" + folder.path().string(), "KIT=" + root.string(), "bash",
                                         (root / "autograder/gradescope/run_autograder").string()});
    CHECK(ran.code == 0);
    const std::string nothing = test::read(folder / "results/results.json");
    CHECK(complaints("gradescope", nothing) == "");
    CHECK(nlohmann::json::parse(nothing)["score"] == 0);

    // An upload that can't be used: 0 points, and why, which is no fault of the grader's.
    std::filesystem::create_directories(folder / "kit/build/kit/bin");
    std::filesystem::create_symlink(COURSE_PROGRAM, folder / "kit/build/kit/bin/course");
    std::filesystem::create_directory_symlink(root / "exercises", folder / "kit/exercises");
    std::filesystem::create_directory_symlink(root / "lessons", folder / "kit/lessons");
    folder.write("submission/rawadd.cpp", "int x;\n");
    folder.write("source/class.toml",  // of a class with extensions, which aren't known there
                 "format = 1\nextensions = \"extensions.csv\"\n[[student]]\nid = \"ada\"\nexempt = [8]\n");
    const std::vector<std::string> command = {"env", "AUTOGRADER=" + folder.path().string(),
                                              "KIT=" + (folder / "kit").string(), "bash",
                                              (root / "autograder/gradescope/run_autograder").string()};
    const test::Run unusable = test::program(command);
    INFO(unusable.text);
    CHECK(unusable.code == 0);
    const std::string text = test::read(folder / "results/results.json");
    CHECK(complaints("gradescope", text) == "");
    CHECK(nlohmann::json::parse(text)["score"] == 0);
    CHECK(
        nlohmann::json::parse(text)["output"] ==
        "what was handed in can't be used: none of the files has an exercise's file name (found: rawadd.cpp; expected: "
        "raw_add.cpp, raw_add.cu)");
}
