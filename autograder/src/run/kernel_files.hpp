// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>

namespace course {

/// What is done with a compiled kernel's path, and its path below another folder: 1f/add-1f20....kernel.
using KernelUse = std::function<void(const std::filesystem::path& here, const std::filesystem::path& there)>;

/// Does it with each regular file, and makes the folder that the other path is in.
void for_each_kernel(const std::filesystem::path& from, const std::filesystem::path& to, const KernelUse& use);

/// Copies them. What fails costs a compile, and nothing else. No student's code may run that can write to `to`.
void copy_kernels(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace course
