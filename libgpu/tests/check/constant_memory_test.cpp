// SPDX-License-Identifier: MIT
#include "check/support.hpp"

using namespace support;

TEST_CASE("a kernel that writes constant memory is reported, and goes on") {
    const gpu::RawKernel<void(float*)> scaled(cu(R"(
__constant__ float scale[2] = {2.0f, 3.0f};
__global__ void scaled(float* y) {
    if (threadIdx.x == 1) scale[1] = 4.0f;
    y[threadIdx.x] = scale[0];
}
)"),
                                              "scaled");
    auto y = gpu::zeros<float>(32);
    const gpu::CheckReport report = gpu::check([&] {
        scaled({.grid = 1, .block = 32}, y);
        scaled({.grid = 1, .block = 32}, y);
    });
    CHECK(told(report) ==
          "constant write: test.cu:4 writes scale[1], which is __constant__\n"
          "block (0,0,0), thread (1,0,0)\n"
          "constant memory is written by the host, before the launch: module.symbol<float>(\"scale\").copy_from(...), "
          "of a gpu::RawModule; for a kernel's own results take __device__\n");
    REQUIRE(report.findings.size() == 1);
    CHECK(report.findings[0].kind == gpu::FindingKind::constant_write);
    CHECK(report.findings[0].variable == "scale");
    CHECK(report.findings[0].times == 2);
    CHECK(gpu::to_host(y).back() == 2.0f);
}

TEST_CASE("constant memory that a kernel writes through a pointer or by an atomic is reported for each line") {
    const gpu::RawKernel<void(int*)> counts(cu(R"(
namespace given { __constant__ int table[32]; }
static __constant__ int total;
__device__ void set(int* where, int value) { *where = value; }
__global__ void counts(int* y) {
    set(given::table + threadIdx.x, 1);
    atomicAdd(&total, 1);
    y[threadIdx.x] = 1;
}
)"),
                                            "counts");
    auto y = gpu::zeros<int>(32);
    const gpu::CheckReport report = gpu::check([&] { counts({.grid = 1, .block = 32}, y); });
    REQUIRE(report.findings.size() == 2);
    CHECK(report.findings[0].variable == "table");
    CHECK(report.findings[0].times == 32);
    CHECK(report.findings[1].variable == "total");
    CHECK(report.findings[1].line == 7);
}

TEST_CASE("constant memory that nobody has set is reported where it is read") {
    const std::string text = R"(
__constant__ float factor[4];
namespace given { static __constant__ int shift; }
__constant__ int by_declaration[2] = {};
__constant__ int braces[2]{1, 2};
__global__ void multiply(float* y) {
    int t = threadIdx.x;
    y[t] = factor[t % 4] + by_declaration[t % 2] + braces[t % 2];
    y[t] += given::shift;
}
)";
    auto y = gpu::zeros<float>(32);
    const gpu::RawKernel<void(float*)> alone(cu(text), "multiply");
    const gpu::CheckReport report = gpu::check([&] { alone({.grid = 1, .block = 32}, y); });
    CHECK(told(report) ==
          "uninitialised: test.cu:8 reads factor[0], which nothing has written\n"
          "block (0,0,0), thread (0,0,0)\n"
          "a __constant__ variable without a value is 0 until the host sets it, before the launch: "
          "module.symbol<float>(\"factor\").copy_from(...), of a gpu::RawModule\n"
          "uninitialised: test.cu:9 reads shift, which nothing has written\n"
          "block (0,0,0), thread (0,0,0)\n"
          "a __constant__ variable without a value is 0 until the host sets it, before the launch: "
          "module.symbol<int>(\"shift\").copy_from(...), of a gpu::RawModule\n");

    // Set before the check, with the module's other form, or during it.
    const gpu::RawModule module(cu(text));
    const auto multiply = module.kernel<void(float*)>("multiply");
    module.symbol<float>("factor").copy_from({1, 2, 3, 4});
    multiply({.grid = 1, .block = 32}, y);
    const gpu::CheckReport half = gpu::check([&] { multiply({.grid = 1, .block = 32}, y); });
    REQUIRE(half.findings.size() == 1);
    CHECK(half.findings[0].variable == "shift");
    const gpu::CheckReport whole = gpu::check([&] {
        module.symbol<int>("given::shift").copy_from({5});
        multiply({.grid = 1, .block = 32}, y);
    });
    CHECK(told(whole).empty());
    CHECK(gpu::to_host(y)[3] == 4 + 2 + 5);
}

TEST_CASE("constant memory that the host writes, and device variables, are no mistake") {
    const gpu::RawModule module(cu(R"(
__constant__ float factor[4];
__device__ float last;
__global__ void multiply(float* y) {
    y[threadIdx.x] = factor[threadIdx.x % 4];
    if (threadIdx.x == 0) last = y[0];
}
)"));
    const auto multiply = module.kernel<void(float*)>("multiply");
    auto y = gpu::zeros<float>(32);
    const gpu::CheckReport report = gpu::check([&] {
        module.symbol<float>("factor").copy_from({1, 2, 3, 4});
        multiply({.grid = 1, .block = 32}, y);
    });
    CHECK(told(report).empty());
    CHECK(gpu::to_host(y)[31] == 4.0f);
}
