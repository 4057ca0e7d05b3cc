// SPDX-License-Identifier: MIT
#ifdef GPU_WITH_CUDA
#include <doctest/doctest.h>

#include "cuda/compile/skeletons.hpp"
#include "jit/compile_error.hpp"
#include "texts.hpp"
#include "with_nvrtc.hpp"

using namespace gpu::detail;
using namespace gpu::detail::cuda;

namespace {

bool has(const std::string& log, const std::string& text) { return log.find(text) != std::string::npos; }

}  // namespace

TEST_CASE("an error in a body, a preamble or a part of a reduction points at the learner's line") {
    if (!with_nvrtc("learner's lines")) return;
    auto text = texts::squared_diff();
    text.body = {"float d = x - y;\nz = d * w;", "squared_diff", 1};
    CHECK(has(complaint(elementwise_skeleton(text)), "squared_diff(2): error: identifier \"w\" is undefined"));

    text = texts::squared_diff();
    text.preamble = {"\n__device__ int f() { return q; }", "lesson.cpp", 41};
    CHECK(has(complaint(elementwise_skeleton(text)), "lesson.cpp(42): error: identifier \"q\" is undefined"));

    auto norm = texts::l2norm();
    norm.map.text = "x * v";
    CHECK(has(complaint(reduction_skeleton(norm)), "l2norm (map)(1): error: identifier \"v\" is undefined"));
    norm = texts::l2norm();
    norm.reduce.text = "a + c";
    CHECK(has(complaint(reduction_skeleton(norm)), "l2norm (reduce)(1): error: identifier \"c\" is undefined"));
    norm = texts::l2norm();
    norm.post.text = "y = sqrt(b)";
    CHECK(has(complaint(reduction_skeleton(norm)), "l2norm (post)(1): error: identifier \"b\" is undefined"));
    norm = texts::l2norm();
    norm.identity = "zero";
    CHECK(has(complaint(reduction_skeleton(norm)), "l2norm (identity)(1): error: identifier \"zero\" is undefined"));
}

TEST_CASE("an error in a raw kernel points at the line of its file") {
    if (!with_nvrtc("lines of raw kernels")) return;
    const RawText text{.name = "add",
                       .source = {"extern \"C\" __global__ void add(float* x) {\n    x[0] = y;\n}", "add.cu", 7},
                       .signature = "(float*)", .options = {}};
    CHECK(has(complaint(raw_skeleton(text)), "add.cu(8): error: identifier \"y\" is undefined"));
}

TEST_CASE("a bracket that is never closed is shown where it stands") {
    if (!with_nvrtc("brackets")) return;
    const auto said = [](const KernelSource& source) { return explain_compile_failure(source, {complaint(source)}); };
    const KernelSource add = raw_skeleton(
        {.name = "add",
         .source = {"__global__ void add(float* x) {\n    if (x[0] == 0) {\n        x[0] = 1;\n}\n", "add.cu", 7},
         .signature = "(float*)", .options = {}});
    CHECK(has(said(add), "\nadd.cu:8:20: error: this { is never closed: a } is missing\n 7 | __global__"));
    auto text = texts::squared_diff();
    text.body = {"if (x > y) {\n    z = x;", "squared_diff", 1};
    CHECK(has(said(elementwise_skeleton(text)), "\nsquared_diff:1:12: error: this { is never closed"));
}

TEST_CASE("a missing semicolon and a comment at the end of a body are accepted") {
    if (!with_nvrtc("missing semicolon")) return;
    auto text = texts::squared_diff();
    for (const char* body : {"z = x", "z = x;", "z = x;;", "z = x // done", "z = x; /* done */", "{ z = x; }", ""}) {
        text.body.text = body;
        CHECK_MESSAGE(complaint(elementwise_skeleton(text)).empty(), body);
    }
}

TEST_CASE("an accumulator that is too large is refused in words") {
    if (!with_nvrtc("large accumulators")) return;
    auto text = texts::l2norm();
    text.preamble = {"struct Big { double v[9]; __device__ Big(double x) { v[0] = x; } };", "p", 1};
    text.accumulator = "Big";
    text.map.text = "Big(x)";
    text.reduce.text = "Big(a.v[0] + b.v[0])";
    text.post.text = "y = a.v[0]";
    CHECK(has(complaint(reduction_skeleton(text)), "the accumulator of a reduction has at most 64 bytes"));
}

TEST_CASE("writing to an input is an error in the learner's line") {
    if (!with_nvrtc("inputs are const")) return;
    auto text = texts::squared_diff();
    text.body.text = "x = 3";
    CHECK(has(complaint(elementwise_skeleton(text)), "squared_diff(1): error: expression must be a modifiable lvalue"));
}
#endif
