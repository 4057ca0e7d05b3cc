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
