// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
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

/// What the log counts by.
struct LogUnit {
    std::string element;     ///< "pixel"
    double min_bytes = 0;  ///< that any version moves, for each
};

/// A step as it is printed when it is logged, beside the given version and the step before it on that device.
std::string step_text(const LogEntry& entry, const LogEntry& given, const LogEntry& before, const LogUnit& unit);

/// The whole log, a line for each step: all devices, one after the other.
std::string log_table(const WorkLog& log, const LogUnit& unit);

/// "3.4x", "12x", "310x".
std::string factor_text(double factor);

/// "0.2%", "67%".
std::string share_text(double share);

/// "0.27", "7.94", "1311": three digits, and no exponent.
std::string count_text(double count);

/// "0.5 us", "12 us", "3.4 ms".
std::string time_text(double seconds);

/// "measured on NVIDIA H200", "on this machine's CPU, ...".
std::string where_measured(const LogEntry& entry);

/// What the page needs besides the log.
struct LogPage {
    std::string title;       ///< of the capstone
    LogUnit unit;
    /// The bytes of a picture that an entry names; empty if it isn't there.
    std::function<std::string(const std::string& name)> picture = {};
};

/// The log as one HTML page that needs no other file: a chart of the times on the device of the last entry, a table of
/// the counts, the pictures. Pure but for the pictures.
std::string log_page(const WorkLog& log, const LogPage& page);

}  // namespace course
