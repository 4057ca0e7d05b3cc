// SPDX-License-Identifier: MIT

#ifdef GPU_WITH_CUDA
#include <doctest/doctest.h>
#include <sys/resource.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "cuda/compile/skeletons.hpp"
#include "texts.hpp"
#include "with_nvrtc.hpp"

using namespace gpu::detail;
using namespace gpu::detail::cuda;

namespace {

void check_compiles(const KernelSource& source) {
    for (const std::string& arch : tested_archs()) {
        try {
            const Image image = compile_for(arch, source);
            CHECK(image.bytes.size() > 1000);
            CHECK(image.entries == source.entries);  // extern "C" names are lowered to themselves
        } catch (const CompileFailure& failure) {
            FAIL_CHECK(source.name << " for " << arch << ":\n" << failure.log << "\n" << source.text);
        }
    }
}

}  // namespace

TEST_CASE("every branch of the elementwise skeleton compiles for 7.5, 9.0 and 12.0") {
    if (!with_nvrtc("elementwise skeletons compile")) return;
    CHECK(!tested_archs().empty());
    for (const auto& text : texts::elementwise_table()) check_compiles(elementwise_skeleton(text));
}

TEST_CASE("every branch of the reduction skeleton compiles for 7.5, 9.0 and 12.0") {
    if (!with_nvrtc("reduction skeletons compile")) return;
    std::set<std::string> joins;
    for (const auto& text : texts::reduction_table()) {
        check_compiles(reduction_skeleton(text));
        const KernelSource join = join_skeleton(text);
        if (joins.insert(join.text).second) check_compiles(join);
    }
    CHECK(joins.size() < texts::reduction_table().size());  // many have the same
}

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_CASE("a compile finds the memory of the one before it: it asks the system for little") {
    if (!with_nvrtc("memory of compiles")) return;
    const auto faults = [] {
        rusage use{};
        REQUIRE(getrusage(RUSAGE_THREAD, &use) == 0);
        return use.ru_minflt;
    };
    const KernelSource source = elementwise_skeleton(texts::squared_diff());
    for (int k = 0; k < 2; ++k) (void)compile_for("sm_90", source);
    const long before = faults();
    (void)compile_for("sm_90", source);
    CHECK(faults() - before < 400);  // 1600 where all of it is given back
}
#endif

TEST_CASE("a newer GPU than the compiler gets PTX, ended by a null when it is loaded") {
    if (!with_nvrtc("PTX for newer GPUs")) return;
    const Target newer = choose_target(999, nvrtc().archs);
    CHECK(newer.is_ptx);
    const Image image = compile_for(newer, elementwise_skeleton(texts::squared_diff()));
    const std::string text(reinterpret_cast<const char*>(image.bytes.data()), image.bytes.size());
    CHECK(text.find(".target sm_" + std::to_string(nvrtc().archs.back())) != std::string::npos);
}

TEST_CASE("a device gets its own architecture, or the nearest older one of its family") {
    const std::vector<int> supported{75, 80, 86, 90, 120};
    CHECK(choose_target(90, supported).arch == "sm_90");
    CHECK(choose_target(89, supported).arch == "sm_86");
    CHECK(choose_target(87, supported).arch == "sm_86");
    CHECK(choose_target(100, supported).arch == "compute_90");
    CHECK(choose_target(121, supported).arch == "sm_120");
    CHECK(choose_target(130, supported).arch == "compute_120");
    CHECK(choose_target(130, supported).is_ptx);
    CHECK_THROWS_WITH_AS(choose_target(70, supported),
                         "the GPU has compute capability 7.0, but this NVRTC compiles for 7.5 and newer: use an older "
                         "CUDA toolkit (12.9 is the last one for GPUs before 7.5)",
                         gpu::DeviceError);
}

TEST_CASE("a refused kernel tells all options that NVRTC was given") {
    if (!with_nvrtc("options of refused kernels")) return;
    const auto options_of = [](const char* text, const char* entry) {
        try {
            (void)compile_for("sm_90",
                              {.name = "k", .text = text, .entries = {entry}, .options = {"-DN=17", "--fmad=false"}});
        } catch (const CompileFailure& failure) {
            return failure.options_text();
        }
        return std::string("it compiled");
    };
    const std::string start = "--gpu-architecture=sm_90 --std=c++17 --generate-line-info -DN=17 --fmad=false";
    CHECK(options_of("__global__ void k(int* x) { x[0] = M; }", "k").find(start) == 0);
    CHECK(options_of("__global__ void k(int* x) { x[0] = N; }", "l").find(start) == 0);
    CHECK(options_of("__global__ void k(int* x) { x[0] = N; }", "k") == "it compiled");
}

TEST_CASE("options: architecture, C++17 unless the source says otherwise, line or debug information, no fast math") {
    const Target target{"sm_90", false};
    const KernelSource plain{.name = "k", .text = "", .entries = {"k"}, .options = {"-DN=4"}};
    using Options = std::vector<std::string>;
    CHECK(compile_options(target, plain, "") ==
          Options{"--gpu-architecture=sm_90", "--std=c++17", "--generate-line-info", "-DN=4"});
    const KernelSource other{.name = "k", .text = "", .entries = {"k"}, .options = {"-std=c++20"}};
    CHECK(compile_options(target, other, "/inc") == Options{"--gpu-architecture=sm_90", "--generate-line-info",
                                                            "-std=c++20", "--include-path=/inc",
                                                            "--include-path=/inc/cccl"});
    setenv("LIBGPU_DEBUG", "1", 1);
    CHECK(compile_options(target, plain, "")[2] == "--device-debug");
    unsetenv("LIBGPU_DEBUG");
}

TEST_CASE("the compiler's identity names its file, the architecture and the options") {
    if (!with_nvrtc("compiler identity")) return;
    const std::string identity = compiler_identity_for(90);
    CHECK(identity.find("NVRTC /") == 0);
    CHECK(identity.find("libnvrtc") != std::string::npos);
    CHECK(identity.find("--gpu-architecture=90 --std=c++17 --generate-line-info") != std::string::npos);
    CHECK(identity == compiler_identity_for(90));
    CHECK(identity != compiler_identity_for(75));
    setenv("LIBGPU_DEBUG", "1", 1);
    CHECK(identity != compiler_identity_for(90));
    unsetenv("LIBGPU_DEBUG");
}

TEST_CASE("another file of NVRTC is another identity, found without loading it") {
    const auto folder = std::filesystem::temp_directory_path() / "gpu-cuda-test-nvrtc";
    std::filesystem::create_directories(folder);
    const auto library = folder / "libnvrtc.so.99";
    std::ofstream(library) << "old";
    setenv("LIBGPU_NVRTC", library.c_str(), 1);
    const std::string old = compiler_identity_for(90);
    std::ofstream(library) << "newer";
    CHECK(compiler_identity_for(90) != old);
    std::filesystem::remove_all(folder);
    unsetenv("LIBGPU_NVRTC");
}

TEST_CASE("an option that NVRTC doesn't know is a compile failure that names it") {
    if (!with_nvrtc("unknown option")) return;
    const KernelSource source{
        .name = "k", .text = "__global__ void k() {}", .entries = {"k"}, .options = {"--no-such-option"}};
    CHECK(complaint(source).find("--no-such-option") != std::string::npos);
}
#endif

#ifdef GPU_WITH_CUDA

#include "codegen/kernel_declarations.hpp"
#include "cuda/compile/compiler.hpp"

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

#ifdef GPU_WITH_CUDA
#include "cuda/compile/portable_names.hpp"

using namespace gpu::detail;

TEST_CASE("a text gets functions of whole and mixed numbers where it calls them, and has none of its own") {
    using cuda::mixed_math;
    CHECK(mixed_math(tokens_of("z = x + y; int log = 3; z += sqrtf(x) + my_exp(x)")).empty());
    CHECK(mixed_math(tokens_of("z = sqrt(x)")).find(" sqrt(_T _x)") != std::string::npos);
    CHECK(mixed_math(tokens_of("z = sqrt(x)")).find(" pow(") == std::string::npos);
    CHECK(mixed_math(tokens_of("return pow (x, 2);")).find(" pow(_T _x, _U _y)") != std::string::npos);
    CHECK(mixed_math(tokens_of("template <class T> __device__ T round(T x) { return x; }\nz = round(x)")).empty());
    CHECK(!mixed_math(tokens_of("#include <cuda/std/cmath>\nz = sqrt(x)")).empty());  // those are in cuda::std alone
}

TEST_CASE("a kernel may have math functions of its own, with and without the library's names") {
    if (!with_nvrtc("math functions of one's own")) return;
    auto own = texts::elementwise("own", {texts::input("int", "x"), texts::output("int", "y")},
                                  "y = floor(x) + (int)sqrt(x) + (int)pow(x, 2)");
    own.preamble = {"template <class T> __device__ T floor(T x) { return x; }\n", "own (preamble)", 1};
    CHECK(complaint(cuda::elementwise_skeleton(own)).empty());
    own.preamble = {};
    CHECK(complaint(cuda::elementwise_skeleton(own)).empty());
    for (const char* type : {"half", "complex<float>", "double"}) {
        auto text =
            texts::elementwise("roots", {texts::input(type, "x"), texts::output(type, "y")}, "y = sqrt(x) * exp(x)");
        CHECK_MESSAGE(complaint(cuda::elementwise_skeleton(text)).empty(), type);
    }
}
#endif
