// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <gpu/trace.hpp>

#include "trace/drawing.hpp"

// Each picture of a trace. Pure: the same trace gives the same picture.
namespace gpu::detail::trace {

/// What is drawn at once of a launch: some threads of one block.
struct Window {
    int block = 0, first = 0, count = 0;
    [[nodiscard]] bool holds(int at_block, int thread) const noexcept {
        return at_block == block && thread >= first && thread < first + count;
    }
};
constexpr int max_threads = 64;

/// The windows of a launch that something was recorded of, or the first one.
std::vector<Window> windows_of(const TracedLaunch& launch);

/// Thread to element, for each array.
Drawing element_map(const TracedLaunch& launch, const Window& window);

/// One request of a warp: what its lanes access together.
struct Request {
    int line = 0, block = 0, warp = 0, instruction = 0, turn = 0, array = 0;
    MemoryOperation operation{};
    unsigned bytes = 0;                      ///< of a lane
    std::vector<const TracedAccess*> lanes;  ///< 32; null: took no part
    int sectors = 0, used_bytes = 0;         ///< global memory: 32-byte sectors, and what the lanes use of them
    int ways = 0;                            ///< shared memory: wavefronts
};
/// All of them, in the order in which they began.
std::vector<Request> requests_of(const TracedLaunch& launch);

/// What the requests of one line took.
struct LineRequests {
    int line = 0;
    bool shared = false;
    std::vector<const Request*> requests;
    long sectors = 0, used_bytes = 0, ways = 0;
    [[nodiscard]] double efficiency() const noexcept {
        return sectors == 0 ? 1 : static_cast<double>(used_bytes) / (32.0 * static_cast<double>(sectors));
    }
};
/// Those of global memory, or of shared memory: the worst line first.
std::vector<LineRequests> lines_of(const std::vector<Request>& requests, const TracedLaunch& launch, bool shared);

Drawing request_map(const TracedLaunch& launch, const Request& request);
Drawing bank_map(const TracedLaunch& launch, const Request& request);

/// Threads across, time down: which lines they come to, from barrier to barrier.
Drawing barrier_lanes(const TracedLaunch& launch, const Window& window);

/// A finding: two threads, two lines and what isn't between them.
Drawing race_pair(const TracedLaunch& launch, const TracedFinding& finding);
/// Where there is none.
Drawing no_findings();

/// Copies and kernels in the order in which host code asked for them.
Drawing schedule(const Trace& trace);

/// The kernel's text with its counts.
Drawing source_counts(const TracedLaunch& launch, const CheckReport& report);

/// "part[5]", "tile[1][2]".
std::string element_name(const TracedArray& array, std::int64_t index);
/// "1.5": what an access read or wrote, as its array's elements are written; hexadecimal if their type isn't known.
std::string value_text(const TracedArray& array, const TracedAccess& access);
/// The same of what was there before.
std::string value_before(const TracedArray& array, const TracedAccess& access);
/// "(5,0,0)".
std::string index_text(int linear, const Dim3& of);
/// "reads", "writes", "updates".
std::string verb_of(MemoryOperation operation);
/// A line of the kernel's text without the blanks around it; empty if it has none.
std::string line_text(const TracedLaunch& launch, int line);

}  // namespace gpu::detail::trace
