// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <gpu/facts.hpp>

#include "gpucc/runtime/program.hpp"

namespace gpucc {

using Work = gpu::LedgerWork;

/// Work that a call has given the device: libgpu counts it, and GPUCC_LEDGER=1 prints it.
void note_work(const Call& call, const Work& work, const std::string& detail = "");

/// The same of what libgpu's counts don't have, or have already.
void note_call(const Call& call, const std::string& what, std::size_t bytes = 0, const std::string& detail = "");

/// Starts the ledger if the environment asks for it.
void begin_ledger();
/// Its last line, the totals.
void finish_ledger();

}  // namespace gpucc
