// SPDX-License-Identifier: MIT
#include "check/support.hpp"

using namespace support;

namespace {

const gpu::RawKernel<void(const float*, float*, int)> add_one(cu(R"(
__global__ void add_one(const float* x, float* z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = x[i] + 1;
}
)"),
                                                              "add_one");

const gpu::RawKernel<void(const float*, float*, int)> past(cu(R"(
__global__ void past(const float* x, float* z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) z[i] = x[i];
}
)"),
                                                           "past");

}  // namespace

TEST_CASE("a correct kernel is clean, and does what it does outside of a check") {
    const auto x = gpu::arange<float>(1000);
    auto z = gpu::empty<float>(gpu::Shape{1000});
    //! [check]
    const gpu::CheckReport report = gpu::check([&] { add_one({.grid = 4, .block = 256}, x, z, 1000); });
    CHECK(report.clean());
    //! [check]
    CHECK(told(report) == "");
    CHECK(gpu::to_host(z)[999] == 1000);
    REQUIRE(report.kernels.size() == 1);
    CHECK(report.kernels[0].work.global_reads == 1000);
    CHECK(report.kernels[0].work.global_writes == 1000);
    CHECK(report.kernels[0].lines.size() == 1);
    CHECK(report.kernels[0].lines[0].line == 4);
    CHECK(report.host.launches == 1);
}

TEST_CASE("an access past the end of an array is reported with index and size, and what comes later goes on") {
    const auto x = gpu::arange<float>(1000);
    auto z = gpu::empty<float>(gpu::Shape{1000});
    bool came_here = false;
    const gpu::CheckReport report = gpu::check([&] {
        past({.grid = 4, .block = 256}, x, z, 1000);
        past({.grid = 4, .block = 256}, x, z, 1000);
        came_here = true;
    });
    CHECK(came_here);
    CHECK(told(report) ==
          "out of bounds: test.cu:4 reads x[1000], just past the end of x (1000 elements of 4 bytes)\n"
          "block (3,0,0), thread (232,0,0)\n"
          "i <= n in line 4 lets i be n, one too many where the first is 0: compare with <\n");
    //! [report]
    std::string findings = report.to_text();        // three lines each
    std::string work = report.table();              // a row for each kernel
    std::string sources = report.annotated();       // the kernels' texts, with counts in the margin
    std::string for_programs = report.to_json();
    std::string_view broken = gpu::sentence(report.findings[0].rule);  // "many threads run one function, ..."
    //! [report]
    CHECK(broken == gpu::sentence(gpu::Rule::many_threads));
    CHECK(findings.find("x[1000]") != std::string::npos);
    CHECK(work.find("past") != std::string::npos);
    CHECK(sources.find("past") != std::string::npos);
    CHECK(for_programs.find("\"clean\"") != std::string::npos);
    CHECK(report.findings[0].times == 2);
}

TEST_CASE("a guard is advised where the thread has no element, else the index is to be looked at") {
    const auto advice = [](const std::string& line, gpu::LaunchConfig launch, gpu::Array<float>& x) {
        const gpu::RawKernel<void(float*)> kernel(cu("__global__ void k(float* x) {\n" + line + "\n}\n"), "k");
        const gpu::CheckReport report = gpu::check([&] { kernel(launch, x); });
        REQUIRE(report.findings.size() == 1);
        return report.findings[0].advice;
    };
    const std::string guard = "leave out the threads that have no element, with a guard such as if (i < n)",
                      index = "this thread has an element of its own, so a guard on that wouldn't help: check how this "
                              "index is computed, and where a loop ends",
                      is_there = " lets this thread through: does it compare each index with its own bound?",
                      has_own = " lets this thread through: check how this index is computed, and what it compares";
    const std::string i = "const int i = blockIdx.x * blockDim.x + threadIdx.x; ",
                      xy = i + "const int j = blockIdx.y * blockDim.y + threadIdx.y; ";
    auto line = gpu::zeros<float>({40});
    CHECK(advice(i + "x[i] = 1;", {.grid = 2, .block = 32}, line) == guard);
    CHECK(advice(i + "x[(i % 40) * 32] = 1;", {.grid = 1, .block = 32}, line) == index);
    CHECK(advice(i + "if (i < 40) x[i * 32] = 1;", {.grid = 2, .block = 32}, line) ==
          "the guard in line 2, i < 40," + has_own);
    CHECK(advice(i + "for (int k = i; k <= 40; k += 8) x[k] = 1;", {.grid = 1, .block = 8}, line) ==
          "k <= 40 in line 2 lets k be 40, one too many where the first is 0: compare with <");
    auto table = gpu::zeros<float>({20, 3});   // 20 rows
    const gpu::Dim3 tile(4, 8);
    CHECK(advice(xy + "if (i < 3 && j < 20) x[j * 20 + i] = 1;", {.grid = {1, 3}, .block = tile}, table) ==
          "x has 20 rows of 3, and this index looks computed with rows of 20: multiply the row by the length of a row, "
          "which is 3");
    CHECK(advice(i + "if (i < 3) for (int r = 0; r < 30; ++r) x[r * 3 + i] = 1;", {.grid = 1, .block = 32}, table) ==
          "the guard in line 2, i < 3, and the loop's condition in line 2, r < 30, let this index through: check how "
          "this index is computed, and what they compare");
    CHECK(advice(xy + "if (i < 20 && j < 3) x[j * 20 + i + 1] = 1;", {.grid = {5, 1}, .block = tile}, table) ==
          "x has 20 rows of 3, and the launch has 20 threads along x and 8 along y: it looks as if rows and columns "
          "are swapped in the launch");
    auto wide = gpu::zeros<float>({3, 20});   // 3 rows
    CHECK(advice(i + "if (i < 3) for (int r = 0; r < 20; ++r) x[r * 20 + i] = 1;", {.grid = 1, .block = 32}, wide) ==
          "the row of this index is 3, and x has 3 rows of 20: it looks as if rows and columns are swapped where the "
          "loop ends");
    CHECK(advice(xy + "if (j < 20) x[j * 3 + i] = 1;", {.grid = {1, 3}, .block = tile}, table) ==
          "the guard in line 2, j < 20," + is_there);
    CHECK(advice(xy + "if (i < 3) x[j * 3 + i] = 1;", {.grid = {1, 3}, .block = tile}, table) ==
          "the guard in line 2, i < 3," + is_there);
    CHECK(advice(i + "x[i * 20] = 1;", {.grid = 1, .block = 32}, table) == guard);   // a row's thread, or none's
    auto fours = gpu::zeros<float>({64});
    const std::string four = "if (i < 64) reinterpret_cast<float4*>(x)[i] = float4{};";
    const std::string parts = "bytes takes 4 elements: make it only where the last of them is there, and take what is "
                              "left one by one";
    CHECK(advice(i + four, {.grid = 1, .block = 32}, fours) ==
          (with_clang() ? guard : "one access of 16 " + parts));
}

TEST_CASE("a guard that is there is told with what it compares") {
    auto x = gpu::zeros<float>({4, 6}), sums = gpu::zeros<float>({2});
    const auto advice = [&](const std::string& body, gpu::LaunchConfig launch = {.grid = 1, .block = 32}) {
        const gpu::RawKernel<void(float*, float*, int, int, float)> kernel(
            cu("__global__ void k(float* x, float* sums, int rows, int columns, float factor) {\n"
               "const int i = blockIdx.x * blockDim.x + threadIdx.x;\n" +
               body + "\n}\n"),
            "k");
        const gpu::CheckReport report = gpu::check([&] { kernel(launch, x, sums, 4, 6, 1.0F); });
        REQUIRE(report.findings.size() == 1);
        return report.findings[0].advice;
    };
    CHECK(advice("if (i > columns) return;\nfor (int r = 0; r < rows; ++r) x[r * columns + i] = factor;") ==
          "i > columns in line 3 lets i be columns, one too many where the first is 0: compare with >=");
    CHECK(advice("if (i < columns) for (int r = 0; r <= rows; ++r) x[r * columns + i] = factor;") ==
          "r <= rows in line 3 lets r be rows, one too many where the first is 0: compare with <");
    CHECK(advice("const float one = i < rows ? sums[i] : factor;\nif (i == 0) x[0] = one;") ==
          "the guard in line 3, i < rows, lets it through: the launch passes 4 as rows, and sums has 2 elements");
    CHECK(advice("if (i >= columns) return;\nif (sums[i] > 0 && i < 2) x[i] = 1;") ==
          "the guard in line 3, i >= columns, lets it through: the launch passes 6 as columns, and sums has 2 "
          "elements");
    CHECK(advice("if (i < rows && sums[i] > 0) x[i] = 1;") ==
          "the guard in line 3, i < rows, lets it through: the launch passes 4 as rows, and sums has 2 elements");
    CHECK(advice("if (threadIdx.x == 0) sums[blockIdx.x] = factor;", {.grid = 5, .block = 32}) ==
          "block 2 has no element here: the launch has 5 blocks along x, and sums has 2 elements");
    CHECK(advice("const float* row = x + blockIdx.x * columns;\n"
                 "for (int c = threadIdx.x; c < columns; c += 32) if (row[c] > 9) sums[0] = 1;",
                 {.grid = 5, .block = 1}) ==
          "block 4 has no row here: the launch has 5 blocks along x, and x has 4 rows of 6");
    CHECK(advice("if (threadIdx.x < 8) sums[i] = factor;") ==
          "leave out the threads that have no element, with a guard such as if (i < n)");
}

TEST_CASE("an address past the end of an array is no access") {
    auto y = gpu::zeros<int>({64});
    const gpu::RawKernel<void(int*)> addresses(cu(R"(
__global__ void addresses(int* y) {
    __shared__ int x[32];
    int own[4] = {1, 2, 3, 4};
    int* at = x + threadIdx.x;
    const int* one = own + (threadIdx.x & 7);
    if (threadIdx.x < 32) *at = threadIdx.x;
    __syncthreads();
    y[threadIdx.x] = threadIdx.x < 4 ? *one + *at : 0;
}
)"),
                                               "addresses");
    CHECK(told(gpu::check([&] { addresses({.grid = 1, .block = 64}, y); })).empty());
    CHECK(gpu::to_host(y(gpu::slice(0, 5))) == std::vector<int>{1, 3, 5, 7, 0});
}

TEST_CASE("generated kernels have a guard of their own") {
    const gpu::Array<float> x = gpu::zeros<float>({3, 40}), w = gpu::zeros<float>({40});
    gpu::Array<float> z = gpu::empty<float>({3, 40});
    const gpu::ElementwiseKernel weighed("float x, raw float w", "float z", "z = x * w[i]", "weighed");
    const gpu::CheckReport report = gpu::check([&] { weighed(x, w, gpu::out(z)); });
    REQUIRE(report.findings.size() == 1);
    CHECK(report.findings[0].advice ==
          "the code runs for elements that exist, so a guard wouldn't help: check how the index into w is computed, "
          "which must stay below 40");
}

TEST_CASE("an access to several elements is told with all of them, whatever the host's alignment is") {
    const auto what = [](int n, const std::string& type) {
        auto x = gpu::zeros<float>({n});
        const gpu::RawKernel<void(float*, int)> kernel(
            cu("__global__ void k(float* x, int n) {\nif (threadIdx.x * 4 < n) reinterpret_cast<" + type +
               "*>(x)[threadIdx.x] = " + type + "{};\n}\n"),
            "k");
        const gpu::CheckReport report = gpu::check([&] { kernel({.grid = 1, .block = 32}, x, n); });
        REQUIRE(report.findings.size() == 1);
        return report.findings[0].what;
    };
    if (with_clang()) {   // two accesses of 8 bytes each, of which the second begins past the end
        CHECK(what(31, "float4").ends_with("writes x[30] to x[31], just past the end of x (31 elements of 4 bytes)"));
        CHECK(what(29, "float4").ends_with("writes x[28] to x[29], just past the end of x (29 elements of 4 bytes)"));
        CHECK(what(1, "float2").ends_with("writes x[1], just past the end of x (1 element of 4 bytes)"));
        return;
    }
    CHECK(what(31, "float4") ==
          "out of bounds: test.cu:2 writes x[28] to x[31], just past the end of x (31 elements of 4 bytes)");
    CHECK(what(29, "float4") ==
          "out of bounds: test.cu:2 writes x[28] to x[31], 3 past the end of x (29 elements of 4 bytes)");
    CHECK(what(1, "float4") ==
          "out of bounds: test.cu:2 writes x[0] to x[3], 3 past the end of x (1 element of 4 bytes)");
    CHECK(what(1, "float2") ==
          "out of bounds: test.cu:2 writes x[0] to x[1], just past the end of x (1 element of 4 bytes)");
}
