// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gpu/export.hpp>
#include <gpu/facts.hpp>
#include <gpu/kernel_options.hpp>
#include <gpu/profiler.hpp>
#include <gpu/shape.hpp>

namespace gpu {

/// What gpu::check saw. The same on every run of the same program.
/// @snippet check/bounds_test.cpp report
struct GPU_API CheckReport {
    std::vector<Finding> findings;      ///< in the order in which they were found
    std::vector<KernelCounts> kernels;  ///< in the order of their first launches
    Counts host;                        ///< copies, bytes, allocations, synchronisations, launches

    /// True if nothing was found.
    [[nodiscard]] bool clean() const noexcept { return findings.empty(); }
    /// The findings, three lines each; empty if there are none.
    [[nodiscard]] std::string to_text() const;
    /// The counted work as a table, one row per kernel.
    [[nodiscard]] std::string table() const;
    /// The kernels' texts with counts in the margin.
    [[nodiscard]] std::string annotated() const;
    /// Everything as JSON; docs/internals/host-backend.md lists its members.
    [[nodiscard]] std::string to_json() const;
};

/// How gpu::check runs kernels.
struct CheckOptions {
    /// "fixed": threads and blocks in increasing order. "random:SEED": in an order drawn from SEED, between any two
    /// synchronisations. Empty: LIBGPU_CHECK_SCHEDULE, otherwise fixed; and small launches with atomics or volatile
    /// accesses also in a few random orders, for mistakes that only show there. Such a finding names the order.
    std::string schedule = {};
    int workers = 0;                ///< CPU threads that run blocks; 0: LIBGPU_CHECK_WORKERS, else 1
    double seconds_per_block = 10;  ///< of CPU time; a block that takes longer counts as an endless loop
    /// Also report barriers and warp operations that count on threads which have returned early: undefined before
    /// compute capability 7.0, tolerated since. The course's exercises are checked this way. Barriers in a branch or a
    /// loop that some threads skip are always reported.
    Flag strict_barriers = false;
    /// Accept only CUDA C++: names, attributes and pragmas of the host's compiler are rejected, as are calls of
    /// functions that no GPU has. For kernels from others, whose work must be counted whatever they try. The course's
    /// exercises are checked this way.
    Flag only_cuda = false;
    /// Copies to the host get values other than the device's: floats from 1 to 2. A result that is nevertheless right
    /// was computed by the host. For graders.
    Flag spoiled_copies = false;
};

namespace detail {

/// Checks from its constructor to finish(), or to its destructor if an exception is thrown before.
class GPU_API CheckScope {
public:
    explicit CheckScope(const CheckOptions& options);
    ~CheckScope();
    CheckScope(const CheckScope&) = delete;
    CheckScope& operator=(const CheckScope&) = delete;

    [[nodiscard]] CheckReport finish();

private:
    Counts before_;
    bool finished_ = false;
};

/// While one exists, in any thread, every gpu::check and gpu::trace throws the same error, whether inside a check or
/// not: code under a grader can't tell which.
class GPU_API NoNewChecks {
public:
    NoNewChecks() noexcept;
    ~NoNewChecks();
    NoNewChecks(const NoNewChecks&) = delete;
    NoNewChecks& operator=(const NoNewChecks&) = delete;
};

}  // namespace detail

/// Calls `f()` and runs all kernels that it launches in check mode: slower, with every memory access checked. A kernel
/// with a fatal finding (out of bounds, deadlock, ...) ends there, and `f` continues. Host code that accesses an
/// array's device memory, as in `x.data()[3]`, is found as well: with a GPU it would crash. Waits until all work is
/// done. A process runs one check at a time; a check inside another is an error.
/// @throws DeviceError if the current device isn't of the host backend; Error for options that can't be understood
/// @snippet check/bounds_test.cpp check
template <class F>
CheckReport check(F&& f, const CheckOptions& options = {}) {
    detail::CheckScope scope(options);
    if constexpr (requires { f().node(); })
        (void)f().eval();  // an expression
    else
        f();
    return scope.finish();
}

}  // namespace gpu
