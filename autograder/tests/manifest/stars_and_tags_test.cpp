// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "manifest/manifest.hpp"
#include "support/golden.hpp"
#include "support/toy_manifest.hpp"

using namespace course;
using test::Folder;

namespace {

/// What read_manifest() says of a good manifest in which `what` was replaced; empty if it says nothing.
std::string complaint(const std::string& what, const std::string& by) {
    const Folder root;
    test::write_exercise(root, test::replaced(test::good_toml, what, by));
    try {
        read_manifest(root / "exercises/08-raw-add");
    } catch (const ManifestError& error) {
        return error.what();
    }
    return "";
}

const std::string file = "exercises/08-raw-add/exercise.toml";

}  // namespace

TEST_CASE("a task with a star is worth no points, and stands below those that are") {
    const std::string star = "[[task]]\nid = \"more\"\ntitle = \"more\"\nstar = true\n\n";
    const Folder root;
    test::write_exercise(root, test::replaced(test::good_toml, "[[distractor]]", star + "[[distractor]]"));
    const Manifest manifest = read_manifest(root / "exercises/08-raw-add");
    REQUIRE(manifest.tasks.size() == 2);
    CHECK_FALSE(manifest.tasks[0].star);
    CHECK(manifest.tasks[1].star);
    CHECK(manifest.tasks[1].points == 0);
    test::check_messages("manifest", {complaint("points = 2", "points = 2\nstar = true"),
                                      complaint("points = 2", "star = true"), complaint("points = 2", ""),
                                      complaint("points = 2", "star = 1"), complaint("[[task]]", star + "[[task]]")});
}

TEST_CASE("budgets, kernels and a task's signs carry tags") {
    const auto read = [](const std::string& by) {
        const Folder root;
        test::write_exercise(root, test::replaced(test::good_toml, "speed = {", by + "\nspeed = {"));
        return read_manifest(root / "exercises/08-raw-add").tasks[0];
    };
    const std::string kernel =
        "kernel = [{ file = \"raw_add.cu\", tag = 9, block = 256, global_reads = { each = 1, tag = 4 } }]";
    const Task task = read("tags = { \"past the end\" = 8, \"transposed\" = 6 }\n" + kernel);
    REQUIRE(task.signs.size() == 2);
    for (const Sign& sign : task.signs) CHECK(sign.tag == (sign.says == "transposed" ? 6 : 8));
    CHECK_FALSE(task.budgets[0].tag);
    REQUIRE(task.kernels.size() == 1);
    for (const Budget& budget : task.kernels[0].budgets) {
        CAPTURE(budget.counter);
        // That the kernel must run is no belief about it.
        CHECK(budget.tag == (budget.counter == "block"    ? std::optional(9)
                             : budget.counter == "launches" ? std::nullopt
                                                            : std::optional(4)));
    }
    const auto said = [](const std::string& by) { return complaint("points = 2", "points = 2\n" + by); };
    test::check_messages("manifest", {said("tags = { \"past the end\" = 17 }"), said("tags = { \" \" = 1 }"),
                                      said("tags = { seen = \"8\" }"),
                                      complaint("launches = 1", "launches = { at_most = 1, tag = 17 }")});
}

TEST_CASE("a wrong answer may carry the number of its misconception") {
    const Folder root;
    test::write_exercise(root);
    const std::string patch = "exercises/08-raw-add/wrong/one-block.patch", before = test::read(root / patch);
    const auto read = [&](const std::string& tag) {
        root.write(patch, test::replaced(before, "task = \"add\"\n", "tag = " + tag + "\n"));
        return read_manifest(root / "exercises/08-raw-add").wrong;
    };
    for (const char* tag : {"1", "16"}) CHECK(read(tag).size() == 2);
    CHECK_THROWS_WITH_AS(read("17"),
                         (patch + ":3:7: \"tag\" is 17; expected the number of a misconception, 1 to 16").c_str(),
                         ManifestError);
    CHECK_THROWS_WITH_AS(read("0"), (patch + ":3:7: \"tag\" is 0; expected 1 or more").c_str(), ManifestError);
    const auto wrong = read("5");
    CHECK((!wrong[0].tag && wrong[1].tag == 5));
}

TEST_CASE("a task names what its right answers do that can't be replayed") {
    const Folder root;
    test::write_exercise(root, test::replaced(test::good_toml, "points = 2\n",
                                              "points = 2\nnot_replayed = [\"streams\", \"linear algebra\"]\n"));
    CHECK(read_manifest(root / "exercises/08-raw-add").tasks[0].not_replayed ==
          std::vector<std::string>{"streams", "linear algebra"});
    test::check_messages("manifest", {complaint("points = 2\n", "points = 2\nnot_replayed = [\"stream\"]\n")});
}
