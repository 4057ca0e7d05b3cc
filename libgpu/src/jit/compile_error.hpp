// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "backend/backend.hpp"

namespace gpu::detail {

/// What the learner is told: "kernel add does not compile", then file, line and message, the line between its
/// neighbours, a caret, and advice where there is some.
std::string explain_compile_failure(const KernelSource& source, const CompileFailure& failure);

/// Throws what a compiler said of a source as a CompileError.
[[noreturn]] void fail_to_compile(const KernelSource& source, const CompileFailure& failure);

}  // namespace gpu::detail
