// SPDX-License-Identifier: MIT
// The texts that libgpu/tests/kernels runs on the host backend: NVRTC takes every one of them too.
#ifdef GPU_WITH_CUDA
#include <doctest/doctest.h>

#include "codegen/kernel_declarations.hpp"
#include "cuda/compile/skeletons.hpp"
#include "kernels/texts/all.hpp"
#include "texts.hpp"
#include "with_nvrtc.hpp"

using namespace gpu::detail;

TEST_CASE("elementwise and reduction kernels may name complex numbers") {
    if (!with_nvrtc("complex elementwise kernel")) return;
    const ElementwiseText turn{
        .name = "turn",
        .parameters = {{Parameter::Role::input, "float", "x", false}, {Parameter::Role::output, "float", "z", false}},
        .rank = 1,
        .typedefs = "typedef float T;\n",
        .preamble = {},
        .body = {"complex<T> c(x, 1); z = abs(c * c)", "turn", 1}};
    CHECK(complaint(cuda::elementwise_skeleton(turn)).empty());
}

TEST_CASE("generated kernels have halves and complex numbers without a header") {
    if (!with_nvrtc("elements of generated kernels")) return;
    for (const char* type : {"half", "complex<float>", "complex<double>"}) {
        const std::string T = type;
        auto text =
            texts::elementwise("scale", {texts::input("T", "x"), texts::scalar("T", "f"), texts::output("T", "y")},
                               "y = x * f; y += x; y = y - 1");
        text.typedefs = "typedef " + T + " T;\n";
        const std::string problem = complaint(cuda::elementwise_skeleton(text));
        CHECK_MESSAGE(problem.empty(), T << ":\n" << problem);
        auto sum = texts::reduction("sum", {texts::input(T, "x", true), texts::output(T, "y")},
                                    T == "half" ? "float" : T, "x * x", "a + b", "y = a", "0");
        const std::string second = complaint(cuda::reduction_skeleton(sum));
        CHECK_MESSAGE(second.empty(), T << ":\n" << second);
    }
    auto own = texts::elementwise("own", {texts::input("float", "x"), texts::output("float", "y")},
                                  "half h = __float2half(x); y = __half2float(h)");
    own.preamble = {"#include <cuda_fp16.h>\n", "own (preamble)", 1};
    CHECK(cuda::elementwise_skeleton(own).text.find("struct half") == std::string::npos);
}

TEST_CASE("a reduction may join CUDA's short vectors") {
    if (!with_nvrtc("reductions of short vectors")) return;
    auto mean = texts::reduction("mean", {texts::input("float", "x"), texts::output("float", "y")}, "double2",
                                 "double2{x, 1}", "make_double2(a.x + b.x, a.y + b.y)", "y = a.x / a.y",
                                 "make_double2(0, 0)");
    CHECK(complaint(cuda::reduction_skeleton(mean)).empty());
    mean.walk = {.pack = 4, .is_packed = true, .has_many_packs = true};
    CHECK(complaint(cuda::reduction_skeleton(mean)).empty());
}

TEST_CASE("NVRTC compiles every kernel text of the host backend's tests") {
    if (!with_nvrtc("kernel texts")) return;
    for (const auto& [name, text] : texts::all) {
        const auto kernels = find_kernels(text);
        REQUIRE(!kernels.empty());
        const RawText raw{.name = kernels.front().name, .source = {text, name, 1}, .signature = "", .options = {}};
        for (const std::string& arch : tested_archs()) {
            std::string log;
            try {
                (void)cuda::compile_for(arch, cuda::raw_skeleton(raw));
            } catch (const CompileFailure& failure) {
                log = failure.log;
            }
            CHECK_MESSAGE(log.empty(), name << " for " << arch << ":\n" << log);
        }
    }
}
#endif
