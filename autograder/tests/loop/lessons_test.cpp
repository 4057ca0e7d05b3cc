// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "loop/toy_course.hpp"
#include "progress/course_path.hpp"
#include "support/folder.hpp"

// Lessons of the toy course: what a student sees of them, and that each mistake in them is noticed.
using test::Ran, test::ToyCourse;

namespace {

const std::string lesson = "lessons/01-toys/";

/// The toys' lesson with as many words as a real one.
struct LessonCourse : ToyCourse {
    LessonCourse() {
        std::string filler;
        for (int line = 0; line < 90; ++line) filler += "One element after the other is in a block of its grid.\n";
        change(lesson + "README.md", "## Common mistakes", filler + "\n## Common mistakes");
    }
    [[nodiscard]] Ran lessons(std::vector<std::string> arguments = {}) const {
        arguments.insert(arguments.begin(), {"dev", "lessons", "--programs", COURSE_TOY_PROGRAMS});
        return ToyCourse::run(arguments);
    }
    /// What is found once this stands in a file in place of that.
    [[nodiscard]] Ran lessons_with(const std::string& file, const std::string& what, const std::string& by) const {
        const std::string before = read(file);
        change(file, what, by);
        const Ran ran = lessons();
        write(file, before);
        return ran;
    }
};

bool says(const Ran& ran, const std::string& text) { return ran.text.find(text) != std::string::npos; }

/// It is found, and nothing that doesn't follow from it.
void check_found(const Ran& ran, const std::string& fault, int follow = 0) {
    CAPTURE(ran.text);
    CHECK(ran.code == 1);
    CHECK(says(ran, fault));
    CHECK(says(ran, "1 lesson: " + std::to_string(1 + follow) + " to mend"));
}

}  // namespace

TEST_CASE("a lesson's programs are run with their questions and answers") {
    const ToyCourse toy;
    toy.check_golden("lesson", toy.run({"lesson", "1", "--programs", COURSE_TOY_PROGRAMS}));
    CHECK_FALSE(std::filesystem::exists(toy / "work/answers.txt"));
}

TEST_CASE("programs and questions of a lesson can be chosen") {
    const ToyCourse toy;
    const auto lesson_1 = [&](std::vector<std::string> more) {
        more.insert(more.begin(), {"lesson", "1", "--programs", COURSE_TOY_PROGRAMS});
        return toy.run(more);
    };
    const std::string how_many = "How many blocks does the grid need?", who = "Which thread of its block",
                      guard = "Which threads does the guard", next = "Next: make lesson-1 (all of it), make exercise-1";
    const Ran one = lesson_1({"--program", "clock"});
    CHECK(one.code == 0);
    CHECK(says(one, "[2/2] clock"));
    CHECK_FALSE(says(one, "blocks:"));
    CHECK_FALSE(says(one, guard));
    CHECK(says(one, next));
    const Ran asked = lesson_1({"--questions", "guard-or-not,who-writes-the-last"});
    CHECK(asked.code == 0);
    CHECK(asked.text.find("[1/2] blocks") < asked.text.find(guard));
    CHECK(says(asked, who));
    CHECK(says(asked, "Answer: C, thread 0."));
    CHECK_FALSE(says(asked, how_many));
    CHECK_FALSE(says(asked, "clock"));
    CHECK(says(asked, next));
    CHECK(says(lesson_1({"--questions", "guard-or-not", "--program", "blocks, clock"}), how_many));
    CHECK(says(lesson_1({"--questions", "guard"}),
               "lesson 1 has no question guard; it has: how-many-blocks, who-writes-the-last, guard-or-not"));

    CHECK(toy.run({"lesson", "01", "--target"}).text == "lesson-01\n");
    CHECK(toy.run({"lesson", "1", "--target", "--program", "clock"}).text == "lesson_01_clock\n");
    CHECK(toy.run({"lesson", "1", "--target", "--questions", "how-many-blocks"}).text == "lesson_01_blocks\n");
    CHECK(toy.run({"lesson", "1", "--target", "--questions", "guard-or-not"}).text.empty());
}

TEST_CASE("a question comes where the page asks it, also if a program follows") {
    const ToyCourse toy;
    const auto order = [&] {
        const std::string text = toy.run({"lesson", "1", "--programs", COURSE_TOY_PROGRAMS}).text;
        return text.find("Which threads does the guard") < text.find("[2/2] clock");
    };
    CHECK(order());
    std::string page = toy.read(lesson + "README.md");
    const std::size_t begin = page.find("<!-- measured clock -->"), end = page.find("## Common mistakes");
    const std::string measured = page.substr(begin, end - begin);
    page.erase(begin, end - begin).insert(page.find("## The grid"), measured);
    toy.write(lesson + "README.md", page);
    CHECK(says(toy.run({"lesson", "1", "--programs", COURSE_TOY_PROGRAMS}), "[1/2] clock"));
    std::filesystem::remove(toy / (lesson + "README.md"));
    CHECK_FALSE(order());
}

TEST_CASE("a breather after a lesson is a sitting of its own, and stands on the path") {
    LessonCourse toy;
    CHECK_FALSE(says(toy.run({"status"}), "breather"));
    const Ran none = toy.run({"lesson", "1", "--breather"});
    CHECK(none.code == 4);
    CHECK(says(none, "no breather comes after lesson 1; this edition has none"));
    toy.change(lesson + "lesson.toml", "objectives", "breather = { title = \"Mixed toys\", minutes = 9 }\nobjectives");
    toy.change(lesson + "lesson.toml", "id = \"guard-or-not\"\n", "id = \"guard-or-not\"\nbreather = true\n");
    const std::string block = "<!-- question guard-or-not -->";
    check_found(toy.lessons(), "lessons/01-toys/breather.md: there is no such file");
    std::string text = "# Mixed toys\n\n";
    for (int line = 0; line < 15; ++line) text += "One element after the other is in a block of its grid.\n";
    toy.write(lesson + "breather.md", text + "\n" + block + "\n<!-- end -->\n");
    CHECK(says(toy.lessons({"--write"}), "written: lessons/01-toys/breather.md"));
    CHECK(toy.lessons().code == 0);
    CHECK(says(toy.lessons_with(lesson + "breather.md", "- A:", "- Z:"), "breather.md:"));

    const Ran mixed = toy.run({"lesson", "1", "--breather", "--programs", COURSE_TOY_PROGRAMS});
    CHECK(mixed.code == 0);
    CHECK(says(mixed, "Mixed toys\n  Read: lessons/01-toys/breather.md"));
    CHECK(says(mixed, "Which threads does the guard keep away?"));
    CHECK_FALSE(says(mixed, "blocks:"));
    CHECK(says(mixed, "Next: make\n"));
    CHECK_FALSE(says(toy.run({"lesson", "1", "--programs", COURSE_TOY_PROGRAMS}), "Which threads does the guard"));

    const std::string line = "breather   mixed problems, nothing new, about 9 minutes      make breather-1\n";
    CHECK(says(toy.run({"status"}), "        " + line));
    toy.write("work/answers.txt", "2026-01-31 01/guard-or-not wrong 1\n");
    CHECK(says(toy.run({"status"}), "  done  " + line));
}

TEST_CASE("what can't be run is said, with what to do") {
    const ToyCourse toy;
    const std::string programs = COURSE_TOY_PROGRAMS;
    const Ran none = toy.run({"lesson", "7"});
    CHECK(none.code == 4);
    CHECK(says(none, "lesson 7 is not in this edition; it has: 01-toys"));
    CHECK(toy.run({"lesson", "1", "--programs", programs, "--program", "other"}).code == 4);
    const Ran not_built = toy.run({"lesson", "1", "--programs", "/nowhere"});
    CHECK(not_built.code == 4);
    CHECK(says(not_built, "this program isn't built; try make lesson-1"));
    std::filesystem::remove_all(toy / "lessons");
    CHECK(says(toy.run({"lesson", "1"}), "this edition has no lessons"));
}

TEST_CASE("a program that fails ends the lesson") {
    const ToyCourse toy;
    std::filesystem::create_directories(toy / "programs/01-toys");
    for (const char* const program : {"true", "false"}) {
        std::filesystem::copy_file(std::string("/bin/") + program, toy / "programs/01-toys/blocks",
                                   std::filesystem::copy_options::overwrite_existing);
        const Ran ran = toy.run({"lesson", "1", "--programs", (toy / "programs").string(), "--program", "blocks"});
        if (std::string(program) == "false") {
            CHECK(ran.code == 1);
            CHECK(says(ran, "the program blocks ended with exit code 1"));
        } else {
            CHECK(says(ran, "has no line \"Answer: VALUE\""));
        }
    }
}

TEST_CASE("on a terminal predictions are asked for, judged and noted") {
    const ToyCourse toy;
    course::Command command = toy.command({});
    const std::string course = command.arguments[0] + " lesson 1 --programs " + COURSE_TOY_PROGRAMS;
    command.arguments = {"sh", "-c", "printf '1\\nz\\nc\\n\\n' | script -qec '" + course + "' /dev/null"};
    course::Command trial = command;
    trial.arguments = {"script", "--version"};
    if (!run_process(trial).succeeded())
        return test::skip("predictions on a terminal", "script is missing");
    const Ran ran = toy.run(command);
    CAPTURE(ran.text);
    CHECK(ran.code == 0);
    CHECK(says(ran, "Your prediction (a number of blocks; Enter skips): "));
    CHECK(says(ran, "\"z\" is not a valid prediction; write A, B or C."));
    CHECK(says(ran, "Not so."));
    CHECK(says(ran, "A grid is made of whole blocks"));  // the misconception's own words
    CHECK(says(ran, "Right."));
    const std::string answers = toy.read("work/answers.txt");
    CHECK(answers.find(" 01/how-many-blocks wrong 8\n") != std::string::npos);
    CHECK(answers.find(" 01/who-writes-the-last right -\n") != std::string::npos);
    CHECK(answers.find("guard-or-not") == std::string::npos);  // skipped
}

TEST_CASE("the quiz asks about lessons two back, and notes the answer") {
    const ToyCourse toy;
    CHECK(says(toy.run({"quiz"}), "No question yet"));
    toy.write("work/.progress", "twice passed 0\nshift passed 0\n");
    const Ran asked = toy.run({"quiz"});
    CHECK(asked.code == 0);
    CHECK(says(asked, "How many blocks does the grid need?"));
    CHECK(says(asked, "To answer: make quiz ANSWER=... (a number of blocks)"));
    CHECK(toy.run({"quiz", "--answer", "b"}).code == 4);
    CHECK(says(toy.run({"quiz", "--answer", "2"}), "Right."));
    const Ran with_listing = toy.run({"quiz", "--answer", "b"});
    CHECK(says(with_listing, "Not so."));
    CHECK(says(with_listing, "  blocks.cpp\n    const int n = 257, block = 256;\n"));
    toy.change("lessons/01-toys/lesson.toml", "blocks.cpp blocks", "other.cpp");
    CHECK(says(toy.run({"lesson", "1", "--programs", COURSE_TOY_PROGRAMS}),
               "01/who-writes-the-last: there is no file"));
    CHECK(toy.read("work/answers.txt").find(" 01/who-writes-the-last wrong -\n") != std::string::npos);
}

TEST_CASE("the quiz asks about the student's own misconceptions first") {
    const ToyCourse toy;
    toy.write("work/.progress", "twice passed 0\nshift passed 0 last=passed met=1:1 met_on=1:2026-11-20\n");
    const Ran asked = toy.run({"quiz"});
    CHECK(says(asked, "Which threads does the guard keep away?"));   // the last of the lesson, and the one with tag 1
    CHECK(says(toy.run({"quiz", "--answer", "a"}), "Right."));       // on a later day: it is mended
    CHECK(says(toy.run({"quiz"}), "How many blocks does the grid need?"));
}

TEST_CASE("dev lessons holds for the toy course, and writes what is generated") {
    const LessonCourse toy;
    const Ran good = toy.lessons();
    CAPTURE(good.text);
    CHECK(good.code == 0);
    CHECK(says(good, "1 lesson: all as it should be"));
    const std::string page = toy.read(lesson + "README.md"), output = toy.read(lesson + "blocks.out");
    toy.change(lesson + "README.md", "const int blocks = (n + block - 1) / block;\n", "");
    toy.write(lesson + "blocks.out", "old\n");
    CHECK(toy.lessons({"1", "--write"}).code == 0);
    CHECK(toy.read(lesson + "README.md") == page);
    CHECK(toy.read(lesson + "blocks.out") == output);
    CHECK(toy.read(lesson + "clock.out") == "repeat 0:    ~ us\nrepeat 1:    ~ us\n");
    CHECK(toy.lessons({"7"}).code == 4);
}

TEST_CASE("each planted mistake in a lesson is found") {
    const LessonCourse toy;
    const std::string page = lesson + "README.md", toml = lesson + "lesson.toml";
    check_found(toy.lessons_with(lesson + "blocks.out", "257", "256"),
                "blocks.out: the program prints something else, in line 1", 1);
    check_found(toy.lessons_with(page, "const int blocks = (n + block - 1)", "const int blocks = (n + block)"),
                "a generated part isn't up to date; course dev lessons 1 --write renews it");
    check_found(toy.lessons_with(toml, "listing = \"blocks.cpp blocks\"", "listing = \"blocks.cpp grid\""),
                "blocks.cpp has no line \"// [grid]\"", 1);
    check_found(toy.lessons_with(page, "The **[guard](../../docs/glossary.md#threads)**",
                                 "The **[guard](../../docs/glossary.md#threads)**, [here](nowhere.md),"),
                "the link nowhere.md leads nowhere");
    check_found(toy.lessons_with(page, "glossary.md#threads)**", "glossary.md#order)**"),
                "\"guard\" stands in the glossary under #threads");
    check_found(toy.lessons_with(page, "Round up.", "Round up to a **barrier**."),
                "\"barrier\" is bold, and no lesson");
    check_found(toy.lessons_with(page, "## Key points", "### Key points"), "there is no part \"## Key points\"");
    check_found(toy.lessons_with(lesson + "figures/grid.svg", "<desc", "<none"), "there is no <desc>");
    check_found(toy.lessons_with("exercises/02-shift/exercise.toml", "01-toys", "00-none"),
                "shift says that its lesson is 00-none; expected 01-toys\nexercises", 1);
    check_found(toy.lessons_with("solutions/02-shift/shift.cu", "{", "{ const int row = threadIdx.x;"),
                "a row is computed from threadIdx.x");
    check_found(toy.lessons_with(lesson + "measured/h200.txt", ", 2026-11-20", ""), "measured/h200.txt: a file of", 1);
    const Ran value = toy.lessons_with(toml, "value = \"thread 0\"", "value = \"thread 1\"");
    check_found(value, "question who-writes-the-last: blocks answers \"thread 0\"; expected \"thread 1\"");
    check_found(toy.lessons_with(toml, "listing = \"blocks.cpp blocks\"\n", ""),
                "the question who-writes-the-last follows a piece of code; expected it in lesson.toml, listing = "
                "\"blocks.cpp blocks\"");
    const Ran broken = toy.lessons_with(toml, "minutes", "minuets");
    CHECK(says(broken, "lesson.toml:5:1: unknown key \"minuets\""));
    CHECK(broken.code == 1);
    check_found(toy.lessons_with(lesson + "blocks.cpp", "// How many", "int k; // How many"),
                "blocks.cpp: it begins without a comment");
}

TEST_CASE("the path and the next exercise follow the order in which lessons are read, whatever their numbers") {
    const ToyCourse toy;
    toy.change("exercises/01-twice/exercise.toml", "lesson = \"01-toys\"", "lesson = \"02-more\"");
    toy.change("exercises/02-shift/exercise.toml", "lesson = \"01-toys\"", "lesson = \"03-new\"");
    const std::string rest = "format = 1\nminutes = { teach = 5, practise = 5 }\nobjectives = [\"Write it\"]\n";
    toy.write("lessons/02-more/lesson.toml", "title = \"More\"\n" + rest);
    toy.write("lessons/03-new/lesson.toml", "title = \"New\"\nafter = \"01-toys\"\n" + rest);
    const std::string status = toy.run({"status"}).text;
    CAPTURE(status);
    CHECK(status.find("lesson  3  New") < status.find("lesson  2  More"));
    CHECK(status.find("lesson  1") < status.find("lesson  3"));
    CHECK(status.find("Now:   exercise 2, shift") != std::string::npos);
    toy.solve("02-shift");
    CHECK(says(toy.run({"run", "2"}), "make exercise-1"));
}

TEST_CASE("a course without lessons is in order") {
    const ToyCourse toy;
    std::filesystem::remove_all(toy / "lessons");
    const Ran ran = toy.run({"dev", "lessons"});
    CHECK(ran.code == 0);
    CHECK(says(ran, "0 lessons: all as it should be"));
}

using namespace course;

namespace {

const std::vector<std::string> abc = {"01/a", "01/b", "02/c"};

/// Asks so many times on one day; all are answered right but those named.
std::vector<std::string> asked(std::vector<RecordedAnswer>& answers, long day, int times,
                               const std::string& wrong = "") {
    std::vector<std::string> ids;
    for (int k = 0; k < times; ++k) {
        ids.push_back(abc.at(next_question(abc, answers, day).value()));
        answers.push_back({date_of(day), ids.back(), ids.back() != wrong, 0});
    }
    return ids;
}

}  // namespace

TEST_CASE("answers are one line each, and what makes no sense is passed over") {
    const test::Folder work;
    const Answers answers(work.path());
    CHECK(answers.read().empty());
    answers.add({"2026-01-31", "06/last", false, 8});
    answers.add({"2026-02-01", "06/last", true, 0});
    CHECK(test::read(work / "answers.txt") ==
          "# written by course; safe to delete\n# date, question, right or wrong, misconception\n"
          "2026-01-31 06/last wrong 8\n2026-02-01 06/last right -\n");
    const auto read = answers.read();
    REQUIRE(read.size() == 2);
    CHECK(read[0].tag == 8);
    CHECK(read[1].right);
    CHECK(parse_answers("x\n2026-13-01 a right -\n2026-01-01 a maybe -\n2026-01-01 a right 99999999999\n").size() == 1);
}

TEST_CASE("days and dates go both ways") {
    CHECK(day_of("1970-01-02") == 1);
    CHECK(date_of(day_of("2024-02-29")) == "2024-02-29");
    CHECK(day_of("2023-02-29") == -1);
    CHECK(day_of("2023-02-2x") == -1);
    CHECK(day_of(date_of(today())) == today());
}

TEST_CASE("new questions come in their order, none twice running") {
    std::vector<RecordedAnswer> answers;
    CHECK(asked(answers, 100, 3) == abc);
    const std::vector<std::string> more = asked(answers, 100, 6);
    CHECK(more[0] != "02/c");
    for (std::size_t k = 1; k < more.size(); ++k) CHECK(more[k] != more[k - 1]);
    CHECK_FALSE(next_question({}, answers, 100));
    CHECK(next_question({"01/a"}, {{"2026-01-01", "01/a", true, 0}}, 100) == 0);
}

TEST_CASE("a wrong one comes back after two others, or the next day") {
    std::vector<RecordedAnswer> answers;
    CHECK(asked(answers, 100, 4, "01/a") == std::vector<std::string>{"01/a", "01/b", "02/c", "01/a"});
    answers = {{date_of(100), "01/a", false, 0}, {date_of(100), "01/b", true, 0}};
    CHECK(next_question(abc, answers, 100) == 2);  // the new one first
    CHECK(next_question(abc, answers, 101) == 0);
}

TEST_CASE("a right one comes back after days, more of them each time") {
    std::vector<RecordedAnswer> answers = {
        {date_of(100), "01/a", true, 0}, {date_of(100), "01/b", true, 0}, {date_of(101), "01/b", true, 0}};
    CHECK(next_question(abc, answers, 102) == 2);  // nothing is due: the new one
    CHECK(next_question(abc, answers, 103) == 0);  // a after 3 days
    answers.push_back({date_of(103), "02/c", true, 0});
    CHECK(next_question({"01/b", "02/c", "01/a"}, answers, 104) == 2);
    CHECK(next_question({"01/b", "02/c"}, answers, 110) == 0);  // c was the last
}

TEST_CASE("the student's own questions go first while they are due or new") {
    std::vector<RecordedAnswer> answers = {{date_of(100), "01/a", true, 0}, {date_of(100), "01/b", false, 0}};
    CHECK(next_question(abc, answers, 110, {"01/a"}) == 0);   // though b is the more urgent
    CHECK(next_question(abc, answers, 101, {"01/a"}) == 2);   // a isn't due yet, and b was the last
    CHECK(next_question(abc, answers, 110, {"02/c"}) == 2);
    answers.push_back({date_of(110), "02/c", true, 0});
    CHECK(next_question(abc, answers, 120, {"02/c"}) == 1);   // c was the last
}
