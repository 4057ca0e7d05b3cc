// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "loop/toy_course.hpp"

using test::Ran, test::ToyCourse;
namespace fs = std::filesystem;

TEST_CASE("a student's way through an exercise: where am I, not started, wrong, hint, passed, solution") {
    const ToyCourse toy;
    toy.check_golden("status_at_first", toy.run(std::vector<std::string>()));
    CHECK(fs::exists(toy / "work/01-twice/twice.cpp"));
    toy.check_golden("not_started", toy.run({"run", "1"}));
    toy.answer("return 3 * x;");
    toy.check_golden("wrong", toy.run({"run", "1"}));
    toy.check_golden("solution_too_early", toy.run({"solution", "1"}));
    toy.check_golden("hint_1", toy.run({"hint", "1"}));
    CHECK(toy.run({"run", "1"}).text.find("make hint-1 (1/3 used)") != std::string::npos);
    CHECK(toy.run({"hint", "1"}).text.find("Hint 2 of 3") != std::string::npos);
    toy.check_golden("hint_3", toy.run({"hint", "1"}));
    toy.check_golden("hint_3", toy.run({"hint", "1"}));
    toy.solve("01-twice");
    toy.check_golden("passed", toy.run({"run", "1"}));
    toy.check_golden("solution", toy.run({"solution", "1"}));
    const std::string progress = toy.read("work/.progress");
    CHECK(progress.find("\ntwice passed 3 attempts=3 points=3 first=20") != std::string::npos);
    CHECK(progress.find("Z last=passed answer=") != std::string::npos);
    toy.check_golden("status_later", toy.run({"status"}));
    toy.check_golden("list", toy.run({"list"}));
    toy.solve("02-shift");
    toy.check_golden("passed_last", toy.run({"run", "2"}));
    toy.check_golden("status_at_last", toy.run({"status"}));
    CHECK(fs::is_empty(toy.scratch()));
}

TEST_CASE("the first run of an exercise makes the folder with the stub, and no later one touches it") {
    const ToyCourse toy;
    toy.check_golden("first_run", toy.run({"run", "2"}));
    CHECK(toy.read("work/02-shift/shift.cu") == toy.read("exercises/02-shift/shift.cu"));
    toy.write("work/02-shift/shift.cu", "// mine\n");
    CHECK(toy.run({"run", "2"}).code != 0);
    CHECK(toy.read("work/02-shift/shift.cu") == "// mine\n");
}

TEST_CASE("reset asks, keeps what was written, and brings the stub back") {
    const ToyCourse toy;
    toy.answer("return 5;");
    const std::string mine = toy.read("work/01-twice/twice.cpp");
    toy.check_golden("reset_asks", toy.run({"reset", "1"}));  // standard input is empty: no answer is no
    CHECK(toy.read("work/01-twice/twice.cpp") == mine);
    toy.check_golden("reset_yes", toy.run({"reset", "1", "--yes"}));
    CHECK(toy.read("work/01-twice/twice.cpp") == toy.read("exercises/01-twice/twice.cpp"));
    CHECK(toy.read("work/01-twice/twice.cpp.bak") == mine);
    toy.answer("return 6;");
    CHECK(toy.run({"reset", "1", "--yes"}).text.find("twice.cpp.bak2") != std::string::npos);
    CHECK(toy.read("work/01-twice/twice.cpp.bak") == mine);
    toy.check_golden("reset_nothing_to_keep", toy.run({"reset", "1", "--yes"}));
}

TEST_CASE("an exercise's number may have its leading zero") {
    const ToyCourse toy;
    toy.solve("02-shift");
    CHECK(toy.run({"run", "02"}).code == 0);
    CHECK(toy.run({"hint", "02"}).code == 0);
    CHECK(toy.run({"run", "08"}).text.find("exercise 8 is not in this edition") != std::string::npos);
    CHECK(toy.run({"run", "0x2"}).code == 4);
    CHECK(toy.run({"dev", "check", "0", "002"}).text.find("exercise 0 is not in this edition") != std::string::npos);
}

TEST_CASE("--counts shows what each line of a kernel did") {
    const ToyCourse toy;
    toy.solve("02-shift");
    toy.check_golden("counts", toy.run({"run", "2", "--counts"}));
    CHECK(toy.masked(toy.run({"run", "2", "-v"})) == toy.masked(toy.run({"run", "2", "--counts"})));
    toy.write("work/02-shift/shift.cu", toy.planted("02-shift", "wrong/by-two", "shift.cu"));
    toy.check_golden("counts_of_wrong", toy.run({"run", "2", "--counts"}));
}

TEST_CASE("a mistake that only check mode sees makes right values wrong, and is reported in three lines") {
    const ToyCourse toy;
    toy.solve("02-shift");
    toy.write("work/02-shift/shift.cu", toy.planted("02-shift", "wrong/race", "shift.cu"));
    toy.check_golden("wrong_though_right", toy.run({"run", "2"}));
    const std::string text = toy.run({"run", "2", "--json"}).text;   // perhaps behind progress lines
    const nlohmann::json json = nlohmann::json::parse(text.substr(text.find('{')));
    CHECK(json["tasks"][0]["check"]["found"][0]["kind"] == "missing barrier");
    CHECK(json["tasks"][0]["check"]["found"][0]["variable"] == "y");
    CHECK(json["points"] == 0);
}

TEST_CASE("a student's own run takes the counts of the answer's process; --replay judges as class grading does") {
    const ToyCourse toy;
    toy.solve("02-shift");
    for (const bool replays : {false, true}) {
        std::vector<std::string> command{"run", "2", "--json"};
        if (replays) command.push_back("--replay");
        const std::string text = toy.run(command).text;
        const nlohmann::json json = nlohmann::json::parse(text.substr(text.find('{')));
        CHECK(json["points"] == 1);
        const nlohmann::json& check = json["tasks"][0]["check"];
        CHECK(check["counts"] == (replays ? "replayed" : "from the answer's process"));
        CHECK((check["replayed"] > 0) == replays);
        CHECK(check["not_replayed"] == "");
    }
}

TEST_CASE("the kernels' work is shown once a lesson has introduced sectors") {
    const ToyCourse toy;
    toy.solve("02-shift");
    const auto shows_work = [&] {
        return toy.run({"run", "2", "--counts"}).text.find("    work      ") != std::string::npos;
    };
    CHECK(shows_work());   // no lesson does
    toy.write("lessons/02-more/lesson.toml",
              "format = 1\ntitle = \"More\"\nminutes = { teach = 1, practise = 0 }\nobjectives = [\"Count\"]\n"
              "introduces = [\"sector\"]\n");
    CHECK_FALSE(shows_work());
    toy.change("exercises/02-shift/exercise.toml", "budgets = { ", "budgets = { sectors_per_request = 32, ");
    CHECK(shows_work());   // the exercise is about it
    toy.change("exercises/02-shift/exercise.toml", "sectors_per_request = 32, ", "");
    toy.change("lessons/01-toys/lesson.toml", "introduces = [", "introduces = [\"sector\", ");
    CHECK(shows_work());
    toy.write("lessons/01-toys/lesson.toml", "no TOML");
    CHECK(shows_work());
}

TEST_CASE("a student edition without solutions says so") {
    const ToyCourse toy;
    fs::remove_all(toy / "solutions");
    toy.check_golden("no_solutions", toy.run({"solution", "1", "--force"}));
    CHECK(toy.run({"show", "2", "--compare", "solution"}).text == "course: this edition has no solutions\n");
    toy.write("edition.toml", "format = 1\nsolutions = \"Ask.\"\n");
    CHECK(toy.run({"solution", "1"}).text == "course: this edition has no solutions. Ask.\n");
    toy.write("edition.toml", "format = 2\nsolutions = \"Ask.\"\n");
    CHECK(toy.run({"solution", "1"}).code == 4);
}

TEST_CASE("the third hint is a puzzle: the same each time, another for another student, none without solutions") {
    const ToyCourse toy;
    for (int k = 0; k < 2; ++k) (void)toy.run({"hint", "2"});
    const auto of = [&](const std::string& user) {
        course::Command command = toy.command({"hint", "2"});
        ToyCourse::set(command, "USER", user);
        return toy.run(command).text;
    };
    const std::string ada = of("ada");
    CHECK(ada == of("ada"));
    bool differs = false;
    for (const char* user : {"ben", "cleo", "dan", "eve", "flo"}) differs = differs || of(user) != ada;
    CHECK(differs);
    for (const char* line : {"\n    if (i < n) y[i] = x[i] + 1;\n", "\n    y[i] = x[i] + 1;\n"})
        CHECK(ada.find(line) != std::string::npos);
    CHECK(ada.find("no guard") == std::string::npos);  // why a line is wrong is for the author
    fs::remove_all(toy / "solutions");
    CHECK(toy.run({"hint", "2"}).text.find("which this edition leaves out") != std::string::npos);
}

TEST_CASE("--force shows the solution before the answer has passed") {
    const ToyCourse toy;
    const Ran ran = toy.run({"solution", "1", "--force"});
    CHECK(ran.code == 0);
    CHECK(ran.text.find("return 2 * x;") != std::string::npos);
}

TEST_CASE("--from judges any folder, and leaves work and progress alone") {
    const ToyCourse toy;
    toy.check_golden("from_solution", toy.run({"run", "1", "--from", "solutions/01-twice"}));
    CHECK_FALSE(fs::exists(toy / "work"));
    CHECK(toy.run({"run", "1", "--from", (toy / "exercises/01-twice/wrong/thrice").string()}).code == 1);
    toy.check_golden("from_nowhere", toy.run({"run", "1", "--from", "nowhere"}));
    CHECK_FALSE(fs::exists(toy / "work"));
}

TEST_CASE("--json prints the result and nothing else, for every verdict") {
    const ToyCourse toy;
    toy.solve("01-twice");
    (void)toy.run({"run", "1"});  // whatever is built once is built now
    const auto judge = [&](int code, const std::string& status) {
        const Ran ran = toy.run({"run", "1", "--json"});
        CHECK(ran.code == code);
        const nlohmann::json json = nlohmann::json::parse(ran.text);
        CHECK(json["schema"] == 5);
        CHECK(json["status"] == status);
        CHECK(json["exit_code"] == code);
        CHECK(json["max_points"] == 3);
        CHECK(json["tasks"].size() == 2);
        CHECK(json["environment"]["kit_version"].get<std::string>() != "");
        return json;
    };
    const nlohmann::json passed = judge(0, "passed");
    CHECK(passed["points"] == 3);
    CHECK(passed["seed"] == "1");
    CHECK(passed["environment"]["backend"] == "host");
    CHECK(passed["tasks"][1]["cases"].size() == 2);
    toy.answer("return x;");
    CHECK(judge(1, "wrong")["points"] == 2);
    toy.answer("return y;");
    CHECK(judge(2, "does not compile")["message"].get<std::string>().find("'y' was not declared") != std::string::npos);
    fs::copy_file(toy / "exercises/01-twice/twice.cpp", toy / "work/01-twice/twice.cpp",
                  fs::copy_options::overwrite_existing);
    CHECK(judge(3, "not started")["points"] == 0);
    fs::remove(toy / "work/01-twice/twice.cpp");
    CHECK(judge(4, "environment")["message"].get<std::string>().find("is missing") != std::string::npos);
}

TEST_CASE("the tour judges an exercise blank, wrong and solved") {
    const ToyCourse toy;
    toy.check_golden("tour", toy.run({"tour"}));
    CHECK_FALSE(fs::exists(toy / "work"));
    toy.change("solutions/01-twice/twice.cpp", "2 * x", "4 * x");
    CHECK(toy.run({"tour"}).code == 1);
}

TEST_CASE("progress that is damaged, foreign or gone is read as far as it makes sense") {
    const ToyCourse toy;
    toy.write("work/.progress", "garbage\n\xFF\xFE\ntwice passed many\nfuture_exercise passed 2\nshift open 99\n\n");
    const Ran list = toy.run({"list"});
    CHECK(list.code == 0);
    CHECK(list.text.find("1  passed   twice") != std::string::npos);
    CHECK(toy.run({"hint", "2"}).text.find("Hint 3 of 3") != std::string::npos);
    fs::remove(toy / "work/.progress");
    CHECK(toy.run({"status"}).text.find("0 of 2") != std::string::npos);
}

TEST_CASE("the root is found from a folder below it") {
    const ToyCourse toy;
    course::Command command = toy.command({"list"});
    ToyCourse::set(command, "COURSE_ROOT", "");
    command.folder = toy / "exercises/01-twice/wrong";
    CHECK(toy.run(command).text.find("twice") != std::string::npos);
    command.arguments.insert(command.arguments.end(), {"--root", "/usr"});
    toy.check_golden("no_such_root", toy.run(command));
}
