// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include "verdict/verdict.hpp"

namespace course {

/// One of the answer's files, as it was judged.
struct SourceFile {
    std::string name;  ///< "raw_add.cu"
    std::string text;  ///< plain
};

/// What the kernels of a task did, in check mode: a table of kernels, then the student's lines with counts in the
/// margin. Empty if no kernel ran there. The texts are the answer's own; the runner says only which lines did what.
std::string counts_text(const CheckResult& check, std::span<const SourceFile> sources);

}  // namespace course
