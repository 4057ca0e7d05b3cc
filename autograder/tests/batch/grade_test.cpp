// SPDX-License-Identifier: MIT
// `course grade` end to end, over a class that hands in the toy course.

#include <doctest/doctest.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include "batch/toy_class.hpp"
#include "classroom/batch/results/results_folder.hpp"
#include "run/process.hpp"
#include "support/folder.hpp"
#include "support/process.hpp"

namespace fs = std::filesystem;
using nlohmann::json;
using test::Ended;
using test::has;
using test::ToyClass;
using namespace std::chrono_literals;

namespace {

std::vector<pid_t> descendants(pid_t process) {
    std::array<pid_t, 512> found;
    const std::size_t count = course::find_processes({.process = process}, found);
    return {found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count)};
}

bool is_worker(pid_t process) {
    return test::read(fmt::format("/proc/{}/cmdline", process)).find("grade-worker") != std::string::npos;
}

}  // namespace

TEST_CASE("a class is graded; then only what changed; a dry run says why and writes nothing") {
    const ToyClass toys;
    toys.hand_in("ada", "01-twice");
    toys.hand_in("ada", "02-shift");
    toys.hand_in("bob", "01-twice", "wrong/thrice");
    toys.hand_in("cy", "01-twice", "wrong/crash");
    toys.write("handed-in/dan/02-shift/shift.cpp", "int other;\n");  // and no shift.cu
    toys.write("handed-in/eve/01-twice/other.cpp", "int other;\n");

    Ended ended = toys.grade({"--dry-run"});
    CHECK(ended.code == 0);
    CHECK(has(ended.text, "ada-1  1 new, 2 new\n"));
    CHECK(has(ended.text, "5 answers to grade, 0 unchanged; nothing was written\n"));
    CHECK_FALSE(fs::exists(toys / "out"));
    CHECK(toys.scratch_is_empty());

    ended = toys.grade();
    CHECK(ended.code == 0);
    CHECK(has(ended.text, "1 passed, 2 passed   4 of 4 points"));
    CHECK(has(ended.text, "1 wrong   2 of 3 points"));
    CHECK(has(ended.text, "1 crashed   1 of 3 points"));
    CHECK(has(ended.text, "2 can't be taken   0 of 1 point"));
    CHECK(has(ended.text, "5 graded, 0 unchanged, 0 failed because of the grader; "));
    CHECK(toys.scratch_is_empty());
    CHECK(fs::status(toys / "out").permissions() == fs::perms::owner_all);
    CHECK(has(ended.text, "dan-1: exercise 2 isn't whole: shift.cu is missing"));
    CHECK(has(ended.text,
              "eve-1: none of the files has an exercise's file name (found: 01-twice/other.cpp; "
              "expected: twice.cpp)"));
    const json dan = toys.result("dan-1", "02-shift");
    CHECK(dan["grader_fault"] == "");
    CHECK(has(dan["not_taken"], "02-shift/shift.cu"));
    CHECK(toys.result("bob-1", "01-twice")["result"]["tasks"].size() == 2);
    const json shift = toys.result("ada-1", "02-shift")["result"]["tasks"][0]["check"];   // its counts decide
    CHECK(shift["counts"] == "replayed");
    CHECK(shift["replayed"] > 0);
    const json record = json::parse(test::read(toys / "out/grade.json"));
    CHECK(record["graded"] == 5);
    CHECK_FALSE(record["finished"].get<std::string>().empty());

    ended = toys.grade();
    CHECK(ended.code == 0);
    CHECK(has(ended.text, "0 graded, 5 unchanged"));

    toys.hand_in("bob", "01-twice");
    ended = toys.grade({"--dry-run"});
    CHECK(has(ended.text, "bob-1  1 answer changed\n1 answer to grade, 4 unchanged"));
    ended = toys.grade();
    CHECK(has(ended.text, "bob-1  1 passed   3 of 3 points"));
    ended = toys.grade({"--regrade", "--student", "ada", "--exercises", "01"});
    CHECK(has(ended.text, "ada-1  1 passed   3 of 3 points"));
    CHECK(has(ended.text, "1 graded, 0 unchanged"));
    CHECK(toys.result("ada-1", "01-twice")["graded"] == 2);

    toys.write("class.csv", "id,name\nada,Ada Lovelace\nzoe,Zoe\n");
    for (const std::vector<std::string>& roster : {std::vector<std::string>{"--roster", "class.csv"}, {}}) {
        ended = toys.grade(roster);  // the second time by the one that was kept
        CHECK(has(ended.text, "Zoe (zoe) handed in nothing"));
        CHECK(json::parse(test::read(toys / "out/intake.json"))["roster"].size() == 2);
    }
}

TEST_CASE("a mark by hand outlives every regrade, and says when the answer has changed") {
    const ToyClass toys;
    toys.hand_in("ada", "01-twice");
    toys.hand_in("bob", "01-twice", "wrong/thrice");
    REQUIRE(toys.grade().code == 0);
    const auto course = [&](std::vector<std::string> arguments) {
        return ToyClass::run(toys.command(std::move(arguments)));
    };
    Ended ended = course({"mark", "out", "bob", "1", "--points", "2.5", "--comment", "the idea is right"});
    CHECK(ended.code == 0);
    CHECK(ended.text == "bob, exercise 1: 2.5 of 3 by hand (the grader: 2 of 3): the idea is right\n");
    const std::string marks = test::read(toys / "out/marks.json");

    for (const std::vector<std::string>& more : {std::vector<std::string>{"--regrade"}, {}}) {
        CHECK(toys.grade(more).code == 0);
        CHECK(test::read(toys / "out/marks.json") == marks);
        CHECK(has(course({"export", "out", "--format", "junit"}).text, "<property name=\"points\" value=\"2.5\"/>"));
    }
    CHECK_FALSE(has(course({"mark", "out"}).text, "look again"));
    toys.hand_in("bob", "01-twice");
    ended = toys.grade();
    CHECK(has(ended.text, "bob-1  1 passed   3 of 3 points"));  // the grader's
    ended = course({"mark", "out"});
    CHECK(ended.code == 0);
    CHECK(has(ended.text, "bob, exercise 1: 2.5 of 3 by hand (the grader: 3 of 3): the idea is right"));
    CHECK(has(ended.text, "another answer counts now than the one that was marked: look again"));
    CHECK(has(course({"mark", "out", "bob", "1", "--clear"}).text, "Taken back: bob, exercise 1."));
    CHECK(has(course({"export", "out", "--format", "junit"}).text, "<testsuite name=\"bob.01-twice\" tests=\"2\" "
                                                                   "failures=\"0\""));
    toys.write("out/class.toml", "format = 1\n[[student]]\nid = \"bob\"\nexempt = [1]\n");
    CHECK(has(course({"export", "out", "--format", "junit"}).text, "<skipped message=\"exempt\"/>"));
}

TEST_CASE("hidden cases count, and nothing of them is told") {
    const ToyClass toys;
    for (const char* student : {"ada", "bob", "eve"}) toys.hand_in(student, "01-twice");
    const std::string right = test::read(toys / "handed-in/eve/01-twice/twice.cpp");
    toys.write("handed-in/eve/01-twice/twice.cpp",
               test::replaced(right, "return 2 * x;", "if (x > 99) return 1;\n    return 2 * x;"));
    toys.write("hidden/01-twice/check.cpp",
               "#include <course/check.hpp>\n"
               "GRADER_TASK(twice, \"number\") {\n"
               "    for (int x : {12345, 0}) {\n"
               "        next_case(\"confidential \" + std::to_string(x));\n"
               "        call(\"twice\", x).returns(2.0 * x);\n    }\n}\n");
    Ended ended = toys.grade();
    CHECK(has(ended.text, "eve-1  1 passed   3 of 3 points"));
    ended = toys.grade({"--private", "hidden", "--dry-run"});
    CHECK(has(ended.text, "eve-1  1 hidden cases changed"));
    CHECK(has(ended.text, "exercise 1 has hidden cases now, and is graded again (3: ada-1, bob-1, eve-1)\n"));
    ended = toys.grade({"--private", "hidden"});
    CHECK(ended.code == 0);
    CHECK(has(ended.text, "ada-1  1 passed   3 of 3 points"));
    CHECK(has(ended.text, "eve-1  1 wrong   2 of 3 points"));
    const json eve = toys.result("eve-1", "01-twice");
    CHECK(eve["private"]["tasks"].size() == 1);
    CHECK(eve["private"]["tasks"][0]["passed"] == 1);
    CHECK(eve["private"]["tasks"][0]["total"] == 2);
    CHECK(eve["private"]["tasks"][0]["shown_status"] == "passed");
    CHECK(toys.result("ada-1", "01-twice")["private"]["status"] == "passed");
    for (const char* file : {"out/results/eve-1/01-twice.json", "out/grade.log"})
        for (const char* secret : {"confidential", "12345"})
            CHECK(test::read(toys / file).find(secret) == std::string::npos);
    CHECK(ended.text.find("confidential") == std::string::npos);

    // They don't go because somebody leaves out the option.
    const auto written = fs::last_write_time(toys / "out/results/eve-1/01-twice.json");
    for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--dry-run"}, {"--student", "eve"}}) {
        ended = toys.grade(more);
        CHECK(ended.code == 4);
        CHECK(has(ended.text, "these results were graded with the hidden cases of " + (toys / "hidden").string() +
                                  ": give --private " + (toys / "hidden").string() + " again, or --no-private"));
    }
    CHECK(fs::last_write_time(toys / "out/results/eve-1/01-twice.json") == written);
    CHECK(toys.grade({"--private", "hidden", "--no-private"}).code == 4);
    ended = toys.grade({"--private", "hidden"});
    CHECK(has(ended.text, "0 graded, 3 unchanged"));
    toys.write("hidden/01-twice/check.cpp", test::read(toys / "hidden/01-twice/check.cpp") + "// another\n");
    ended = toys.grade({"--private", "hidden", "--dry-run"});
    CHECK(has(ended.text,
              "the hidden cases of exercise 1 have changed since: it is graded again (3: ada-1, bob-1, "
              "eve-1)\n"));
    const std::string record = test::read(toys / "out/grade.json");
    toys.write("out/grade.json", "{");
    ended = toys.grade();
    CHECK(ended.code == 4);
    CHECK(has(ended.text, "can't be read, so it isn't known whether hidden cases count"));
    toys.write("out/grade.json", record);
    fs::copy(toys / "out", toys / "without", fs::copy_options::recursive);
    ended = ToyClass::run(toys.command({"grade", "handed-in", "--out", "without", "--jobs", "2", "--no-private"}));
    CHECK(ended.code == 0);
    CHECK(has(ended.text, "exercise 1 is graded again, without hidden cases (3: ada-1, bob-1, eve-1)\n"));
    CHECK(has(ended.text, "eve-1  1 passed   3 of 3 points"));
    ended = ToyClass::run(toys.command({"grade", "handed-in", "--out", "without", "--jobs", "2"}));
    CHECK(ended.code == 0);  // that was decided
    CHECK(has(ended.text, "0 graded, 3 unchanged"));

    // Nobody is graded with hidden cases that the solution doesn't pass.
    toys.write("hidden/01-twice/check.cpp",
               "#include <course/check.hpp>\n"
               "GRADER_TASK(twice, \"number\") { call(\"twice\", 3).returns(7.0); }\n");
    ended = toys.grade({"--private", "hidden"});
    CHECK(ended.code == 4);
    CHECK(has(ended.text,
              "the course's own solution of 01-twice doesn't pass: wrong\n"
              "  task number: wrong, 0 of 1 cases passed\n"));
    CHECK(has(test::read(toys / "out/grade.log"), "should be 7"));
    CHECK(toys.result("ada-1", "01-twice")["private"]["status"] == "passed");  // as it was
    CHECK_FALSE(fs::exists(toys / "out/results/.solution"));
    CHECK_FALSE(fs::exists(toys / "out/submissions/.solution"));

    // A hidden check that doesn't compile stops the batch before it begins.
    toys.write("hidden/01-twice/check.cpp", "mistake\n");
    ended = toys.grade({"--private", "hidden"});
    CHECK(ended.code == 4);
    CHECK(has(ended.text, "hidden/01-twice/check.cpp could not be built"));

    // Hidden cases that can't be used are the grader's fault.
    fs::remove_all(toys / "course/solutions");
    toys.write("hidden/01-twice/check.cpp",
               "#include <course/check.hpp>\n"
               "GRADER_TASK(twice, \"number\") { call(\"confidential\", 1); }\n");
    ended = toys.grade({"--private", "hidden"});
    CHECK(has(ended.text, "the hidden cases of exercise 1 aren't tried: this edition has no solution of it"));
    CHECK(ended.code == 5);
    // One fault of many answers is said once, then counted.
    const std::string fault_line =
        "the grader's fault, not the student's: the hidden cases of exercise 1 can't be used";
    CHECK(has(ended.text, "-1 01-twice: " + fault_line));
    CHECK(has(ended.text, "\n" + fault_line + ": grade.log says why (2: "));
    CHECK(ended.text.find(fault_line, ended.text.find(fault_line, ended.text.find(fault_line) + 1) + 1) ==
          std::string::npos);
    CHECK(has(test::read(toys / "out/grade.log"), "confidential"));
    const json fault = toys.result("eve-1", "01-twice");
    CHECK(fault["grader_fault"] == "the hidden cases of exercise 1 can't be used: grade.log says why");
    CHECK(fault.dump().find("confidential") == std::string::npos);
    ended = toys.grade({"--private", "hidden", "--student", "eve", "--dry-run"});
    CHECK(has(ended.text, "grader's fault last time"));
}

TEST_CASE("names that are hidden aren't printed, until they are revealed") {
    const ToyClass toys;
    toys.hand_in("ada", "01-twice");
    toys.write("handed-in/dan/02-shift/shift.cpp", "int other;\n");
    toys.write("class.csv", "id,name\nada,Ada Lovelace\ndan,Dan Idleman\nzoe,Zoe Nobody\n");
    Ended ended = toys.grade({"--roster", "class.csv", "--anonymous", "--dry-run"});
    CHECK(has(ended.text, "-1  1 new\n"));
    CHECK(ended.text.find("ada") == std::string::npos);
    CHECK_FALSE(fs::exists(toys / "out"));
    for (const std::vector<std::string>& more :
         {std::vector<std::string>{"--roster", "class.csv", "--anonymous"}, {"--regrade"}}) {  // it is remembered
        ended = toys.grade(more);
        CHECK(ended.code == 0);
        CHECK(has(ended.text, " handed in nothing"));
        CHECK(has(ended.text, "-1: exercise 2 isn't whole: shift.cu is missing"));
        CHECK(has(ended.text, "-1  1 passed   3 of 3 points"));
        for (const char* name : {"ada", "Lovelace", "dan", "Idleman", "zoe", "Nobody"})
            CHECK_MESSAGE(ended.text.find(name) == std::string::npos, name);
    }
    CHECK(fs::exists(toys / "out/results/ada-1/01-twice.json"));
    ended = toys.grade({"--reveal"});
    CHECK(has(ended.text, "Zoe Nobody (zoe) handed in nothing"));
    CHECK(has(toys.grade({"--student", "ada", "--regrade"}).text, "ada-1  1 passed"));
    CHECK(toys.grade({"--shard", "1/2", "--anonymous"}).code == 4);
}

TEST_CASE("a class's results stay its own, and its times in their time zone") {
    const ToyClass toys;
    toys.hand_in("ada", "01-twice");
    std::ofstream(toys / "roster.csv") << "id,name,email,login,submitted\n"
                                          "ada,Ada Lovelace,ada@example.edu,al1,2026-11-23 12:00\n"
                                          "ben,Ben Nevis,ben@example.edu,bn1,\n";
    const auto grade = [&](const std::string& zone, std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "grade");
        course::Command asked = toys.command(arguments);
        asked.environment.push_back(zone);
        return ToyClass::run(asked);
    };
    const std::vector<std::string> whole = {"handed-in", "--out", "out", "--roster", "roster.csv"};
    const auto of = [&](const std::string& student) {
        std::vector<std::string> arguments = whole;
        arguments.insert(arguments.end(), {"--student", student, "--dry-run"});
        return grade("TZ=Europe/Berlin", arguments).text;
    };
    Ended ended = grade("TZ=Europe/Berln", whole);
    CHECK(ended.code == 4);
    CHECK(has(ended.text, "TZ=Europe/Berln: this machine knows no such time zone"));
    for (const std::string student : {"ada", "al1", "ada@example.edu", "Ada Lovelace"})
        CHECK(has(of(student), "ada-1  1 new"));
    CHECK(has(of("Ben Nevis"), "--student Ben Nevis: ben handed in nothing"));
    CHECK(has(of("Ada Lovelac"), "there is no student of that name; did you mean \"Ada Lovelace\"?"));
    CHECK(grade("TZ=Europe/Berlin", whole).code == 0);
    ended = grade("TZ=", whole);
    CHECK(ended.code == 4);
    CHECK(has(ended.text, "these results were graded with TZ=Europe/Berlin, in which the roster's times were read"));
    // Another class is refused before anything of this one is replaced.
    const std::string intake = test::read(toys / "out/intake.json");
    fs::create_directories(toys / "others/cai/01-twice");
    fs::copy(toys / "handed-in/ada/01-twice/twice.cpp", toys / "others/cai/01-twice/twice.cpp");
    ended = grade("TZ=Europe/Berlin", {"others", "--out", "out", "--student", "cai"});
    CHECK(ended.code == 4);
    CHECK(has(ended.text, "out has the results of other students, and none of theirs is among these"));
    CHECK(test::read(toys / "out/intake.json") == intake);
    // One that can't be read says nothing of who was there, and is replaced.
    std::ofstream(toys / "out/intake.json") << "{";
    CHECK(grade("TZ=Europe/Berlin", whole).code == 0);
    CHECK(test::read(toys / "out/intake.json") == intake);
}

TEST_CASE("what can't be is said, and nothing is done") {
    const ToyClass toys;
    toys.hand_in("ada", "01-twice");
    const auto grade = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "grade");
        const Ended ended = ToyClass::run(toys.command(arguments));
        CHECK(ended.code == 4);
        return ended.text;
    };
    CHECK(has(grade({"nowhere", "--out", "out"}), "nowhere: there is no such folder or archive of submissions"));
    CHECK(has(grade({"handed-in", "--out", "handed-in/out"}), "would lie among the submissions"));
    CHECK(has(grade({"handed-in", "--out", "."}), "lie among the results"));
    CHECK(has(grade({"handed-in", "--out", "handed-in"}), "would lie among the submissions"));
    CHECK(has(grade({"handed-in", "--out", "/proc/out"}), "could not make the folder /proc/out"));
    CHECK(has(grade({"handed-in", "--out", "out", "--exercises", "7"}), "exercise 7 is not in this edition"));
    CHECK(has(grade({"handed-in", "--out", "out", "--student", "zoe"}),
              "--student zoe: there is no student of that name"));
    CHECK(has(grade({"handed-in", "--out", "out", "--private", "nowhere"}),
              "--private nowhere: there is no such folder"));
    fs::create_directories(toys / "hidden/09-else");
    CHECK(
        has(grade({"handed-in", "--out", "out", "--private", "hidden"}), "09-else is not an exercise of this edition"));
    fs::create_directories(toys / "empty/ada");
    CHECK(has(grade({"empty", "--out", "out"}), "no answer to an exercise of this edition was found there"));
    CHECK(has(grade({"handed-in"}), "--out is required"));
    CHECK(
        has(grade({"handed-in", "--out", "out", "--roster", "nope.csv"}), "--roster nope.csv: there is no such file"));
    CHECK(!has(grade({"handed-in", "--out", "out", "--roster", "nope.csv"}), "goes on from there"));
    CHECK(has(grade({"handed-in", "--out", "/dev/null"}), "/dev/null is not a folder"));

    const Ended refused = toys.grade({}, "COURSE_SANDBOX=off");
    CHECK(refused.code == 4);
    CHECK(has(refused.text, "answers would run outside the sandbox: COURSE_SANDBOX says off"));
    const Ended allowed = toys.grade({"--allow-unsandboxed"}, "COURSE_SANDBOX=off");
    CHECK(allowed.code == 0);
    CHECK(toys.result("ada-1", "01-twice")["result"]["environment"]["sandbox"] == json({"limits"}));
    CHECK(json::parse(test::read(toys / "out/grade.json"))["options"]["allow_unsandboxed"] == true);
}

TEST_CASE("a full disk stops the batch with a line, and no half result is left") {
    const ToyClass toys;
    toys.hand_in("ada", "01-twice");
    CHECK(toys.grade().code == 0);
    toys.hand_in("ada", "01-twice", "wrong/thrice");
    const fs::path folder = toys / "out/results/ada-1";
    fs::remove_all(folder);
    std::ofstream(folder) << "in the way";  // as good as a full disk, and root can't write through it either
    const Ended ended = toys.grade();
    CHECK(ended.code == 4);
    CHECK(has(ended.text, "What is graded so far is kept; the same command goes on from there."));
    fs::remove(folder);
    CHECK(toys.grade().code == 0);
    CHECK(toys.result("ada-1", "01-twice")["result"]["status"] == "wrong");
}

TEST_CASE("one batch at a time, and Ctrl-C says how to go on") {
    const ToyClass toys;
    for (int k = 0; k < 6; ++k) toys.hand_in(fmt::format("s{}", k), "02-shift");
    const pid_t first = toys.start({"grade", "handed-in", "--out", "out", "--jobs", "1"});
    for (int k = 0; k < 1000 && !fs::exists(toys / "out/grade.json"); ++k) std::this_thread::sleep_for(5ms);
    const Ended second = toys.grade();
    CHECK(second.code == 4);
    CHECK(has(second.text, fmt::format("another course grade (process {}) works on", first)));
    ::kill(first, SIGINT);
    int status = 0;
    ::waitpid(first, &status, 0);
    CHECK(WEXITSTATUS(status) == 130);
    const std::string said = test::read(toys / "last-output");
    CHECK(has(said, " of 6 answers are graded, and kept; the same command goes on from there"));
    CHECK(toys.scratch_is_empty());
    CHECK(toys.grade().code == 0);
}

TEST_CASE("shares are graded at the same time; a whole batch then finds nothing left, and writes the summary") {
    const ToyClass toys;
    for (int k = 0; k < 8; ++k) toys.hand_in(fmt::format("s{}", k), "01-twice", k == 3 ? "wrong/thrice" : "");
    for (int k = 0; k < 3; ++k) toys.hand_in(fmt::format("s{}", k), "02-shift");
    toys.write("class.csv", "id,name\ns0,Ada Lovelace\ns1,Bob\n");
    toys.write("hidden/01-twice/check.cpp",
               "#include <course/check.hpp>\n"
               "GRADER_TASK(twice, \"number\") { call(\"twice\", 4321).returns(8642.0); }\n");
    const auto share = [](const std::string& shard) -> std::vector<std::string> {
        return {"grade", "handed-in", "--out", "out", "--jobs", "1", "--roster", "class.csv", "--private", "hidden",
                "--shard", shard};
    };
    std::vector<std::string> dry = share("1/3");
    dry.push_back("--dry-run");
    CHECK(has(ToyClass::run(toys.command(dry)).text, " unchanged; nothing was written\n"));
    CHECK_FALSE(fs::exists(toys / "out"));

    std::vector<pid_t> running;
    for (const char* shard : {"1/3", "2/3"}) running.push_back(toys.start(share(shard)));
    const Ended third = ToyClass::run(toys.command(share("3/3")));
    CHECK(third.code == 0);
    CHECK(has(third.text, "share 3 of 3: "));
    CHECK(third.text.find("handed in nothing") == std::string::npos);
    for (const pid_t one : running) {
        int status = 0;
        ::waitpid(one, &status, 0);
        CHECK(WIFEXITED(status));
        CHECK(WEXITSTATUS(status) == 0);
    }
    const auto by_shares = toys.verdicts("out");
    CHECK(by_shares.size() == 11);
    for (int number = 1; number <= 3; ++number) CHECK(fs::exists(toys / fmt::format("out/grade-{}-of-3.log", number)));
    CHECK(fs::is_empty(toys / "out/.unfinished"));
    CHECK(toys.scratch_is_empty());
    CHECK(json::parse(test::read(toys / "out/grade.json"))["options"]["shard"].get<std::string>().ends_with("/3"));
    CHECK(has(ToyClass::run(toys.command({"report", "out"})).text,
              "Shards alone don't write it: call `course grade` once more without --shard"));

    // Shares that are started again, by a requeue for instance, or others, repeat nothing.
    for (const char* shard : {"3/3", "1/1"})
        CHECK(has(ToyClass::run(toys.command(share(shard))).text, ": 0 graded, "));
    CHECK(has(toys.grade().text, "these results were graded with the hidden cases of"));  // as after any batch
    const Ended last = toys.grade({"--private", "hidden"});
    CHECK(last.code == 0);
    CHECK(has(last.text, "0 graded, 11 unchanged, 0 failed because of the grader; "));
    CHECK(toys.verdicts("out") == by_shares);
    for (const auto& entry : fs::recursive_directory_iterator(toys / "out/results"))
        if (entry.is_regular_file()) CHECK(json::parse(test::read(entry.path()))["graded"] == 1);
    CHECK(json::parse(test::read(toys / "out/grade.json"))["options"]["shard"] == "");
    CHECK(ToyClass::run(toys.command({"report", "out"})).code == 0);
    const Ended whole = ToyClass::run(toys.command({"grade", "handed-in", "--out", "whole", "--jobs", "2", "--roster",
                                                    "class.csv", "--private", "hidden"}));
    CHECK(whole.code == 0);
    CHECK(toys.verdicts("whole") == by_shares);

    for (const char* wrong : {"0/3", "4/3", "x"}) {
        const Ended refused = ToyClass::run(toys.command(share(wrong)));
        CHECK(refused.code == 4);
        CHECK(has(refused.text, fmt::format("--shard {}: K/N is the K-th of N shares, 2/8 for instance", wrong)));
    }
    std::vector<std::string> again = share("1/3");
    again.push_back("--regrade");  // a share that is started again couldn't tell what it has graded anew already
    CHECK(ToyClass::run(toys.command(again)).code == 4);
}

TEST_CASE("killed at any moment: nothing is lost, nothing is graded twice, nothing is left over") {
    const ToyClass toys;
    for (const char* student : {"ada", "bob", "cy", "dan"}) {
        toys.hand_in(student, "01-twice", std::string(student) == "bob" ? "wrong/thrice" : "");
        toys.hand_in(student, "02-shift", std::string(student) == "cy" ? "wrong/by-two" : "");
    }
    REQUIRE(toys.grade().code == 0);
    const auto undisturbed = toys.verdicts("out");
    REQUIRE(undisturbed.size() == 8);

    std::mt19937 random(std::random_device{}());
    int kills = 0, batches = 0, killed_coordinators = 0;
    while (kills < 20) {
        const std::string out = fmt::format("out-{}", ++batches);
        for (bool finished = false; !finished;) {
            const pid_t coordinator = toys.start({"grade", "handed-in", "--out", out, "--jobs", "2"});
            const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(random() % 700);
            int status = 0;
            bool over = false;
            while (kills < 20 && std::chrono::steady_clock::now() < end && !over) {
                over = ::waitpid(coordinator, &status, WNOHANG) == coordinator;
                std::this_thread::sleep_for(1ms);
            }
            if (!over && kills < 20) {
                ++kills;
                const std::vector<pid_t> all = descendants(coordinator);
                switch (random() % 3) {
                    case 0:  // the coordinator alone
                        ::kill(coordinator, SIGKILL);
                        ++killed_coordinators;
                        break;
                    case 1:  // a worker
                        for (const pid_t one : all)
                            if (one != coordinator && is_worker(one)) {
                                ::kill(one, SIGKILL);
                                break;
                            }
                        break;
                    default:  // everything at once
                        for (const pid_t one : all) ::kill(one, SIGKILL);
                        ++killed_coordinators;
                }
            }
            if (!over) ::waitpid(coordinator, &status, 0);
            finished = WIFEXITED(status) && WEXITSTATUS(status) == 0;
            if (WIFEXITED(status)) CHECK((WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 5));
        }
        CHECK(toys.verdicts(out) == undisturbed);
        for (const auto& entry : fs::recursive_directory_iterator(toys / out / "results"))
            if (entry.is_regular_file()) {
                CHECK(entry.path().extension() == ".json");  // no temporary file
                CHECK(json::parse(test::read(entry.path()))["graded"] == 1);
            }
        CHECK(toys.scratch_is_empty());
        CHECK(course::kill_processes_of_folder(toys / "tmp") == 0);
    }
    MESSAGE(kills << " kills, " << killed_coordinators << " of the coordinator, in " << batches << " batches");
}
