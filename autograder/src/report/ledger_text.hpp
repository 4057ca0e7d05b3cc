// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include "manifest/manifest.hpp"
#include "report/counts_text.hpp"
#include "run/check_report.hpp"
#include "verdict/verdict.hpp"

namespace course {

/// A call's ledger in order, each line beside the answer's own; a loop's repeats are shown once. Plain text. Pure.
std::string ledger_text(const LedgerReport& ledger, std::span<const SourceFile> sources);

/// A line for each counter that counted something or that the task has a budget for: "copies to host  1  asks for
/// exactly 1". `size` is that of the call. Pure.
std::string ledger_totals(const gpu::Counts& counts, const Task& task, const CallSize& size);

/// What a ledger adds up to: what a call that was cut short had asked for. Pure.
gpu::Counts totals_of(const LedgerReport& ledger);

}  // namespace course
