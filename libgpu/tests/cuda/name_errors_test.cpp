// SPDX-License-Identifier: MIT
#ifdef GPU_WITH_CUDA
#include <doctest/doctest.h>

#include "codegen/kernel_declarations.hpp"
#include "cuda/compile/name_errors.hpp"
#include "cuda/compile/skeletons.hpp"
#include "with_nvrtc.hpp"

using namespace gpu::detail;
using namespace gpu::detail::cuda;

namespace {

const std::string c_add = "extern \"C\" __global__ void add(const float* x, float* y, int n) { if (n) y[0] = x[0]; }";
const std::string plain_add =
    "__global__ void add(const float* x, float* y, int n) { if (n) y[0] = x[0]; }\n"
    "__global__ void other(int) {}";
const std::string template_mul =
    "template <class T>\n"
    "__global__ void mul(const T* x, T* y, int n) { if (n) y[0] = x[0]; }";
const std::string wanted = "(const float*, float*, int)";

KernelSource raw(const std::string& text, const std::string& name, const std::string& signature) {
    return raw_skeleton({.name = name, .source = {text, "add.cu", 1}, .signature = signature, .options = {}});
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// What NVRTC has found wrong with a source's names: "no kernel: add, mul" or "expected (int), there is (float* x)".
std::string refusal(const KernelSource& source) {
    try {
        (void)compile_for("sm_90", source);
    } catch (const CompileFailure& failure) {
        const Unresolved& names = failure.unresolved;
        if (names.kind == Unresolved::Kind::no_kernel) return "no kernel: " + names.there;
        if (names.kind == Unresolved::Kind::signature) return "expected " + names.wanted + ", there is " + names.there;
        return failure.log;
    }
    return {};
}

}  // namespace

TEST_CASE("a signature is accepted for extern \"C\", plain and template kernels") {
    if (!with_nvrtc("signatures accepted")) return;
    CHECK(compile_for("sm_90", raw(c_add, "add", wanted)).entries.at(0) == "add");
    CHECK(compile_for("sm_90", raw(plain_add, "add", wanted)).entries.at(0) == "_Z3addPKfPfi");
    CHECK(compile_for("sm_90", raw(template_mul, "mul<float>", wanted)).entries.at(0) == "_Z3mulIfEvPKT_PS0_i");
    CHECK(compile_for("sm_90", raw(template_mul, "mul", wanted)).entries.at(0) == "_Z3mulIfEvPKT_PS0_i");  // deduced
    CHECK(compile_for("sm_90", raw("namespace ns { __global__ void k(int) {} }", "ns::k", "(int)")).entries.at(0) ==
          "_ZN2ns1kEi");
}

TEST_CASE("without a signature, the name alone is looked up") {
    if (!with_nvrtc("names looked up")) return;
    CHECK(compile_for("sm_90", raw(c_add, "add", "")).entries.at(0) == "add");
    CHECK(compile_for("sm_90", raw(plain_add, "other", "")).entries.at(0) == "_Z5otheri");
    CHECK(compile_for("sm_90", raw(template_mul, "mul<double>", "")).entries.at(0) == "_Z3mulIdEvPKT_PS0_i");
}

TEST_CASE("a wrong signature is refused and both are shown") {
    if (!with_nvrtc("signatures refused")) return;
    const std::string expected = "expected (const float*, float*, double), there is (const float* x, float* y, int n)";
    CHECK(refusal(raw(c_add, "add", "(const float*, float*, double)")) == expected);
    CHECK(refusal(raw(plain_add, "add", "(const float*, float*, double)")) == expected);
    CHECK(refusal(raw(template_mul, "mul<float>", "(const double*, double*, int)")) ==
          "expected (const double*, double*, int), there is (const T* x, T* y, int n)");
    CHECK(refusal(raw(template_mul, "mul", "(const float*, double*, int)")) ==
          "expected (const float*, double*, int), there is (const T* x, T* y, int n)");
    CHECK(refusal(raw(c_add, "add", "(float*, float*, int)")).find("expected (float*, float*, int), ") == 0);
    CHECK(refusal(raw(c_add, "add", "(const float*, float*)")).find("expected (const float*, float*), ") == 0);
    CHECK(refusal(raw(template_mul, "mul", "")).find("expected mul, there is (") == 0);
}

TEST_CASE("a missing kernel is refused with the names of those that are there") {
    if (!with_nvrtc("missing kernels")) return;
    CHECK(refusal(raw(plain_add, "addd", wanted)) == "no kernel: add, other");
    CHECK(refusal(raw(plain_add, "addd", "")) == "no kernel: add, other");
    CHECK(refusal(raw("__device__ void add(float*) {}", "add", "(float*)")) == "no kernel: ");
    CHECK(refusal(raw("", "add", "")) == "no kernel: ");
}

TEST_CASE("of a module's kernels the one that isn't there is refused with the names of those that are") {
    if (!with_nvrtc("missing kernels of modules")) return;
    const auto module = [](std::vector<RawEntry> more) {
        return raw_skeleton({.name = "other",
                             .source = {plain_add + "\n" + template_mul, "add.cu", 1},
                             .signature = "(int)",
                             .options = {},
                             .more = std::move(more)});
    };
    const std::string there = "no kernel: add, other, mul";
    CHECK(complaint(module({{"add", wanted}, {"mul<double>", ""}})).empty());
    CHECK(refusal(module({{"add", wanted}, {"sub", wanted}})) == there);
    CHECK(refusal(module({{"div<float>", ""}, {"add", ""}})) == there);
    CHECK(refusal(module({{"mul<float>", wanted}, {"add", "(int)"}})) ==
          "expected (int), there is (const float* x, float* y, int n)");
}

TEST_CASE("errors of the learner's own come alone, without those of our look-up") {
    if (!with_nvrtc("own errors first")) return;
    const std::string log = complaint(raw("\n__global__ void add(const float* x) { y[0] = 1; }", "add", wanted));
    CHECK(first_line(log) == "add.cu(2): error: identifier \"y\" is undefined");
    CHECK(log.find("__nv_name_map") == std::string::npos);
    CHECK(log.find("libgpu:") == std::string::npos);
}

TEST_CASE("kernels are found in text, not in comments or strings") {
    const auto kernels = find_kernels(
        "// __global__ void no(int);\n/* __global__ void no2(int) */\n"
        "const char* s = \"__global__ void no3(int)\";\n"
        "extern \"C\" __global__ void __launch_bounds__(256, 2) yes(int  a,\n"
        "  float* b) {}\nvoid __global__ also() {}\n"
        "template <int N> __global__\nvoid third (float (&x)[N]) {}");
    REQUIRE(kernels.size() == 3);
    CHECK(kernels[0].name == "yes");
    CHECK(kernels[0].parameters == "(int a, float* b)");
    CHECK(kernels[1].name == "also");
    CHECK(kernels[1].parameters == "()");
    CHECK(kernels[2].name == "third");
    CHECK(kernels[2].parameters == "(float (&x)[N])");
    CHECK(find_kernels("__global__").empty());
    CHECK(find_kernels("__global__ void broken(").empty());
    CHECK(find_kernels("/* open comment").empty());
    CHECK(find_kernels("/").empty());
}

TEST_CASE("name expressions come apart") {
    CHECK(parse_name_expression("(void(*)(float (*)(int), int))mul<int>").signature == "(float (*)(int), int)");
    CHECK(parse_name_expression("(void(*)(float (*)(int), int))mul<int>").name == "mul<int>");
    CHECK(parse_name_expression("add").signature.empty());
    CHECK(parse_name_expression("add").name == "add");
}
#endif
