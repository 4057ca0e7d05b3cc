// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <gpu/device.hpp>
#include <gpu/export.hpp>
#include <gpu/facts.hpp>

/// @file
/// The work that a program gives the device, line by line: gpu::Ledger. Not part of gpu.hpp.

namespace gpu {

/// One allocation, copy, launch or wait of a device.
struct GPU_API LedgerEntry : LedgerLine {
    Device device;

    /// "first_port.cpp:12    copy to device   4.0 kB  (1,000 float32), waits"
    [[nodiscard]] std::string to_string() const;
};

/// The options of a ledger.
struct LedgerOptions {
    std::size_t entries = 100'000;  ///< the first ones; the totals count all
    /// Called immediately with each entry, in order; its own use of libgpu isn't noted.
    std::function<void(const LedgerEntry&)> on_entry = {};
};

/// Records the work that the whole process gives its devices, on all threads, while it exists. Lines are those of the
/// program's own source, as far as it was compiled with `-g` (with clang, `-gdwarf-4 -g`): functions in libgpu's
/// headers are attributed to the line that calls them. Without a ledger, the cost per operation is a look at one
/// variable.
///
/// `LIBGPU_LEDGER=1` in the environment prints each entry to stderr when it happens, and the totals at the end.
/// @snippet ledger/ledger_test.cpp ledger
class GPU_API Ledger {
public:
    explicit Ledger(const LedgerOptions& options = {});
    ~Ledger();
    Ledger(const Ledger&) = delete;
    Ledger& operator=(const Ledger&) = delete;

    /// The entries so far, in order.
    [[nodiscard]] std::vector<LedgerEntry> entries() const;
    /// The totals, which agree with gpu::counts(); barriers and atomics aren't recorded and stay 0.
    [[nodiscard]] Counts totals() const;
    /// How many allocations the pool served without asking the device.
    [[nodiscard]] std::uint64_t from_pool() const;
    /// The entries, one per line, and a line of totals.
    [[nodiscard]] std::string text() const;

    /// @cond internal
    struct State;
    /// @endcond

private:
    State* state_;
};

}  // namespace gpu
