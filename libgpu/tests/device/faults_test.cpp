// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

namespace {

/// What this program prints when it is started again to run into a fault.
std::string run_fault(const std::string& variables, const std::string& which = "--fault") {
    const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
    const std::string command = "env " + variables + " '" + self + "' " + which + " 2>&1";
    const auto close = [](std::FILE* pipe) { (void)pclose(pipe); };
    const std::unique_ptr<std::FILE, decltype(close)> pipe(popen(command.c_str(), "r"), close);
    REQUIRE(pipe);
    std::string output;
    std::array<char, 512> buffer{};
    while (std::fgets(buffer.data(), buffer.size(), pipe.get())) output += buffer.data();
    return output;
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a kernel that writes to null is reported at the next wait, with the last launches and the switch") {
    const std::string message = run_fault("LIBGPU_LAUNCH_BLOCKING=0");
    INFO(message);
    CHECK(has(message, "LaunchError: "));
    CHECK(has(message, "cudaErrorIllegalAddress: "));
    CHECK(has(message, "the last launches, newest first: "));
    CHECK(has(message, "writes_to_null, harmless"));
    CHECK(has(message, "LIBGPU_LAUNCH_BLOCKING=1"));
}

TEST_CASE("with LIBGPU_LAUNCH_BLOCKING=1 the very launch that failed is named") {
    const std::string message = run_fault("LIBGPU_LAUNCH_BLOCKING=1");
    INFO(message);
    CHECK(has(message, "LaunchError: kernel writes_to_null failed: cudaErrorIllegalAddress: "));
}

TEST_CASE("host code that reads device memory ends the program with a sentence") {
    const std::string message = run_fault("LIBGPU_LAUNCH_BLOCKING=0", "--host-access");
    INFO(message);
    CHECK(has(message,
              "host code reads device memory (an array of 100 float32, element 3); bring it over with "
              "gpu::to_host"));
}

TEST_CASE("the report of a kernel that follows a host pointer names the argument") {
    for (const char* blocking : {"LIBGPU_LAUNCH_BLOCKING=0", "LIBGPU_LAUNCH_BLOCKING=1"}) {
        const std::string message = run_fault(blocking, "--host-pointer");
        INFO(message);
        if (has(message, "no error")) continue;  // this machine's GPU reads all memory
        CHECK(has(message, "kernel reads: the argument 1 points to host memory; bring it over with gpu::to_device"));
    }
}
