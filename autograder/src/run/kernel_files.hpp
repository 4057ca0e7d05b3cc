// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>

namespace course {

/// Calls `use` with the path of each compiled kernel in the folder, and that below another one, in a folder that is
/// there: 1f/add-1f20....kernel. What isn't a regular file is left out.
void for_each_kernel(const std::filesystem::path& from, const std::filesystem::path& to,
                     const std::function<void(const std::filesystem::path& here, const std::filesystem::path& there)>& use);

/// Copies them. What fails costs a compile, and nothing else. No student's code may run that can write to `to`.
void copy_kernels(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace course
