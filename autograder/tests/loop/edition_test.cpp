// SPDX-License-Identifier: MIT
// The student's edition; tests/edition/check makes a whole one.
#include "kit/edition.hpp"

#include <doctest/doctest.h>

#include "loop/toy_course.hpp"
#include "manifest/manifest.hpp"
#include "support/folder.hpp"

using namespace course;

TEST_CASE("what is left out is named by a file, or by a folder with all in it") {
    CHECK(fits("solutions/", "solutions/08-raw-add/raw_add.cu"));
    CHECK_FALSE(fits("solutions/", "solutions"));
    CHECK_FALSE(fits("solutions", "solutions/08-raw-add/raw_add.cu"));
    CHECK(fits("exercises/*/wrong/", "exercises/08-raw-add/wrong/no-guard/raw_add.cu"));
    CHECK_FALSE(fits("exercises/*/wrong/", "exercises/08-raw-add/wrong.md"));
    CHECK_FALSE(fits("exercises/*/wrong/", "docs/exercises/a/wrong/b"));
    CHECK_FALSE(fits("*/wrong/", "exercises/08-raw-add/wrong/a"));   // * is one name
    CHECK(fits("docs/*.toml", "docs/plan.toml"));
    CHECK_FALSE(fits("docs/*.toml", "docs/plans/plan.toml"));
}

TEST_CASE("a student's manifest has the third hint in place of planted answers and distractors") {
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

[[wrong]]   # planted
says = """
[[task]]
"""
# and a lazy one
[[lazy]]
name = "l"

[[ right ]]
name = "r"
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
