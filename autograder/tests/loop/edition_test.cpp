// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "author/five_proofs.hpp"
#include "author/leaked_lines.hpp"
#include "kit/edition.hpp"
#include "loop/toy_course.hpp"
#include "manifest/manifest.hpp"
#include "support/folder.hpp"

// The student's edition; tests/edition/check makes a whole one.
using namespace course;

TEST_CASE("what is left out is named by a file, or by a folder with all in it") {
    CHECK(fits("solutions/", "solutions/08-raw-add/raw_add.cu"));
    CHECK_FALSE(fits("solutions/", "solutions"));
    CHECK_FALSE(fits("solutions", "solutions/08-raw-add/raw_add.cu"));
    CHECK(fits("exercises/*/wrong/", "exercises/08-raw-add/wrong/no-guard.patch"));
    CHECK_FALSE(fits("exercises/*/wrong/", "exercises/08-raw-add/wrong.md"));
    CHECK_FALSE(fits("exercises/*/wrong/", "docs/exercises/a/wrong/b"));
    CHECK_FALSE(fits("*/wrong/", "exercises/08-raw-add/wrong/a"));   // * is one name
    CHECK(fits("docs/*.toml", "docs/plan.toml"));
    CHECK_FALSE(fits("docs/*.toml", "docs/plans/plan.toml"));
}

TEST_CASE("a student's manifest has the third hint in place of distractors") {
    const std::string text = R"(format = 1   # "one"
title = "a \" [b]"
hints = ["""
[[wrong]] in a text
""", '''
[[right]]''']

# Two wrong lines.
[[distractor]]
line = 'x'

# The functions.
[[function]]
name = "f"

[[task]]
id = "t"
[[task.kernel]]
file = "a.cu"

[[ distractor ]]   # another
why = """
[[task]]
"""
)";
    CHECK(student_manifest(text, {{"a.cu", {"int a = \"\\\";", "b"}}}) == R"(format = 1   # "one"
title = "a \" [b]"
hints = ["""
[[wrong]] in a text
""", '''
[[right]]''']

# The functions.
[[function]]
name = "f"

[[task]]
id = "t"
[[task.kernel]]
file = "a.cu"

# Prepared by make dist-student: the lines of a solution and two wrong ones, in alphabetical order.

[[third_hint]]
file = "a.cu"
lines = [
    "int a = \"\\\";",
    "b",
]
)");
}

TEST_CASE("a prepared third hint stands for the solution, and shows the same puzzle") {
    const test::ToyCourse toy;
    for (int k = 0; k < 2; ++k) (void)toy.run({"hint", "2"});
    const std::string before = toy.run({"hint", "2"}).text, file = "exercises/02-shift/exercise.toml";
    Kit kit;
    kit.root = toy / ".";
    const Manifest manifest = read_manifest(toy / "exercises/02-shift");
    toy.write(file, student_manifest(toy.read(file), puzzle_lines(kit, manifest)));
    std::filesystem::remove_all(toy / "solutions");
    for (const char* const planted : {"wrong", "lazy"})
        std::filesystem::remove_all(toy / "exercises/02-shift" / planted);
    CHECK(toy.run({"hint", "2"}).text == before);
    CHECK(toy.run({"run", "2"}).code == 3);
    const std::string good = toy.read(file);
    toy.change(file, "file = \"shift.cu\"\nlines", "file = \"other.cu\"\nlines");
    CHECK(toy.run({"hint", "2"}).text.find("\"other.cu\" is not a file of \"edit\"") != std::string::npos);
    toy.write(file, good + "\n[[distractor]]\nfile = \"shift.cu\"\nline = \"x\"\nwhy = \"y\"\n");
    CHECK(toy.run({"hint", "2"}).text.find("expected none beside a [[third_hint]]") != std::string::npos);
}

// Lines of solutions in other files; tests/edition/check tries it in a whole edition.
using namespace course;

namespace {

const std::string solution = R"(__global__ void f(const float* x, float* y, int n) {
    // ---- your code (about 5 lines) ----
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) {
        // squared
        const float square = x[i] * x[i];
        y[i] = square + 1;   /* at least 1 */
    }
    // ---- end ----
    const int outside = 1;
    const int the = 2;
    const int marks = 3;
}
)";

SolutionSearch search_with(const std::vector<std::string>& given = {}) {
    SolutionSearch search;
    search.add("01-f/f.cu", solution, given);
    return search;
}

bool leaks(const std::string& text, const std::string& file = "a.cu") {
    return !search_with().find_in(file, text).empty();
}

}  // namespace

TEST_CASE("three lines of a solution in a row are found, with file, line and how many there are") {
    const std::vector<LeakedLines> found = search_with().find_in("docs/a.md", "a\nb\n" + solution);
    REQUIRE(found.size() == 1);
    CHECK(found[0].file == "docs/a.md");
    CHECK(found[0].line == 5);
    CHECK(found[0].solution == "01-f/f.cu");
    CHECK(found[0].first == 3);
    CHECK(found[0].last == 7);
    CHECK(found[0].count == 4);
}

TEST_CASE("two lines tell nothing, nor do braces, nor what stands outside of the student's parts") {
    CHECK_FALSE(leaks("const int i = blockIdx.x * 256 + threadIdx.x;\nif (i < n) {\n}\n{\n}\n"));
    CHECK_FALSE(leaks("const int outside = 1;\nconst int the = 2;\nconst int marks = 3;\n"));
    CHECK_FALSE(leaks("if (i < n) {\n++i;\nconst float square = x[i] * x[i];\ny[i] = square + 1;\n"));
}

TEST_CASE("comments, layout, quotes and the end of a line make no difference") {
    CHECK(leaks("if(i<n)\nconst float  square=x[i] *\n x[i]; // square\n/* then */ y[i] = square + 1;"));
    CHECK(leaks(R"("if (i < n) {\n"   "    const float square = x[i] * x[i];  // square\n" "y[i] = square + 1;\n")",
                "a.json"));
    CHECK(leaks(R"(const char* s = "if (i < n) {\n    const float square = x[i] * x[i];\n    y[i] = square + 1;\n";)"));
    // A pattern of files begins no comment.
    CHECK(leaks("exercises/*/right\nif (i < n) {\nconst float square = x[i] * x[i];\ny[i] = square + 1;\n", "a.md"));
}

TEST_CASE("lines that the exercise hands out don't count") {
    const std::string lines = "if (i < n) {\n    const float square = x[i] * x[i];\n    y[i] = square + 1;\n";
    CHECK(search_with({"x[i]"}).find_in("a", lines).size() == 1);
    CHECK(search_with({"  const float square = x[i] * x[i];"}).find_in("a", lines).empty());
    // But they may stand between those that do.
    CHECK(search_with({"if (i < n) {"}).find_in("a", solution).size() == 1);
}

TEST_CASE("runs apart are told apart, and a part of the file that holds them both is one") {
    SolutionSearch search;
    search.add("a/a.cu", "// ---- your code\nint first;\nint second;\nint third;\nint fourth;\n// ---- end ----\n", {});
    search.add("b/b.cu", "one = 1;\ntwo = 2;\nthree = 3;\n", {});  // no marks: all of it
    const std::vector<LeakedLines> found =
        search.find_in("x", "one=1; two=2; three=3;\n\nint second; int third; int fourth;\n");
    REQUIRE(found.size() == 2);
    CHECK(found[0].solution == "a/a.cu");
    CHECK(found[0].line == 3);
    CHECK(found[0].count == 3);
    CHECK(found[1].solution == "b/b.cu");
    CHECK(search.find_in("x", std::string("one=1;two=2;three=3;") + '\0').empty());  // no text
}

TEST_CASE("an exercise's stub, headers and text are what it hands out; its check isn't") {
    const test::ToyCourse toy;
    const auto leaked = [&](const std::string& file) {
        return !search_for_solutions(toy / ".").find_in("x", toy.read(file)).empty();
    };
    toy.write("solutions/02-shift/shift.cu", "int alpha = 1;\nint beta = 2;\nint gamma = 3;\n");
    toy.write("x.cu", "int alpha = 1;\nint beta = 2;\nint gamma = 3;\n");
    CHECK(leaked("x.cu"));
    toy.write("exercises/02-shift/more.cpp", "int beta = 2;\n");
    CHECK(leaked("x.cu"));
    toy.write("exercises/02-shift/more.hpp", "int beta = 2;\n");
    CHECK_FALSE(leaked("x.cu"));
}

TEST_CASE("an edition with lines of solutions is refused, unless its plan names the file and the reason") {
    const test::ToyCourse toy;
    toy.write("solutions/02-shift/shift.cu", "int alpha = 1;\nint beta = 2;\nint gamma = 3;\nint delta = 4;\n");
    toy.write("notes.txt", "See:\nint alpha = 1;\nint beta = 2;\nint gamma = 3;\nint delta = 4;\n");
    const auto answer = [&](const std::string& shows) -> std::string {
        toy.write("student_edition.toml", "format = 1\nleave_out = [\"solutions/\"]\nsolutions = \"Ask.\"\n" + shows);
        try {
            const EditionPlan plan = read_edition_plan(toy / ".", {"notes.txt", "solutions/02-shift/shift.cu"});
            refuse_leaked_lines(toy / ".", toy / ".", {"notes.txt"}, plan);
        } catch (const std::exception& error) {
            return error.what();
        }
        return "";
    };
    const auto shows = [](const std::string& file, const std::string& solution_named, int lines) {
        return "[[shows]]\nfile = \"" + file + "\"\nsolution = \"" + solution_named +
               "\"\nlines = " + std::to_string(lines) + "\nbecause = \"It says why.\"\n";
    };
    CHECK(answer("") ==
          "the edition would hold lines of solutions, 3 or more in a row:\n"
          "  notes.txt:2: 4 lines of solutions/02-shift/shift.cu:1 to 4\n"
          "Change these files, or leave them out (leave_out in student_edition.toml). If one teaches "
          "just these lines, name it in [[shows]] there, with the reason.");
    CHECK(answer(shows("notes.txt", "02-shift", 4)) == "");
    CHECK(answer(shows("notes.txt", "02-shift", 3)).find("4 lines of") != std::string::npos);
    CHECK(answer(shows("notes.txt", "02-shift", 5)).find("has 4 in a row: write lines = 4") != std::string::npos);
    CHECK(answer(shows("notes.txt", "02-shift", 2)).find("student_edition.toml:7:") != std::string::npos);
    CHECK(answer(shows("notes.txt", "02-shift", 4) + shows("notes.txt", "01-copy", 3)).find("solutions/01-copy") !=
          std::string::npos);
    CHECK(answer(shows("note.txt", "02-shift", 4)).find("git knows no file \"note.txt\"") != std::string::npos);
    CHECK(answer("[[shows]]\nfile = \"notes.txt\"\nsolution = \"02-shift\"\nlines = 4\n").find("because") !=
          std::string::npos);
}

using namespace course;

namespace {

const PlantedAnswer race{.name = "race", .verdict = "wrong", .says = "missing barrier", .task = "tree"};
const std::string told = "check mode found:\nmissing barrier: ...";

/// Two tasks; the second is wrong.
Result found(const std::string& backend) {
    Result result;
    result.verdict = Verdict::wrong;
    result.environment.backend = backend;
    for (const char* id : {"atomic", "tree"}) result.tasks.emplace_back().id = id;
    result.tasks[1].verdict = Verdict::wrong;
    return result;
}

}  // namespace

TEST_CASE("verdict, task and words must be those of the manifest, on every backend") {
    for (const char* backend : {"host", "cuda"}) {
        CAPTURE(backend);
        Result result = found(backend);
        CHECK(why_not_caught(race, result, told) == "");
        CHECK(why_not_caught(race, result, "nothing") == "should say \"missing barrier\":");
        std::swap(result.tasks[0].id, result.tasks[1].id);
        CHECK(why_not_caught(race, result, told) == "should fail in the task tree, and passed it:");
        result.verdict = Verdict::crashed;
        CHECK(why_not_caught(race, result, told) == "should get \"wrong\"; it got \"crashed\":");
        result.verdict = Verdict::passed;
        CHECK(why_not_caught(race, result, told) == "should get \"wrong\"; it got \"passed\":");
    }
}

TEST_CASE("of an answer with a mistake in a star, the star's verdict counts: the exercise is passed") {
    Result result = found("host");
    result.tasks[1].star = true;
    result.verdict = Verdict::passed;
    CHECK(why_not_caught(race, result, told) == "");
    result.tasks[1].verdict = Verdict::not_started;
    CHECK(why_not_caught(race, result, told) == "should get \"wrong\"; it got \"not started\":");
    PlantedAnswer lazy = race;
    lazy.verdict.clear();
    CHECK(why_not_caught(lazy, result, told) == "should fail; it got \"not started\":");
    result.tasks[1].verdict = Verdict::crashed;
    CHECK(why_not_caught(lazy, result, told) == "");
}

TEST_CASE("a tag that the verdict doesn't show is noted, and one that it shows isn't") {
    Result result = found("host");
    PlantedAnswer tagged = race;
    CHECK(why_tag_not_shown(tagged, result) == "");
    tagged.tag = 5;
    CHECK(why_tag_not_shown(tagged, result) == "has tag 5, which its verdict doesn't show (it shows none)");
    result.tasks[0].tags = {5};   // another task than the one that must fail
    result.tasks[1].tags = {7, 8};
    CHECK(why_tag_not_shown(tagged, result) == "has tag 5, which its verdict doesn't show (it shows 7, 8)");
    result.tasks[1].tags = {5, 7};
    CHECK(why_tag_not_shown(tagged, result) == "");
    tagged.task.clear();
    result.tasks[1].tags.clear();
    CHECK(why_tag_not_shown(tagged, result) == "");
}

TEST_CASE("a lazy answer without a verdict may fail in any way, but fail it must") {
    const PlantedAnswer lazy{
        .name = "on-cpu", .verdict = "", .says = "launches: 0 counted", .task = "", .kind = "on the CPU"};
    Result result = found("host");
    for (const Verdict verdict : {Verdict::not_as_asked, Verdict::wrong, Verdict::crashed}) {
        result.verdict = verdict;
        CHECK(why_not_caught(lazy, result, "launches: 0 counted, exactly 1") == "");
    }
    CHECK(why_not_caught(lazy, result, "crashed") == "should say \"launches: 0 counted\":");
    for (const Verdict verdict : {Verdict::passed, Verdict::does_not_compile}) {
        result.verdict = verdict;
        CHECK(why_not_caught(lazy, result, "launches: 0 counted").starts_with("should fail; it got "));
    }
}
