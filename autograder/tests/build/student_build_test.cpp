// SPDX-License-Identifier: MIT
#include <dlfcn.h>

#include <doctest/doctest.h>

#include "build/compile.hpp"
#include "build/exercise_build.hpp"
#include "build/fake_kit.hpp"
#include "build/student_build.hpp"
#include "build/scratch.hpp"
#include "support/folder.hpp"

using namespace course;
using test::FakeKit;
namespace fs = std::filesystem;

namespace {

const FakeKit& kit() {
    static const FakeKit instance;
    return instance;
}

/// The first error of an answer; empty if it builds.
std::string error_of(const std::string& cpp, const Toolchain& toolchain = kit().toolchain) {
    StudentBuild build(toolchain, kit().manifest, kit().answer(cpp), kit().scratch());
    const ExerciseObjects objects = build_exercise(toolchain, kit().manifest, kit().scratch());
    if (build.compile_sources()) build.link(objects.bind);
    CHECK(build.result().object.empty() == !build.result().error.empty());
    return build.result().error;
}

const std::string head = "#include \"exercise.hpp\"\n";

}  // namespace

TEST_CASE("an answer becomes a shared object that calls the kit and lies beside its kernels") {
    const std::string cpp =
        head + "const char* where() { return __FILE__; }\nint add(int x) { return x + fake_gpu(); }\n";
    StudentBuild build(kit().toolchain, kit().manifest, kit().answer(cpp), kit().scratch());
    REQUIRE(build.compile_sources());
    REQUIRE(build.link(build_exercise(kit().toolchain, kit().manifest, kit().scratch()).bind));
    CHECK(build.result().error.empty());
    const fs::path object = build.result().object;
    void* loaded = ::dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
    INFO(::dlerror());
    REQUIRE(loaded);
    CHECK(reinterpret_cast<int (*)()>(::dlsym(loaded, "_Z5boundv"))() == 8);
    const fs::path source = reinterpret_cast<const char* (*)()>(::dlsym(loaded, "_Z5wherev"))();
    CHECK(test::read(source.parent_path() / "raw_add.cu") == "// kernels\n");
    ::dlclose(loaded);
}

TEST_CASE("the first error is shown with the student's path, line, column, text and a caret") {
    CHECK(error_of(head + "int add(int x) {\n    int i = threadidx + x;\n    return j;\n}\n") ==
          "work/08-raw-add/raw_add.cpp:3:13: error: 'threadidx' was not declared in this scope\n"
          "  3 |     int i = threadidx + x;\n"
          "    |             ^");
}

TEST_CASE("an error inside a header of the kit is shown at the student's line that led there") {
    CHECK(error_of(head + "int add(int) {\n\treturn only_int(2.5);\n}\n")
              .starts_with("work/08-raw-add/raw_add.cpp:3:17: error: pass a float: write float(x)\n"
                           "  3 | \treturn only_int(2.5);\n"
                           "    | \t               ^"));
}

TEST_CASE("an answer can include neither the check nor what lies around the kit") {
    if (available_tiers().landlock == 0) {
        MESSAGE("SKIP: this kernel has no Landlock");
        return;
    }
    for (const std::string& path : {std::string("check.cpp"), (kit().folder / "gpu.cpp").string()}) {
        CAPTURE(path);
        const std::string error = error_of("#include \"" + path + "\"\nint add(int x) { return x; }\n");
        CHECK(error.find("Permission denied") != std::string::npos);
        CHECK(error.find("fake_gpu() {") == std::string::npos);
    }
}

TEST_CASE("a header that doesn't exist is named") {
    CHECK(error_of("#include \"secret.hpp\"\nint add(int x) { return x; }\n") ==
          "work/08-raw-add/raw_add.cpp:1:10: fatal error: secret.hpp: No such file or directory\n"
          "  1 | #include \"secret.hpp\"\n"
          "    |          ^");
}

TEST_CASE("an answer may include Eigen, as gpu/eigen.hpp does") {
    CHECK(error_of(head + "#include <Eigen/Core>\nint add(int x) { return Eigen::Vector2i(x, 1).sum(); }\n").empty());
}

TEST_CASE("an answer sees neither the check's headers nor the environment's include folders") {
    ::setenv("CPLUS_INCLUDE_PATH", kit().toolchain.course_include.c_str(), 1);
    CHECK(error_of("#include <course/check.hpp>\n").find("No such file or directory") != std::string::npos);
    ::unsetenv("CPLUS_INCLUDE_PATH");
}

TEST_CASE("warnings tell what compiles and is hardly meant so; right code in any style gives none") {
    const auto warned = [](const std::string& cpp) {
        StudentBuild build(kit().toolchain, kit().manifest, kit().answer(head + cpp), kit().scratch());
        CHECK(build.compile_sources());
        return build.result().warnings;
    };
    const bool clang = kit().toolchain.compiler.find("clang") != std::string::npos;
    const std::vector<std::string> missing = warned("int add(int x) {\n    x = x + 1;\n}\n");
    REQUIRE(missing.size() == 1);
    CHECK(missing[0] == (clang ? "work/08-raw-add/raw_add.cpp:4:1: warning: non-void function does not return a value"
                               : "work/08-raw-add/raw_add.cpp:4:1: warning: no return statement in function returning "
                                 "non-void") +
                            std::string("\n  4 | }\n    | ^"));
    for (const std::string body :
         {"int add(int x) { if (x = 2) return 1; return x; }", "int add(int x) { x == 2; return x; }",
          "int add(int x) { if (x > 1); return x; }", "[[nodiscard]] int f(int); int add(int x) { f(x); return x; }",
          "int& f() { int x = 1; return x; } int add(int) { return f(); }"})
        CHECK_MESSAGE(warned(body + "\n").size() == 1, body);
    for (const std::string body :
         {"int add(int x) { int unused = 3; return x; }", "static int g() { return 1; } int add(int) { return 2; }",
          "#include <vector>\nint add(int x) { std::vector<int> v(9); for (int i = 0; i < v.size(); ++i) x += v[i]; "
          "return x; }",
          "int add(int x) { double d = x * 1.5; float f = d; return f; }",
          "int add(int x) { switch (x) { case 1: x = 2; case 2: return x; default: return 0; } }",
          "struct S { int a, b; }; int add(int x) { S s = {x}; return s.a; }"})
        CHECK_MESSAGE(warned(body + "\n").empty(), body);
}

TEST_CASE("a function that is owed but not defined is named") {
    CHECK(error_of(head + "int ad(int x) { return x; }\n") ==
          "the function add(int) is called, but none of your files defines it.\nIs its name spelt as in exercise.hpp, "
          "with "
          "the same argument types, and outside any namespace?");
}

TEST_CASE("a compiler that isn't there is the machine's fault") {
    Toolchain toolchain = kit().toolchain;
    toolchain.compiler = "/nowhere/g++";
    CHECK_THROWS_WITH_AS(error_of(head, toolchain),
                         "the C++ compiler /nowhere/g++ can't be started: No such file or directory\n"
                         "To install what the kit needs: ./setup",
                         BuildFault);
    CHECK(toolchain.compiler_version().empty());
}

TEST_CASE("a kit without its own library is not blamed on the student's functions") {
    Toolchain toolchain = kit().toolchain;
    toolchain.library_dir = kit().folder / "nothing-here";
    const std::string missing = (toolchain.library_dir / "libgpu.so").string();
    CHECK_THROWS_WITH_AS(error_of(head + "int add(int x) { return x; }\n", toolchain),
                         ("the kit's own library is missing: " + missing + "\nTo build it: make").c_str(), BuildFault);
}

TEST_CASE("a compiler that crashes is not blamed on the student's line") {
    kit().folder.write("bin/crashing-g++", "#!/bin/sh\nkill -SEGV $$\n");
    fs::permissions(kit().folder / "bin/crashing-g++", fs::perms(0755));
    Toolchain toolchain = kit().toolchain;
    (void)build_exercise(toolchain, kit().manifest, kit().scratch());
    toolchain.compiler = (kit().folder / "bin/crashing-g++").string();
    StudentBuild build(toolchain, kit().manifest, kit().answer(head), kit().scratch());
    CHECK_FALSE(build.compile_sources());
    CHECK(build.result().error == "the compiler was ended by signal 11 (Segmentation fault)");
}

TEST_CASE("an answer that makes the compiler write without end is stopped") {
    CHECK(error_of(head + "asm(\".data\\n.fill 700000000,1,0x41\\n.text\");\nint add(int x) { return x; }\n") ==
          "the compiler was stopped: it was about to write a file of more than 256 MiB");
}

TEST_CASE("for a class libgpu's headers are parsed once, and errors read as ever") {
    Toolchain toolchain = kit().toolchain;
    const test::Folder folder;
    toolchain.student_header = StudentHeader(toolchain, folder / "header").keep();
    if (toolchain.student_header.empty()) return;   // another compiler than g++
    std::ofstream(toolchain.student_header) << "#error not what was kept\n";
    CHECK(error_of(head + "int add(int x) { return x + fake_gpu(); }\n", toolchain).empty());
    const std::string mistake = head + "int add(int x) {\n    int i = threadidx + x;\n    return j;\n}\n";
    CHECK(error_of(mistake, toolchain) == error_of(mistake));
    const std::string in_header = head + "int add(int) {\n\treturn only_int(2.5);\n}\n";
    CHECK(error_of(in_header, toolchain) == error_of(in_header));
    const std::string reads = "#include \"" + (folder / "header/../secret.hpp").string() + "\"\n" + head;
    folder.write("secret.hpp", "#error secret\n");
    CHECK(error_of(reads + "int add(int x) { return x; }\n", toolchain).find("secret\n") == std::string::npos);
}

TEST_CASE("libgpu's headers are kept parsed until they change, or what was kept does") {
    test::FakeKit own;   // of which no other test changes a header
    const StudentHeader header(own.toolchain);
    CHECK(header.kept().empty());
    const fs::path kept = header.keep();
    if (is_clang(own.toolchain)) {
        CHECK(kept.empty());
        return;
    }
    CHECK(kept == own.folder / "build/student-header/gpu.hpp");
    CHECK(header.kept() == kept);
    const fs::file_time_type time = fs::last_write_time(kept.string() + ".gch");
    CHECK(header.keep() == kept);
    CHECK(fs::last_write_time(kept.string() + ".gch") == time);

    std::ofstream(kept.string() + ".gch", std::ios::app) << "damage";
    CHECK(header.kept().empty());
    CHECK(header.keep() == kept);

    own.folder.write("libgpu/include/gpu/more.hpp", "#pragma once\n");
    const StudentHeader changed(own.toolchain);
    CHECK(changed.kept().empty());
    CHECK(changed.keep() == kept);
    CHECK(changed.kept() == kept);

    own.toolchain.gpu_headers = gpu_headers_key(own.toolchain);
    own.folder.write("libgpu/include/gpu/more.hpp", "#pragma once\n// not looked at: the key is there\n");
    CHECK(StudentHeader(own.toolchain).kept() == kept);
    own.toolchain.gpu_headers.clear();

    own.folder.write("libgpu/include/gpu/gpu.hpp", "#error a header that doesn't compile\n");
    CHECK(StudentHeader(own.toolchain).keep().empty());
}
