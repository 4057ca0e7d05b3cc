// SPDX-License-Identifier: MIT
// A bonus task, from the manifest to the summary: exercise 1 of the toy course gets one.
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "loop/toy_course.hpp"
#include "support/patches.hpp"

using test::Ran, test::ToyCourse;

namespace {

const std::string home = "exercises/01-twice/", solution = "solutions/01-twice/twice.cpp", part =
    "\nint tripled(int x) {\n    // ---- your code, star (1 line) ----\n    return x;  // TODO: three times as much\n"
    "    // ---- end ----\n}\n";
const std::string solved = "\nint tripled(int x) {\n    // ---- your code, star (1 line) ----\n    return 3 * x;\n"
                           "    // ---- end ----\n}\n";

/// Exercise 1 with a third task, for a star.
class StarredCourse : public ToyCourse {
public:
    StarredCourse() {
        change(home + "exercise.toml", "[[distractor]]",
               "[[task]]\nid = \"more\"\ntitle = \"three times\"\nstar = true\n\n[[distractor]]");
        change(home + "exercise.toml", "[[task]]\nid = \"number\"",
               "[[function]]\nname = \"tripled\"\ntakes = [\"int32\"]\nreturns = [\"int32\"]\n\n"
               "[[task]]\nid = \"number\"");
        write(home + "exercise.hpp", read(home + "exercise.hpp") + "\n/// Three times x.\nint tripled(int x);\n");
        write(home + "bind.cpp", read(home + "bind.cpp") + "COURSE_BIND(tripled)\n");
        write(home + "check.cpp", read(home + "check.cpp") +
                                      "\nGRADER_TASK(twice, \"more\") {\n    for (int x : {7, 0, -5}) {\n"
                                      "        next_case(\"x = \" + std::to_string(x));\n"
                                      "        call(\"tripled\", x).returns(3.0 * x);\n    }\n}\n");
        // All that there was is a part, too; no line moves, so that the planted answers' patches fit.
        for (const auto& [file, star] : {std::pair(home + "twice.cpp", part), std::pair(solution, solved)}) {
            change(file, "// SPDX-License-Identifier: MIT", "// ---- your code ----");
            write(file, read(file) + "// ---- end ----\n" + star);
        }
        write(home + "wrong/fourfold.patch",
              test::patch("verdict = \"wrong\"\nsays = \"got 28   want 21\"\ntask = \"more\"\n", "twice.cpp",
                          read(solution), test::replaced(read(solution), "return 3 * x;", "return 4 * x;")));
    }
};

}  // namespace

TEST_CASE("a star may be left, fail or be earned; the path, the summary and a moved progress show it") {
    const StarredCourse toy;
    toy.check_golden("star_proofs", toy.run({"dev", "check", "1"}));

    toy.solve("01-twice");
    toy.change("work/01-twice/twice.cpp", solved, part);
    toy.check_golden("star_not_begun", toy.run({"run", "1"}));
    toy.check_golden("star_on_path", toy.run({"status"}));

    toy.change("work/01-twice/twice.cpp", "return x;  // TODO: three times as much", "return 4 * x;");
    toy.check_golden("star_wrong", toy.run({"run", "1"}));
    const Ran json = toy.run({"run", "1", "--json"});
    CHECK(json.code == 0);
    CHECK(nlohmann::json::parse(json.text.substr(json.text.find('{')))["stars"] == 0);

    toy.change("work/01-twice/twice.cpp", "return 4 * x;", "return 3 * x;");
    toy.check_golden("star_passed", toy.run({"run", "1"}));
    CHECK(toy.read("work/.progress").find(" stars=more") != std::string::npos);
    CHECK(toy.run({"status"}).text.find("3 of 4 points, 1 of 1 star\n") != std::string::npos);
    const std::string summary = toy.run({"summary"}).text;
    CHECK(summary.find("   1 of 1 star\n") != std::string::npos);
    CHECK(summary.find("\nStars: 1 of 1\n") != std::string::npos);
    const nlohmann::json all = nlohmann::json::parse(toy.run({"summary", "--json"}).text);
    CHECK(all["exercises"][0]["stars"] == 1);
    CHECK(all["exercises"][1]["max_stars"] == 0);
    CHECK(all["total"]["max_stars"] == 1);

    // To another machine: what it knows already comes again, with the star.
    const std::string moved = (toy.scratch() / "moved.txt").string();
    CHECK(toy.run({"progress", "--export", moved}).code == 0);
    toy.write("work/.progress", "twice passed 0 attempts=3 points=3\n");
    const Ran imported = toy.run({"progress", "--import", moved});
    CHECK(imported.code == 0);
    CHECK(imported.text.find(", stars: more\n") != std::string::npos);
    CHECK(toy.read("work/.progress").find(" stars=more") != std::string::npos);
}

TEST_CASE("the proofs want a star to be left in the stub, and earned by the solution") {
    const StarredCourse toy;
    toy.change("solutions/01-twice/twice.cpp", "3 * x", "x");
    CHECK(toy.run({"dev", "check", "1"}).text.find("the solution should earn the star more:") != std::string::npos);
    toy.change("solutions/01-twice/twice.cpp", "    return x;\n    // ---- end", "    return 3 * x;\n    // ---- end");
    toy.change(home + "twice.cpp", ", star (1 line)", " (1 line)");
    const Ran ran = toy.run({"dev", "check", "1"});
    CHECK(ran.code == 1);
    CHECK(ran.text.find("the star more of the stub should count as not begun: let its part begin with // ---- your "
                        "code, star (about N lines) ----") != std::string::npos);
}

TEST_CASE("a part that isn't begun is said to be so, and the exercise stays open") {
    const ToyCourse toy;
    const std::string begin = "    // ---- your code (1 line) ----\n", end = "    // ---- end ----\n";
    const std::string one = "    return x;  // TODO: twice as much\n";
    const std::string all = "    return x;  // TODO: each twice as large\n";
    toy.change(home + "twice.cpp", one, begin + one + end);
    toy.change(home + "twice.cpp", all, begin + all + end);
    toy.write("work/01-twice/twice.cpp", test::replaced(toy.read(home + "twice.cpp"), one, "    return 2 * x;\n"));
    const Ran unfinished = toy.run({"run", "1"});
    CHECK(unfinished.code == 1);
    toy.check_golden("unfinished", unfinished);
    const Ran json = toy.run({"run", "1", "--json"});
    const nlohmann::json result = nlohmann::json::parse(json.text.substr(json.text.find('{')));
    CHECK(result["tasks"][1]["status"] == "not started");
    CHECK(result["status"] == "wrong");
    CHECK(result["points"] == 1);
    // Nothing is right and nothing begun: the answer differs elsewhere, and is judged as it is.
    toy.write("work/01-twice/twice.cpp", toy.read(home + "twice.cpp") + "int own = 1;\n");
    CHECK(toy.run({"run", "1"}).text.find("not begun") == std::string::npos);
    // Both begun: as ever.
    toy.write("work/01-twice/twice.cpp", test::replaced(test::replaced(toy.read(home + "twice.cpp"), one,
                                                                       "    return 2 * x;\n"),
                                                        all, "    return {};\n"));
    const std::string both = toy.run({"run", "1"}).text;
    CHECK(both.find("not begun") == std::string::npos);
    CHECK(both.find("    counted ") == std::string::npos);  // the right part has no counts to show
}
