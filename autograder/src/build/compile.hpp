// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "build/diagnostics.hpp"
#include "build/toolchain.hpp"
#include "sandbox/sandbox.hpp"
#include "support/process.hpp"

namespace course {

/// How students' files and bind.cpp are compiled: compiler and flags, without include folders but Eigen's.
std::vector<std::string> student_flags(const Toolchain& toolchain);
/// The warnings that a verdict shows, by their names without "-W"; and the flags that ask for them.
std::span<const std::string_view> shown_warnings() noexcept;
std::vector<std::string> warning_flags(const Toolchain& toolchain);
/// How a check is compiled and linked to a plug-in.
std::vector<std::string> check_flags(const Toolchain& toolchain);

bool is_clang(const Toolchain& toolchain);

/// Changes when another compiler stands where this one stood.
std::string compiler_identity(const Toolchain& toolchain);

/// Runs the compiler in `scratch`, within the limits for files, memory and time.
/// @param sandbox of a student's sources; null: they are the kit's own
/// @throws BuildFault if there is no compiler, or if the disk is full.
ProcessResult compile(const Toolchain& toolchain, const std::vector<std::string>& command,
                      const std::filesystem::path& scratch, double seconds, Sandbox* sandbox = nullptr);

/// What went wrong in a failed compilation, for people: the first error; else why the compiler was stopped.
std::string failure_text(const ProcessResult& result, const PathNames& names);

}  // namespace course
