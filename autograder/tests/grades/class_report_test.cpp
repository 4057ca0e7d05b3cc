// SPDX-License-Identifier: MIT
#include <filesystem>
#include <set>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "classroom/class_report/class_page.hpp"
#include "classroom/class_report/html.hpp"
#include "classroom/class_report/report_command.hpp"
#include "classroom/class_report/statistics.hpp"
#include "classroom/class_report/student_view.hpp"
#include "grades/sample_class.hpp"

using namespace course;

namespace {

const std::vector<Misconception> known = {
    {5, "a barrier means: wait a bit", "A barrier counts the threads of the block."},
    {8, "the grid covers exactly the data", "Round up, and guard."}};

bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

/// A result with measured speed in its first task.
nlohmann::ordered_json fast(double speedup, double copy_percent) {
    nlohmann::ordered_json json = test::review_of("08_passed");
    json["status"] = json["tasks"][0]["status"] = "passed";
    json["tasks"][0]["points"] = 2;
    json["points"] = 4;
    nlohmann::ordered_json& speed = json["tasks"][0]["measurements"]["speed"];
    speed["speedup"] = speedup;
    speed["copy_percent"] = copy_percent;
    speed["implausible"] = false;
    return json;
}

/// Everything that a report can have: all kinds of verdicts, a review, a fault, late ones, hostile texts, speeds.
void fill(test::SampleClass& sample) {
    sample.enroll("ada", "Ada Lovelace");
    sample.enroll("bob", "<script>alert('bob')</script>");
    sample.enroll("eve", "Eve Idleman");
    sample.enroll("dan", "Dan Bridlewood");
    sample.enroll("gus", "Gus");
    sample.enroll("idle", "Idle");
    sample.submit("ada", test::noon - 200'000);
    sample.answer(fast(38, 70), "08-raw-add");
    sample.graded("12_passed", "12-reduce");
    nlohmann::ordered_json evil = test::result_of("08_no_guard");
    evil["tasks"][0]["message"] = "</pre><img src=x onerror=alert(1)> ``` [link](javascript:alert(1)) \x1b]0;x\x07";
    evil["tasks"][0]["check"]["found"][0]["what"] = "\"><svg/onload=alert(2)>";
    nlohmann::ordered_json& found = evil["tasks"][0]["check"]["found"];
    found.push_back(nlohmann::ordered_json(found[0]));  // of one kind: the student counts once
    sample.submit("bob", test::noon + 3600);
    sample.answer(evil, "08-raw-add");
    sample.graded("12_barrier_in_if", "12-reduce");
    sample.submit("eve", test::noon - 90'000);
    sample.answer(test::review_of("08_passed"), "08-raw-add");
    sample.submit("eve", test::noon - 80'000, 2);
    sample.graded("08_uncoalesced", "08-raw-add");
    sample.submit("dan", test::noon - 4000);
    sample.answer(nullptr, "08-raw-add", "the GPU fell off the bus");
    sample.submit("gus", test::noon - 5000);
    sample.answer(test::folded("08_passed", 0), "08-raw-add", "", test::hidden_of("add", "passed", "wrong"));
    sample.answer(fast(12, 20), "12-reduce");  // of another exercise: a broken file
    sample.write("grade.json", R"({"kit_version": "0.1.0", "sandbox": ["landlock 7", "seccomp"], "graded": 9})");
    sample.finish();
}

struct Graded {
    ClassResults read;
    ClassPolicy policy;
    ClassGrades grades;
    explicit Graded(const test::SampleClass& sample, const std::string& toml = "")
        : read(sample.results()), policy(of(toml)), grades(grade_class(read, policy)) {}

private:
    static ClassPolicy of(const std::string& toml) {
        const test::Folder folder;
        folder.write("class.toml", "format = 1\ndeadline = 2026-12-01T12:00:00Z\n" + toml);
        return read_policy(folder / "class.toml", "class.toml");
    }
};

std::string page_of(const Graded& graded, const std::string& script = "") {
    const ClassStatistics counted = count_class(graded.read, graded.grades, graded.policy);
    return class_page({.read = &graded.read,
                       .grades = &graded.grades,
                       .policy = &graded.policy,
                       .counted = &counted,
                       .misconceptions = &known,
                       .results = "RESULTS",
                       .student_pages = {{"ada", "students/ada.html"}},
                       .script = script,
                       .has_leaderboard = graded.policy.leaderboard.has_value()});
}

StudentPageView view_of(const Graded& graded, std::size_t student, std::int64_t now = test::noon) {
    return view_student(graded.grades, graded.grades.students.at(student),
                        {.policy = &graded.policy, .misconceptions = &known, .now = test::at(now), .pseudonym = ""});
}

}  // namespace

TEST_CASE("the class's page says where people fail, with an example") {
    test::SampleClass sample;
    fill(sample);
    const std::string page = page_of(Graded(sample));
    CHECK(has(page,
              "<th scope=\"row\">1 of 2 students: misconception 5, a barrier means: wait a bit</th><td "
              "class=\"text\">A barrier "
              "counts the threads of the block.</td><td class=\"text\">bob "
              "&lt;script&gt;alert(&#39;bob&#39;)&lt;/script&gt;: skipped barrier: reduce.cu:"));
    CHECK(
        has(page,
            "<tr><th scope=\"row\">add: crashed</th><td>1</td><td class=\"text\">"
            "bob &lt;script&gt;alert(&#39;bob&#39;)&lt;/script&gt;: &quot;&gt;&lt;svg/onload=alert(2)&gt;</td></tr>"));
    CHECK(has(page, "1 of 4: out of bounds"));
    CHECK(has(page, "<a href=\"students/ada.html\">ada</a>"));
    CHECK(has(page, "1 result to review"));
    CHECK(has(page, "<code>course confirm RESULTS</code>"));
    CHECK(has(page, "2 answers not graded"));
    CHECK(has(page, "the GPU fell off the bus"));
    CHECK(has(page, "results/gus-1/12-reduce.json: it is about gus-1/12-reduce"));
    CHECK(has(page, "A copy on CPU (host backend) reaches"));
    CHECK(has(page, "<tr data-mark=\"deadline\"><th scope=\"row\">2026-12-01</th><td>3</td></tr>"));
    CHECK(has(page, "Exercise") == false);
    CHECK(has(page, "sandbox: landlock 7, seccomp"));
    CHECK(has(page, "<th scope=\"row\">sandbox</th>"));
    CHECK(has(page, "not on the roster") == false);
}

TEST_CASE("code around a line: three lines on both sides, escaped, and none that isn't there") {
    const std::string source = "a\nb\n\tc<d>\ne\r\nf\ng\nh\ni\n";
    const CodeExcerpt lines = code_excerpt(source, 3);
    REQUIRE(lines.size() == 6);
    CHECK(lines.front().number == 1);
    CHECK(lines.back().number == 6);
    CHECK(code_html(lines) ==
          "<pre class=\"code\"><i>   1</i> a\n<i>   2</i> b\n<mark><i>   3</i>     c&lt;d&gt;</mark>\n<i>   4</i> e\n"
          "<i>   5</i> f\n<i>   6</i> g\n</pre>\n");
    CHECK(code_text(lines).starts_with("     1 a\n     2 b\n>    3     c<d>\n     4 e\n"));
    CHECK(code_excerpt(source, 1).size() == 4);
    CHECK(code_excerpt(source, 8).size() == 4);
    CHECK(code_excerpt("a\nb", 2).size() == 2);
    CHECK(code_excerpt(source, 9).empty());
    CHECK(code_excerpt(source, 0).empty());
    CHECK(code_excerpt("", 1).empty());
    CHECK(code_html({}).empty());
    const CodeExcerpt hostile = code_excerpt("x\x1b]0;y\x07" + std::string(1000, 'z') + "\n", 1);
    CHECK(hostile[0].text.find('\x1b') == std::string::npos);
    CHECK(hostile[0].text.size() < 300);
}

TEST_CASE("the code of a finding stands beside it, as it was judged and no later") {
    test::SampleClass sample;
    sample.enroll("bob");
    sample.submit("bob");
    sample.answer(test::result_of("08_no_guard"), "08-raw-add", "", nullptr, "00.e.none.g");
    std::string source;
    for (int k = 1; k <= 40; ++k) source += "line <" + std::to_string(k) + ">\n";
    sample.write("submissions/bob-1/08-raw-add/raw_add.cu", source);
    const Graded graded(sample);
    const StoredTask& task = graded.read.results.at({"bob-1", 8}).result->tasks[0];
    REQUIRE(task.found[0].file == "raw_add.cu");
    const std::string marked = "<mark><i>" + fmt::format("{:>4}", task.found[0].line) + "</i> line &lt;" +
                               std::to_string(task.found[0].line) + "&gt;</mark>";
    const AnswerCode code(sample.path());
    const ViewOptions options{.policy = &graded.policy,
                              .misconceptions = &known,
                              .now = test::at(test::noon),
                              .pseudonym = "",
                              .code = &code};
    const StudentPageView view = view_student(graded.grades, graded.grades.students[0], options);
    CHECK(has(student_page(view, "Course"), marked));
    CHECK(has(feedback_markdown(view, "Course"), fmt::format("> {:>4} line <", task.found[0].line)));
    const ClassStatistics counted = count_class(graded.read, graded.grades, graded.policy);
    CHECK(has(class_page({.read = &graded.read,
                          .grades = &graded.grades,
                          .policy = &graded.policy,
                          .counted = &counted,
                          .misconceptions = &known,
                          .results = "RESULTS",
                          .student_pages = {},
                          .script = "",
                          .code = &code}),
              marked));

    GradedAttempt attempt = *graded.grades.students[0].exercises[0].counting();
    StoredFinding finding = task.found[0];
    CHECK_FALSE(code.around(attempt, finding).empty());
    for (const char* file : {"", "../raw_add.cu", "other.cu", ".hidden", "/etc/passwd"}) {
        finding.file = file;
        CHECK(code.around(attempt, finding).empty());
    }
    finding.file = "raw_add.cu";
    StoredResult older = *attempt.result;
    older.key = "11.e.none.g";  // of another answer
    attempt.result = &older;
    CHECK(code.around(attempt, finding).empty());
}

TEST_CASE("a student's attempts over time are drawn, and stand in a table") {
    const std::optional<TimedDeadline> deadline = TimedDeadline{test::at(test::noon), "2026-12-01 12:00 UTC"};
    const TimedAttempt one{test::at(test::noon - 7200), "2026-12-01 10:00 UTC", 8, 1, "2 of 4", false};
    TimedAttempt two{test::at(test::noon + 3600), "2026-12-01 13:00 UTC", 8, 2, "4 of 4", true};
    const std::string html = attempts_line({two, one}, deadline);
    CHECK(has(html, "<circle class=\"mark other\" cx=\"90.0\""));
    CHECK(has(html, "<circle class=\"mark counts\" cx=\"640.0\""));
    CHECK(has(html, "<line class=\"bound\" x1=\"456.7\""));
    CHECK(has(html, "Dashed: the deadline, 2026-12-01 12:00 UTC."));
    CHECK(html.find("2026-12-01 10:00 UTC</th>") < html.find("2026-12-01 13:00 UTC</th>"));
    CHECK(has(html, "<td>4 of 4</td>") + has(html, "<td class=\"text\">4 of 4</td>") == 1);
    CHECK_FALSE(has(attempts_line({one, two}, std::nullopt), "bound"));
    two.time = one.time;
    CHECK(attempts_line({one, two}, deadline).empty());  // all at once: the lists of attempts say it
    CHECK(attempts_line({}, deadline).empty());

    test::SampleClass sample;
    fill(sample);
    const Graded graded(sample);
    CHECK(has(student_page(view_of(graded, 2), "Course"), "<h2>Attempts over time</h2>"));   // eve has two
    CHECK_FALSE(has(student_page(view_of(graded, 0), "Course"), "Attempts over time"));
}

TEST_CASE("names that are hidden are nowhere on the pages, and come back") {
    test::SampleClass sample;
    fill(sample);
    sample.intake.problems = {"Idle (idle) handed in nothing", "exercise 3: gustav isn't gus"};
    sample.intake.submissions[1].problems = {"wrong student? submission.json names Eve Idleman, and Moodle says bob"};
    sample.finish();
    const auto report = [&](const std::vector<std::string>& more) {
        std::vector<std::string> arguments = {"report", sample.path().string()};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return test::course_program(arguments).text;
    };
    const auto read_all = [&] {
        std::string all;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(sample / "report"))
            if (entry.is_regular_file() && entry.path().filename() != ".made-by-course")
                all += entry.path().filename().string() + "\n" + test::read(entry.path());
        return all;
    };
    CHECK(has(report({}), "The class: "));
    CHECK(std::filesystem::exists(sample / "report/students/ada.html"));
    CHECK(has(read_all(), "Ada Lovelace"));

    for (const std::vector<std::string>& more : {std::vector<std::string>{"--anonymous"}, {}}) {  // it is remembered
        const std::string said = report(more);
        CHECK(has(said, "Names are hidden; course report --reveal shows them again."));
        CHECK_FALSE(has(said, "gus-1"));
        const std::string all = read_all();
        for (const char* name : {"ada.html", "Lovelace", ">ada<", "(ada)", "Idleman", "Dan Bridlewood", "eve.md",
                                 "gus-1", "Moodle says bob", "&#39;bob&#39;", "Idle (idle)", "@example.org"})
            CHECK_MESSAGE(!has(all, name), name);
        CHECK(has(all, "gustav isn&#39;t Student "));
        CHECK(has(all, "handed in nothing"));
        CHECK_FALSE(has(all, "(Student "));  // once is enough
        CHECK(has(test::read(sample / "report/index.html"), "Names are hidden."));
    }
    const nlohmann::json kept = nlohmann::json::parse(test::read(sample / "anonymous.json"));
    CHECK(kept["hidden"] == true);
    CHECK(kept["students"].size() == 6);
    std::size_t ada = 0;
    while (kept["students"].at(ada) != "ada") ++ada;
    const std::string page = test::read(sample / fmt::format("report/students/student-{}.html", ada + 1));
    CHECK(has(page, fmt::format("<p>Student {}</p>", ada + 1)));
    // What goes to the LMS has to find its way back.
    CHECK(has(test::course_program({"export", sample.path().string(), "--format", "canvas"}).text, "Ada Lovelace"));

    CHECK_FALSE(has(report({"--reveal"}), "hidden"));
    CHECK(std::filesystem::exists(sample / "report/students/ada.html"));
    CHECK_FALSE(std::filesystem::exists(sample / fmt::format("report/students/student-{}.html", ada + 1)));
    sample.enroll("zoe");
    sample.finish();
    report({"--anonymous"});  // numbers stay; who is new gets the next one
    const nlohmann::json later = nlohmann::json::parse(test::read(sample / "anonymous.json"));
    CHECK(later["students"].size() == 7);
    CHECK(later["students"][ada] == "ada");
    CHECK(later["students"][6] == "zoe");
    CHECK(has(test::course_program({"report", sample.path().string(), "--anonymous", "--reveal"}).text, "excludes"));
    sample.write("anonymous.json", "{");
    CHECK(has(report({}), "anonymous.json can't be read, so it isn't known whether names are hidden"));
}

TEST_CASE("the class's page says what could not be taken, and what is wrong with predictions") {
    test::SampleClass sample;
    sample.enroll("ada");
    nlohmann::ordered_json result = test::result_of("12_passed");
    for (nlohmann::ordered_json& task : result["tasks"])
        if (task["id"] == "costs") {
            result["points"] = result["points"].get<int>() - task["points"].get<int>();
            result["status"] = task["status"] = "wrong";
            task["points"] = 0;
            task["predictions"] = {
                {"right", 3},
                {"total", 6},
                {"at_least", 6},
                {"wrong",
                 {{{"number", 1}, {"what", "atomics of a"}, {"predicted", ""}, {"shown", "4"}, {"case", ""}},
                  {{"number", 2}, {"what", "atomics of b"}, {"predicted", "7"}, {"shown", "9"}, {"case", ""}}}}};
        }
    sample.submit("ada").problems = {"wrong student? <b>", "x.zip: ../y leads out of the archive"};
    sample.answer(result, "12-reduce");
    sample.enroll("ben");
    sample.submit("ben").answers.push_back({8, "08-raw-add", "00"});
    nlohmann::ordered_json none = test::folded("08_no_guard", 1);
    none["status"] = "environment";
    for (nlohmann::ordered_json& task : none["tasks"]) {
        task["cases"] = task["check"]["found"] = nlohmann::ordered_json::array();  // nothing of it has run
        task["status"] = "environment";
    }
    none["environment"]["sandbox"] = nlohmann::ordered_json::array();
    const nlohmann::ordered_json stored = {{"schema", 1},           {"key", "k"},
                                           {"submission", "ben-1"}, {"folder", "08-raw-add"},
                                           {"grader_fault", ""},    {"not_taken", "raw_add.cu is missing"},
                                           {"private", nullptr},    {"result", none}};
    sample.write("results/ben-1/08-raw-add.json", stored.dump());
    const Graded graded(sample);
    const std::string page = page_of(graded);
    CHECK(has(page, "<h2 id=\"taken-title\">Submissions to look at</h2>"));
    CHECK(
        has(page, "</a></th><td class=\"text\">wrong student? &lt;b&gt;<br>x.zip: ../y leads out of the archive</td>"));
    const std::string text =
        "predictions right: 3 of 6, at least 6 must be\nprediction 2, atomics of b: predicted 7, the "
        "run shows 9";
    CHECK(has(page, test::replaced(text, "\n", "; ")));
    CHECK(has(student_page(view_of(graded, 0), "GPUs"), "<pre>" + text + "</pre>"));
    CHECK(has(page,
              "<th scope=\"row\">add: can&#39;t be taken</th><td>1</td><td class=\"text\">ben: raw_add.cu is "
              "missing</td>"));
    CHECK_FALSE(has(page, "sandbox: none"));
    CHECK(has(page, "<td class=\"text\">to look at</td></tr>"));
    const StudentPageView ben = view_of(graded, 1);
    CHECK(ben.exercises[0].status == "can't be taken");
    CHECK(ben.exercises[0].notes == std::vector<std::string>{"The answer can't be taken: raw_add.cu is missing"});
    CHECK(ben.exercises[0].tasks[0].texts.empty());
    CHECK(has(feedback_markdown(ben, "GPUs"), "| task | verdict | points |\n|---|---|---|\n"));
}

TEST_CASE("no text of a student's is HTML, and a page allows nothing but its own style and script") {
    test::SampleClass sample;
    fill(sample);
    const Graded graded(sample);
    for (const std::string& page : {page_of(graded, charts_script()), student_page(view_of(graded, 1), "GPUs"),
                                    leaderboard_page("GPUs", "<8>", {{"<b>", 2, 3}})}) {
        for (const char* evil : {"<script>alert", "<img", "<svg/", "</pre><", "<b>", "onerror=alert(1)>", "\x1b"})
            CHECK_FALSE(has(page, evil));
        CHECK(has(page, "default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'sha256-"));
        CHECK_FALSE(has(page, "unsafe-inline"));
        for (const char* outside : {"https://", "<link", "<iframe", "@import", "url("})
            CHECK_FALSE(has(page.substr(0, page.find("<script>")), outside));
    }
    // The hash is the one that a browser computes of the script's text.
    CHECK(has(html_page({.title = "t", .body = "", .script = "alert(1)"}),
              "script-src 'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='"));
    CHECK_FALSE(has(html_page({.title = "t", .body = "", .script = ""}), "script-src"));
    const std::string markdown = feedback_markdown(view_of(graded, 1), "GPUs");
    CHECK(has(markdown, "\\<script\\>alert"));
    CHECK(has(markdown, "````text\n</pre><img"));  // a fence that the text doesn't have
}

TEST_CASE("a student's page has this student's results, and no other's") {
    test::SampleClass sample;
    fill(sample);
    const Graded graded(sample, "[late]\nlose = 0.1\n");
    const StudentPageView bob = view_of(graded, 1);
    CHECK(bob.points == "9 of 15 points");
    REQUIRE(bob.exercises.size() == 2);
    CHECK(bob.exercises[0].status == "crashed");
    CHECK(bob.exercises[0].points == "1.8 of 4");
    CHECK(bob.exercises[0].notes ==
          std::vector<std::string>{
              "Handed in late, 1 h after the deadline of 2026-12-01 12:00 UTC: 90 % of the points count."});
    REQUIRE(bob.exercises[1].tasks[1].misconceptions.size() == 1);
    CHECK(bob.exercises[1].tasks[1].misconceptions[0]->number == 5);
    const std::string page = student_page(bob, "GPUs"), markdown = feedback_markdown(bob, "GPUs");
    for (const std::string& text : {page, markdown}) {
        for (const char* other : {"Lovelace", "Idleman"}) CHECK_FALSE(has(text, other));
        CHECK(has(text, "a barrier means: wait a bit"));
        CHECK(has(text, "Handed in late"));
    }
    CHECK(has(student_page(view_of(Graded(sample, "best_of = \"latest\"\n"), 2), "GPUs"),
              "global_sectors: 30021 counted, at most 3777"));
    const StudentPageView dan = view_of(graded, 3);
    CHECK(dan.exercises[0].points == "not graded");
    CHECK(dan.exercises[0].notes[0] ==
          "The grader failed on this answer. This isn't your fault, and you don't get a zero for it.");
    CHECK(dan.points == "0 of 15 points so far; some answers haven't been graded yet");
    CHECK_FALSE(has(student_page(dan, "GPUs"), "fell off the bus"));
    CHECK(view_of(graded, 5).exercises[0].status == "nothing handed in");
}

TEST_CASE("a compile error of host code stands on the pages once, as text") {
    test::SampleClass sample;
    for (const std::string id : {"ada", "bob"}) {
        sample.enroll(id);
        sample.submit(id);
        sample.answer(test::does_not_compile("08_passed", "raw_add.cpp:12:5: error: <b>z</b> ```\n  12 | z = " +
                                                              std::string(id == "bob" ? 9000 : 1, 'y')),
                      "08-raw-add");
    }
    const Graded graded(sample);
    const StudentPageView ada = view_of(graded, 0);
    CHECK(ada.exercises[0].status == "does not compile");
    const std::string page = student_page(ada, "GPUs"), markdown = feedback_markdown(ada, "GPUs");
    const std::string escaped = "<pre>raw_add.cpp:12:5: error: &lt;b&gt;z&lt;/b&gt; ```\n  12 | z = y</pre>";
    CHECK(has(page, escaped));
    CHECK(page.find("raw_add.cpp:12:5") == page.rfind("raw_add.cpp:12:5"));
    CHECK(has(markdown, "````text\nraw_add.cpp:12:5: error: <b>z</b> ```\n  12 | z = y\n````\n"));
    CHECK(has(page_of(graded), "; does not compile: nothing ran</th><td>2</td>"));
    for (const char* alarming : {"not known", "sandbox: none"}) CHECK_FALSE(has(page_of(graded), alarming));
    CHECK(has(page_of(graded),
              "<th scope=\"row\">add: does not compile</th><td>2</td><td class=\"text\"><a "
              "href=\"students/ada.html\">ada</a>: raw_add.cpp:12:5: error: &lt;b&gt;z&lt;/b&gt;"));
    const StudentPageView bob = view_of(graded, 1);
    CHECK(bob.exercises[0].message.size() < 4200);
}

TEST_CASE("the pages tell what isn't graded yet and what can't be used from a fault and from nothing") {
    test::SampleClass sample;
    sample.enroll("ada");
    sample.submit("ada").answers.push_back({8, "08-raw-add", "00"});  // no result yet
    sample.enroll("bob");
    sample.submit("bob").unusable = {{0,
                                      "none of the files has an exercise's file name (found: <rawadd>.cpp; expected: "
                                      "raw_add.cpp, raw_add.cu)"}};
    for (int k = 0; k < 35; ++k) {
        const std::string id = "s" + std::to_string(k);
        sample.enroll(id);
        sample.submit(id).problems = {"answers.rar: a RAR archive"};
        sample.graded("08_passed", "08-raw-add");
    }
    const Graded graded(sample);
    const StudentPageView ada = view_of(graded, 0), bob = view_of(graded, 1);
    CHECK(ada.exercises[0].status == "not graded");
    CHECK(ada.exercises[0].notes == std::vector<std::string>{"This answer hasn't been graded yet."});
    CHECK(bob.exercises[0].status == "can't be used");
    CHECK(bob.exercises[0].points == "0 of 4");
    CHECK(has(student_page(bob, "t"),
              "What you handed in can&#39;t be used: none of the files has an exercise&#39;s file "
              "name (found: &lt;rawadd&gt;.cpp; expected: raw_add.cpp, raw_add.cu)"));
    CHECK_FALSE(has(feedback_markdown(bob, "t"), "nothing handed in"));
    const std::string page = page_of(graded);
    CHECK(has(page, "<p>Not graded yet: <code>course grade</code> goes on from here.</p>"));
    CHECK(has(page, "1 answer to grade"));
    CHECK_FALSE(has(page, "The grader failed"));
    CHECK(has(page, "8 can&#39;t be used"));
    // One row for the 35 of whom the same was noticed.
    CHECK(has(page, "What was noticed about the submissions of 35 students"));
    CHECK(has(page, "<th scope=\"row\">35 students: s0, s1, s2, "));
    const std::size_t row = page.find("answers.rar: a RAR archive");
    CHECK(row == page.rfind("answers.rar: a RAR archive"));
    CHECK(has(page, "Median 4; the middle half scored 4 to 4. Most common: 4 points (35 students)."));
}

TEST_CASE("what students see is the policy's") {
    test::SampleClass sample;
    fill(sample);
    const Graded all(sample), none(sample, "[students]\nspeed_ups = false\nfindings = false\n");
    CHECK(view_of(all, 0).exercises[0].tasks[0].speed == "38x, 70 % of a copy's bandwidth");
    CHECK(view_of(none, 0).exercises[0].tasks[0].speed.empty());
    CHECK(has(student_page(view_of(all, 1), "t"), "skipped barrier: reduce.cu:"));
    CHECK_FALSE(has(student_page(view_of(none, 1), "t"), "skipped barrier"));
    CHECK_FALSE(has(student_page(view_of(none, 1), "t"), "wait a bit"));

    const StudentPageView never = view_of(all, 4);
    CHECK(never.exercises[0].status == "passed, in the cases that you have");  // as if nothing failed
    CHECK(never.exercises[0].tasks[0].status == "passed");
    CHECK_FALSE(has(feedback_markdown(never, "t"), "**2 of 4**: passed\n"));
    CHECK(never.exercises[0].points == "2 of 4");
    CHECK_FALSE(has(student_page(never, "t"), "1 of 3"));
    CHECK(has(student_page(never, "t"), "hidden cases into account, which are not shown"));
    const Graded dated(sample, "[students]\nhidden_results_from = 2026-12-09T00:00:00Z\n");
    CHECK(has(student_page(view_of(dated, 4), "t"), "shown from 2026-12-09 00:00 UTC on"));
    CHECK_FALSE(has(student_page(view_of(dated, 4), "t"), "1 of 3"));
    const StudentPageView later = view_of(dated, 4, test::noon + 9 * 86'400);
    CHECK(later.exercises[0].status == "wrong");
    CHECK(has(student_page(later, "t"), "hidden cases: 1 of 3 right"));
}

TEST_CASE("the leaderboard's names are stable, different, and not to be guessed without the key") {
    const std::string key(32, 'k'), other(32, 'o');
    std::vector<std::string> ids;
    for (int k = 0; k < 3000; ++k) ids.push_back("s" + std::to_string(k));
    const auto names = pseudonyms(ids, key);
    CHECK(names.size() == 3000);
    std::set<std::string> different;
    for (const auto& [id, name] : names) different.insert(name);
    CHECK(different.size() == 3000);
    CHECK(pseudonyms({"s7"}, key).at("s7") == names.at("s7"));
    CHECK(pseudonyms({"s7"}, other).at("s7") != names.at("s7"));
    const test::Folder folder;
    const std::string drawn = pseudonym_key(folder / "key");
    CHECK(drawn.size() == 32);
    CHECK(pseudonym_key(folder / "key") == drawn);
    CHECK((std::filesystem::status(folder / "key").permissions() & std::filesystem::perms::others_all) ==
          std::filesystem::perms::none);
}

TEST_CASE("course report: the files, and how they look in a browser") {
    test::SampleClass sample;
    fill(sample);
    sample.write("class.toml", "format = 1\ndeadline = 2026-12-01T12:00:00Z\n[leaderboard]\nexercise = 8\n");
    const test::Run ran = test::course_program({"report", sample.path().string()});
    INFO(ran.text);
    CHECK(ran.code == 1);  // one of gus' files is broken: a line says so
    CHECK(has(ran.text, "course: results/gus-1/12-reduce.json: "));
    const std::string board = test::read(sample / "report/leaderboard.html");
    for (const char* name : {"ada", "Ada", "bob", "eve", "gus"}) CHECK_FALSE(has(board, name));
    CHECK(has(board, "<td>38</td><td>70 %</td>"));
    const std::string own = test::read(sample / "report/students/ada.html");
    const std::size_t at = own.find("you on the leaderboard</dt><dd>") + 31;
    CHECK(has(board, own.substr(at, own.find('<', at) - at)));
    CHECK(std::filesystem::exists(sample / "report/feedback/idle.md"));
    for (const char* page : {"report/students/eve.html", "report/students/dan.html", "report/students/gus.html",
                             "report/students/idle.html"})
        std::filesystem::remove(sample / page);  // two of them are enough to look at
    const test::Run browser =
        test::program({COURSE_SOURCE_DIR "/autograder/tests/grades/browser_check", (sample / "report").string()});
    if (browser.code == 77)
        MESSAGE(browser.text);
    else
        CHECK(browser.text == "");
}

TEST_CASE("pages of students who aren't there any more go, and nothing else does") {
    test::SampleClass sample;
    sample.enroll("ada", "Ada Lovelace");
    sample.submit("ada", test::noon);
    sample.graded("08_passed", "08-raw-add");
    sample.finish();
    CHECK(test::course_program({"report", sample.path().string()}).code == 0);
    const std::string list = test::read(sample / "report/students/.made-by-course");
    CHECK(list == "feedback/ada.md\nstudents/ada.html\n");
    for (const char* name : {"former.html", "mine.html"}) sample.write(std::string("report/students/") + name, "x");
    sample.write("report/kept.md", "x");
    sample.write("report/students/.made-by-course",
                 list + "students/former.html\nfeedback/../kept.md\n../class.toml\n");
    CHECK(test::course_program({"report", sample.path().string()}).code == 0);
    CHECK_FALSE(std::filesystem::exists(sample / "report/students/former.html"));
    for (const char* name : {"students/mine.html", "students/ada.html", "feedback/ada.md", "kept.md"})
        CHECK(std::filesystem::exists(sample / "report" / name));
}

TEST_CASE("without d3 the tables stand alone") {
    const test::Folder empty;
    CHECK_FALSE(has(charts_script(empty.path()), "d3js.org"));
    CHECK(has(charts_script(empty.path()), "if (d3) {"));
}

TEST_CASE("the page of 3,000 has at most 5 MB") {
    test::SampleClass sample;
    fill(sample);
    ClassResults read = sample.results();
    const ClassIntake one = read.intake;
    const std::map<std::pair<std::string, int>, StoredResult> results = read.results;
    for (int k = 0; k < 600; ++k) {
        const auto renamed = [&](const std::string& name) { return name + "-" + std::to_string(k); };
        for (ClassStudent student : one.roster) {
            student.id = renamed(student.id);
            read.intake.roster.push_back(student);
        }
        for (ClassSubmission submission : one.submissions) {
            submission.id = renamed(submission.id);
            submission.student = renamed(submission.student);
            submission.members = {submission.student};
            read.intake.submissions.push_back(submission);
        }
        for (const auto& [id, result] : results) read.results.emplace(std::pair(renamed(id.first), id.second), result);
    }
    Graded graded(sample);
    graded.read = std::move(read);
    graded.grades = grade_class(graded.read, graded.policy);
    CHECK(graded.grades.students.size() > 3000);
    const std::string page = page_of(graded, charts_script());
    CHECK(page.size() > 200'000);
    CHECK(page.size() <= 5'000'000);
}

TEST_CASE("numbers of a class") {
    CHECK(quartiles({}) == Quartiles{});
    CHECK(quartiles({4, 1, 3, 2, 5}) == Quartiles{1, 2, 3, 4, 5});
    CHECK(quartiles({7}) == Quartiles{7, 7, 7, 7, 7});
    test::SampleClass sample;
    fill(sample);
    const Graded graded(sample);
    const ClassStatistics counted = count_class(graded.read, graded.grades, graded.policy);
    CHECK(counted.complete == 4);
    CHECK(counted.incomplete == 2);
    CHECK(counted.exercises[0].groups == std::array<int, group_count>{1, 1, 1, 1, 0, 1, 1});
    CHECK(counted.exercises[1].groups == std::array<int, group_count>{1, 0, 1, 0, 0, 3, 1});
    CHECK(counted.exercises[0].speed_ups == std::vector<double>{38});
    int students = 0;
    for (const auto& [from, count] : counted.points) students += count;
    CHECK(students == counted.complete);
    int submissions = 0;
    for (const Day& day : counted.days) submissions += day.submissions;
    CHECK(submissions == 6);
    CHECK(counted.days.size() == 3);
}
