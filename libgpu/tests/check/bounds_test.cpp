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
    //! [report]
    CHECK(findings.find("x[1000]") != std::string::npos);
    CHECK(work.find("past") != std::string::npos);
    CHECK(sources.find("past") != std::string::npos);
    CHECK(for_programs.find("\"clean\"") != std::string::npos);
    CHECK(report.findings[0].times == 2);
}
