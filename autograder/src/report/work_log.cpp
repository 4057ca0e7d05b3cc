// SPDX-License-Identifier: MIT
#include "report/work_log.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <vector>

#include <embedded/report.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "judge/work/budgets.hpp"
#include "report/terminal.hpp"
#include "support/text.hpp"

namespace course {

namespace {

constexpr double sector_bytes = 32;
constexpr std::size_t max_note = 120;
constexpr int last_step = 9999;

double as_double(std::uint64_t count) { return static_cast<double>(count); }

/// Calls `member(name, member)` for each member of a log line.
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

/// True for a file of the log's own folder: anybody may have written the line.
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

bool is_between(double number, double min, double max) { return number >= min && number <= max; }

bool makes_sense(const LogEntry& entry) {
    constexpr std::size_t max_length = 200;
    for (const std::string* text : {&entry.date, &entry.answer, &entry.backend, &entry.device, &entry.counted_case})
        if (text->size() > max_length || !is_one_plain_line(*text)) return false;
    return entry.step >= 0 && entry.step <= last_step && entry.counted_elements > 0 && entry.timed_elements > 0 &&
           is_between(entry.seconds, 1e-12, 1e9) && is_between(entry.copy_bytes_per_second, 0, 1e18) &&
           is_between(entry.bank_ways, 0, 1e6) && is_picture_name(entry.picture) && why_not_a_note(entry.note).empty();
}

/// Reads a member of a line, which must have its kind: a count is neither negative nor fractional.
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
    const std::vector<KernelCounts>& kernels = task.check->kernels;
    const WorkCounts work = total(kernels);
    const gpu::Counts& counts = *counted_case->checked_counts;
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
        } catch (const std::exception&) {  // not JSON, or not these kinds
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
    if (note.size() > max_note)
        return fmt::format("the note has {} bytes; {} is the most", note.size(), max_note);
    if (!is_one_plain_line(note)) return "the note must be one line of plain text";
    return "";
}

namespace {

double per_element(std::uint64_t count, const LogEntry& entry) {
    return static_cast<double>(count) / static_cast<double>(entry.counted_elements);
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
                        plural(entry.synchronizations, "wait"),
                        plural(entry.allocations, "allocation"));
    text += fmt::format(
        "  kernels   per {} {} reads, {} writes, {} bytes moved ({:.0f}% used); {}, {}", unit.element,
        count_text(per_element(entry.reads, entry)), count_text(per_element(entry.writes, entry)), count_text(moved),
        entry.sectors == 0 ? 100.0 : 100 * per_element(entry.used_bytes, entry) / moved,
        plural(entry.atomics, "global atomic"), plural(entry.barriers, "barrier"));
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
                            unit.min_bytes, unit.element, time_text(entry.seconds_at_bandwidth(unit.min_bytes)));
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

namespace {

/// The entries on one device, the given version first.
std::vector<const LogEntry*> entries_on(const WorkLog& log, const std::string& device) {
    std::vector<const LogEntry*> entries;
    for (const LogEntry& entry : log.entries)
        if (entry.device == device) entries.push_back(&entry);
    std::stable_sort(entries.begin(), entries.end(),
                     [](const LogEntry* a, const LogEntry* b) { return a->step < b->step; });
    return entries;
}

/// What a chart shows of the entries, on a logarithmic axis.
struct Chart {
    std::string title, description;
    std::function<double(const LogEntry&)> value;
    std::function<double(const LogEntry&)> mark;  ///< a bound beside the bar; 0: none
    std::function<std::string(double)> text;      ///< formats a value
    double min = 0;                               ///< a dashed line; 0: none
};

struct Axis {
    double min = 1, max = 10;
    static constexpr double left = 4, right = 356;
    [[nodiscard]] double at(double value) const {
        const double share = std::log(std::max(value, min) / min) / std::log(max / min);
        return left + std::clamp(share, 0.0, 1.0) * (right - left);
    }
};

/// Whole powers of ten around all values shown, so that the ticks are meaningful.
Axis axis_of(const std::vector<const LogEntry*>& entries, const Chart& chart) {
    double min = 0, max = 0;
    const auto include = [&](double value) {
        if (!(value > 0)) return;
        min = min > 0 ? std::min(min, value) : value;
        max = std::max(max, value);
    };
    for (const LogEntry* entry : entries) {
        include(chart.value(*entry));
        include(chart.mark(*entry));
    }
    include(chart.min);
    if (!(min > 0)) return {};
    return {std::pow(10, std::floor(std::log10(min))), std::pow(10, std::floor(std::log10(max)) + 1)};
}

std::string cut(const std::string& note, std::size_t max_length) {
    if (note.size() <= max_length) return note;
    return std::string(cut_between_characters(note, max_length - 3)) + "...";
}

std::string bar(const LogEntry& entry, const LogEntry& given, const Chart& chart, const Axis& axis, double y) {
    const double value = chart.value(entry), mark = chart.mark(entry), end = axis.at(value);
    std::string svg = fmt::format(
        "<text class=\"step\" x=\"4\" y=\"{:.0f}\" font-size=\"11\" fill=\"var(--ink)\">{}. {}</text>\n"
        "<rect x=\"{}\" y=\"{:.0f}\" width=\"{:.1f}\" height=\"12\" fill=\"var(--{})\"/>\n",
        y + 10, entry.step, html_text(cut(entry.note, 52)), Axis::left, y + 15, std::max(end - Axis::left, 1.0),
        entry.step == 0 ? "given" : "bar");
    std::string label = chart.text(value);
    if (&entry != &given && value > 0 && chart.value(given) > 0)
        label += ", " + factor_text(chart.value(given) / value);
    // To the right of the bar and its mark; without room there, inside, where no mark is.
    constexpr double wide = 90;
    const double at = mark > 0 ? axis.at(mark) : 0, right = at > end - 2 && at < end + wide ? at + 4 : end + 4;
    const bool inside = right + wide > 360, crossed = inside && at > end - wide && at < end + 2;
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.0f}\" font-size=\"10\" text-anchor=\"{}\" fill=\"var(--{})\">{}",
                       crossed  ? Axis::left + 4
                       : inside ? end - 4
                                : right,
                       y + 25, inside && !crossed ? "end" : "start", inside ? "paper" : "ink", label);
    svg += "</text>\n";
    if (mark > 0)
        svg += fmt::format("<path d=\"M{0:.1f} {1:.0f}v18\" stroke=\"var(--bound)\" stroke-width=\"2\"/>\n",
                           axis.at(mark), y + 12);
    return svg;
}

std::string drawn(const std::vector<const LogEntry*>& entries, const LogEntry& given, const Chart& chart) {
    constexpr double row = 38, top = 6;
    const Axis axis = axis_of(entries, chart);
    const double height = top + row * static_cast<double>(entries.size()) + 30, bottom = height - 26;
    std::string svg = fmt::format(
        "<svg viewBox=\"0 0 360 {:.0f}\" role=\"img\" font-family=\"system-ui, sans-serif\">\n<title>{}</title>\n"
        "<desc>{}</desc>\n",
        height, html_text(chart.title), html_text(chart.description));
    const int decades = static_cast<int>(std::lround(std::log10(axis.max / axis.min)));
    for (int k = 0; k <= decades; ++k) {
        const double tick = axis.min * std::pow(10, k), x = axis.at(tick);
        svg += fmt::format("<path d=\"M{0:.1f} {1}V{2:.0f}\" stroke=\"var(--line)\"/>\n", x, top, bottom);
        svg += fmt::format(
            "<text x=\"{:.1f}\" y=\"{:.0f}\" font-size=\"10\" text-anchor=\"{}\" fill=\"var(--faint)\">{}</text>\n", x,
            bottom + 14,
            k == 0         ? "start"
            : k == decades ? "end"
                           : "middle",
            chart.text(tick));
    }
    if (chart.min > 0)
        svg += fmt::format("<path d=\"M{:.1f} {}V{:.0f}\" stroke=\"var(--bound)\" stroke-dasharray=\"3 3\"/>\n",
                           axis.at(chart.min), top, bottom);
    double y = top;
    for (const LogEntry* entry : entries) {
        svg += bar(*entry, given, chart, axis, y);
        y += row;
    }
    return svg + "</svg>\n";
}

std::string times(const std::vector<const LogEntry*>& entries, const LogEntry& given, const LogUnit& unit) {
    const LogEntry& last = *entries.back();
    const Chart chart{
        .title = "Time of each step",
        .description = "A bar for each step; a mark where the bytes counted would take the time of a copy.",
        .value = [](const LogEntry& one) { return one.seconds; },
        .mark = [](const LogEntry& one) { return one.seconds_at_bandwidth(one.moved_bytes_per_element()); },
        .text = time_text,
        .min = last.seconds_at_bandwidth(unit.min_bytes)};
    std::string html = fmt::format("<h2>Time, {}</h2>\n", html_text(where_measured(last)));
    html += drawn(entries, given, chart);
    if (last.copy_bytes_per_second > 0)
        html += fmt::format(
            "<p>The marks say how long the counted bytes would take at the rate of a copy on this device, {}. A bar "
            "that ends near its mark is bound by memory: only fewer bytes make it faster. A bar far beyond it waits "
            "for something else; one that ends before it had much of its data from caches. The dashed line is the "
            "least that any version needs.</p>\n",
            rate_text(last.copy_bytes_per_second));
    return html;
}

std::string bytes_moved(const std::vector<const LogEntry*>& entries, const LogEntry& given, const LogUnit& unit) {
    const Chart chart{.title = fmt::format("Bytes moved per {} in each step", unit.element),
                      .description = "A bar for each step; the dashed line is the least that any version moves.",
                      .value = [](const LogEntry& one) { return one.moved_bytes_per_element(); },
                      .mark = [](const LogEntry&) { return 0.0; },
                      .text = [](double bytes) { return fmt::format("{} B", count_text(bytes)); },
                      .min = unit.min_bytes};
    return fmt::format("<h2>Bytes moved per {}</h2>\n", html_text(unit.element)) + drawn(entries, given, chart) +
           fmt::format(
               "<p>In sectors of 32 bytes, counted in check mode: the same on every machine. The dashed line "
               "is the least that any version moves, {:g}.</p>\n",
               unit.min_bytes);
}

std::string table(const std::vector<const LogEntry*>& entries, const LogEntry& given, const LogUnit& unit) {
    std::string html = fmt::format(
        "<div class=\"wide\"><table>\n<tr><th>step</th><th>what</th><th>time</th><th>speed-up</th>"
        "<th>bytes/{0}</th><th>of a copy&#39;s rate</th><th>reads/{0}</th><th>writes/{0}</th><th>launches</th>"
        "<th>copies</th><th>waits</th><th>allocations</th><th>global atomics</th></tr>\n",
        html_text(unit.element));
    for (const LogEntry* one : entries) {
        const double elements = static_cast<double>(one->counted_elements);
        const double bound = one->seconds_at_bandwidth(one->moved_bytes_per_element());
        html += fmt::format(
            "<tr><td>{}</td><td class=\"note\">{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>"
            "<td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
            one->step, html_text(one->note), time_text(one->seconds), factor_text(given.seconds / one->seconds),
            count_text(one->moved_bytes_per_element()), bound > 0 ? share_text(bound / one->seconds) : "",
            count_text(static_cast<double>(one->reads) / elements),
            count_text(static_cast<double>(one->writes) / elements), one->launches,
            one->copies_to_device + one->copies_to_host, one->synchronizations, one->allocations, one->atomics);
    }
    return html + "</table></div>\n";
}

std::string pictures(const std::vector<const LogEntry*>& entries, const LogPage& page) {
    std::string html;
    for (const LogEntry* one : entries) {
        const std::string bytes = one->picture.empty() || !page.picture ? "" : page.picture(one->picture);
        if (bytes.empty()) continue;
        html += fmt::format(
            "<figure><img alt=\"the result of step {0}\" src=\"data:image/png;base64,{1}\">"
            "<figcaption>step {0}</figcaption></figure>\n",
            one->step, base64(bytes));
    }
    return html.empty() ? "" : "<h2>Pictures</h2>\n<div class=\"pictures\">\n" + html + "</div>\n";
}

}  // namespace

std::string log_page(const WorkLog& log, const LogPage& page) {
    std::string html = fmt::format(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
        "content=\"width=device-width, initial-scale=1\">\n<title>{0}</title>\n<style>{1}</style>\n<h1>{0}</h1>\n",
        html_text(page.title), text::log_style);
    if (log.entries.empty()) return html + "<p>Nothing is logged yet.</p>\n</html>\n";
    const LogEntry& last = log.entries.back();
    const std::vector<const LogEntry*> entries = entries_on(log, last.device);
    const LogEntry& given = *entries.front();  // the first that is there, if the log's beginning is lost
    html += fmt::format("<p>{} step{}. {} {}s are timed; the counts are those of {}.</p>\n", entries.size() - 1,
                        entries.size() == 2 ? "" : "s", last.timed_elements, html_text(page.unit.element),
                        html_text(last.counted_case));
    // A CPU's times say little about a GPU: there the bytes come first.
    const std::string time = times(entries, given, page.unit), moved = bytes_moved(entries, given, page.unit);
    html += last.backend == "cuda" ? time + moved : moved + time;
    html += "<h2>Counted work</h2>\n" + table(entries, given, page.unit) + pictures(entries, page);
    if (entries.size() < log.entries.size())
        html += fmt::format("<p>{} more on another device.</p>\n", log.entries.size() - entries.size());
    for (const int line : log.broken) html += fmt::format("<p>Line {} of the log can't be read.</p>\n", line);
    return html + "</html>\n";
}

}  // namespace course
