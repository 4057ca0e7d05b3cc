// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
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

/// A piece of a text, one line or more that end with newlines.
struct Passage {
    std::string text;
    int rank = 0;   ///< 0: always shown; of the others those of the highest rank are left out first
};

/// The highest rank of which all parts fit, with those of lower rank: into `most` lines, each broken to `columns`. Pure.
int fitting_rank(std::span<const Passage> parts, std::size_t most, std::size_t columns);

/// The parts that fit so, in their order. Pure.
std::string few_lines(std::span<const Passage> parts, std::size_t most, std::size_t columns);

/// A mistake in three lines: what and where, who, what to do. Without indentation; ends with a newline.
std::string finding_text(const Finding& finding);

/// True if check mode found what the kernel's message of this case says: the screen says it once.
bool is_found_too(const TaskResult& task, const CaseResult& shown);

/// The mistakes that check mode found, below the case that the screen shows; empty if there are none.
/// @param on_gpu the values come from a GPU: says that check mode was on the host
std::string found_text(const TaskResult& task, const std::string& shown_case, bool on_gpu = false);

/// "9 cases up to n = 1009 in check mode, no mistake found"; empty if none ran to its end.
std::string checked_text(const CheckResult& check, bool on_gpu = false);

/// Kernels' work in one line: "2 reads and 1 write per element, 4.0 sectors per request (99% used), ... at n = 1009";
/// empty if there was none.
std::string work_text(const CheckResult& check);

}  // namespace course
