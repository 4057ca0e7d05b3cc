// SPDX-License-Identifier: MIT
// Progress that moves to another machine, outlives a new name, and is summed up.
#include <sstream>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "loop/toy_course.hpp"
#include "support/folder.hpp"
#include "support/text.hpp"

using test::Ran, test::ToyCourse;
namespace fs = std::filesystem;

namespace {

constexpr const char* here = "twice passed 2 attempts=5 points=3 first=2026-11-20T08:00:00Z last=passed answer=ab\n";

}  // namespace

TEST_CASE("progress goes to another machine as one file, and nothing reached there is lost") {
    const ToyCourse toy;
    toy.write("work/.progress", here);
    const std::string file = (toy / "moved.txt").string();
    CHECK(toy.run({"progress", "--export", file}).code == 0);
    CHECK(toy.read("moved.txt") == toy.run({"progress", "--export", "-"}).text);
    CHECK(toy.read("moved.txt").find(here) != std::string::npos);
    toy.write("work/.progress", "twice open 3 attempts=7\nshift passed 0 attempts=1\nkept for later\n");
    const Ran import = toy.run({"progress", "--import", file});
    toy.check_golden("progress_import", {import.code, test::replaced(import.text, file, "moved.txt")});
    const std::string merged = toy.read("work/.progress");
    CHECK(merged.find("twice passed 3 attempts=7 points=3 first=2026-11-20T08:00:00Z last=passed answer=ab\n") !=
          std::string::npos);
    CHECK(merged.find("shift passed 0 attempts=1\n") != std::string::npos);
    CHECK(merged.find("\nkept for later\n") != std::string::npos);
    CHECK(toy.run({"progress", "--import", file}).text.find("Nothing is new.") != std::string::npos);
    CHECK(toy.read("work/.progress") == merged);
}

TEST_CASE("an import of a newer kit's file, a damaged one, or none") {
    const ToyCourse toy;
    toy.write("work/.progress", "shift open 1\n");
    const auto import = [&](const std::string& text) {
        toy.write("in.txt", text);
        return toy.run({"progress", "--import", (toy / "in.txt").string()});
    };
    const Ran newer = import("# Format 9\r\ntwice passed 0 medals=2\r\n@badge fast 3\r\nshift pas");
    CHECK(newer.code == 0);
    CHECK(newer.text.find("twice            now passed\n") != std::string::npos);
    CHECK(newer.text.find(
              "2 lines were not understood and kept; a newer kit may know them. The first: @badge fast 3\n") !=
          std::string::npos);
    const std::string kept = toy.read("work/.progress");
    for (const char* line : {"\nshift open 1\n", "\ntwice passed 0 medals=2\n", "\n@badge fast 3\n"})
        CHECK(kept.find(line) != std::string::npos);
    for (const std::string& text :
         {std::string(), std::string("just a letter\n"), std::string("a\0b", 3), std::string((1 << 20) + 1, 'x')}) {
        const Ran ran = import(text);
        INFO(ran.text);
        CHECK(ran.code == 4);
        CHECK(ran.text.find("course: --import ") == 0);
        CHECK(toy.read("work/.progress") == kept);
    }
    CHECK(toy.run({"progress", "--import", (toy / "none").string()}).code == 4);
    CHECK(toy.run({"progress", "--import", toy.root().string()}).text.find("that is a folder") != std::string::npos);
    CHECK(toy.run({"progress", "--import", "a", "--export", "b"}).code == 4);
    CHECK(toy.run({"progress", "--export", (toy / "no/such/file").string()}).code == 4);
}

TEST_CASE("an exercise that is renamed and gets another number keeps its progress and the student's files") {
    const ToyCourse toy;
    toy.solve("01-twice");
    CHECK(toy.run({"run", "1"}).code == 0);
    fs::rename(toy / "exercises/01-twice", toy / "exercises/03-doubling");
    fs::rename(toy / "solutions/01-twice", toy / "solutions/03-doubling");
    toy.change("exercises/03-doubling/exercise.toml", "title = \"Twice\"", "title = \"Twice\"\nwas = [\"twice\"]");
    CHECK(toy.run({"list"}).text.find("3  passed   doubling") != std::string::npos);
    CHECK(toy.run({"hint", "3"}).code == 0);  // any change writes the new name
    const std::string progress = toy.read("work/.progress");
    CHECK(progress.find("\ndoubling passed 1 attempts=1 ") != std::string::npos);
    CHECK(progress.find("\ntwice ") == std::string::npos);
    const std::string mine = toy.read("work/01-twice/twice.cpp");
    toy.change("exercises/03-doubling/check.cpp", "GRADER_TASK(twice, \"number\")",
               "GRADER_TASK(doubling, \"number\")");
    toy.change("exercises/03-doubling/check.cpp", "GRADER_TASK(twice, \"list\")", "GRADER_TASK(doubling, \"list\")");
    CHECK(toy.run({"run", "3"}).code == 0);
    CHECK(toy.read("work/03-doubling/twice.cpp") == mine);
    CHECK_FALSE(fs::exists(toy / "work/01-twice"));
}

TEST_CASE("a folder of somebody else's exercise is never taken for a renamed one") {
    const ToyCourse toy;
    toy.write("work/02-shift/shift.cpp", "// mine\n");
    toy.change("exercises/01-twice/exercise.toml", "title = \"Twice\"",
               "title = \"Twice\"\nwas = [\"shift\", \"old\"]");
    CHECK(toy.run({"run", "1"}).code == 3);
    CHECK(toy.read("work/02-shift/shift.cpp") == "// mine\n");
}

TEST_CASE("the map shows where the student stands, and what is to mend") {
    const ToyCourse toy;
    toy.write("work/.progress",
              std::string(here) + "shift open 1 attempts=4 last=wrong met=3:2,8:1 met_on=8:2026-11-20\n");
    toy.write("work/answers.txt", "2026-11-19 01/who-writes-the-last right -\n2026-11-19 01/guard-or-not wrong 1\n"
                                  "2026-11-19 01/guard-or-not right -\n");
    fs::create_directories(toy / "capstone/picture");
    toy.write("capstone/picture/capstone.toml", "format = 1\n");
    const Ran open = toy.run({"progress"});
    toy.check_golden("progress_map", open);
    std::istringstream lines(open.text);
    for (std::string line; std::getline(lines, line);) CHECK(course::characters(line) <= 80);
    CHECK(open.text.find('\x1b') == std::string::npos);
    toy.write("work/.progress", std::string(here) + "shift passed 1 last=passed met=3:2,8:1 met_on=8:2026-11-20\n");
    const Ran passed = toy.run({"progress"});   // answered right before it was met: the question is still owed
    CHECK(passed.text.find("\"the grid covers exactly the data\", met once\n      In fact:") != std::string::npos);
    CHECK(passed.text.find("make exercise-2") == std::string::npos);
    toy.write("work/answers.txt", toy.read("work/answers.txt") + "2026-11-21 01/how-many-blocks right -\n");
    CHECK(toy.run({"progress"}).text.find("Misconceptions to mend") == std::string::npos);
}

TEST_CASE("a map of a course without lessons, or with broken ones") {
    const ToyCourse toy;
    CHECK(toy.run({"progress"}).text.find("Misconceptions: none met so far.\n") != std::string::npos);
    toy.write("work/.progress", "shift open 1 met=99:1\n");
    toy.write("exercises/01-twice/exercise.toml", "format = ");
    toy.write("lessons/01-toys/lesson.toml", "format = ");
    const Ran broken = toy.run({"progress"});
    CHECK(broken.code == 0);
    CHECK(broken.text.find("Not readable") != std::string::npos);
    CHECK(broken.text.find("\"misconception 99\", met once") != std::string::npos);
    fs::remove_all(toy / "lessons");
    CHECK(toy.run({"progress"}).code == 0);
}

TEST_CASE("a summary for people and one for programs") {
    const ToyCourse toy;
    toy.write("work/.progress", std::string(here) + "shift open 1 attempts=4 last=wrong met=3:2,12:1\ngone passed 0\n");
    toy.check_golden("summary", toy.run({"summary"}));
    const nlohmann::json json = nlohmann::json::parse(toy.run({"summary", "--json"}).text);
    CHECK(json["schema"] == "course summary");
    CHECK(json["exercises"].size() == 2);
    CHECK(json["exercises"][0]["first_pass"] == "2026-11-20T08:00:00Z");
    CHECK(json["exercises"][1]["met"]["12"] == 1);
    CHECK(json["exercises"][1]["last_verdict"] == "wrong");
    CHECK(json["total"]["points"] == 3);
    CHECK(json["total"]["attempts"] == 9);
    CHECK(json["total"]["met"]["3"] == 2);
}

TEST_CASE("a bonus exercise counts apart, and comes when all others are passed") {
    const ToyCourse toy;
    toy.change("exercises/01-twice/exercise.toml", "title = \"Twice\"", "title = \"Twice\"\nbonus = true");
    CHECK(toy.run({"status"}).text.find("Now:   exercise 2, shift") != std::string::npos);
    toy.solve("02-shift");
    CHECK(toy.run({"run", "2"}).text.find("Next: make exercise-1 (a bonus: all that aren't one are passed)") !=
          std::string::npos);
    toy.check_golden("status_bonus", toy.run({"status"}));
    toy.write("work/.progress", "twice passed 0 points=2\nshift open 1 attempts=4\n");
    CHECK(toy.run({"status"}).text.find("0 of 1 exercises passed, 0 of 1 points, bonus: 1 of 1") != std::string::npos);
    CHECK(toy.run({"list"}).text.find("Twice (bonus)") != std::string::npos);
    CHECK(toy.run({"summary"}).text.find("     bonus                1/1         3/3      0         0\n") !=
          std::string::npos);
    const nlohmann::json json = nlohmann::json::parse(toy.run({"summary", "--json"}).text);
    CHECK(json["exercises"][0]["bonus"] == true);
    CHECK(json["total"]["max_points"] == 1);
    CHECK(json["bonus"]["passed"] == 1);
}

TEST_CASE("the path has the lessons in order, with and without exercises") {
    const ToyCourse toy;
    fs::create_directories(toy / "lessons/00-why-toys");
    toy.write("lessons/01-toys/README.md", "# Toys\n");
    fs::create_directories(toy / "lessons/03-later-on");
    toy.write("work/.progress", "twice passed 0\n");
    toy.check_golden("status_path", toy.run({"status"}));
    toy.write("exercises/01-twice/exercise.toml", "format = ");
    const Ran broken = toy.run({"status"});
    CHECK(broken.text.find("Not readable") != std::string::npos);
    CHECK(broken.code == 0);
}
