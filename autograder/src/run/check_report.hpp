// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "run/protocol_check.hpp"

namespace course {

using protocol::FindingKind;
using Work = protocol::WorkRecord;

/// "out of bounds", "missing barrier", ...
std::string_view to_string(FindingKind kind) noexcept;

/// A mistake in a kernel as check mode tells it. All texts are plain and short: they come from the untrusted runner.
struct Finding {
    FindingKind kind{};
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

/// The work of all launches of one kernel.
struct KernelWork {
    std::string name, file;
    std::uint64_t launches = 0, blocks = 0, threads = 0;
    Work work{};
    std::vector<LineWork> lines;
    std::string rewritten = {};  ///< which two threads have written one element with one value; empty if none
};

/// What the runner says that gpu::check saw during a call. It can make a verdict worse or explain it, and nothing else.
struct CheckReport {
    std::vector<Finding> findings;
    std::uint64_t more_findings = 0;  ///< that aren't in the list
    std::vector<KernelWork> kernels;
    bool cut = false;  ///< there were more kernels or lines
};

/// Copies a check record out of the shared memory, once, and makes it fit to use: every count is checked, every text
/// made plain. @throws BadReply if no honest runner sends such a record.
CheckReport take_check(std::span<const std::byte> memory, std::uint64_t offset);

/// The sum of two counts; what would overflow stays at the largest number.
namespace protocol {
WorkRecord operator+(const WorkRecord& a, const WorkRecord& b) noexcept;
}

}  // namespace course
