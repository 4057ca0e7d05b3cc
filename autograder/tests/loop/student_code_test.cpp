// SPDX-License-Identifier: MIT
// What students' code does by accident or on purpose: each ends in a verdict, and in nothing else.
#include <doctest/doctest.h>

#include "loop/toy_course.hpp"

using test::Ran, test::ToyCourse;
namespace fs = std::filesystem;

namespace {

/// Judges exercise 1 with this statement in twice(), and leaves no trace.
Ran judge(const ToyCourse& toy, const std::string& statement, const std::string& above = "") {
    toy.answer(statement, above);
    const Ran ran = toy.run({"run", "1", "--time-limit", "2"});
    CHECK(fs::is_empty(toy.scratch()));
    const std::string progress = fs::exists(toy / "work/.progress") ? toy.read("work/.progress") : "";
    CHECK(progress.find("twice passed") == std::string::npos);
    return ran;
}

}  // namespace

TEST_CASE("code that doesn't compile") {
    const ToyCourse toy;
    toy.check_golden("does_not_compile", judge(toy, "return 2 * X;"));
    const Ran hostile = judge(toy, "return \x1b]0;title\x07 \x1b[31mX;");
    CHECK(hostile.code == 2);
    for (const char byte : {'\x1b', '\x07'}) CHECK(hostile.text.find(byte) == std::string::npos);
    toy.write("work/01-twice/twice.cpp", "#include \"exercise.hpp\"\nint twice(int x) { return 2 * x; }\n");
    toy.check_golden("function_missing", toy.run({"run", "1"}));
}

TEST_CASE("code that compiles and is hardly meant so: the compiler's warning is shown") {
    const ToyCourse toy;
    toy.answer("x = 2 * x;");
    const Ran crashed = toy.run({"run", "1", "--time-limit", "2"});  // what such a function does is anybody's guess
    CHECK(crashed.text.find("work/01-twice/twice.cpp:6:1: warning: no return statement in function returning non-void\n"
                            "    6 | }\n") != std::string::npos);
    toy.answer("2 * x == x; return 2 * x;");
    toy.check_golden("warning", toy.run({"run", "1"}));
    CHECK(toy.run({"run", "1", "--json"}).text.find("\"warnings\": [\n    \"work/01-twice/twice.cpp:5:11: warning: ") !=
          std::string::npos);
}

TEST_CASE("code that includes gpu/eigen.hpp") {
    const ToyCourse toy;
    toy.answer("return Eigen::Vector2i(x, x).sum();", "#include <gpu/eigen.hpp>\n");
    CHECK(toy.run({"run", "1"}).code == 0);
}

TEST_CASE("code beside the exercise's files is named as unused") {
    const ToyCourse toy;
    toy.write("work/01-twice/helper.hpp", "int helper();\n");
    toy.answer("return 2 * x;", "#include \"helper.hpp\"\n");
    toy.check_golden("unused_file", toy.run({"run", "1"}));
}

TEST_CASE("code that prints an array: what is printed is free") {
    const ToyCourse toy;
    toy.solve("02-shift");
    toy.change("work/02-shift/shift.cpp", "return y;", "std::cout << y + 0.f << \"\\n\";\n    return y;");
    toy.change("work/02-shift/shift.cpp", "#include", "#include <iostream>\n#include");
    const Ran ran = toy.run({"run", "2"});  // one launch is allowed: the kernel
    CHECK(ran.code == 0);
    CHECK(ran.text.find("launches 1 (= 1)") != std::string::npos);
}

TEST_CASE("code that loops for ever") {
    const ToyCourse toy;
    toy.check_golden("loops", judge(toy, "for (volatile unsigned k = 0;; k = k + 1) {}"));
}

TEST_CASE("code that crashes") {
    const ToyCourse toy;
    toy.check_golden("crashes", judge(toy, "return *reinterpret_cast<volatile int*>(8);"));
    toy.check_golden("aborts", judge(toy, "std::abort();", "#include <cstdlib>\n"));
}

TEST_CASE("code that throws") {
    const ToyCourse toy;
    toy.check_golden("throws", judge(toy, "throw std::runtime_error(\"I give up\");", "#include <stdexcept>\n"));
}

TEST_CASE("code that ends the program with exit(0)") {
    const ToyCourse toy;
    toy.check_golden("exits", judge(toy, "std::exit(0);", "#include <cstdlib>\n"));
}

TEST_CASE("code that prints PASS, and a forged result.json") {
    const ToyCourse toy;
    toy.check_golden("prints_pass", judge(toy, "std::puts(\"PASS\\n{\\\"status\\\": \\\"passed\\\"}\"); return 0;",
                                          "#include <cstdio>\n"));
}

TEST_CASE("code that allocates without end") {
    const ToyCourse toy;
    toy.answer("for (;;) { char* p = new char[1 << 24]; std::memset(p, 1, 1 << 24); }", "#include <cstring>\n");
    const Ran ran = toy.run({"run", "1", "--time-limit", "60"});
    CHECK(ran.code == 1);
    toy.check_golden("allocates", ran);
}

TEST_CASE("code that writes outside its arrays") {
    const ToyCourse toy;
    toy.solve("02-shift");
    toy.change("work/02-shift/shift.cu", "if (i < n) ", "");
    toy.check_golden("writes_outside", toy.run({"run", "2"}));
}

TEST_CASE("a kernel that doesn't compile, with the student's own file and line") {
    const ToyCourse toy;
    toy.solve("02-shift");
    toy.change("work/02-shift/shift.cu", "threadIdx.x", "threadidx.x");
    toy.check_golden("kernel_does_not_compile", toy.run({"run", "2"}));
}
