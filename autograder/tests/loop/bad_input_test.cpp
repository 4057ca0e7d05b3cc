// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <chrono>

#include <doctest/doctest.h>

#include "loop/toy_course.hpp"
#include "support/folder.hpp"

using test::ToyCourse;
namespace fs = std::filesystem;

namespace {

const std::string file = "work/01-twice/twice.cpp";

}  // namespace

TEST_CASE("an exercise number that doesn't exist is answered with those that do") {
    const ToyCourse toy;
    toy.check_golden("unknown_number", toy.run({"run", "13"}));
    CHECK(toy.run({"hint", "13"}).code == 4);
    CHECK(toy.run({"reset", "13"}).code == 4);
    CHECK(toy.run({"solution", "13"}).code == 4);
    CHECK_FALSE(fs::exists(toy / "work"));
}

TEST_CASE("a command line that makes no sense is a usage error") {
    const ToyCourse toy;
    for (const std::vector<std::string>& arguments :
         std::vector<std::vector<std::string>>{{"run"},
                                               {"run", "nine"},
                                               {"fly"},
                                               {"run", "1", "--warp", "9"},
                                               {"run", "1", "--time-limit", "-1"},
                                               {"dev"}})
        CHECK(toy.run(arguments).code == 4);
    CHECK(toy.run({"--help"}).code == 0);
    CHECK(toy.run({"--version"}).code == 0);
}

TEST_CASE("a missing manifest is said to be missing, and the other exercises work") {
    const ToyCourse toy;
    fs::remove(toy / "exercises/01-twice/exercise.toml");
    toy.check_golden("manifest_missing", toy.run({"run", "1"}));
    toy.check_golden("manifest_missing_list", toy.run({"list"}));
    toy.solve("02-shift");
    CHECK(toy.run({"run", "2"}).code == 0);
}

TEST_CASE("a malformed manifest is named with file, line and what was expected") {
    const ToyCourse toy;
    toy.change("exercises/01-twice/exercise.toml", "points = 1", "points = \"one\"");
    toy.check_golden("manifest_malformed", toy.run({"run", "1"}));
    toy.change("exercises/01-twice/exercise.toml", "points = \"one\"", "points = ");
    CHECK(toy.run({"run", "1"}).code == 4);
}

TEST_CASE("a file in work that was deleted") {
    const ToyCourse toy;
    toy.solve("02-shift");
    fs::remove(toy / "work/02-shift/shift.cu");
    toy.check_golden("work_deleted", toy.run({"run", "2"}));
    CHECK(toy.run({"reset", "2", "--yes"}).code == 0);
    CHECK(toy.run({"run", "2"}).code == 3);
}

TEST_CASE("a file in work that was renamed") {
    const ToyCourse toy;
    toy.solve("01-twice");
    fs::rename(toy / file, toy / "work/01-twice/twice_v2.cpp");
    toy.check_golden("work_renamed", toy.run({"run", "1"}));
}

TEST_CASE("a file in work that can't be read") {
    const ToyCourse toy;
    toy.solve("01-twice");
    course::Command command = toy.command({"run", "1"});
    if (::geteuid() == 0 && !test::as_nobody(command))
        return test::skip("a file in work that can't be read",
                          "root reads every file, and nobody can't run course here");
    fs::permissions(toy / file, fs::perms(0));
    toy.check_golden("work_unreadable", toy.run(command));
}

TEST_CASE("a file in work that is empty") {
    const ToyCourse toy;
    toy.write(file, "");
    toy.check_golden("work_empty", toy.run({"run", "1"}));
}

TEST_CASE("a file in work with another system's line ends, and one with a byte-order mark") {
    const ToyCourse toy;
    toy.solve("01-twice");
    const std::string text = toy.read(file);
    std::string crlf;
    for (const char c : text) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
    toy.write(file, crlf);
    toy.check_golden("work_crlf", toy.run({"run", "1"}));
    CHECK(toy.read(file) == crlf);
    toy.write(file, "\xEF\xBB\xBF" + text);
    toy.check_golden("work_bom", toy.run({"run", "1"}));
}

TEST_CASE("a work folder that is a link leads nowhere but to its files") {
    const ToyCourse toy;
    toy.write("elsewhere/twice.cpp", toy.read("solutions/01-twice/twice.cpp"));
    fs::create_directories(toy / "work");
    fs::create_directory_symlink(toy / "elsewhere", toy / "work/01-twice");
    CHECK(toy.run({"run", "1"}).code == 0);
    toy.write("secret.txt", "int secret;\n");
    fs::remove(toy / "elsewhere/twice.cpp");
    fs::create_symlink(toy / "secret.txt", toy / "elsewhere/twice.cpp");
    toy.check_golden("work_link", toy.run({"run", "1"}));
}

TEST_CASE("a file that was saved in exercises/ after the answer is named: it isn't judged") {
    const ToyCourse toy;
    toy.solve("01-twice");
    const std::string stub = "exercises/01-twice/twice.cpp";
    const auto says = [&] {
        return toy.run({"run", "1"}).text.find("was saved after your answer") != std::string::npos;
    };
    const auto later = [&](const std::string& name) {
        fs::last_write_time(toy / name, fs::last_write_time(toy / file) + std::chrono::seconds(10));
    };
    CHECK_FALSE(says());
    toy.change(stub, "return x;  // TODO: twice as much", "return 2 * x;");
    later(stub);
    CHECK(test::unwrapped(toy.run({"run", "1"}).text)
              .find("note: exercises/01-twice/twice.cpp was saved after your answer, and is not part of it: what is "
                    "judged is in work/01-twice") != std::string::npos);
    toy.write(stub, toy.read(file));
    later(stub);
    CHECK_FALSE(says());  // they hold the same
    toy.change(stub, "2 * x", "3 * x");
    later(stub);
    CHECK(says());
    later(file);
    CHECK_FALSE(says());
}
