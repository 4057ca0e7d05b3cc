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

/// One line per counter that counted something or has a budget in the task: "copies to host  1  asks for exactly 1".
/// `size` is the call's. Pure.
std::string ledger_totals(const protocol::CountsRecord& counts, const Task& task, const CallSize& size);

/// The ledger's totals: what an interrupted call had asked for. Pure.
protocol::CountsRecord totals_of(const LedgerReport& ledger);

}  // namespace course
