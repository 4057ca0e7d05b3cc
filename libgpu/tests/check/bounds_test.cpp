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
          "leave out the threads that have no element, with a guard such as if (i < n)\n");
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
                              "index is computed, and where a loop ends";
    const std::string i = "const int i = blockIdx.x * blockDim.x + threadIdx.x; ",
                      xy = i + "const int j = blockIdx.y * blockDim.y + threadIdx.y; ";
    auto line = gpu::zeros<float>({40});
    CHECK(advice(i + "x[i] = 1;", {.grid = 2, .block = 32}, line) == guard);
    CHECK(advice(i + "if (i < 40) x[i * 32] = 1;", {.grid = 2, .block = 32}, line) == index);
    CHECK(advice(i + "for (int k = i; k <= 40; k += 8) x[k] = 1;", {.grid = 1, .block = 8}, line) == index);
    auto table = gpu::zeros<float>({20, 3});   // 20 rows
    const gpu::Dim3 tile(4, 8);
    CHECK(advice(xy + "if (i < 3 && j < 20) x[j * 20 + i] = 1;", {.grid = {1, 3}, .block = tile}, table) ==
          "x has 20 rows of 3, and this index looks computed with rows of 20: multiply the row by the length of a row, "
          "which is 3");
    CHECK(advice(i + "if (i < 3) for (int r = 0; r < 30; ++r) x[r * 3 + i] = 1;", {.grid = 1, .block = 32}, table) ==
          index);
    CHECK(advice(xy + "if (i < 20 && j < 3) x[j * 20 + i + 1] = 1;", {.grid = {5, 1}, .block = tile}, table) ==
          "x has 20 rows of 3, and the launch has 20 threads along x and 8 along y: it looks as if rows and columns "
          "are swapped in the launch");
    auto wide = gpu::zeros<float>({3, 20});   // 3 rows
    CHECK(advice(i + "if (i < 3) for (int r = 0; r < 20; ++r) x[r * 20 + i] = 1;", {.grid = 1, .block = 32}, wide) ==
          "the row of this index is 3, and x has 3 rows of 20: it looks as if rows and columns are swapped where the "
          "loop ends");
    CHECK(advice(xy + "if (j < 20) x[j * 3 + i] = 1;", {.grid = {1, 3}, .block = tile}, table) == guard);
    CHECK(advice(xy + "if (i < 3) x[j * 3 + i] = 1;", {.grid = {1, 3}, .block = tile}, table) == guard);
    CHECK(advice(i + "x[i * 20] = 1;", {.grid = 1, .block = 32}, table) == guard);   // a row's thread, or none's
    auto fours = gpu::zeros<float>({64});
    const std::string four = "if (i < 64) reinterpret_cast<float4*>(x)[i] = float4{};";
    CHECK(advice(i + four, {.grid = 1, .block = 32}, fours) == guard);
}
