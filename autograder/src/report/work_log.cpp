// SPDX-License-Identifier: MIT
#include "report/work_log.hpp"

#include <algorithm>
#include <limits>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "judge/work/work_budgets.hpp"
#include "support/text.hpp"

namespace course {

namespace {

constexpr double sector_bytes = 32;
constexpr std::size_t longest_note = 120;
constexpr int last_step = 9999;

double as_double(std::uint64_t count) { return static_cast<double>(count); }

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

bool is_one_plain_line(const std::string& text) {
    return text.find_first_of("\n\t") == text.npos && plain_text(text, text.size(), 1) == text;
}

bool is_between(double number, double least, double most) { return number >= least && number <= most; }

bool makes_sense(const LogEntry& entry) {
    constexpr std::size_t longest = 200;
    for (const std::string* text : {&entry.date, &entry.answer, &entry.backend, &entry.device, &entry.counted_case})
        if (text->size() > longest || !is_one_plain_line(*text)) return false;
    return entry.step >= 0 && entry.step <= last_step && entry.counted_elements > 0 && entry.timed_elements > 0 &&
           is_between(entry.seconds, 1e-12, 1e9) && is_between(entry.copy_bytes_per_second, 0, 1e18) &&
           is_between(entry.bank_ways, 0, 1e6) && is_picture_name(entry.picture) && why_not_a_note(entry.note).empty();
}

/// A member of a line, which must be of its kind: a count is neither negative nor a fraction.
template <class Value>
void read_member(const nlohmann::json& json, Value& value) {
    const bool fits = std::is_floating_point_v<Value> ? json.is_number()
                      : std::is_unsigned_v<Value>     ? json.is_number_unsigned()
                      : std::is_integral_v<Value>     ? json.is_number_integer()
                                                      : json.is_string();
    if (!fits) throw std::invalid_argument("a member of another kind");
    if constexpr (std::is_integral_v<Value>)
        if (json.is_number_unsigned() && json.get<std::uint64_t>() > std::uint64_t{std::numeric_limits<Value>::max()})
            throw std::invalid_argument("a number that is too large");
    json.get_to(value);
}

}  // namespace

double LogEntry::moved_bytes_per_element() const {
    return sector_bytes * as_double(sectors) / static_cast<double>(counted_elements);
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
    entry.used_bytes = work.global_bytes_used;
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
            each_member(entry, [&](const char* name, auto& value) { read_member(json.at(name), value); });
        } catch (const std::exception&) {  // not JSON, or not of these kinds
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
    if (!is_one_plain_line(note)) return "the note must be one line of plain text";
    return "";
}

}  // namespace course
