// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gpu/export.hpp>
#include <gpu/findings.hpp>
#include <gpu/kernel_options.hpp>
#include <gpu/profiler.hpp>

namespace gpu {

/// "rule 5: a barrier counts all threads of the block".
[[nodiscard]] GPU_API std::string to_string(Rule rule);

/// One mistake, reported once however often it happened.
struct Finding {
    FindingKind kind{};
    Rule rule = Rule::many_threads;  ///< the rule that it breaks
    std::string kernel;  ///< empty if host code made the mistake
    std::string file;    ///< as in compile errors: "raw_add.cu", or the generated kernel's name
    int line = 0;
    std::string variable;     ///< the array; empty if there is none
    std::string what;         ///< first line: what happened and where, with index and size
    std::string who;          ///< second line: block and thread, both sides of a race
    std::string advice;       ///< third line: what to do
    std::uint64_t times = 1;  ///< how often it happened, if that was counted
};

/// Work that a kernel did, counted per thread for accesses and per warp for requests.
///
/// A request is one instruction of one warp: the k-th execution of an access by all of its threads. Sectors are 32
/// bytes and segments 128 bytes of global memory, see "Device Memory Accesses" in the CUDA C++ Best Practices Guide. A
/// shared request takes as many wavefronts as it needs words from the busiest of 32 banks; if threads access 8 or 16
/// bytes, each half or quarter of the warp is a request. Atomic operations are requests too; what they change counts as
/// bytes written. Those of a warp on the same element are serialised: they are as many requests as the busiest element
/// has lanes.
///
/// Reads and writes are counted in elements of the array: storing a float4 into an array of float writes four.
struct GPU_API WorkCounts {
    std::uint64_t global_reads = 0, global_writes = 0;  ///< of threads, in elements
    std::uint64_t global_bytes_read = 0, global_bytes_written = 0;
    std::uint64_t global_bytes_used = 0;  ///< per request what threads asked for, at most what its sectors hold
    std::uint64_t global_requests = 0, global_sectors = 0, global_segments = 0;
    std::uint64_t shared_reads = 0, shared_writes = 0;  ///< of threads, in elements
    std::uint64_t shared_bytes_read = 0, shared_bytes_written = 0;
    std::uint64_t shared_requests = 0, shared_wavefronts = 0;
    std::uint64_t atomics = 0;             ///< of threads, global and shared
    std::uint64_t global_atomics = 0;      ///< the part on global memory
    std::uint64_t atomic_requests = 0, atomic_turns = 0;  ///< of warps
    std::uint64_t barriers = 0;            ///< __syncthreads() and its forms, one per block
    std::uint64_t warp_operations = 0;     ///< shuffles, votes, __syncwarp(), one per warp
    std::uint64_t divergent_requests = 0;  ///< places in the text that compute in double precision
    std::uint64_t double_operations = 0;   ///< places in the text that compute in double precision, however often

    WorkCounts& operator+=(const WorkCounts& more) noexcept;
    friend bool operator==(const WorkCounts&, const WorkCounts&) = default;
};

/// The work of one line of a kernel.
struct LineCounts {
    std::string file;
    int line = 0;
    WorkCounts work;
};

/// Launches of a kernel with the same shape.
struct LaunchCounts {
    Dim3 grid, block;
    std::uint64_t launches = 0;
    friend bool operator==(const LaunchCounts&, const LaunchCounts&) = default;
};

/// How one kind of access is distributed over the threads, warps and blocks of a launch; counted in elements.
struct WorkSpread {
    std::uint64_t total = 0;
    std::uint64_t busiest_thread = 0, busiest_warp = 0, busiest_block = 0;        ///< the maximum of one
    std::uint64_t working_threads = 0, working_warps = 0, working_blocks = 0;     ///< those that did any
    Dim3 grid, block;                                                             ///< the launch's
};

/// The work of all launches of one kernel.
struct KernelCounts {
    std::string name, file;
    std::string made_in;  ///< for elementwise and reduction kernels: the C++ file that creates it; empty: libgpu itself
    std::string source;   ///< the learner's text; an elementwise kernel's body; empty for reductions
    int first_line = 1;   ///< the number of its first line in `file`
    std::uint64_t launches = 0, blocks = 0, threads = 0;
    std::vector<LaunchCounts> shapes;  ///< one per shape, in the order of first launches; at most 64
    WorkCounts work;
    /// Accesses to global and shared memory, including atomics. Each from the launch that has the most.
    WorkSpread global_spread, shared_spread;
    WorkSpread atomic_spread;  ///< atomic operations alone
    /// All accesses, and the longest dependent chain: within a block the busiest thread's count from barrier to
    /// barrier, added up; over blocks the maximum; over launches the sum. Work and span as in Cormen et al.,
    /// too many irregular accesses to store: requests, sectors and wavefronts are too high
    std::uint64_t accesses = 0, span = 0;
    bool approximate = false;  ///< the first element that two threads wrote with one value, and which; or empty
    std::vector<LineCounts> lines;  ///< by file and line; only lines that did something
    std::string rewritten;  ///< the first element that two threads have written with one value, and which; or empty
};

/// The result of gpu::check. The same on every run of the same program.
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
    bool strict_barriers = false;
    /// Accept only CUDA C++: names, attributes and pragmas of the host's compiler are rejected, as are calls of
    /// functions that no GPU has. For kernels from others, whose work must be counted whatever they try. The course's
    /// exercises are checked this way.
    bool only_cuda = false;
    /// Copies to the host get values other than the device's: floats from 1 to 2. A result that is nevertheless right
    /// was computed by the host. For graders.
    bool spoiled_copies = false;
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
    f();
    return scope.finish();
}

}  // namespace gpu
