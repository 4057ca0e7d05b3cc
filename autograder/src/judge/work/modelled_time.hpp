// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "protocol/protocol.hpp"
#include "run/check_report.hpp"

namespace course {

/// How many microseconds a call would take by the model of the ledger's picture (libgpu/src/counts_to_time.hpp), if its
/// copies and launches came one after the other. It compares two ways to one result, and promises nothing. Pure.
double modelled_us(const protocol::CountsRecord& counts, std::span<const KernelWork> kernels);

}  // namespace course
