// SPDX-License-Identifier: MIT
#include "report/work_log.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "judge/work/work_budgets.hpp"

namespace course {

namespace {

constexpr double sector_bytes = 32;
constexpr std::size_t longest_note = 120;
constexpr int last_step = 9999;

double number(std::uint64_t count) { return static_cast<double>(count); }

/// Calls `member(name, member)` for each that a line of the log has.
template <class Entry, class Member>
void each_member(Entry& entry, const Member& member) {
    member("step", entry.step);
    member("date", entry.date);
    member("note", entry.note);
    member("answer", entry.answer);
    member("backend", entry.backend);
    member("device", entry.device);
    member("counted_case", entry.counted_case);
    member("counted_elements", entry.counted_elements);
    member("launches", entry.launches);
    member("copies_to_device", entry.copies_to_device);
    member("copies_to_host", entry.copies_to_host);
    member("synchronizations", entry.synchronizations);
    member("allocations", entry.allocations);
    member("reads", entry.reads);
    member("writes", entry.writes);
    member("sectors", entry.sectors);
    member("used_bytes", entry.used_bytes);
    member("barriers", entry.barriers);
    member("atomics", entry.atomics);
    member("bank_ways", entry.bank_ways);
    member("timed_elements", entry.timed_elements);
    member("seconds", entry.seconds);
    member("copy_bytes_per_second", entry.copy_bytes_per_second);
    member("picture", entry.picture);
}

/// A file of the log's own folder, or nothing: the line may have been written by anybody.
bool is_picture_name(const std::string& name) {
    constexpr std::string_view folder = "pictures/", letters = "abcdefghijklmnopqrstuvwxyz0123456789-";
    if (name.empty()) return true;
    if (!name.starts_with(folder) || !name.ends_with(".png")) return false;
    const std::string_view plain = std::string_view(name).substr(folder.size(), name.size() - folder.size() - 4);
    return !plain.empty() && plain.find_first_not_of(letters) == plain.npos;
}

bool is_printable(const std::string& text) {
    return std::none_of(text.begin(), text.end(),
                        [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

bool makes_sense(const LogEntry& entry) {
    return entry.step >= 0 && entry.step <= last_step && entry.counted_elements > 0 && entry.timed_elements > 0 &&
           entry.seconds > 0 && std::isfinite(entry.seconds) && entry.copy_bytes_per_second >= 0 &&
           is_printable(entry.device) && is_printable(entry.counted_case) && is_picture_name(entry.picture) &&
           why_not_a_note(entry.note).empty();
}

}  // namespace

double LogEntry::moved_bytes_per_element() const {
    return sector_bytes * number(sectors) / static_cast<double>(counted_elements);
}

double LogEntry::seconds_at_bandwidth(double bytes_per_element) const {
    if (!(copy_bytes_per_second > 0)) return 0;
    return bytes_per_element * static_cast<double>(timed_elements) / copy_bytes_per_second;
}

LogEntry measured_entry(const TaskResult& task) {
    LogEntry entry;
    const auto counted_case = std::find_if(task.cases.begin(), task.cases.end(), [&](const CaseResult& one) {
        return task.check && one.name == task.check->work_case && one.checked_counts;
    });
    if (counted_case == task.cases.end()) throw std::runtime_error("no kernel ran in check mode: nothing is counted");
    if (!task.speed || task.speed->pairs == 0)
        throw std::runtime_error("it was not timed: " + (task.speed ? task.speed->note : "the check measures no time"));
    const std::vector<KernelWork>& kernels = task.check->kernels;
    const Work work = total(kernels);
    const protocol::CountsRecord& counts = *counted_case->checked_counts;
    entry.counted_case = counted_case->name;
    entry.counted_elements = counted_case->elements;
    entry.launches = counts.launches;
    entry.copies_to_device = counts.copies_to_device;
    entry.copies_to_host = counts.copies_to_host;
    entry.synchronizations = counts.synchronizations;
    entry.allocations = counts.allocations;
    entry.reads = work.global_reads;
    entry.writes = work.global_writes;
    entry.sectors = work.global_sectors;
    entry.used_bytes = work.global_bytes_read + work.global_bytes_written;
    entry.barriers = work.barriers;
    entry.atomics = work.global_atomics;
    entry.bank_ways = counted(kernels, "bank_conflict_ways");
    entry.seconds = task.speed->seconds;
    return entry;
}

std::string log_line(const LogEntry& entry) {
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    each_member(entry, [&](const char* name, const auto& value) { json[name] = value; });
    return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

int WorkLog::next_step() const {
    int last = 0;
    for (const LogEntry& entry : entries) last = std::max(last, entry.step);
    return last + 1;
}

const LogEntry* WorkLog::given_on(const std::string& device) const {
    const auto found = std::find_if(entries.begin(), entries.end(),
                                    [&](const LogEntry& entry) { return entry.step == 0 && entry.device == device; });
    return found == entries.end() ? nullptr : &*found;
}

const LogEntry* WorkLog::last_on(const std::string& device) const {
    const auto found =
        std::find_if(entries.rbegin(), entries.rend(), [&](const LogEntry& entry) { return entry.device == device; });
    return found == entries.rend() ? nullptr : &*found;
}

WorkLog parse_log(const std::string& text) {
    WorkLog log;
    std::istringstream lines(text);
    int number_of_line = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number_of_line;
        if (line.find_first_not_of(" \t\r") == line.npos) continue;
        LogEntry entry;
        try {
            const nlohmann::json json = nlohmann::json::parse(line);
            each_member(entry, [&](const char* name, auto& value) { json.at(name).get_to(value); });
        } catch (const nlohmann::json::exception&) {
            log.broken.push_back(number_of_line);
            continue;
        }
        if (makes_sense(entry))
            log.entries.push_back(std::move(entry));
        else
            log.broken.push_back(number_of_line);
    }
    return log;
}

std::string why_not_a_note(const std::string& note) {
    if (note.find_first_not_of(' ') == note.npos) return "the note is empty; say what you changed in a few words";
    if (note.size() > longest_note)
        return fmt::format("the note has {} bytes; {} is the most", note.size(), longest_note);
    if (!is_printable(note)) return "the note must be one line of plain text";
    return "";
}

}  // namespace course
