// SPDX-License-Identifier: MIT
#include "report/work_log_page.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "report/terminal.hpp"
#include "report/work_log_text.hpp"

namespace course {

namespace {

constexpr std::string_view style = R"css(
:root { color-scheme: light dark; --ink: #1b1f24; --faint: #59636e; --line: #c9d1d9; --bar: #2f6fb5; --given: #8a939d;
  --bound: #b35900; --paper: #ffffff; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --faint: #9aa4af; --line: #3a424b; --bar: #6aa9ec;
  --given: #77808a; --bound: #f0a35e; --paper: #0d1117; } }
body { font: 16px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 0 auto;
  padding: 1rem; max-width: 46rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
svg { width: 100%; height: auto; display: block; } p, figcaption { color: var(--faint); }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: 0.875rem; }
th, td { padding: 0.25rem 0.5rem; border-bottom: 1px solid var(--line); text-align: right;
  white-space: nowrap; }
.step { paint-order: stroke; stroke: var(--paper); stroke-width: 4px; }
th:nth-child(2) { text-align: left; }
td.note { text-align: left; white-space: normal; min-width: 9rem; } th { color: var(--faint); font-weight: 600; }
.pictures { display: grid; grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); gap: 0.75rem; }
figure { margin: 0; } img { width: 100%; image-rendering: pixelated; border: 1px solid var(--line); }
)css";

std::string escaped(std::string_view text) {
    std::string safe;
    for (const char c : text) {
        if (c == '<')
            safe += "&lt;";
        else if (c == '>')
            safe += "&gt;";
        else if (c == '&')
            safe += "&amp;";
        else if (c == '"')
            safe += "&quot;";
        else
            safe += c;
    }
    return safe;
}

std::string base64(std::string_view bytes) {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t k = 0; k < bytes.size(); k += 3) {
        const auto byte = [&](std::size_t at) {
            return at < bytes.size() ? static_cast<unsigned>(static_cast<unsigned char>(bytes[at])) : 0U;
        };
        const unsigned three = byte(k) << 16 | byte(k + 1) << 8 | byte(k + 2);
        for (unsigned place = 0; place < 4; ++place)
            text += k + place > bytes.size() ? '=' : digits[three >> (18 - 6 * place) & 63];
    }
    return text;
}

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
    std::function<std::string(double)> text;      ///< of a value
    double least = 0;                             ///< a dashed line; 0: none
};

struct Axis {
    double least = 1, most = 10;
    static constexpr double left = 4, right = 356;
    [[nodiscard]] double at(double value) const {
        const double share = std::log(std::max(value, least) / least) / std::log(most / least);
        return left + std::clamp(share, 0.0, 1.0) * (right - left);
    }
};

/// Whole powers of ten around all that is shown, so that the ticks say something.
Axis axis_of(const std::vector<const LogEntry*>& entries, const Chart& chart) {
    double least = 0, most = 0;
    const auto include = [&](double value) {
        if (!(value > 0)) return;
        least = least > 0 ? std::min(least, value) : value;
        most = std::max(most, value);
    };
    for (const LogEntry* entry : entries) {
        include(chart.value(*entry));
        include(chart.mark(*entry));
    }
    include(chart.least);
    if (!(least > 0)) return {};
    return {std::pow(10, std::floor(std::log10(least))), std::pow(10, std::floor(std::log10(most)) + 1)};
}

std::string cut(const std::string& note, std::size_t most) {
    if (note.size() <= most) return note;
    std::size_t end = most - 3;
    while (end > 0 && (static_cast<unsigned char>(note[end]) & 0xC0) == 0x80) --end;  // not within a character
    return note.substr(0, end) + "...";
}

std::string bar(const LogEntry& entry, const LogEntry& given, const Chart& chart, const Axis& axis, double y) {
    const double value = chart.value(entry), mark = chart.mark(entry), end = axis.at(value);
    std::string svg = fmt::format(
        "<text class=\"step\" x=\"4\" y=\"{:.0f}\" font-size=\"11\" fill=\"var(--ink)\">{}. {}</text>\n"
        "<rect x=\"{}\" y=\"{:.0f}\" width=\"{:.1f}\" height=\"12\" fill=\"var(--{})\"/>\n",
        y + 10, entry.step, escaped(cut(entry.note, 52)), Axis::left, y + 15, std::max(end - Axis::left, 1.0),
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
        height, escaped(chart.title), escaped(chart.description));
    const int decades = static_cast<int>(std::lround(std::log10(axis.most / axis.least)));
    for (int k = 0; k <= decades; ++k) {
        const double tick = axis.least * std::pow(10, k), x = axis.at(tick);
        svg += fmt::format("<path d=\"M{0:.1f} {1}V{2:.0f}\" stroke=\"var(--line)\"/>\n", x, top, bottom);
        svg += fmt::format(
            "<text x=\"{:.1f}\" y=\"{:.0f}\" font-size=\"10\" text-anchor=\"{}\" fill=\"var(--faint)\">{}</text>\n", x,
            bottom + 14,
            k == 0         ? "start"
            : k == decades ? "end"
                           : "middle",
            chart.text(tick));
    }
    if (chart.least > 0)
        svg += fmt::format("<path d=\"M{:.1f} {}V{:.0f}\" stroke=\"var(--bound)\" stroke-dasharray=\"3 3\"/>\n",
                           axis.at(chart.least), top, bottom);
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
        .least = last.seconds_at_bandwidth(unit.least_bytes)};
    std::string html = fmt::format("<h2>Time, {}</h2>\n", escaped(where_measured(last))) + drawn(entries, given, chart);
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
                      .least = unit.least_bytes};
    return fmt::format("<h2>Bytes moved per {}</h2>\n", escaped(unit.element)) + drawn(entries, given, chart) +
           fmt::format(
               "<p>In sectors of 32 bytes, counted in check mode: the same on every machine. The dashed line "
               "is the least that any version moves, {:g}.</p>\n",
               unit.least_bytes);
}

std::string table(const std::vector<const LogEntry*>& entries, const LogEntry& given, const LogUnit& unit) {
    std::string html = fmt::format(
        "<div class=\"wide\"><table>\n<tr><th>step</th><th>what</th><th>time</th><th>speed-up</th>"
        "<th>bytes/{0}</th><th>of a copy&#39;s rate</th><th>reads/{0}</th><th>writes/{0}</th><th>launches</th>"
        "<th>copies</th><th>waits</th><th>allocations</th><th>global atomics</th></tr>\n",
        escaped(unit.element));
    for (const LogEntry* one : entries) {
        const double elements = static_cast<double>(one->counted_elements);
        const double bound = one->seconds_at_bandwidth(one->moved_bytes_per_element());
        html += fmt::format(
            "<tr><td>{}</td><td class=\"note\">{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>"
            "<td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
            one->step, escaped(one->note), time_text(one->seconds), factor_text(given.seconds / one->seconds),
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
        escaped(page.title), style);
    if (log.entries.empty()) return html + "<p>Nothing is logged yet.</p>\n</html>\n";
    const LogEntry& last = log.entries.back();
    const std::vector<const LogEntry*> entries = entries_on(log, last.device);
    const LogEntry& given = *entries.front();  // of a log whose beginning is lost, the first that is there
    html += fmt::format("<p>{} step{}. {} {}s are timed; the counts are those of {}.</p>\n", entries.size() - 1,
                        entries.size() == 2 ? "" : "s", last.timed_elements, escaped(page.unit.element),
                        escaped(last.counted_case));
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
