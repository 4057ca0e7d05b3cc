// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "host/base/process.hpp"

// Runs gpucc and what it has made.
namespace gpucc_test {

using gpu::detail::host::ProcessResult;
using gpu::detail::host::TemporaryDirectory;

/// A shell's command; its output is standard output and error together.
inline ProcessResult run(const std::string& command, const std::vector<std::string>& environment = {}) {
    return gpu::detail::host::run_process({"/bin/sh", "-c", command}, environment, std::chrono::seconds(120));
}

inline std::string compilers_option(const std::string& compiler) {
    return compiler.empty() ? "" : " -ccbin " + compiler;
}

/// The host's compilers to try.
inline std::vector<std::string> compilers() {
    std::vector<std::string> found;
    for (const char* const name : {"g++", "clang++"})
        if (!gpu::detail::host::find_program(name).empty()) found.emplace_back(name);
    return found;
}

/// A program of one file, written and compiled.
struct Built {
    TemporaryDirectory folder;
    std::string source, program;
    ProcessResult result;

    explicit Built(const std::string& text, const std::string& options = "") {
        source = folder.path() + "/prog.cu";
        program = folder.path() + "/prog";
        gpu::detail::host::write_file(source, text);
        result = run("cd " + folder.path() + " && " GPUCC_DRIVER " " + options + " prog.cu -o prog");
    }
    [[nodiscard]] bool is_there() const { return result.end == ProcessResult::End::exited && result.code == 0; }
};

}  // namespace gpucc_test
