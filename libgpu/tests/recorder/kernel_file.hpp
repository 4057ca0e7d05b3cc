// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "codegen/kernel_text.hpp"

// Kernels of test programs as files: what a GPU's compiler would get. One folder serves many processes at once.
namespace recorded {

/// A kernel's source for CUDA, and who asked for it.
struct Kernel {
    gpu::detail::KernelSource source;
    std::string program;   ///< the first that asked
    bool refused = false;  ///< by the host's compiler, as a test of mistakes wants it
    std::filesystem::path file;
};

/// Writes a kernel, unless it is there, and gives its file's name: "add-0123456789abcdef.kernel". Kernels that differ
/// in `#line` alone are one. @throws std::runtime_error if it can't be written
std::string write(const std::filesystem::path& folder, const Kernel& kernel);

/// Notes that the host's compiler refused the kernel of this file. @throws std::runtime_error
void mark_refused(const std::filesystem::path& folder, const std::string& name);

/// All kernels of a folder, ordered by their files' names. @throws std::runtime_error for a file that isn't whole
[[nodiscard]] std::vector<Kernel> read_all(const std::filesystem::path& folder);

}  // namespace recorded
