// SPDX-License-Identifier: MIT
// `course dev mutate` on the toy course: all mutants of exercise 1 are killed; a check that sees less lets some pass.
#include <algorithm>
#include <string>

#include <doctest/doctest.h>

#include "loop/toy_course.hpp"

using test::Ran, test::ToyCourse;

namespace {

bool says(const Ran& ran, const std::string& text) { return ran.text.find(text) != std::string::npos; }

}  // namespace

TEST_CASE("no mutant of a right answer passes, and a survivor fails the run until it is listed") {
    const ToyCourse toy;
    const Ran strict = toy.run({"dev", "mutate", "1"});
    CHECK_MESSAGE(strict.code == 0, strict.text);
    CHECK_MESSAGE(says(strict, "5 mutants: 5 killed, 0 equivalent, 0 survived, 0 don't compile\n"), strict.text);
    const std::string results = toy.read("build/mutants/01-twice.jsonl");
    CHECK(std::count(results.begin(), results.end(), '\n') == 5);
    CHECK(toy.run({"dev", "mutate", "1"}).code == 0);   // nothing is judged again
    CHECK(toy.read("build/mutants/01-twice.jsonl") == results);

    toy.change("exercises/01-twice/check.cpp", "{7, 0, -5}", "{0}");   // twice 0 is three times 0
    const Ran weak = toy.run({"dev", "mutate", "1", "--report", (toy / "report.md").string()});
    CHECK_MESSAGE(weak.code == 1, weak.text);
    CHECK(says(weak, "survived: 01-twice solution twice.cpp:5 (constant) "));
    CHECK(says(weak, "- return 2 * x;\n+ return 3 * x;\n"));
    CHECK(says(weak, "5 mutants: 3 killed, 0 equivalent, 2 survived, 0 don't compile\n"));
    CHECK(toy.read("report.md").find("| 01-twice | 3 | 0 | 2 | 0 | 0 |\n") != std::string::npos);

    const std::string head = "format = 1\n[rules]\nzero = \"Times 0, all factors are alike.\"\n";
    const auto entry = [](const std::string& by) {
        return "[[equivalent]]\nexercise = \"01-twice\"\nfile = \"twice.cpp\"\noperator = \"constant\"\n"
               "before = \"return 2 * x;\"\nafter = \"return " + by + " * x;\"\nrule = \"zero\"\n";
    };
    toy.write("solutions/equivalent_mutants.toml", head + entry("3") + entry("1"));
    const Ran listed = toy.run({"dev", "mutate", "1"});
    CHECK_MESSAGE(listed.code == 0, listed.text);
    CHECK(says(listed, "5 mutants: 3 killed, 2 equivalent, 0 survived"));
    toy.write("solutions/equivalent_mutants.toml", head + entry("3") + entry("1") + entry("4"));
    const Ran stale = toy.run({"dev", "mutate", "1"});
    CHECK(stale.code == 1);
    CHECK(says(stale, "no mutant is as the list of equivalent ones says: 01-twice (all) twice.cpp (constant)\n"));

    toy.change("exercises/01-twice/check.cpp", "{0}", "{7, 0}");
    toy.write("solutions/equivalent_mutants.toml", head + entry("3"));
    const Ran untrue = toy.run({"dev", "mutate", "1"});
    CHECK(untrue.code == 1);
    CHECK(says(untrue, "listed as equivalent, yet wrong: 01-twice solution"));
}

TEST_CASE("an entry of the list of equivalent mutants may stand for a kind") {
    const ToyCourse toy;
    toy.change("exercises/01-twice/check.cpp", "{7, 0, -5}", "{0}");
    const std::string head = "format = 1\n[rules]\nzero = \"Times 0, all factors are alike.\"\n";
    const auto kind = [](const std::string& change, const std::string& more = "") {
        return "[[equivalent]]\noperator = \"constant\"\nchange = '" + change + "'\nrule = \"zero\"\n" + more;
    };
    const std::string factor = R"(return 2 (.*)\nreturn [13] \1)", other = R"(return 2 (.*)\nreturn 4 \1)";
    toy.write("solutions/equivalent_mutants.toml", head + kind(factor));
    const Ran listed = toy.run({"dev", "mutate", "1"});
    CHECK_MESSAGE(listed.code == 0, listed.text);
    CHECK(says(listed, "5 mutants: 3 killed, 2 equivalent, 0 survived"));

    // The whole of both lines is described, and nowhere else than the entry says.
    toy.write("solutions/equivalent_mutants.toml", head + kind("return 2") + kind(factor, "file = \"other.cpp\"\n"));
    CHECK(says(toy.run({"dev", "mutate", "1"}), "5 mutants: 3 killed, 0 equivalent, 2 survived"));

    // Whether one for any exercise is stale shows where all are judged.
    toy.write("solutions/equivalent_mutants.toml", head + kind(factor) + kind(other));
    CHECK(toy.run({"dev", "mutate", "1"}).code == 0);
    toy.write("solutions/equivalent_mutants.toml",
              head + kind(factor) + kind(other, "exercise = \"01-twice\"\n"));
    const Ran stale = toy.run({"dev", "mutate", "1"});
    CHECK(stale.code == 1);
    CHECK(says(stale, "no mutant is as the list of equivalent ones says: 01-twice (all) (all) (constant)\n"
                      "change = '" + other + "'\n"));

    toy.write("solutions/equivalent_mutants.toml", head + kind(factor, "before = \"return 2 * x;\"\n"));
    const Ran both = toy.run({"dev", "mutate", "1"});
    CHECK_MESSAGE(both.code == 4, both.text);
    CHECK(says(both, "it stands in place of before and after"));
    toy.write("solutions/equivalent_mutants.toml", head + kind("return (2"));
    const Ran no_pattern = toy.run({"dev", "mutate", "1"});
    CHECK_MESSAGE(no_pattern.code == 4, no_pattern.text);
    CHECK(says(no_pattern, "can't be read as a regular expression"));
}

TEST_CASE("parts and samples of the mutants, and what can't be asked for") {
    const ToyCourse toy;
    const Ran all = toy.run({"dev", "mutate", "--list"}), first = toy.run({"dev", "mutate", "--list", "--part", "1/2"}),
              second = toy.run({"dev", "mutate", "--list", "--part", "2/2"});
    const auto lines = [](const Ran& ran) { return std::count(ran.text.begin(), ran.text.end(), '\n') - 2; };
    CHECK(all.code == 0);
    CHECK(lines(all) > 15);
    CHECK(lines(first) + lines(second) == lines(all));
    const Ran sample = toy.run({"dev", "mutate", "--list", "--sample", "3"});
    CHECK(says(sample, "\n3 mutants\n"));
    CHECK(toy.run({"dev", "mutate", "--list", "--sample", "3"}).text == sample.text);
    CHECK(toy.run({"dev", "mutate", "--part", "3/2"}).code == 4);
    CHECK(toy.run({"dev", "mutate", "77"}).code == 4);
}
