// SPDX-License-Identifier: MIT
#include "author/mutate/mutants.hpp"

#include <algorithm>
#include <set>

#include <doctest/doctest.h>

using namespace course;

namespace {

/// What an operator makes of a student's part: the parts it makes, in order.
std::vector<std::string> made(const std::string& made_by, const std::string& part) {
    const std::string head = "__global__ void kernel(float* x, int n, int rows, int columns) {\n"
                             "// ---- your code (1 line) ----\n";
    const std::string tail = "\n// ---- end ----\n}\n";
    const std::string text = head + part + tail;
    std::vector<std::string> parts;
    for (const Mutant& one : mutants_of("solution", "kernel.cu", text)) {
        const std::string changed = one.text(text);
        REQUIRE(changed.starts_with(head));
        REQUIRE(changed.ends_with(tail));
        if (one.made_by != made_by) continue;
        parts.push_back(changed.substr(head.size(), changed.size() - head.size() - tail.size()));
    }
    return parts;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("each operator makes its mistake") {
    CHECK(made("relation", "if (i < n) x[i] = a<b>(0);") == Texts{"if (i <= n) x[i] = a<b>(0);"});
    CHECK(made("relation", "y = a >= b;") == Texts{"y = a > b;"});
    CHECK(made("bound", "for (int i = 0; i < n; ++i) f();") == Texts{"for (int i = 0; i < n - 1; ++i) f();"});
    CHECK(made("bound", "y = k <= n / 2 && m > 1;") ==
          Texts{"y = k <= n / 2 + 1 && m > 1;", "y = k <= n / 2 && m > 1 + 1;"});
    CHECK(made("guard dropped", "if (row < n && column < m) a = 1; b = 2;") ==
          Texts{"a = 1; b = 2;", "if (row < n) a = 1; b = 2;", "if (column < m) a = 1; b = 2;"});
    CHECK(made("guard dropped", "if (i >= n) return;\nf();") == Texts{";\nf();"});
    CHECK(made("guard dropped", "y = i < n ? x[i] : 0;") == Texts{"y = x[i];"});
    CHECK(made("guard dropped", "if (a) { f(); } else { g(); }") == Texts{"{ f(); }"});
    CHECK(made("barrier dropped", "f(); __syncthreads(); g();") == Texts{"f(); ; g();"});
    CHECK(made("barrier in a branch", "if (t < 3) f();\n__syncthreads();") ==
          Texts{"if (t < 3) { f(); __syncthreads(); }", "if (t < 3) f();\nif (threadIdx.x < 16) __syncthreads();"});
    CHECK(made("axes swapped", "y = threadIdx.x + part.x;") == Texts{"y = threadIdx.y + part.x;"});
    CHECK(made("axes swapped", "tile[y][x] = 0;") == Texts{"tile[x][y] = 0;"});
    CHECK(made("axes swapped", "f(row, column);") == Texts{"f(column, column);", "f(row, row);"});
    CHECK(made("axes swapped", "row = column;") == Texts{"row = row;"});
    CHECK(made("axes swapped", "f(row);").empty());   // no such name in this function
    CHECK(made("extent", "y = rows;") == Texts{"y = columns;"});
    CHECK(made("index shifted", "f([&] { x[i] = 0; });") ==
          Texts{"f([&] { x[i + 1] = 0; });", "f([&] { x[i - 1] = 0; });"});
    CHECK(made("constant", "y = 128 + 1.5f;") == Texts{"y = 129 + 1.5f;", "y = 64 + 1.5f;", "y = 128 + (1 + 1.5f);"});
    CHECK(made("constant", "y = -INFINITY;") == Texts{"y = -0;"});
    // A declared array becomes shorter only; in its rows, places more can matter.
    CHECK(made("index shifted", "int own[8];") == Texts{"int own[8 - 1];"});
    CHECK(made("index shifted", "else own[8] = 0;").size() == 2);
    CHECK(made("constant", "int own[8 + 8 / 4];") ==
          Texts{"int own[4 + 8 / 4];", "int own[8 + 4 / 4];", "int own[8 + 8 / 5];"});
    CHECK(made("constant", "gpu::Pinned<float> wide[2][8];") ==
          Texts{"gpu::Pinned<float> wide[1][8];", "gpu::Pinned<float> wide[2][9];", "gpu::Pinned<float> wide[2][4];"});
    CHECK(made("constant", "own[8] = k;") == Texts{"own[9] = k;", "own[4] = k;"});
    CHECK(made("assignment", "sum += x[0];") == Texts{"sum = x[0];"});
    CHECK(made("assignment", "atomicAdd(&sum[k], f(a, b));") == Texts{"(*(&sum[k]) = f(a, b));"});
    CHECK(made("rounded down", "y = (n + 4 * 256 - 1) / (4 * 256);") == Texts{"y = (n) / (4 * 256);"});
    CHECK(made("double literal", "y = 0.25f * x[0];") == Texts{"y = 0.25 * x[0];"});
    CHECK(made("shape transposed", "kernel({.grid = {f(a, b), c}, .block = {d, e}}, x);") ==
          Texts{"kernel({.grid = {c, f(a, b)}, .block = {d, e}}, x);",
                "kernel({.grid = {f(a, b), c}, .block = {e, d}}, x);"});
    CHECK(made("copy or wait dropped", "f(); gpu::synchronize(); first.wait(done);") ==
          Texts{"f(); ; first.wait(done);", "f(); gpu::synchronize(); ;"});
}

TEST_CASE("the work of all is left to one block, and without a barrier to one warp or one thread, too") {
    const Texts three = made("done by few",
                             "const int i = blockIdx.x * 256 + threadIdx.x;\nif (i >= n) return;\nx[i] = 0;");
    REQUIRE(three.size() == 3);
    CHECK(three[0].find("const int i = own_block.x * 256 + threadIdx.x;") != std::string::npos);
    CHECK(three[1].find("const int i = blockIdx.x * 256 + own_thread.x;") != std::string::npos);
    CHECK(three[1].find("own_rank < 1)") != std::string::npos);
    CHECK(three[2].find("own_rank < 32)") != std::string::npos);
    const Texts one = made("done by few", "f();\n__syncthreads();\ng();");
    REQUIRE(one.size() == 1);
    CHECK(one[0].ends_with("}(); __syncthreads(); }"));
    CHECK(made("done by few", "for (int k = 0; k < 3; ++k) {").empty());   // no whole statement
}

TEST_CASE("comments, directives and what is given are left alone; kernels in strings are not") {
    CHECK(mutants_of("solution", "a.cu", "void f() {\n// ---- your code ----\n// i < 3\n#define N 4\n/* 5 */\n"
                                         "// ---- end ----\ng(6 < 7);\n}\n").empty());
    CHECK(made("constant", "kernel(\"z = 25.4f * x\");") == Texts{"kernel(\"z = (1 + 25.4f) * x\");"});
    CHECK(made("relation", "kernel(R\"(if (x > t) z = x;)\");") == Texts{"kernel(R\"(if (x >= t) z = x;)\");"});
    const std::vector<Mutant> whole = mutants_of("solution", "a.cpp", "const int n = 3;\nint f() { return 5; }\n");
    REQUIRE(whole.size() == 2);   // a file without marks is the student's, but for what stands outside its functions
    CHECK(whole[0].after == "int f() { return 6; }");
}

TEST_CASE("a mutant knows its line and its star, and keeps its key when other lines change") {
    const std::string text = "// ---- your code ----\na += 1;\n// ---- end ----\n"
                             "// ---- your code, star fast (1 line) ----\na += 2;  // two\na += 2;\n// ---- end ----\n";
    const auto assignments = [](const std::string& file) {
        std::vector<Mutant> all = mutants_of("solution", "a.cu", file);
        std::erase_if(all, [](const Mutant& one) { return one.made_by != "assignment"; });
        return all;
    };
    const std::vector<Mutant> all = assignments(text), later = assignments("// a line more\n" + text);
    REQUIRE(all.size() == 3);
    REQUIRE(later.size() == 3);
    CHECK_FALSE(all[0].star);
    CHECK(all[1].star == "fast");
    CHECK(all[1].line == 5);
    CHECK(all[1].before == "a += 2;");
    CHECK(all[1].after == "a = 2;");
    CHECK(all[2].occurrence == 2);
    std::set<std::string> keys;
    for (std::size_t k = 0; k < all.size(); ++k) {
        CHECK(all[k].key == later[k].key);
        CHECK(later[k].line == all[k].line + 1);
        keys.insert(all[k].key);
    }
    CHECK(keys.size() == 3);
}
