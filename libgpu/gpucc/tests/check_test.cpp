// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <iterator>
#include <string>

#include <nlohmann/json.hpp>

#include "driver_run.hpp"

// gpucc --check: what check mode finds in a whole program, in CUDA's words.
namespace gpucc_test {

namespace {

struct Planted {
    const char* name;
    const char* text;
    const char* expected[3];
};

constexpr Planted planted[] = {
    {"past the end",
     R"(__global__ void k(int* p, int n) {
    int i = threadIdx.x;
    if (i <= n) p[i] = i;
}
int main() {
    int* d;
    cudaMalloc(&d, 40);
    k<<<1, 32>>>(d, 10);
    cudaDeviceSynchronize();
    cudaFree(d);
    return 7;
}
)",
     {"prog.cu:3", "out of bounds", "p"}},
    {"a missing barrier",
     R"(__global__ void k(int* p) {
    __shared__ int s[64];
    s[threadIdx.x] = p[threadIdx.x];
    p[threadIdx.x] = s[63 - threadIdx.x];
}
int main() {
    int* d;
    cudaMalloc(&d, 64 * sizeof(int));
    cudaMemset(d, 0, 64 * sizeof(int));
    k<<<1, 64>>>(d);
    cudaDeviceSynchronize();
    return 7;
}
)",
     {"prog.cu:4", "no barrier between", "__syncthreads()"}},
    {"memory that nobody has written",
     R"(__global__ void k(const int* p, int* q) { q[threadIdx.x] = p[threadIdx.x]; }
int main() {
    int *d, *e;
    cudaMalloc(&d, 64);
    cudaMalloc(&e, 64);
    k<<<1, 16>>>(d, e);
    cudaDeviceSynchronize();
    return 7;
}
)",
     {"prog.cu:1", "uninitialised", "cudaMemset()"}},
    {"a host pointer",
     R"(#include <cstdlib>
__global__ void k(int* p) { p[threadIdx.x] = 1; }
int main() {
    int* h = (int*)malloc(64);
    k<<<1, 16>>>(h);
    cudaDeviceSynchronize();
    return 7;
}
)",
     {"prog.cu:2", "points to host memory", "cudaMalloc()"}},
    {"host code that reads device memory",
     R"(#include <cstdio>
int main() {
    int* d;
    cudaMalloc(&d, 64);
    cudaMemset(d, 0, 64);
    printf("%d\n", d[3]);
    return 7;
}
)",
     {"prog.cu:6", "host code reads device memory", "cudaMemcpy("}},
    {"a race between blocks",
     R"(__global__ void k(int* p) { *p += 1; }
int main() {
    int* d;
    cudaMalloc(&d, 4);
    cudaMemset(d, 0, 4);
    k<<<4, 1>>>(d);
    cudaDeviceSynchronize();
    return 7;
}
)",
     {"prog.cu:1", "lost update", "atomicAdd"}},
    {"streams without an event",
     R"(__global__ void k(int* p) { p[threadIdx.x] += 1; }
int main() {
    int* d;
    cudaMalloc(&d, 64);
    cudaMemset(d, 0, 64);
    cudaStream_t a, b;
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    k<<<1, 16, 0, a>>>(d);
    k<<<1, 16, 0, b>>>(d);
    cudaDeviceSynchronize();
    return 7;
}
)",
     {"prog.cu:1", "stream", "cudaStreamWaitEvent"}},
};

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("planted mistakes are found at their lines, and the program's exit code stays") {
    for (const Planted& one : planted) {
        CAPTURE(one.name);
        const Built built(one.text, "-g");
        REQUIRE(built.is_there());
        const ProcessResult checked = run(GPUCC_DRIVER " --check " + built.program);
        CAPTURE(checked.output);
        CHECK(checked.code == 7);
        for (const char* const part : one.expected) CHECK(holds(checked.output, part));
        CHECK(!holds(checked.output, "gpu::"));
        CHECK(run(GPUCC_DRIVER " --check --check-exit-code 9 " + built.program).code == 9);
    }
}

TEST_CASE("counts as a table, and everything as JSON") {
    const Built built(planted[1].text);
    REQUIRE(built.is_there());
    const std::string counts = run(GPUCC_DRIVER " --counts " + built.program).output;
    CHECK(holds(counts, "k"));
    CHECK(holds(counts, "launches"));
    const std::string json = run("GPUCC_CHECK=1 GPUCC_JSON=- " + built.program + " 2>/dev/null").output;
    CHECK(json.front() == '{');
    CHECK(holds(json, "\"findings\""));
    CHECK(holds(json, "prog.cu"));
}

TEST_CASE("calls that are refused, and launches that nobody asks about, are in the list of findings as well") {
    const Built built(R"(#include <cstdlib>
__global__ void k(int* p) { p[threadIdx.x] = 1; }
int main() {
    int h[16] = {}, *d, *e;
    cudaMalloc(&d, 64);
    cudaMalloc(&e, 64);
    cudaMemcpy(d, h, 640, cudaMemcpyHostToDevice);
    for (int i = 0; i < 3; ++i) cudaMemcpy(h, d, 64, cudaMemcpyHostToDevice);
    cudaFree(e);
    cudaMemcpy(e, h, 64, cudaMemcpyHostToDevice);
    cudaMemset(e, 0, 64);
    cudaFree(e);
    cudaFree(h);
    int* host = (int*)malloc(64);
    k<<<1, 16>>>(host);
    cudaDeviceReset();
    k<<<1, 2048>>>(d);
    void* too_large = nullptr;
    cudaMalloc(&too_large, size_t(1) << 60);
    return 3;
}
)");
    REQUIRE(built.is_there());
    const std::string told = run(GPUCC_DRIVER " --check " + built.program).output;
    CAPTURE(told);
    CHECK(holds(told, "prog.cu:7: cudaMemcpy: it copies 640 bytes"));
    CHECK(holds(told, "gpucc: check mode found 8 mistakes, 7 of them reported above\n"));
    CHECK(run(GPUCC_DRIVER " --check --check-exit-code 9 " + built.program).code == 9);
    const auto json = nlohmann::json::parse(run(GPUCC_DRIVER " --json " + built.program + " 2>/dev/null").output);
    CHECK(json["exit_code"] == 3);
    CHECK(json["clean"] == false);
    struct Expected {
        const char* kind;
        int line, times;
    };
    const Expected expected[] = {{"wrong copy", 7, 1},     {"wrong copy", 8, 3},    {"use after free", 10, 1},
                                 {"use after free", 11, 1}, {"double free", 12, 1}, {"wrong free", 13, 1},
                                 {"failed launch", 17, 1},  {"host pointer", 2, 1}};
    REQUIRE(json["findings"].size() == std::size(expected));
    for (std::size_t k = 0; k < std::size(expected); ++k) {
        const auto& found = json["findings"][k];
        CAPTURE(found.dump());
        CHECK(found["kind"] == expected[k].kind);
        CHECK(found["line"] == expected[k].line);
        CHECK(found["times"] == expected[k].times);
        CHECK(holds(found["file"].get<std::string>(), "prog.cu"));
        for (const char* const member : {"kernel", "variable", "what", "who", "advice", "rule"})
            CHECK(found.contains(member));
        CHECK(found["advice"].get<std::string>().find("gpu::") == std::string::npos);
    }
    CHECK(json["findings"][6]["kernel"] == "k");
}

TEST_CASE("a program that checks nothing wrong has no misuse: errors that it asks for are its own") {
    const Built built(R"(__global__ void k() {}
int main() {
    void* too_large = nullptr;
    if (cudaMalloc(&too_large, size_t(1) << 60) != cudaErrorMemoryAllocation) return 1;
    if (cudaSetDevice(1000) != cudaErrorInvalidDevice) return 2;
    cudaGetLastError();
    k<<<1, 2048>>>();
    return cudaGetLastError() == cudaSuccess ? 3 : 0;
}
)");
    REQUIRE(built.is_there());
    const ProcessResult checked = run(GPUCC_DRIVER " --check " + built.program);
    CHECK(checked.code == 0);
    CHECK(holds(checked.output, "gpucc: check mode found no mistakes\n"));
}

TEST_CASE("each of check mode's variables turns it on, and 0 turns none on") {
    const Built built(planted[1].text);
    REQUIRE(built.is_there());
    CHECK(holds(run("GPUCC_COUNTS=1 " + built.program).output, "launches"));
    CHECK(run("GPUCC_JSON=- " + built.program + " 2>/dev/null").output.starts_with("{"));
    CHECK(run("GPUCC_CHECK=0 GPUCC_COUNTS=0 GPUCC_LEAKS=0 " + built.program).output == "");
    for (const char* const code : {"0", "256", "x", "-1", "1x"})
        CHECK(holds(run(GPUCC_DRIVER " --check --check-exit-code " + std::string(code) + " " + built.program).output,
                    "--check-exit-code takes a number from 1 to 255, not " + std::string(code)));
}

}  // namespace gpucc_test
