// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <gpu/device.hpp>
#include <gpu/export.hpp>
#include <gpu/kernel_options.hpp>
#include <gpu/profiler.hpp>

/// @file
/// The work that a program gives the device, line by line: gpu::Ledger. Not part of gpu.hpp.

namespace gpu {

/// One allocation, copy, launch or wait, with the line of the program that caused it.
struct GPU_API LedgerEntry {
    enum class Kind : std::uint8_t {
        allocation,
        free,  ///< memory of a destroyed array
        copy_to_device,
        copy_to_host,
        copy_on_device,
        launch,
        linear_algebra,  ///< a call of a library that isn't a launch for gpu::counts(): svd, solve and so on
        wait,            ///< by the host; a copy's own wait is part of the copy's entry
        print            ///< of an array; its copies and launches aren't listed
    };

    Kind kind = Kind::launch;
    std::string file;  ///< of the program's own source, without its folders; empty: not known
    int line = 0;
    Device device;
    std::size_t bytes = 0;      ///< allocated, freed, copied, in matrices
    std::int64_t elements = 0;  ///< of the array; of a generated kernel's index space; 0: not known
    std::string type;           ///< of the elements, "float32"; empty: not known
    std::string name;  ///< a kernel's, "add<float>"; a function's, with its sizes; what was waited for, "an event"
    Dim3 grid = {}, block = {};  ///< of a raw kernel
    bool waits = false;          ///< a copy for which the host waited
    bool pooled = false;         ///< memory that came from the pool, or went back to it, without asking the device
    bool pageable_async = false;   ///< an asynchronous copy of memory that isn't page-locked: a GPU's host waits for it
    bool between_devices = false;  ///< a copy from another device

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
