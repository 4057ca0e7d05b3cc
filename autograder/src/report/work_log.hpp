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
    int step = 0;                 ///< 0: the given version
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
    std::uint64_t used_bytes = 0;         ///< bytes of these sectors that were used
    std::uint64_t barriers = 0, atomics = 0;
    double bank_ways = 0;  ///< at its worst; 0: no shared memory
    // Measured, on a large one.
    std::int64_t timed_elements = 0;
    double seconds = 0;
    double copy_bytes_per_second = 0;  ///< the device's at that time; 0: unknown
    std::string picture;               ///< "pictures/step-03.png", beside the log; empty: none

    [[nodiscard]] double moved_bytes_per_element() const;  ///< all bytes of the sectors
    /// The seconds that this many bytes per element take at the copy bandwidth; 0: it isn't known.
    [[nodiscard]] double seconds_at_bandwidth(double bytes_per_element) const;
};

/// The log entry of a task's result: counts of the largest case that check mode saw, and the time.
/// @throws std::runtime_error if it was not counted or not timed.
LogEntry measured_entry(const TaskResult& task);

/// One line of JSON including its line end. Pure.
std::string log_line(const LogEntry& entry);

/// A log file's contents, in order.
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

/// Why this can't be a step's note; empty if it can. Pure.
std::string why_not_a_note(const std::string& note);

/// The unit of the log's counts.
struct LogUnit {
    std::string element;     ///< "pixel"
    double min_bytes = 0;  ///< that any version moves, per element
};

/// A step as printed when it is logged, beside the given version and the previous step on that device.
std::string step_text(const LogEntry& entry, const LogEntry& given, const LogEntry& before, const LogUnit& unit);

/// The whole log, one line per step: device after device.
std::string log_table(const WorkLog& log, const LogUnit& unit);

/// "3.4x", "12x", "310x".
std::string factor_text(double factor);

/// "0.2%", "67%".
std::string share_text(double share);

/// "0.27", "7.94", "1311": three digits, no exponent.
std::string count_text(double count);

/// "0.5 us", "12 us", "3.4 ms".
std::string time_text(double seconds);

/// "measured on NVIDIA H200", "on this machine's CPU, ...".
std::string where_measured(const LogEntry& entry);

/// What the page needs besides the log.
struct LogPage {
    std::string title;       ///< of the capstone
    LogUnit unit;
    /// The bytes of the picture that an entry names; empty if it is missing.
    std::function<std::string(const std::string& name)> picture = {};
};

/// The log as one self-contained HTML page: a chart of the times on the last entry's device, a table of the counts, the
/// pictures. Pure except for the pictures.
std::string log_page(const WorkLog& log, const LogPage& page);

}  // namespace course
