// SPDX-License-Identifier: MIT
// A learner's comments and literals are never taken for libgpu's own marks, nor for code: as NVRTC sees it.
#ifdef GPU_WITH_CUDA
#include <doctest/doctest.h>

#include <algorithm>

#include "cuda/compile/skeletons.hpp"
#include "jit/compile_error.hpp"
#include "support/marks.hpp"
#include "texts.hpp"
#include "with_nvrtc.hpp"

using namespace gpu::detail;
using namespace gpu::detail::cuda;

TEST_CASE("kernels with marks in comments and literals compile") {
    if (!with_nvrtc("marks in comments")) return;
    const RawText raw{
        .name = "k", .source = {support::kernel_with_marks(), "k.cu", 1}, .signature = "(float*, int)", .options = {}};
    CHECK(complaint(raw_skeleton(raw)) == "");
    auto body = texts::elementwise("marks", {texts::input("float", "x"), texts::output("float", "z")},
                                   support::body_with_marks());
    body.preamble = {support::marks_as_comments(), "marks", 1};
    CHECK(complaint(elementwise_skeleton(body)) == "");
    auto sum = texts::reduction("marks", {texts::input("float", "x"), texts::output("float", "z")}, "float",
                                support::marks_as_comments() + "x\n", "a + b", "z = a;", "0");
    CHECK(complaint(reduction_skeleton(sum)) == "");
}

TEST_CASE("an error behind marks is shown at its own line") {
    if (!with_nvrtc("errors behind marks")) return;
    const std::string text = support::kernel_with_marks() + "__device__ int f() { return nothing; }\n";
    const KernelSource source =
        raw_skeleton({.name = "k", .source = {text, "k.cu", 1}, .signature = "(float*, int)", .options = {}});
    const std::string line = std::to_string(std::count(text.begin(), text.end(), '\n'));
    const std::string told = explain_compile_failure(source, {complaint(source)});
    CHECK_MESSAGE(told.starts_with("kernel k does not compile\nk.cu:" + line + ":29: error: nothing is not declared"),
                  told);
}
#endif
