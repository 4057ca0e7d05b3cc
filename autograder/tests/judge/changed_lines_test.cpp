// SPDX-License-Identifier: MIT
// What counts as a changed line: statements, not what they look like.
#include "judge/work/changed_lines.hpp"

#include <doctest/doctest.h>

#include <string>

using course::changed_lines, course::ChangedLines;

namespace {

const std::string stub =
    "__global__ void add(float* z, int n) {\n"
    "    // TODO: one mistake\n"
    "    const int i = threadIdx.x;\n"
    "    for (int k = 0; k < n; ++k) {\n"
    "        z[i] = k;\n"
    "        z[k] = i;\n"
    "    }\n"
    "}\n";

std::string with(const std::string& old, const std::string& now) {
    std::string text = stub;
    return text.replace(text.find(old), old.size(), now);
}

using Lines = std::vector<int>;

}  // namespace

TEST_CASE("an answer that equals its stub but for comments, white space and lone braces changes nothing") {
    CHECK(changed_lines(stub, stub).count == 0);
    CHECK(changed_lines(stub, with("    // TODO: one mistake\n", "")).count == 0);
    CHECK(changed_lines(stub, with("z[i] = k;", "z[i]=k; // why; not { really")).count == 0);
    CHECK(changed_lines(stub, with("z[i] = k;", "/* a = b;\n c */ z[i] =\n    k\n;")).count == 0);
    CHECK(changed_lines(stub, with("z[i] = k;", "{ z[i] = k; }")).count == 0);
    CHECK(changed_lines(stub, with("z[i] = k;\n        z", "z[i] = k; z")).count == 0);
    CHECK(changed_lines("", "").count == 0);
}

TEST_CASE("a line that is replaced, added or removed is one") {
    const ChangedLines replaced = changed_lines(stub, with("z[i] = k;", "z[i] = k + 1;"));
    CHECK(replaced.count == 1);
    CHECK(replaced.changed == Lines{5});
    CHECK(replaced.removed == 0);

    const ChangedLines added = changed_lines(stub, with("z[k] = i;\n", "z[k] = i;\n        __syncthreads();\n"));
    CHECK(added.count == 1);
    CHECK(added.changed == Lines{7});

    const ChangedLines removed = changed_lines(stub, with("        z[k] = i;\n", ""));
    CHECK(removed.count == 1);
    CHECK(removed.changed.empty());
    CHECK(removed.removed == 1);

    CHECK(changed_lines(stub, with("const int i", "int const i")).count == 1);
    CHECK(changed_lines(stub, with("k < n", "k <= n")).changed == Lines{4});
}

TEST_CASE("a statement that moves is removed here and added there") {
    const ChangedLines moved = changed_lines("a();\nb();\nc();\nd();\n", "b();\nc();\nd();\na();\n");
    CHECK(moved.count == 2);
    CHECK(moved.changed == Lines{4});
    CHECK(moved.removed == 1);
}

TEST_CASE("several statements on one line count each, one over several lines counts once") {
    CHECK(changed_lines(stub, with("z[i] = k;", "int a = 1; int b = 2; z[i] = a + b;")).count == 3);
    CHECK(changed_lines(stub, with("z[i] = k;", "if (a) { b(); c(); } else { d(); }")).count == 5);
    CHECK(changed_lines(stub, with("z[i] = k;", "z[i] = k +\n  1 +\n  2;")).count == 1);
    CHECK(changed_lines(stub, with("z[i] = k;", "for (int a = 0; a < 2; ++a) z[i] = k;")).count == 1);
    CHECK(changed_lines(stub, with("z[i] = k;", "run([&] { a(); b(); });")).count == 3);
}

TEST_CASE("braces of values, strings, and directives belong to one line") {
    CHECK(changed_lines(stub, with("z[i] = k;", "int a[] = {1, 2, 3};")).count == 1);
    CHECK(changed_lines(stub, with("z[i] = k;", "add({.grid = {1, 2}, .block = Dim3{3, 4}}, z);")).count == 1);
    CHECK(changed_lines(stub, with("z[i] = k;", "print(\"a; b; { // \\\" ;\", ';', '{');")).count == 1);
    CHECK(changed_lines(stub, with("z[i] = k;", "print(R\"(a;\nb; \" { ;)\");")).count == 1);
    CHECK(changed_lines(stub, with("z[i] = k;", "z[i] = 1'000'000;")).count == 1);
    CHECK(changed_lines(stub, "#define N 3  // how many\n#define M 4\n" + stub).changed == Lines{1, 2});
    CHECK(changed_lines("#define  N 3\n" + stub, "#define N 3 // more\n" + stub).count == 0);
}

TEST_CASE("the fewest lines are counted, and words stay apart") {
    CHECK(changed_lines("a;b;c;d;e;", "a;x;c;y;e;").count == 2);
    CHECK(changed_lines("a;b;c;d;e;", "b;c;d;").count == 2);
    CHECK(changed_lines("a;b;", "c;d;e;f;g;").count == 5);
    CHECK(changed_lines("int a;", "inta;").count == 1);
    CHECK(changed_lines(stub, "").count == 5);
    CHECK(changed_lines(stub, "").removed == 5);
    CHECK(changed_lines("", stub).count == 5);
}

TEST_CASE("text that is cut off, or very long, is counted all the same") {
    CHECK(changed_lines(stub, stub + "/* never closed").count == 0);
    CHECK(changed_lines(stub, stub + "\"never closed").count == 1);
    CHECK(changed_lines(stub, stub + "R\"(never closed").count == 1);
    CHECK(changed_lines(stub, stub + "}}})))").count == 0);
    std::string many, others;
    for (int k = 0; k < 6000; ++k) many += "a;", others += "b;";
    CHECK(changed_lines(many, others).count == 6000);
    CHECK(changed_lines(stub, stub + many).count == 6000);
    std::string digits = "a = 0";
    for (int k = 0; k < 500'000; ++k) digits += "'0";   // each mark is looked at once
    CHECK(changed_lines(stub, stub + digits + ";").count == 1);
}
