// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "verdict/verdict.hpp"

namespace course {

/// One of the judged answer's files.
struct SourceFile {
    std::string name;  ///< "raw_add.cu"
    std::string text;  ///< plain
};

/// What a task's kernels did in check mode: a table of kernels, then the student's lines with counts in the margin.
/// Empty if no kernel ran there. The texts come from the answer; the runner only says which lines did what.
std::string counts_text(const CheckResult& check, std::span<const SourceFile> sources);

/// A part of a text: one or more lines that end with newlines.
struct Passage {
    std::string text;
    int rank = 0;   ///< 0: always shown; among the others, those of the highest rank are left out first
};

/// The highest rank such that all parts up to it fit into `most` lines, each broken to `columns`. Pure.
int fitting_rank(std::span<const Passage> parts, std::size_t max_lines, std::size_t columns);

/// The parts up to that rank, in their order. Pure.
std::string few_lines(std::span<const Passage> parts, std::size_t max_lines, std::size_t columns);

/// A mistake in three lines: what and where, who, what to do. Not indented; ends with a newline.
std::string finding_text(const Finding& finding);

/// True if check mode found what the kernel's message in this case says: the screen shows it once.
bool is_found_too(const TaskResult& task, const CaseResult& shown);

/// The mistakes that check mode found, for below the case that the screen shows; empty if there are none.
/// @param on_gpu the values come from a GPU: say that check mode ran on the host
std::string found_text(const TaskResult& task, const std::string& shown_case, bool on_gpu = false);

/// "9 cases up to n = 1009 in check mode, no mistake found"; empty if no case ran to its end.
std::string checked_text(const CheckResult& check, bool on_gpu = false);

/// The kernels' work in one line: "2 reads and 1 write per element, 4.0 sectors per request (99% used), ... at n =
/// 1009"; empty if there was none.
std::string work_text(const CheckResult& check);

}  // namespace course
