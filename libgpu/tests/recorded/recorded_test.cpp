// SPDX-License-Identifier: MIT
#ifdef GPU_WITH_CUDA
#include <doctest/doctest.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "codegen/kernel_declarations.hpp"
#include "cuda/compile/skeletons.hpp"
#include "cuda/texts.hpp"
#include "cuda/with_nvrtc.hpp"
#include "jit/file_cache.hpp"
#include "recorded/compile_all.hpp"
#include "support/temporary_folder.hpp"

using namespace gpu::detail;

namespace {

recorded::Kernel kernel(const std::string& body) {
    auto text = texts::elementwise("twice", {texts::input("float", "x"), texts::output("float", "y")}, body);
    text.options = {"-DN=2", "-DM=3"};
    return {.source = gpu::detail::cuda::elementwise_skeleton(text), .program = "a_test", .file = {}};
}

}  // namespace

TEST_CASE("a kernel comes back from its file as it was, once, whatever its line numbers") {
    const support::TemporaryFolder folder;
    const recorded::Kernel sum{.source = cuda::reduction_skeleton(texts::l2norm()), .program = "other", .file = {}};
    const std::string name = recorded::write(folder.path(), kernel("y = N * x"));
    CHECK(recorded::write(folder.path(), sum) != name);
    recorded::Kernel moved = kernel("y = N * x");
    const std::size_t line = moved.source.text.find("#line 1 \"twice\"");
    REQUIRE(line != std::string::npos);
    moved.source.text.replace(line, 7, "#line 9");
    CHECK(recorded::write(folder.path(), moved) == name);
    moved.source.options.pop_back();
    CHECK(recorded::write(folder.path(), moved) != name);
    recorded::mark_refused(folder.path(), name);

    const std::vector<recorded::Kernel> all = recorded::read_all(folder.path());
    REQUIRE(all.size() == 3);
    for (const recorded::Kernel& one : all) {
        const KernelSource wanted = one.program == "other" ? sum.source : kernel("y = N * x").source;
        CHECK(one.source.entries == wanted.entries);
        CHECK(one.source.name == wanted.name);
        CHECK(one.refused == (one.file.filename() == name));
        if (!one.refused && one.program != "other") continue;
        CHECK(one.source.text == wanted.text);
        CHECK(one.source.options == wanted.options);
    }
    folder.write("half.kernel", "program x\nname k\nentry k\n\n__global__ void k(");
    CHECK_THROWS_AS((void)recorded::read_all(folder.path()), std::runtime_error);
}

TEST_CASE("a kernel that NVRTC refuses is found, unless the host refused it too; what compiled is remembered") {
    if (!with_nvrtc("planted kernels")) return;
    const support::TemporaryFolder folder;
    const std::filesystem::path memory = folder.path() / "compiled";
    (void)recorded::write(folder.path(), kernel("y = N * x"));
    (void)recorded::write(folder.path(), kernel("y = no_such_function(x)"));
    const std::string mistake = recorded::write(folder.path(), kernel("y = x +"));
    recorded::mark_refused(folder.path(), mistake);

    const std::size_t archs = tested_archs().size();
    for (const std::size_t known : {std::size_t{0}, archs}) {
        const auto summary = recorded::compile_all(recorded::read_all(folder.path()), 2, memory);
        CHECK(summary.known == known);
        CHECK(summary.compiled == 2 * archs - known);
        CHECK(summary.refused_by_host == 1);
        REQUIRE(summary.failures.size() == archs);
        CHECK(summary.failures[0].find("twice-") != std::string::npos);
        CHECK(summary.failures[0].find("no_such_function") != std::string::npos);
    }
}

// The instances of a template that the solution's host code names, "tiled<32>"; the name itself if it isn't a template.
std::vector<std::string> asked_names(const std::string& kernel, const std::filesystem::path& file) {
    std::set<std::string> names;
    for (const auto& part : std::filesystem::path(file).lexically_relative(KIT_SOURCE_DIR)) {
        const std::filesystem::path solution = std::filesystem::path(KIT_SOURCE_DIR) / "solutions" / part;
        if (part == "exercises" || part == "solutions" || !std::filesystem::is_directory(solution)) continue;
        for (const auto& entry : std::filesystem::directory_iterator(solution)) {
            if (entry.path().extension() != ".cpp") continue;
            std::ifstream in(entry.path());
            const std::string text{std::istreambuf_iterator<char>(in), {}};
            for (std::size_t at = 0; (at = text.find('"' + kernel + '<', at)) != text.npos; ++at)
                names.insert(text.substr(at + 1, text.find('"', at + 1) - at - 1));
        }
    }
    if (names.empty()) names.insert(kernel);
    return {names.begin(), names.end()};
}

// The course's programs run where no recorder is: the runner's environment is empty.
TEST_CASE("NVRTC compiles every kernel file of the exercises, solutions and planted wrong answers") {
    if (!with_nvrtc("kernel files of the course")) return;
    std::vector<recorded::Kernel> kernels;
    for (const char* room : {"exercises", "solutions", "autograder/tests/toy"}) {
        if (!std::filesystem::is_directory(KIT_SOURCE_DIR "/" + std::string(room))) continue;   // a student's edition
        for (const auto& entry :
             std::filesystem::recursive_directory_iterator(KIT_SOURCE_DIR "/" + std::string(room))) {
            if (entry.path().extension() != ".cu") continue;
            std::ifstream in(entry.path());
            const std::string source{std::istreambuf_iterator<char>(in), {}};
            if (source.find("\nint main(") != source.npos) continue;   // a whole program: not NVRTC's
            RawText text{.name = {}, .source = {source, entry.path().filename(), 1}, .signature = {}, .options = {}};
            for (const KernelDeclaration& declared : find_kernels(source))
                for (const std::string& name : asked_names(declared.name, entry.path())) {
                    if (text.name.empty())
                        text.name = name;
                    else
                        text.more.push_back({name, ""});
                }
            REQUIRE(!text.name.empty());
            kernels.push_back({.source = cuda::raw_skeleton(text), .program = "course", .file = entry.path()});
        }
    }
    CHECK(kernels.size() >= 15);
    const recorded::Summary summary = recorded::compile_all(kernels, 2, {});
    CHECK(summary.compiled == kernels.size() * tested_archs().size());
    CHECK(summary.excused.empty());
    for (const std::string& failure : summary.failures) FAIL_CHECK(failure);
}

TEST_CASE("NVRTC compiles every kernel that the test programs asked of the host backend") {
    if (!with_nvrtc("recorded kernels")) return;
    const char* const folder = std::getenv("GPU_RECORDED_KERNELS");
    if (folder == nullptr) {
        std::printf(
            "SKIP: recorded kernels: GPU_RECORDED_KERNELS names no folder; CTest sets it, but with sanitizers\n");
        return;
    }
    CHECK(!tested_archs().empty());
    if (tested_archs().size() < 3) std::printf("this NVRTC compiles for fewer architectures than the course has\n");
    const std::vector<recorded::Kernel> kernels = recorded::read_all(folder);
    const std::filesystem::path cache = cache_folder();
    if (!cache.empty()) std::filesystem::create_directories(cache);
    const auto start = std::chrono::steady_clock::now();
    const recorded::Summary summary =
        recorded::compile_all(kernels, 2, cache.empty() ? cache : cache / "compiled-by-nvrtc",
                              recorded::Architectures::one_each);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    for (const std::string& failure : summary.failures) FAIL_CHECK(failure);

    std::map<std::string, int> programs;
    for (const recorded::Kernel& one : kernels) ++programs[one.program];
    for (const auto& [program, count] : programs) std::printf("%6d kernels of %s\n", count, program.c_str());
    for (const std::string& excused : summary.excused) std::printf("not for a GPU: %s\n", excused.c_str());
    std::printf("%zu kernels, %zu of them refused by the host's compiler; compiled %zu times in %.0f s, %zu known\n",
                kernels.size(), summary.refused_by_host, summary.compiled, seconds, summary.known);
    // A test that sees few kernels proves little.
    for (const char* program : {"gpu_public_test", "gpu_property_test", "gpu_linalg_test", "gpu_kernels_test"})
        CHECK_MESSAGE(programs[program] > 10, program << " recorded " << programs[program]);
    CHECK(kernels.size() > 2000);
    CHECK(summary.refused_by_host < kernels.size() / 10);
    if (tested_archs().size() == 3)
        CHECK(summary.compiled + summary.known == kernels.size() - summary.refused_by_host);
    CHECK(summary.excused.size() < 30);
}
#endif
