// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstdio>
#include <memory>
#include <sstream>

#include <gpu/error.hpp>

#include "backend/backend.hpp"
#include "jit/compile_error.hpp"
#include "jit/includes.hpp"
#include "mistakes.hpp"
#include "support/environment_guard.hpp"
#include "support/temporary_folder.hpp"
#ifdef GPU_WITH_CUDA
#include "cuda/compile/skeletons.hpp"
#include "cuda/with_nvrtc.hpp"
#endif

using namespace gpu::detail;
using mistakes::Kind;
using mistakes::Mistake;

namespace {

std::vector<Mistake> all_mistakes() {
    std::vector<Mistake> all;
    for (const auto& some : {mistakes::in_names(), mistakes::in_calls(), mistakes::in_kernels(), mistakes::in_pieces()})
        all.insert(all.end(), some.begin(), some.end());
    return all;
}

RawText raw_text(const Mistake& mistake) {
    return {.name = mistake.entry,
            .source = {mistake.source, "add.cu", 1},
            .signature = "(const float*, float*, int)",
            .options = {}};
}

Parameter parameter(Parameter::Role role, const char* name) {
    return {.role = role, .type = "T", .name = name, .strided = false};
}

ElementwiseText elementwise_text(const Mistake& mistake) {
    ElementwiseText text;
    text.name = "add";
    text.parameters = {parameter(Parameter::Role::input, "x"), parameter(Parameter::Role::input, "y"),
                       parameter(Parameter::Role::output, "z")};
    text.typedefs = "typedef float T;\n";
    text.body = {mistake.source, "add", 1};
    return text;
}

ReductionText reduction_text(const Mistake& mistake) {
    ReductionText text;
    text.name = "add";
    text.parameters = {parameter(Parameter::Role::input, "x"), parameter(Parameter::Role::output, "y")};
    text.typedefs = "typedef float T;\n";
    text.accumulator = "float";
    text.map = {"x", "add (map)", 1};
    text.reduce = {mistake.source, "add (reduce)", 1};
    text.post = {"y = a", "add (post)", 1};
    text.identity = "0";
    return text;
}

// What the learner is told; empty if it compiles.
template <class Compile>
std::string told(const KernelSource& source, const Compile& compile) {
    try {
        compile(source);
        return {};
    } catch (const CompileFailure& failure) {
        return explain_compile_failure(source, failure);
    }
}

std::string expected(const Mistake& mistake, const std::optional<std::string>& other_words) {
    const std::string& words = other_words ? *other_words : mistake.told;
    return words.empty() ? "" : "kernel " + mistake.entry + " does not compile\n" + words;
}

// Of this kind: the one that is called so, and others that LIBGPU_TEST_COMPILERS names: "g++-14 /opt/clang++-18".
std::vector<std::string> compilers(const std::string& kind) {
    std::vector<std::string> found{kind};
    const char* const more = std::getenv("LIBGPU_TEST_COMPILERS");
    std::istringstream names(more != nullptr ? more : "");
    for (std::string name; names >> name;)
        if (std::filesystem::path(name).filename().string().starts_with(kind)) found.push_back(name);
    return found;
}

void check_on_host(const std::string& compiler) {
    const support::EnvironmentGuard guard("LIBGPU_HOST_CXX", compiler.c_str());
    const std::unique_ptr<Backend> host = make_host_backend();
    try {
        (void)host->compiler_identity(0);
    } catch (const gpu::LibraryNotFound&) {
        std::printf("SKIP: mistakes that %s finds: it is not installed\n", compiler.c_str());
        return;
    }
    const bool is_clang = compiler.find("clang++") != std::string::npos;
    for (const Mistake& mistake : all_mistakes()) {
        const KernelSource source = mistake.kind == Kind::raw           ? host->generate(raw_text(mistake))
                                    : mistake.kind == Kind::elementwise ? host->generate(elementwise_text(mistake))
                                                                        : host->generate(reduction_text(mistake));
        CAPTURE(compiler);
        CAPTURE(mistake.name);
        CHECK(told(source, [&](const KernelSource& it) { (void)host->compile(0, it); }) ==
              expected(mistake, is_clang ? mistake.told_by_clang : std::nullopt));
    }
}

Mistake whole(const mistakes::LineMistake& mistake) {
    const std::string head = "__global__ void add(const float* x, float* y, int n) {\n    int i = threadIdx.x;\n";
    return {.name = mistake.line,
            .kind = mistake.kind,
            .source = mistake.kind == Kind::raw ? head + mistake.line + "\n}\n" : mistake.line,
            .told = {}};
}

// What is told behind "error: " in the line below the title; empty if the title is all.
std::string sentence(const std::string& text) {
    const std::size_t from = text.find(": error: ");
    return from == std::string::npos ? text : text.substr(from + 9, text.find('\n', from) - from - 9);
}

void check_lines_on_host(const std::string& compiler) {
    const support::EnvironmentGuard guard("LIBGPU_HOST_CXX", compiler.c_str());
    const std::unique_ptr<Backend> host = make_host_backend();
    try {
        (void)host->compiler_identity(0);
    } catch (const gpu::LibraryNotFound&) {
        std::printf("SKIP: mistakes that %s finds: it is not installed\n", compiler.c_str());
        return;
    }
    for (const mistakes::LineMistake& mistake : mistakes::in_lines()) {
        const Mistake one = whole(mistake);
        const KernelSource source = one.kind == Kind::raw           ? host->generate(raw_text(one))
                                    : one.kind == Kind::elementwise ? host->generate(elementwise_text(one))
                                                                    : host->generate(reduction_text(one));
        CAPTURE(compiler);
        CAPTURE(mistake.line);
        const std::string text = told(source, [&](const KernelSource& it) { (void)host->compile(0, it); });
        CHECK(sentence(text) == mistake.told);
        if (one.kind == Kind::raw) CHECK_MESSAGE(text.find("\nadd.cu:3:") != std::string::npos, text);
    }
}

// A kernel whose source includes a file with this line in it.
RawText with_helper(const std::string& line) {
    const support::TemporaryFolder folder;
    folder.write("helper.cuh", "__device__ int helper(int v) {\n    " + line + "\n}\n");
    const SourceText source{"// first\n#include \"helper.cuh\"\n__global__ void add(int* x) { x[0] = helper(x[0]); }\n",
                         "add.cu", 1};
    return {.name = "add",
            .source = with_includes(source, folder.path().string(), {}),
            .signature = "(int*)",
            .options = {}};
}

const char* const told_in_helper =
    "kernel add does not compile\nhelper.cuh:2:16: error: w is not declared\n"
    " 1 | __device__ int helper(int v) {\n 2 |     return 2 * w;\n"
    "   |                ^\n 3 | }\n"
    "help: a kernel sees its parameters and what its source declares, not the program's "
    "variables: make it a parameter";

}  // namespace

TEST_CASE("what students get wrong is reported in their own lines and with advice: g++") {
    for (const std::string& compiler : compilers("g++")) check_on_host(compiler);
}

TEST_CASE("what students get wrong is reported in their own lines and with advice: clang") {
    for (const std::string& compiler : compilers("clang++")) check_on_host(compiler);
}

TEST_CASE("mistakes of one line are told in a sentence: g++ and clang") {
    check_lines_on_host("g++");
    check_lines_on_host("clang++");
}

TEST_CASE("a file's name in place of its text, and a name that the module's source doesn't have: the host backend") {
    const std::unique_ptr<Backend> host = make_host_backend();
    const auto tell = [&](const std::string& source, std::vector<RawEntry> more) {
        RawText text{.name = "add", .source = {source, "a.cpp", 7}, .signature = {}, .options = {}};
        text.more = std::move(more);
        return told(host->generate(text), [&](const KernelSource& it) { (void)host->compile(0, it); });
    };
    CHECK(tell("add.cu", {}) ==
          "kernel add does not compile\na.cpp:7:1: error: a file's name stands where the kernel's text is wanted: "
          "write gpu::file(\"add.cu\")\n 7 | add.cu\n   | ^");
    CHECK(tell("__global__ void add() {}\ntemplate <int n> __global__ void tiled() {}\n", {{"tiled33", {}}}) ==
          "kernel tiled33 does not compile\nno kernel named tiled33; the source defines: add, tiled\nhelp: did you "
          "mean tiled<33>?");
}

#ifdef GPU_WITH_CUDA
TEST_CASE("what students get wrong is reported in their own lines and with advice: NVRTC") {
    if (!with_nvrtc("mistakes that NVRTC finds")) return;
    for (const Mistake& mistake : all_mistakes()) {
        const KernelSource source = mistake.kind == Kind::raw ? cuda::raw_skeleton(raw_text(mistake))
                                    : mistake.kind == Kind::elementwise
                                        ? cuda::elementwise_skeleton(elementwise_text(mistake))
                                        : cuda::reduction_skeleton(reduction_text(mistake));
        CAPTURE(mistake.name);
        CHECK(told(source, [](const KernelSource& it) { (void)cuda::compile_for("sm_90", it); }) ==
              expected(mistake, mistake.told_by_nvrtc));
    }
}

TEST_CASE("a mistake in an included file is reported there: NVRTC") {
    if (!with_nvrtc("mistakes in included files that NVRTC finds")) return;
    const KernelSource source = cuda::raw_skeleton(with_helper("return 2 * w;"));
    CHECK(told(source, [](const KernelSource& it) { (void)cuda::compile_for("sm_90", it); }) == told_in_helper);
}
#endif

TEST_CASE("a library that kernels don't have is refused with what to use instead: the host backend") {
    const std::unique_ptr<Backend> host = make_host_backend();
    const auto help = [&](const std::string& header) {
        const RawText text{.name = "add",
                           .source = {"#include <" + header + ">\n__global__ void add() {}\n", "add.cu", 1},
                           .signature = {},
                           .options = {}};
        return told(host->generate(text), [&](const KernelSource& it) { (void)host->compile(0, it); });
    };
    for (const auto& [header, advice] : {std::pair<const char*, const char*>{"thrust/sort.h", "gpu::ReductionKernel"},
                                         {"cub/cub.cuh", "cooperative_groups.h"},
                                         {"curand_mtgp32_kernel.h", "gpu::random"},
                                         {"mma.h", "gpu::matmul"}}) {
        const std::string said = help(header);
        const std::string start = "there is no header <" + std::string(header) + "> for kernels";
        CHECK_MESSAGE(said.find(start) != std::string::npos, said);
        CHECK_MESSAGE(said.find(advice) != std::string::npos, said);
    }
}

TEST_CASE("a mistake in an included file is reported there: the host backend") {
    const std::unique_ptr<Backend> host = make_host_backend();
    const auto compile = [&](const KernelSource& it) { (void)host->compile(0, it); };
    CHECK(told(host->generate(with_helper("return 2 * w;")), compile) == told_in_helper);
    const std::string refused = told(host->generate(with_helper("asm(\"\"); return v;")), compile);
    CHECK_MESSAGE(refused.find("kernel add does not compile\nhelper.cuh:2:5: error: asm: inline PTX can't run") == 0,
                  refused);
}
