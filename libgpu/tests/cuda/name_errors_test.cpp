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

}  // namespace

TEST_CASE("a signature is accepted for extern \"C\", plain and template kernels") {
    if (!with_nvrtc("signatures accepted")) return;
    CHECK(compile_for("sm_90", raw(c_add, "add", wanted)).entry == "add");
    CHECK(compile_for("sm_90", raw(plain_add, "add", wanted)).entry == "_Z3addPKfPfi");
    CHECK(compile_for("sm_90", raw(template_mul, "mul<float>", wanted)).entry == "_Z3mulIfEvPKT_PS0_i");
    CHECK(compile_for("sm_90", raw(template_mul, "mul", wanted)).entry == "_Z3mulIfEvPKT_PS0_i");  // deduced
    CHECK(compile_for("sm_90", raw("namespace ns { __global__ void k(int) {} }", "ns::k", "(int)")).entry ==
          "_ZN2ns1kEi");
}

TEST_CASE("without a signature, the name alone is looked up") {
    if (!with_nvrtc("names looked up")) return;
    CHECK(compile_for("sm_90", raw(c_add, "add", "")).entry == "add");
    CHECK(compile_for("sm_90", raw(plain_add, "other", "")).entry == "_Z5otheri");
    CHECK(compile_for("sm_90", raw(template_mul, "mul<double>", "")).entry == "_Z3mulIdEvPKT_PS0_i");
}

TEST_CASE("a wrong signature is refused and both are shown") {
    if (!with_nvrtc("signatures refused")) return;
    const std::string expected =
        "libgpu:signature: expected (const float*, float*, double), the source has "
        "(const float* x, float* y, int n)";
    CHECK(first_line(complaint(raw(c_add, "add", "(const float*, float*, double)"))) == expected);
    CHECK(first_line(complaint(raw(plain_add, "add", "(const float*, float*, double)"))) == expected);
    CHECK(first_line(complaint(raw(template_mul, "mul<float>", "(const double*, double*, int)"))) ==
          "libgpu:signature: expected (const double*, double*, int), the source has (const T* x, T* y, int n)");
    CHECK(first_line(complaint(raw(template_mul, "mul", "(const float*, double*, int)"))) ==
          "libgpu:signature: expected (const float*, double*, int), the source has (const T* x, T* y, int n)");
    CHECK(first_line(complaint(raw(c_add, "add", "(float*, float*, int)"))).find("libgpu:signature") == 0);
    CHECK(first_line(complaint(raw(c_add, "add", "(const float*, float*)"))).find("libgpu:signature") == 0);
    CHECK(first_line(complaint(raw(template_mul, "mul", ""))).find("libgpu:signature: expected mul,") == 0);
}

TEST_CASE("a missing kernel is refused with the names of those that are there") {
    if (!with_nvrtc("missing kernels")) return;
    CHECK(first_line(complaint(raw(plain_add, "addd", wanted))) == "libgpu:no-kernel: it has add, other");
    CHECK(first_line(complaint(raw(plain_add, "addd", ""))) == "libgpu:no-kernel: it has add, other");
    CHECK(first_line(complaint(raw("__device__ void add(float*) {}", "add", "(float*)"))) ==
          "libgpu:no-kernel: it has none");
    CHECK(first_line(complaint(raw("", "add", ""))) == "libgpu:no-kernel: it has none");
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
    const std::string there = "libgpu:no-kernel: it has add, other, mul";
    CHECK(complaint(module({{"add", wanted}, {"mul<double>", ""}})).empty());
    CHECK(first_line(complaint(module({{"add", wanted}, {"sub", wanted}}))) == there);
    CHECK(first_line(complaint(module({{"div<float>", ""}, {"add", ""}}))) == there);
    CHECK(first_line(complaint(module({{"mul<float>", wanted}, {"add", "(int)"}}))) ==
          "libgpu:signature: expected (int), the source has (const float* x, float* y, int n)");
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
