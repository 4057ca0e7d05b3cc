// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "verdict/verdict.hpp"

namespace course {

/// A step of the capstone: what was changed, what the program then asked for, and how long it took.
struct LogEntry {
    int step = 0;                 ///< 0: the version that was given
    std::string date;             ///< "2026-11-23T01:02:03Z"
    std::string note;             ///< in the student's words
    std::string answer;           ///< its digest
    std::string backend, device;  ///< "cuda", "NVIDIA H200"
    // Counted in check mode, on one small image.
    std::string counted_case;  ///< "the picture, 128 x 192"
    std::int64_t counted_elements = 0;
    std::uint64_t launches = 0, copies_to_device = 0, copies_to_host = 0, synchronizations = 0, allocations = 0;
    std::uint64_t reads = 0, writes = 0;  ///< of global memory, by threads
    std::uint64_t sectors = 0;            ///< of 32 bytes
    std::uint64_t used_bytes = 0;         ///< of those in these sectors
    std::uint64_t barriers = 0, atomics = 0;
    double bank_ways = 0;  ///< where it is worst; 0: no shared memory
    // Measured, on a large one.
    std::int64_t timed_elements = 0;
    double seconds = 0;
    double copy_bytes_per_second = 0;  ///< of the device, at that time; 0: not known
    std::string picture;               ///< "pictures/step-03.png", beside the log; empty: none

    [[nodiscard]] double moved_bytes_per_element() const;  ///< all bytes of the sectors
    /// The seconds that the counted bytes take at the copy bandwidth, so many per element; 0: it isn't known.
    [[nodiscard]] double seconds_at_bandwidth(double bytes_per_element) const;
};

/// What a task's result says for the log: counts of the largest case that check mode saw, and the time.
/// @throws std::runtime_error if it was not counted or not timed.
LogEntry measured_entry(const TaskResult& task);

/// One line of JSON, with its line end. Pure.
std::string log_line(const LogEntry& entry);

/// What a log file says, in its order.
struct WorkLog {
    std::vector<LogEntry> entries;
    std::vector<int> broken;  ///< numbers of lines that can't be read
    [[nodiscard]] int next_step() const;
    /// The given version on this device; null if it was never measured there.
    [[nodiscard]] const LogEntry* given_on(const std::string& device) const;
    /// The last entry on this device; null if there is none.
    [[nodiscard]] const LogEntry* last_on(const std::string& device) const;
};
WorkLog parse_log(const std::string& text);

/// Why this can't be the note of a step; empty if it can. Pure.
std::string why_not_a_note(const std::string& note);

}  // namespace course
