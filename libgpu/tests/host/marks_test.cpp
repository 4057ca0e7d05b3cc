// SPDX-License-Identifier: MIT
// A learner's comments and literals are never taken for libgpu's own marks, nor for code.
#include "support/marks.hpp"
#include "host/compile/compiler.hpp"
#include "host/compile/generate.hpp"
#include "host/support.hpp"
#include "support/wanted_compiler.hpp"

using namespace support;
using gpu::detail::KernelMode;
using gpu::detail::KernelSource;
namespace host = gpu::detail::host;

namespace {

gpu::detail::ElementwiseText elementwise_with_marks() {
    return {.name = "marks",
            .parameters = {input("float", "x"), output("float", "z")},
            .rank = 1,
            .typedefs = "",
            .preamble = {marks_as_comments() + "__device__ float same(float v) { return v; }\n", "marks", 1},
            .body = {body_with_marks(), "marks", 1}};
}

gpu::detail::ReductionText reduction_with_marks() {
    const std::string comments = marks_as_comments();
    return {.name = "marks",
            .parameters = {input("float", "x"), output("float", "z")},
            .kept_rank = 0,
            .reduced_rank = 1,
            .accumulator = "float",
            .typedefs = "",
            .preamble = {comments, "marks", 1},
            .map = {comments + "x\n" + comments, "marks (map)", 1},
            .reduce = {comments + "a + b" + '\n' + comments, "marks (reduce)", 1},
            .post = {comments + "z = a;\n" + comments, "marks (post)", 1},
            .identity = "0"};
}

// What the compiler says of a source; empty if it compiles.
std::string said(const host::Compiler& compiler, const KernelSource& source) {
    try {
        (void)compiler.compile(source);
        return {};
    } catch (const gpu::detail::CompileFailure& failure) {
        return failure.log;
    }
}

}  // namespace

TEST_CASE("marks in comments and literals say nothing of a raw kernel") {
    const KernelSource source = host::generate_raw(raw_text("k", kernel_with_marks(), "(float*, int)"));
    CHECK(source.mode == KernelMode::loop);
    CHECK(source.refusals == "");
    CHECK_FALSE(source.unresolved.is_certain);
    CHECK(source.unresolved.there == "(float* x, int n)");
    const auto kernel = build_raw("k", kernel_with_marks());
    const Buffer<float> x(100);
    launch(*kernel, shape(4, 32), x.data(), 100);
    for (std::size_t i = 0; i < x.size(); ++i) REQUIRE(x[i] == static_cast<float>(i * 1000 + 2));
}

TEST_CASE("marks in comments and literals say nothing of elementwise and reduction kernels") {
    const auto body = build(elementwise_with_marks()), sum = build(reduction_with_marks());
    const Buffer<float> x({1, 2, 3}), z(3);
    const std::vector<gpu::detail::Argument> arguments{array_argument(x.data()), array_argument(z.data())};
    const gpu::Shape three(3);
    backend().launch(
        0, *body, {.over = gpu::detail::ElementwiseSpace{.size = 3, .shape = three}, .arguments = arguments}, nullptr);
    backend().synchronize_device(0);
    CHECK(z.values() == std::vector<float>{1002, 2002, 3002});
    backend().launch(0, *sum,
                     {.over = gpu::detail::ReductionSpace{
                          .outputs = 1, .reduced = 3, .kept = {}, .reduced_shape = three},
                      .arguments = arguments},
                     nullptr);
    backend().synchronize_device(0);
    CHECK(z[0] == 6);
}

TEST_CASE("kernels with marks compile in all modes, by g++ and by clang") {
    for (const char* const name : {"g++", "clang++"}) {
        CAPTURE(name);
        if (!is_in_path(name)) {
            std::printf("SKIP: case: marks for %s: it is not installed\n", name);
            continue;
        }
        const EnvironmentGuard named("LIBGPU_HOST_CXX", name);
        const host::Compiler compiler;
        const auto raw = raw_text("k", kernel_with_marks(), "(float*, int)");
        CHECK(said(compiler, host::generate_raw(raw)) == "");
        CHECK(said(compiler, host::generate_raw(raw, true)) == "");
        CHECK(said(compiler, host::in_fiber_mode(host::generate_raw(raw))) == "");
        CHECK(said(compiler, host::generate_elementwise(elementwise_with_marks())) == "");
        CHECK(said(compiler, host::generate_checked(elementwise_with_marks())) == "");
        CHECK(said(compiler, host::generate_reduction(reduction_with_marks())) == "");
        CHECK(said(compiler, host::generate_checked(reduction_with_marks())) == "");
    }
}

TEST_CASE("an error behind marks is found at its own line") {
    const std::string text = kernel_with_marks() + "__device__ int f() { return nothing; }\n";
    const auto lines = std::count(text.begin(), text.end(), '\n');
    CHECK(contains(compile_log(raw_text("k", text, "", "k.cu")), "k.cu:" + std::to_string(lines) + ":29: error: "));
    CHECK(contains(compile_log(raw_text("k", kernel_with_marks() + "__device__ void f() { asm(\"\"); }\n", "", "k.cu")),
                   "k.cu:" + std::to_string(lines) + ":23: error: asm: "));
}
