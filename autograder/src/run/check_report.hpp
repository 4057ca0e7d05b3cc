// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gpu/findings.hpp>

#include "protocol/protocol_check.hpp"
#include "protocol/protocol_work.hpp"

namespace course {

using gpu::FindingKind;
using Work = protocol::WorkRecord;

/// A mistake in a kernel as check mode reports it. All texts are plain and short, since they come from the untrusted
/// runner.
struct Finding {
    FindingKind kind{};
    int rule = 1;  ///< the number of the gpu::Rule that is broken
    std::string kernel, file, variable;
    int line = 0;
    std::string what, who, advice;  ///< the three lines
    std::uint64_t times = 1;
};

/// The work of one line of a kernel.
struct LineWork {
    std::string file;
    int line = 0;
    Work work{};
};

/// Launches of a kernel with the same shape.
struct LaunchShape {
    std::array<std::uint64_t, 3> grid{1, 1, 1}, block{1, 1, 1};
    std::uint64_t launches = 0;
    [[nodiscard]] double blocks() const noexcept { return product(grid); }
    [[nodiscard]] double block_threads() const noexcept { return product(block); }

private:
    static double product(const std::array<std::uint64_t, 3>& lengths) noexcept {
        return static_cast<double>(lengths[0]) * static_cast<double>(lengths[1]) * static_cast<double>(lengths[2]);
    }
};

/// How one kind of access is distributed over the threads, warps and blocks of a launch; counted in elements.
struct WorkSpread {
    std::uint64_t total = 0;
    std::uint64_t busiest_thread = 0, busiest_warp = 0, busiest_block = 0;     ///< the maximum of one
    std::uint64_t working_threads = 0, working_warps = 0, working_blocks = 0;  ///< those that did any
    LaunchShape shape = {};
};

/// The work of all launches of one kernel.
struct KernelWork {
    std::string name, file;
    std::string made_in = {};   ///< the C++ file that creates an elementwise or reduction kernel; empty: libgpu itself
    std::uint64_t launches = 0, blocks = 0, threads = 0;
    std::vector<LaunchShape> shapes = {};   ///< the first different ones
    Work work{};
    WorkSpread global = {}, shared = {}, atomic = {};  ///< each from the launch that has the most
    std::uint64_t accesses = 0, span = 0;              ///< work and span of all launches
    std::vector<LineWork> lines;
    std::string rewritten = {};  ///< which two threads wrote one element with the same value; empty if none did
};

/// What the runner reports that gpu::check found during a call. It can only make a verdict worse or explain it.
struct CheckReport {
    std::vector<Finding> findings;
    std::uint64_t more_findings = 0;  ///< not in the list
    std::vector<KernelWork> kernels;
    bool cut = false;  ///< there were more kernels or lines
};

/// Copies a check record out of the shared memory, once, and sanitises it: checks every count and makes every text
/// plain. @throws BadReply if no honest runner could have sent it.
CheckReport take_check(std::span<const std::byte> memory, std::uint64_t offset);

/// The sum of two counts, saturating at the largest number.
namespace protocol {
WorkRecord operator+(const WorkRecord& a, const WorkRecord& b) noexcept;
}

using protocol::LedgerKind;

/// One allocation, copy, launch or wait of a call, with the line that caused it.
struct LedgerLine {
    LedgerKind kind = LedgerKind::launch;
    std::string file;  ///< without folders; empty: not known
    int line = 0;
    std::uint64_t bytes = 0;
    std::int64_t elements = 0;  ///< 0: not known
    std::string type = {};      ///< of the elements
    std::string name = {};      ///< a kernel's, or what was waited for
    std::array<std::int64_t, 3> grid{1, 1, 1}, block{1, 1, 1};
    bool waits = false, pooled = false, pageable_async = false, between_devices = false;
    friend bool operator==(const LedgerLine&, const LedgerLine&) = default;
};

/// What a call asked of the device, in order.
struct LedgerReport {
    std::vector<LedgerLine> lines;
    std::uint64_t left_out = 0;  ///< after these
};

/// Reads what a runner has recorded so far without trusting it; impossible records are skipped.
LedgerReport take_ledger(std::span<const std::byte> page);

}  // namespace course
