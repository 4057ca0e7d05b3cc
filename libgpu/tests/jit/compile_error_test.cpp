// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "jit/compile_error.hpp"
#include "jit/mistakes.hpp"

using namespace gpu::detail;

namespace {

const KernelSource source{.name = "add",
                          .text =
                              "void prelude();\n"
                              "#line 1 \"raw_add.cu\"\n"
                              "__global__ void add(float* x) {\n"
                              "    int i = threadidx.x;\n"
                              "}\n"
                              "#line 1 \"libgpu\"\n"
                              "void rest();\n",
                          .entries = {"add"},
                          .options = {}};

const char* const explained =
    "kernel add does not compile\n"
    "raw_add.cu:2:13: error: threadidx is not declared\n"
    " 1 | __global__ void add(float* x) {\n"
    " 2 |     int i = threadidx.x;\n"
    "   |             ^\n"
    " 3 | }\n"
    "help: did you mean threadIdx?";

}  // namespace

TEST_CASE("lines of the learner's text are found through #line") {
    const SourceMap map(source);
    const auto text = [&](const char* file, int line) {
        const auto index = map.find(file, line);
        return index ? map.lines()[*index].text : "none";
    };
    CHECK(text("raw_add.cu", 2) == "    int i = threadidx.x;");
    CHECK(text("libgpu", 1) == "void rest();");
    CHECK(text("raw_add.cu", 9) == "none");
    CHECK_FALSE(map.lines()[*map.find("raw_add.cu", 2)].ours);
    CHECK(map.lines()[*map.find("libgpu", 1)].ours);
}

TEST_CASE("an error of NVRTC becomes place, line and caret") {
    const std::string log =
        "raw_add.cu(2): error: identifier \"threadidx\" is undefined\n"
        "      int i = threadidx.x;\n"
        "              ^\n\n1 error detected in the compilation of \"add\".\n";
    CHECK(explain_compile_failure(source, {log}) == explained);
}

TEST_CASE("an error of g++ or clang becomes the same, notes and later errors are left out") {
    const std::string log =
        "raw_add.cu: In function 'void add(float*)':\n"
        "raw_add.cu:2:13: error: 'threadidx' was not declared in this scope\n"
        "raw_add.cu:3:1: error: something else\n";
    CHECK(explain_compile_failure(source, {log}) == explained);
}

TEST_CASE("a log without a place is given whole") {
    CHECK(explain_compile_failure(source, {"ld: no\n"}) == "kernel add does not compile\nld: no\n");
}

TEST_CASE("a wrong signature and a missing kernel are said in words") {
    using Kind = Unresolved::Kind;
    KernelSource empty = source;
    empty.text.clear();
    CHECK(explain_compile_failure(empty, {.log = "", .unresolved = {Kind::no_kernel, "add", "mul, adds"}}) ==
          "kernel add does not compile\n"
          "no kernel named add; the source defines: mul, adds\nhelp: did you mean adds?");
    CHECK(explain_compile_failure(source, {.log = "", .unresolved = {Kind::signature, "(float*)", "(int n)"}}) ==
          "kernel add does not compile\n"
          "its parameters are not those that the C++ code declares: expected (float*), the source has (int n)");
    CHECK(explain_compile_failure(empty, {.log = "", .unresolved = {Kind::no_kernel, "add", "mul, sub"}}) ==
          "kernel add does not compile\n"
          "no kernel named add; the source defines: mul, sub");
}

TEST_CASE("a bracket that is never closed is shown, not the place where the text has ended") {
    KernelSource open = source;
    open.text =
        "void prelude() {\n"
        "#line 7 \"raw_add.cu\"\n"
        "__global__ void add(float* x) {  // not this one: {\n"
        "    /* ( */ if (x[0] == '(') {\n"
        "        x[0] = \"[{\"[1];\n"
        "}\n"
        "#line 1 \"libgpu:entry\"\n"
        "}\n";
    const char* const expected =
        "kernel add does not compile\n"
        "raw_add.cu:8:30: error: this { is never closed: a } is missing\n"
        " 7 | __global__ void add(float* x) {  // not this one: {\n"
        " 8 |     /* ( */ if (x[0] == '(') {\n"
        "   |                              ^\n"
        " 9 |         x[0] = \"[{\"[1];";
    for (const char* const log :
         {"libgpu:entry:1:1: error: expected unqualified-id before string constant\n",
          "raw_add.cu:10:2: error: expected '}' at end of input\n", "raw_add.cu(11): error: expected a \"}\"\n"})
        CHECK(explain_compile_failure(open, {log}) == expected);
    CHECK(explain_compile_failure(source, {"raw_add.cu:3:2: error: expected '}' at end of input\n"}) ==
          "kernel add does not compile\nraw_add.cu:3:2: error: expected '}' at end of input\n"
          " 2 |     int i = threadidx.x;\n 3 | }\n   |  ^");
}

TEST_CASE("an entry that g++ or clang refuses is explained by the source's own kernels") {
    KernelSource refused = source;
    refused.unresolved = {Unresolved::Kind::no_kernel, "add", "mul, sub"};
    CHECK(explain_compile_failure(refused, {"libgpu:signature:1:47: error: 'add' was not declared in this scope\n"}) ==
          "kernel add does not compile\n"
          "no kernel named add; the source defines: mul, sub");
    CHECK(explain_compile_failure(refused, {"libgpu:entry:1:60: error: use of undeclared identifier 'add'\n"}) ==
          "kernel add does not compile\n"
          "no kernel named add; the source defines: mul, sub");
    const std::string own =
        "raw_add.cu:2:13: error: use of undeclared identifier 'threadidx'\n"
        "libgpu:signature:1:47: error: 'add' was not declared in this scope\n";
    CHECK(explain_compile_failure(refused, {own}) == explained);
}
