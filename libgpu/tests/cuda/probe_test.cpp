// SPDX-License-Identifier: MIT
#ifdef GPU_WITH_CUDA
#include <doctest/doctest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "cuda/base/probe.hpp"

using namespace gpu::detail::cuda;

namespace {

/// What `--why-no-gpu` of this very program prints when it is started with these variables.
std::string ask(const std::string& variables) {
    const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
    const std::string command = "env " + variables + " '" + self + "' --why-no-gpu 2>&1";
    const auto close = [](std::FILE* pipe) { (void)pclose(pipe); };
    const std::unique_ptr<std::FILE, decltype(close)> pipe(popen(command.c_str(), "r"), close);
    REQUIRE(pipe);
    std::string output;
    std::array<char, 256> buffer{};
    while (std::fgets(buffer.data(), buffer.size(), pipe.get())) output += buffer.data();
    while (!output.empty() && output.back() == '\n') output.pop_back();
    return output;
}

bool driver_here() { return ask("A=b").find("has no NVIDIA driver") == std::string::npos; }

}  // namespace

TEST_CASE("no driver, an old driver, no device and anything else have a sentence each") {
    CHECK(why_unusable({13000, 0, 35, "cudaErrorInsufficientDriver: misleading", 0}) ==
          "this machine has no NVIDIA driver (libcuda.so.1 was not found)");
    CHECK(why_unusable({13000, 12020, 35, "x", 0}) ==
          "the NVIDIA driver supports CUDA 12.2, but libgpu was built with CUDA 13.0: install a newer driver, or build "
          "libgpu with an older toolkit");
    unsetenv("CUDA_VISIBLE_DEVICES");
    CHECK(why_unusable({13000, 13000, 100, "x", 0}) == "the NVIDIA driver finds no GPU");
    setenv("CUDA_VISIBLE_DEVICES", "-1", 1);
    CHECK(why_unusable({13000, 13000, 100, "x", 0}) ==
          "the NVIDIA driver finds no GPU (CUDA_VISIBLE_DEVICES is \"-1\")");
    unsetenv("CUDA_VISIBLE_DEVICES");
    CHECK(why_unusable({13000, 13000, 0, "x", 0}) == "the NVIDIA driver finds no GPU");
    CHECK(why_unusable({13000, 13000, 999, "cudaErrorUnknown: unknown error", 0}) ==
          "CUDA can't start: cudaErrorUnknown: unknown error");
    CHECK(why_unusable({13000, 13000, 0, "x", 1}).empty());
}

TEST_CASE("a process on a machine without a driver starts, and says that there is none") {
    if (driver_here()) {
        std::printf("SKIP: no driver: this machine has one\n");
        return;
    }
    CHECK(ask("A=b") == "this machine has no NVIDIA driver (libcuda.so.1 was not found)");
}

TEST_CASE("a driver older than the toolkit is named with both versions") {
    const char* directory = std::getenv("FAKE_LIBCUDA_DIR");
    if (!directory || !std::filesystem::exists(std::string(directory) + "/libcuda.so.1")) {
        std::printf("SKIP: old driver: FAKE_LIBCUDA_DIR has no stand-in libcuda.so.1\n");
        return;
    }
    const std::string library_path = "LD_LIBRARY_PATH='" + std::string(directory) + "'";
    const std::string answer = ask(library_path);
    CHECK(answer.find("the NVIDIA driver supports CUDA 11.0, but libgpu was built with CUDA ") == 0);
    CHECK(answer.find("install a newer driver") != std::string::npos);
    CHECK(ask("FAKE_CUDA_VERSION=99000 CUDA_VISIBLE_DEVICES= " + library_path) ==
          "the NVIDIA driver finds no GPU (CUDA_VISIBLE_DEVICES is \"\")");
}
#endif
