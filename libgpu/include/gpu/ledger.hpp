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
/// What a program asks of the device, line by line: gpu::Ledger. Not part of gpu.hpp.

namespace gpu {

/// One allocation, copy, launch or wait, with the line of the program that asked for it.
struct GPU_API LedgerEntry {
    enum class Kind : std::uint8_t {
        allocation,
        free,  ///< memory of an array that is gone
        copy_to_device,
        copy_to_host,
        copy_on_device,
        launch,
        linear_algebra,  ///< a call of a library that gpu::counts() doesn't take for a launch: svd, solve and so on
        wait,            ///< of the host; one that belongs to a copy is a part of the copy's entry
        print            ///< of an array; the copies and launches that it takes aren't listed
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

/// What a ledger keeps.
struct LedgerOptions {
    std::size_t entries = 100'000;  ///< the first ones; the totals count all
    /// Called at once with each entry, in order; what it asks of libgpu itself isn't noted.
    std::function<void(const LedgerEntry&)> on_entry = {};
};

/// Notes what the whole process asks of its devices, on all threads, while it exists. Lines are those of the program's
/// own source as far as it was compiled with `-g` (with clang, `-gdwarf-4 -g`): functions of libgpu's headers belong to
/// the line that calls them. Without a ledger, a piece of work only looks at one variable.
///
/// `LIBGPU_LEDGER=1` in the environment prints each entry to stderr when it happens, and the totals at the end.
/// @snippet ledger/ledger_test.cpp ledger
class GPU_API Ledger {
public:
    explicit Ledger(const LedgerOptions& options = {});
    ~Ledger();
    Ledger(const Ledger&) = delete;
    Ledger& operator=(const Ledger&) = delete;

    /// What was noted so far, in order.
    [[nodiscard]] std::vector<LedgerEntry> entries() const;
    /// The sums, which agree with gpu::counts(); barriers and atomics aren't a ledger's and stay 0.
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
