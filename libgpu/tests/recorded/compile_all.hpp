// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "recorder/kernel_file.hpp"

namespace recorded {

/// What NVRTC said of many kernels.
struct Summary {
    std::size_t compiled = 0;                    ///< kernels times architectures
    std::size_t known = 0;                       ///< not compiled now: an earlier run did
    std::size_t refused_by_host = 0;             ///< kernels that nobody asks NVRTC about
    std::vector<std::string> failures, excused;  ///< each with the kernel, the architecture and why
};

/// A kernel that NVRTC may refuse although the host takes it: by the program that asks for it and what the log says.
struct Excuse {
    const char* program;
    const char* log;
    const char* reason;
};
[[nodiscard]] const std::vector<Excuse>& excuses();

/// For which of the architectures a kernel is compiled: of thousands of kernels that are alike, each one gets enough.
enum class Architectures { all, one_each };

/// Compiles each kernel for sm_75 (to machine code), 90 and 120 (to PTX), with the text and options that it has on a
/// GPU. What `memory` names isn't compiled again: a file of digests of kernel, compiler and options, to which new ones
/// are added; empty: none. Kernels that the host refused are left out. @throws LibraryNotFound if there is no NVRTC
[[nodiscard]] Summary compile_all(const std::vector<Kernel>& kernels, int threads, const std::filesystem::path& memory,
                                  Architectures wanted = Architectures::all);

}  // namespace recorded
