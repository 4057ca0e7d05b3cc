// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <gpu/facts.hpp>

// What was found and counted, in words. All of it is pure.
namespace gpu::facts {

/// The second line of a finding: "thread (1,0,0) of block (0,0,0); 3 times in all".
std::string who_text(const Finding& finding);

/// A row a kernel, and below what the columns mean.
std::string kernel_table(std::span<const KernelCounts> kernels);

/// The kernels' texts with counts in the margin, each text once, and below what the columns mean.
std::string annotated(std::span<const KernelCounts> kernels);

/// "port.cpp:12"; "?" if it isn't known.
std::string place_text(const LedgerLine& line);

/// "port.cpp:12           copy to device   4.0 kB  (1,000 float32), waits": the place takes so much room.
std::string ledger_row(const LedgerLine& line, std::size_t place_width);

/// A ledger's last line: "totals: 3 allocations (12.0 kB, 1 from the pool), 1 launch, 2 waits".
std::string totals_text(const Counts& totals, std::uint64_t from_pool);

}  // namespace gpu::facts
