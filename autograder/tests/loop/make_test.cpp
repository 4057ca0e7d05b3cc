// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "loop/toy_course.hpp"

// What `make` makes of the exit codes of `course`: a verdict is no error of make, a fault is.
using test::Ran, test::ToyCourse;

namespace {

/// Runs the kit's own Makefile on the toy course, without building.
Ran make(const ToyCourse& toy, const std::vector<std::string>& targets) {
    course::Command command = toy.command({});
    command.arguments = {
        "make", "--no-print-directory", "-C", COURSE_SOURCE_DIR, "-o", "kit", std::string("COURSE=") + COURSE_PROGRAM};
    command.arguments.insert(command.arguments.end(), targets.begin(), targets.end());
    return toy.run(command);
}

}  // namespace

TEST_CASE("make ends well after any verdict, and fails where course can't judge") {
    const ToyCourse toy;
    const auto verdict = [&](const std::string& words) {
        const Ran ran = make(toy, {"exercise-1"});
        CHECK(ran.code == 0);
        CHECK(ran.text.find(words) != std::string::npos);
        CHECK(ran.text.find("***") == std::string::npos);
    };
    verdict("not started");
    toy.answer("return 3 * x;");
    verdict("wrong");
    CHECK(make(toy, {"counts-1"}).code == 0);
    toy.answer("return X;");
    verdict("does not compile");
    toy.solve("01-twice");
    verdict("passed");
    const Ran none = make(toy, {"exercise-13"});
    CHECK(none.code == 2);
    CHECK(none.text.find("Error 4") != std::string::npos);
    std::filesystem::remove(toy / "work/01-twice/twice.cpp");
    CHECK(make(toy, {"exercise-1"}).code == 2);
}

TEST_CASE("an exercise is begun once its files differ from those that were given") {
    const ToyCourse toy;
    CHECK(toy.run({"status"}).code == 0);   // puts the files there
    CHECK(toy.run({"list"}).text.find("begun") == std::string::npos);
    toy.answer("return 3 * x;");
    CHECK(toy.run({"list"}).text.find("  1  begun    twice") != std::string::npos);
}

TEST_CASE("a number behind a space, and what isn't a command, get the line that was meant") {
    const ToyCourse toy;
    const auto says = [&](std::initializer_list<std::string> targets, const std::string& words) {
        const Ran ran = make(toy, targets);
        CHECK(ran.code == 2);
        CHECK_MESSAGE(ran.text.find(words) != std::string::npos, ran.text);
    };
    says({"exercise", "3"}, "without a space: make exercise-3\n");
    says({"ledger", "2"}, "without a space: make ledger-2\n");
    says({"lesson"}, "without a space: make lesson-8\n");
    says({"exercise3"}, "make exercise3 isn't a command. make help lists them");
}

TEST_CASE("what somebody else has built is used as it is, and what nobody has built is missed") {
    const ToyCourse toy;
    course::Command command = toy.command({"list"});
    command.folder = toy.root();
    toy.write("build/kit/bin/course", "");
    std::filesystem::permissions(toy / "build/kit/bin/course", std::filesystem::perms(0755));
    if (!test::as_nobody(command)) return test::skip("what somebody else has built", "nobody can't run course here");
    while (command.arguments.back() != "--clear-groups") command.arguments.pop_back();
    for (const char* const more : {COURSE_SOURCE_DIR "/cmake/build_quietly", "kit", "tour"})
        command.arguments.emplace_back(more);
    const Ran ran = toy.run(command);
    CHECK(ran.code == 0);
    CHECK_MESSAGE(ran.text.empty(), ran.text);
    CHECK_FALSE(std::filesystem::exists(toy / "build/kit/build.log"));
    std::filesystem::remove(toy / "build/kit/bin/course");
    CHECK(toy.run(command).code != 0);
}

TEST_CASE("make hands on what submit and progress are given, whatever is in it") {
    const ToyCourse toy;
    toy.solve("01-twice");
    CHECK(make(toy, {"submit"}).text.find("make submit NAME=\"Ada Lovelace\" ID=s123") != std::string::npos);
    const Ran packed = make(toy, {"submit", "NAME=Ada \"O'Brien\" $$HOME `id`", "ID=s 1"});
    CHECK(packed.code == 0);
    CHECK(packed.text.find("From Ada \"O'Brien\" $HOME `id`, ID s 1, kit") != std::string::npos);
    const std::string file = (toy / "moved here.txt").string();
    CHECK(make(toy, {"progress", "EXPORT=" + file}).code == 0);
    CHECK(make(toy, {"progress", "IMPORT=" + file}).code == 2);   // nothing is in it yet
    toy.write("moved here.txt", "twice passed 1\n");
    CHECK(make(toy, {"progress", "IMPORT=" + file}).text.find("now passed") != std::string::npos);
    CHECK(make(toy, {"summary"}).text.find("1/2") != std::string::npos);
    CHECK(make(toy, {"watch", "N=7"}).code == 2);
    CHECK(make(toy, {"watch", "FILE=work/01-twice/notes.txt"}).text.find("the files of exercise 1 are") !=
          std::string::npos);
}

TEST_CASE("the line that a refused solution names can be pasted") {
    const ToyCourse toy;
    const Ran refused = make(toy, {"solution-1"});
    CHECK(refused.code == 0);
    CHECK(refused.text.find("make solution-1 FORCE=1\n") != std::string::npos);
    CHECK(make(toy, {"solution-1", "FORCE=1"}).text.find("return 2 * x;") != std::string::npos);
    CHECK(make(toy, {"hint-1"}).code == 0);
}

// What editors find in work/; tests/editors asks clangd what it makes of it.
using test::ToyCourse;
namespace fs = std::filesystem;

namespace {

/// The compiler's arguments for a file of the course, as one text; empty if an editor isn't told.
std::string arguments_for(const ToyCourse& toy, const std::string& file) {
    std::string text;
    for (const auto& entry : nlohmann::json::parse(toy.read("work/compile_commands.json")))
        if (entry.at("file") == (toy / file).string())
            for (const std::string argument : entry.at("arguments")) text += argument + ' ';
    return text;
}

bool contains(const std::string& text, const std::string& piece) { return text.find(piece) != std::string::npos; }

}  // namespace

TEST_CASE("the first run tells editors how each file is compiled, and the next run adds a new file") {
    const ToyCourse toy;
    CHECK(toy.run({"run", "2"}).code == 3);
    const std::string kernel = arguments_for(toy, "work/02-shift/shift.cu");
    CHECK(contains(kernel, "-xc++ "));
    CHECK(contains(kernel, "/cuda_words.hpp "));
    CHECK(contains(toy.read("work/.clangd"), "/cuda_words.hpp\""));
    const std::string host = arguments_for(toy, "work/02-shift/shift.cpp");
    CHECK(contains(host, "-std=c++20 "));
    CHECK(contains(host, "-I" + (toy / "exercises/02-shift").string() + ' '));
    CHECK_FALSE(contains(host, "cuda_words"));
    CHECK_FALSE(arguments_for(toy, "exercises/02-shift/check.cpp").empty());
    CHECK_FALSE(arguments_for(toy, "solutions/02-shift/shift.cu").empty());
    CHECK(arguments_for(toy, "work/02-shift/more.cu").empty());
    toy.write("work/02-shift/more.cu", "");
    CHECK(toy.run(std::vector<std::string>()).code == 0);
    CHECK_FALSE(arguments_for(toy, "work/02-shift/more.cu").empty());
}

TEST_CASE("editors' files are written when something is new, and a .clangd of the student's own never") {
    const ToyCourse toy;
    CHECK(toy.run({"reset", "1", "--yes"}).code == 0);
    const fs::path commands = toy / "work/compile_commands.json";
    const auto before = fs::last_write_time(commands);
    CHECK(toy.run({"reset", "1", "--yes"}).code == 0);
    CHECK(fs::last_write_time(commands) == before);
    toy.write("work/.clangd", "# mine\n");
    toy.write("work/compile_commands.json", "[]\n");
    CHECK(toy.run({"reset", "1", "--yes"}).code == 0);
    CHECK(toy.read("work/.clangd") == "# mine\n");
    CHECK_FALSE(arguments_for(toy, "work/01-twice/twice.cpp").empty());
}
