// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "kernel_file.hpp"

namespace gallery {

/// All kernel files of buggy/ and correct/ under a folder, in order of their names.
[[nodiscard]] std::vector<std::filesystem::path> kernel_files(const std::filesystem::path& root);

/// What is wrong with a correct kernel on the current device, with the whole report; empty: nothing. On the host it
/// runs plainly, and in check mode with threads and blocks in several orders.
[[nodiscard]] std::string judge_correct(const KernelFile& file);

/// What is wrong with the findings on a buggy kernel, with the whole report; empty: exactly one finding, and that
/// one is as the file says.
[[nodiscard]] std::string judge_buggy(const KernelFile& file);

/// How a report's findings differ from the expected one, in one line; empty: not at all.
[[nodiscard]] std::string difference(const FindingSpec& expected, const std::vector<gpu::Finding>& findings);

/// What the report says of a count that the file states, where it says something else; empty: nothing.
[[nodiscard]] std::string wrong_counts(const KernelFile& file, const gpu::CheckReport& report);

}  // namespace gallery
