// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <gpu/trace.hpp>

#include "trace/drawing.hpp"

// The pictures of a trace. Pure: the same trace gives the same picture.
namespace gpu::detail::trace {

/// The part of a launch that is drawn at once: some threads of one block.
struct Window {
    int block = 0, first = 0, count = 0;
    [[nodiscard]] bool holds(int at_block, int thread) const noexcept {
        return at_block == block && thread >= first && thread < first + count;
    }
};
constexpr int max_threads = 64;

/// The windows of a launch that have recorded accesses, or else the first one.
std::vector<Window> windows_of(const TracedLaunch& launch);

/// Thread to element, for each array.
Drawing element_map(const TracedLaunch& launch, const Window& window);

/// One request of a warp: what its lanes access together.
struct Request {
    int line = 0, block = 0, warp = 0, instruction = 0, turn = 0, array = 0;
    MemoryOperation operation{};
    unsigned bytes = 0;                      ///< of a lane
    std::vector<const TracedAccess*> lanes;  ///< 32; null: inactive
    int sectors = 0, used_bytes = 0;         ///< global memory: 32-byte sectors, and their bytes that lanes use
    int ways = 0;                            ///< shared memory: wavefronts
};
/// All requests, in the order in which they began.
std::vector<Request> requests_of(const TracedLaunch& launch);

/// The totals of one line's requests.
struct LineRequests {
    int line = 0;
    bool shared = false;
    std::vector<const Request*> requests;
    long sectors = 0, used_bytes = 0, ways = 0;
    [[nodiscard]] double efficiency() const noexcept {
        return sectors == 0 ? 1 : static_cast<double>(used_bytes) / (32.0 * static_cast<double>(sectors));
    }
};
/// The lines that access global memory, or shared memory: the worst one first.
std::vector<LineRequests> lines_of(const std::vector<Request>& requests, const TracedLaunch& launch, bool shared);

Drawing request_map(const TracedLaunch& launch, const Request& request);
Drawing bank_map(const TracedLaunch& launch, const Request& request);

/// Threads across, time down: the lines they reach, from barrier to barrier.
Drawing barrier_lanes(const TracedLaunch& launch, const Window& window);

/// A finding: two threads, two lines, and what is missing between them.
Drawing race_pair(const TracedLaunch& launch, const TracedFinding& finding);
/// Drawn if there is none.
Drawing no_findings();

/// Copies and kernels in the order in which host code issued them.
Drawing schedule(const Trace& trace);

/// The kernel's text with its counts.
Drawing source_counts(const TracedLaunch& launch, const CheckReport& report);

/// "part[5]", "tile[1][2]".
std::string element_name(const TracedArray& array, std::int64_t index);
/// "1.5": what an access read or wrote, printed as its array's type; hexadecimal if the type isn't known.
std::string value_text(const TracedArray& array, const TracedAccess& access);
/// The same for the value before it.
std::string value_before(const TracedArray& array, const TracedAccess& access);
/// "(5,0,0)".
std::string index_text(int linear, const Dim3& of);
/// "reads", "writes", "updates".
std::string verb_of(MemoryOperation operation);
/// A line of the kernel's text without leading and trailing blanks; empty if there is none.
std::string line_text(const TracedLaunch& launch, int line);

}  // namespace gpu::detail::trace
