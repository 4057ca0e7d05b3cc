// SPDX-License-Identifier: MIT
#include "report/work_log_text.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "report/terminal.hpp"

namespace course {

namespace {

double per_element(std::uint64_t count, const LogEntry& entry) {
    return static_cast<double>(count) / static_cast<double>(entry.counted_elements);
}

std::string plural(std::uint64_t count, std::string_view one, std::string_view many) {
    return fmt::format("{} {}", count, count == 1 ? one : many);
}

}  // namespace

std::string factor_text(double factor) {
    return factor >= 10 ? fmt::format("{:.0f}x", factor) : fmt::format("{:.1f}x", factor);
}

std::string share_text(double share) {
    return share >= 0.1 ? fmt::format("{:.0f}%", 100 * share) : fmt::format("{:.1f}%", 100 * share);
}

std::string count_text(double count) {
    return count >= 100 ? fmt::format("{:.0f}", count) : fmt::format("{:.3g}", count);
}

std::string time_text(double seconds) {
    return seconds < 1e-5 ? fmt::format("{:.2g} us", seconds * 1e6) : duration_text(seconds);
}

std::string where_measured(const LogEntry& entry) {
    return entry.backend == "cuda" ? "measured on " + entry.device
                                   : "on this machine's CPU, which says little about a GPU";
}

std::string step_text(const LogEntry& entry, const LogEntry& given, const LogEntry& before, const LogUnit& unit) {
    const double moved = entry.moved_bytes_per_element();
    std::string text = entry.step == 0 ? fmt::format("The given version: {}\n", entry.note)
                                       : fmt::format("Step {}: {}\n", entry.step, entry.note);
    text += fmt::format("  host      {}, {}, {}, {}\n", plural(entry.launches, "launch", "launches"),
                        plural(entry.copies_to_device + entry.copies_to_host, "copy", "copies"),
                        plural(entry.synchronizations, "wait", "waits"),
                        plural(entry.allocations, "allocation", "allocations"));
    text += fmt::format(
        "  kernels   per {} {} reads, {} writes, {} bytes moved ({:.0f}% used); {}, {}", unit.element,
        count_text(per_element(entry.reads, entry)), count_text(per_element(entry.writes, entry)), count_text(moved),
        entry.sectors == 0 ? 100.0 : 100 * per_element(entry.used_bytes, entry) / moved,
        plural(entry.atomics, "global atomic", "global atomics"), plural(entry.barriers, "barrier", "barriers"));
    if (entry.bank_ways > 1) text += fmt::format(", {:.1f}-way bank conflicts", entry.bank_ways);
    text += fmt::format("\n            counted in check mode: {}\n", entry.counted_case);
    text += fmt::format("  time      {} for {} {}s, {}\n", time_text(entry.seconds), entry.timed_elements, unit.element,
                        where_measured(entry));
    if (entry.step > 0) {
        text += fmt::format("  speed-up  {} over the given version", factor_text(given.seconds / entry.seconds));
        if (before.step > 0)
            text += fmt::format(", {} over step {}", factor_text(before.seconds / entry.seconds), before.step);
        text += "\n";
    }
    if (const double bound = entry.seconds_at_bandwidth(moved); bound > 0) {
        const std::string share = bound <= entry.seconds ? share_text(bound / entry.seconds) + " of the time"
                                                         : "more than it took: caches answered the rest";
        text += fmt::format("  roofline  a copy runs at {}: the bytes counted would take {}, {}\n",
                            rate_text(entry.copy_bytes_per_second), time_text(bound), share);
        text += fmt::format("            and the least that any version moves, {:g} bytes per {}, {}\n",
                            unit.least_bytes, unit.element, time_text(entry.seconds_at_bandwidth(unit.least_bytes)));
    }
    return text;
}

std::string log_table(const WorkLog& log, const LogUnit& unit) {
    std::vector<std::string> devices;
    for (const LogEntry& entry : log.entries)
        if (std::find(devices.begin(), devices.end(), entry.device) == devices.end()) devices.push_back(entry.device);
    std::string text;
    for (const std::string& device : devices) {
        const LogEntry* const given = log.given_on(device);
        text += fmt::format("{}{}\n  step      time  speed-up  {:>13}  launches  copies  waits\n",
                            text.empty() ? "" : "\n", where_measured(*log.last_on(device)), "bytes/" + unit.element);
        for (const LogEntry& entry : log.entries) {
            if (entry.device != device) continue;
            text += fmt::format("  {:>4}  {:>8}  {:>8}  {:>13}  {:>8}  {:>6}  {:>5}  {}\n", entry.step,
                                time_text(entry.seconds),
                                given == nullptr ? "" : factor_text(given->seconds / entry.seconds),
                                count_text(entry.moved_bytes_per_element()), entry.launches,
                                entry.copies_to_device + entry.copies_to_host, entry.synchronizations, entry.note);
        }
    }
    for (const int line : log.broken) text += fmt::format("line {} of the log can't be read, and is left out\n", line);
    return text;
}

}  // namespace course
