// SPDX-License-Identifier: MIT
// The five proofs hold for the toy course, and each of them can fail: its broken twins.
#include <algorithm>
#include <filesystem>
#include <string>

#include <unistd.h>

#include <doctest/doctest.h>

#include "author/exercise_files.hpp"
#include "loop/toy_course.hpp"
#include "support/folder.hpp"

using course::Frame, course::fault_of_frame, course::fault_of_page;
using test::Ran, test::ToyCourse;

TEST_CASE("the five proofs hold for the toy course") {
    const ToyCourse toy;
    toy.check_golden("proofs_hold", toy.run({"dev", "check"}));
    CHECK_FALSE(std::filesystem::exists(toy / "work"));
}

namespace {

namespace fs = std::filesystem;

/// When the check of a toy course's exercise was last built; these courses lie in one folder, so they share it.
fs::file_time_type time_of_check(const std::string& exercise) {
    fs::file_time_type newest = fs::file_time_type::min();
    for (const auto& course : fs::directory_iterator(fs::path(COURSE_BINARY_DIR) / "other-exercises")) {
        const fs::path check = course.path() / exercise / "check.so";
        if (fs::exists(check)) newest = std::max(newest, fs::last_write_time(check));
    }
    return newest;
}

}  // namespace

TEST_CASE("checks are built before they are needed") {
    const ToyCourse toy;
    toy.solve("01-twice");
    const std::string own = "// as no other run of this test has it: " + std::to_string(::getpid()) + "\n";
    toy.change("exercises/01-twice/check.cpp", "#include", own + "#include");
    const fs::file_time_type start = fs::file_time_type::clock::now();
    const Ran built = toy.run({"dev", "checks", "1"});
    CHECK(built.code == 0);
    CHECK(built.text.find("The check of 1 exercise is built\n") != std::string::npos);
    const fs::file_time_type time = time_of_check("01-twice");
    CHECK(time > start);
    CHECK(toy.run({"run", "1"}).code == 0);
    CHECK(time_of_check("01-twice") == time);
    CHECK(toy.run({"dev", "checks", "77"}).code == 4);

    toy.change("exercises/01-twice/check.cpp", "// as no", "// like no");
    course::Command command = toy.command({"dev", "checks", "1"});
    if (!test::as_nobody(command)) return test::skip("checks that can't be kept", "nobody can't run course here");
    const Ran refused = toy.run(command);
    CHECK(refused.code == 4);
    CHECK_MESSAGE(refused.text.find("which you may not write") != std::string::npos, refused.text);
}

TEST_CASE("a stub that passes fails the first proof") {
    const ToyCourse toy;
    toy.write("exercises/01-twice/twice.cpp", toy.read("solutions/01-twice/twice.cpp"));
    toy.check_golden("proof_stub_passes", toy.run({"dev", "check", "1"}));
}

TEST_CASE("a stub that fails in another way than declared fails the first proof") {
    const ToyCourse toy;
    toy.change("exercises/01-twice/exercise.toml", "stub_fails = \"wrong\"", "stub_fails = \"crashed\"");
    CHECK(toy.run({"dev", "check", "1"}).code == 1);
}

TEST_CASE("a solution that fails fails the second proof, and patches that no longer fit it the others") {
    const ToyCourse toy;
    toy.change("solutions/01-twice/twice.cpp", "2 * x", "2 + x");
    toy.check_golden("proof_solution_fails", toy.run({"dev", "check", "1"}));
}

TEST_CASE("a wrong answer that isn't caught fails the third proof") {
    const ToyCourse toy;
    toy.change("exercises/01-twice/wrong/thrice.patch", "+    return 3 * x;", "+    return x * 2;");
    toy.check_golden("proof_not_caught", toy.run({"dev", "check", "1"}));
}

TEST_CASE("a wrong answer that is caught with another message fails the third proof") {
    const ToyCourse toy;
    toy.change("exercises/01-twice/wrong/thrice.patch", "got 21   want 14", "got 22   want 14");
    toy.check_golden("proof_other_message", toy.run({"dev", "check", "1"}));
}

TEST_CASE("a wrong answer's tag that its verdict doesn't show is noted, and fails no proof") {
    const ToyCourse toy;
    const std::string manifest = "exercises/02-shift/exercise.toml";
    const std::string race = "exercises/02-shift/wrong/race.patch", tag_5 = "tag = 5\n";
    toy.write(race, tag_5 + toy.read(race));
    toy.write("exercises/02-shift/wrong/two-launches.patch",
              "tag = 11\n" + toy.read("exercises/02-shift/wrong/two-launches.patch"));
    const Ran noted = toy.run({"dev", "check", "2"});
    CHECK(noted.code == 0);
    CHECK(noted.text.find("note: exercise 2 shift: the wrong answer race") == std::string::npos);   // by its kind
    CHECK(noted.text.find("\nnote: exercise 2 shift: the wrong answer two-launches has tag 11, which its verdict "
                          "doesn't show (it shows none)\n") != std::string::npos);
    toy.change(manifest, "budgets = { launches = { exactly = 1 } }",
               "budgets = { launches = { exactly = 1, tag = 11 } }\ntags = { \"race on y[\" = 7 }");
    toy.change(race, tag_5, "tag = 7\n");
    const Ran shown = toy.run({"dev", "check"});   // of both exercises, in processes of their own
    CHECK(shown.code == 0);
    CHECK(shown.text.find("note: ") == std::string::npos);
}

TEST_CASE("a wrong answer that is caught in another task fails the third proof") {
    const ToyCourse toy;
    toy.change("exercises/01-twice/wrong/thrice.patch", "task = \"number\"", "task = \"list\"");
    CHECK(toy.run({"dev", "check", "1"}).text.find("thrice should fail in the task list, and passed it") !=
          std::string::npos);
}

TEST_CASE("another right answer that fails fails the second proof") {
    const ToyCourse toy;
    const std::string file = "exercises/01-twice/right/by-shift/twice.cpp";
    toy.write(file, toy.read("solutions/01-twice/twice.cpp"));
    toy.change(file, "return 2 * x;", "return x + x;");
    const Ran passes = toy.run({"dev", "check", "1"});
    CHECK(passes.code == 0);
    CHECK(passes.text.find("ok, 1 more") != std::string::npos);
    toy.change(file, "return x + x;", "return x;");
    const Ran fails = toy.run({"dev", "check", "1"});
    CHECK(fails.code == 1);
    CHECK(fails.text.find("the right answer by-shift should pass:") != std::string::npos);
    toy.write(file, toy.read("solutions/01-twice/twice.cpp"));
    CHECK(toy.run({"dev", "check", "1"}).text.find("by-shift: twice.cpp is the solution's: leave it out") !=
          std::string::npos);
}

TEST_CASE("stub, solution and planted answers are one text outside the marks") {
    const std::string stub = "a\n// ---- your code ----\nTODO\n// ---- end ----\nz\n";
    const std::string frame = "expected pairs of \"// ---- your code\" and \"// ---- end ----\"";
    const auto fault = [&](const std::string& what, const std::string& by, Frame one = Frame::includes_differ) {
        return fault_of_frame(stub, test::replaced(stub, what, by), one);
    };
    CHECK(fault("TODO", "done\nmore") == "");
    CHECK(fault("TODO", "done", Frame::equal) == "");
    CHECK(fault("// ---- end ----\n", "") == frame);
    CHECK(fault("// ---- your code ----\n", "") == frame);
    CHECK(fault("TODO", "// ---- your code ----") == frame);
    CHECK(fault("z", "y") == "differs from the stub outside the student's part: \"y\"; the stub has \"z\"");
    CHECK(fault("z\n", "z\nmore\n").find("\"more\"; the stub has no more") != std::string::npos);
    CHECK(fault("your code", "your code, star").find("outside") != std::string::npos);
    CHECK(fault("a", "#include <cub/cub.cuh>\na") == "");
    CHECK(fault("a", "#include <cub/cub.cuh>\na", Frame::equal).find("outside") != std::string::npos);
    CHECK(fault("a", "#include \"mine.hpp\"\na").find("outside") != std::string::npos);
    CHECK(fault_of_frame("int a;\n", "int b;\n", Frame::equal) == "");   // no marks: all of it is the student's
}

TEST_CASE("a task's page is short, and says where to edit") {
    const std::string where = "`make exercise-8` puts your files into `work/08-raw-add/`.\n";
    CHECK(fault_of_page(where, "08-raw-add") == "");
    CHECK(fault_of_page(where, "09-sum") == "doesn't say where to edit: puts your files into `work/09-sum/`");
    CHECK(fault_of_page(where + std::string(64, '\n'), "08-raw-add").find("more than 64 lines") != std::string::npos);
}

TEST_CASE("files that drift fail their proof") {
    const ToyCourse toy;
    const std::string solution = "solutions/01-twice/twice.cpp";
    toy.change("exercises/01-twice/README.md", "work/01-twice", "work");
    toy.change("exercises/01-twice/twice.cpp", "  // TODO: twice as much", "");
    toy.change("exercises/01-twice/twice.cpp", "  // TODO: each twice as large", "");
    toy.change(solution, "// SPDX-License-Identifier: MIT", "// ---- your code ----   TODO");   // without its end
    const std::string text = toy.run({"dev", "check", "1"}).text;
    for (const char* said : {"README.md doesn't say where to edit", "twice.cpp has no TODO",
                             "the solution: twice.cpp expected pairs of", "the solution: twice.cpp has a TODO",
                             "the wrong answer thrice: twice.cpp expected pairs of"})
        CHECK_MESSAGE(text.find(said) != std::string::npos, said << " isn't in " << text);
}

TEST_CASE("a lazy answer that passes fails the fourth proof") {
    const ToyCourse toy;
    toy.change("exercises/02-shift/exercise.toml", "file = \"shift.cu\"\nwith = \"a thread for each element\"\nthreads",
               "file = \"shift.cu\"\nlaunches = { at_most = 1 }\nthreads");  // it need no longer run
    const Ran ran = toy.run({"dev", "check", "2"});
    CHECK(ran.code == 1);
    CHECK(ran.text.find("the lazy answer library-call should get \"not as asked\"; it got \"passed\":") !=
          std::string::npos);
}

TEST_CASE("a missing hint fails the fifth proof") {
    const ToyCourse toy;
    toy.change("exercises/01-twice/exercise.toml", ", \"Look at the return statement.\"]", "]");
    toy.check_golden("proof_missing_hint", toy.run({"dev", "check", "1"}));
    toy.change("exercises/01-twice/exercise.toml", "1 + 1?\"]", "1 + 1?\", \" \"]");
    CHECK(toy.run({"dev", "check", "1"}).code == 1);
}

TEST_CASE("a hint that gives the line away, and a wrong line that is right, fail the fifth proof") {
    const ToyCourse toy;
    toy.change("exercises/01-twice/exercise.toml", "Look at the return statement.", "It is return 2 * x, of course.");
    toy.change("exercises/01-twice/exercise.toml", "return x + 2;", "return  2 * x;  // twice");
    toy.check_golden("proof_hints", toy.run({"dev", "check", "1"}));
    toy.write("exercises/01-twice/twice.cpp", toy.read("solutions/01-twice/twice.cpp"));
    CHECK(toy.run({"dev", "check", "1"}).text.find("is of twice.cpp, where the solution has no line of its own") !=
          std::string::npos);
}

TEST_CASE("a solution with a warning fails the second proof") {
    const ToyCourse toy;
    toy.change("solutions/01-twice/twice.cpp", "return 2 * x;", "x == 2;\n    return 2 * x;");
    const Ran ran = toy.run({"dev", "check", "1"});
    CHECK(ran.code == 1);
    CHECK(ran.text.find("the solution should compile without warnings:") != std::string::npos);
}

TEST_CASE("a new exercise needs its folders and nothing else") {
    const ToyCourse toy;
    toy.check_golden("dev_new", toy.run({"dev", "new", "21-my-topic"}));
    toy.check_golden("dev_new_check", toy.run({"dev", "check", "21"}));
    const Ran not_started = toy.run({"run", "21"});
    CHECK(not_started.code == 3);
    toy.solve("21-my-topic");
    CHECK(toy.run({"run", "21"}).code == 0);
    toy.check_golden("dev_new_again", toy.run({"dev", "new", "21-my-topic"}));
    toy.check_golden("dev_new_misnamed", toy.run({"dev", "new", "my_topic"}));
}
