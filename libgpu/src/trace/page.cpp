// SPDX-License-Identifier: MIT
// All pictures of a trace as one page.
#include <algorithm>
#include <map>
#include <utility>

#include "report/json_writer.hpp"
#include "report/numbers.hpp"
#include "trace/page_parts.hpp"
#include "trace/pictures.hpp"

namespace gpu {

namespace {

using namespace detail::trace;  // NOLINT(google-build-using-namespace): this file is their page

constexpr std::size_t most_bytes = 900'000;  // of the pictures of a launch
constexpr std::size_t most_steps = 6;        // requests drawn of a line

std::string figure(const Drawing& drawing, const std::string& attributes = {}) {
    std::string words;
    for (const std::string& line : drawing.text) words += escaped(line) + '\n';
    return "<figure" + attributes + "><figcaption><b>" + escaped(drawing.title) + "</b>" + escaped(drawing.question) +
           "</figcaption><div class=\"draw\" tabindex=\"0\">" + drawing.element() +
           "</div><details><summary>the same as text</summary><pre>" + words + "</pre></details></figure>\n";
}

std::string dims(const Dim3& d) {
    return '(' + std::to_string(d.x) + ',' + std::to_string(d.y) + ',' + std::to_string(d.z) + ')';
}

// A JSON text inside of <script>: nothing in it may end the element.
std::string inside_script(std::string json) {
    for (std::size_t at = 0; (at = json.find('<', at)) != std::string::npos; at += 6) json.replace(at, 1, "\\u003c");
    return json;
}

std::string data_of(const TracedLaunch& launch, int block) {
    std::string json = "{\"block\":" + std::to_string(block) + ",\"accesses\":[";
    bool first = true;
    for (const TracedAccess& a : launch.accesses) {
        if (a.array < 0) continue;
        const TracedArray& array = launch.arrays[static_cast<std::size_t>(a.array)];
        const std::int64_t size = std::max(1U, array.element);
        const std::int64_t index = a.byte >= 0 ? a.byte / size : -((-a.byte + size - 1) / size);
        json += std::string(first ? "" : ",") + '[' + std::to_string(a.block) + ',' + std::to_string(a.thread) + ',' +
                std::to_string(static_cast<int>(a.operation)) + ',' + std::to_string(a.interval) + ',' +
                detail::report::json_string(element_name(array, index)) + ',' + std::to_string(a.line) + ',' +
                detail::report::json_string(value_text(array, a)) + ',' + (a.out_of_bounds ? '1' : '0') + ']';
        first = false;
    }
    return inside_script(json + "]}");
}

// The lines of a launch, a request at a time.
std::string steps(const TracedLaunch& launch, const std::vector<LineRequests>& lines, bool shared,
                  const std::string& name) {
    if (lines.empty())
        return shared ? "<p class=\"soft\">This kernel has no shared memory, or didn't come to it.</p>\n"
                      : "<p class=\"soft\">No access to global memory was recorded.</p>\n";
    std::string options, figures;
    std::size_t left_out = 0;
    for (const LineRequests& line : lines) {
        const std::string number = std::to_string(line.line);
        using detail::report::counted;
        const std::string of = " for " + counted(line.requests.size(), "request", "requests");
        const std::string what = shared ? counted(static_cast<std::uint64_t>(line.ways), "turn", "turns") + of
                                        : counted(static_cast<std::uint64_t>(line.sectors), "sector", "sectors") + of +
                                              ", " + std::to_string(static_cast<int>(line.efficiency() * 100 + 0.5)) +
                                              " % used";
        options += "<option value=\"" + number + "\">line " + number + ": " + what + "</option>";
        for (std::size_t k = 0; k < line.requests.size(); ++k) {
            if (k >= most_steps || figures.size() > most_bytes / 2) {
                ++left_out;
                continue;
            }
            const Request& request = *line.requests[k];
            figures += figure(shared ? bank_map(launch, request) : request_map(launch, request),
                              " data-of=\"" + number + "\"" + (figures.empty() ? "" : " hidden"));
        }
    }
    std::string text = "<div class=\"steps\"><div class=\"controls\"><label>Line <select aria-label=\"" + name +
                       ": line\">" + options +
                       "</select></label><button type=\"button\">← back</button><button type=\"button\">next →</button>"
                       "<output class=\"soft\"></output></div>\n" +
                       figures + "</div>\n";
    if (left_out > 0) text += "<p class=\"soft\">" + std::to_string(left_out) + " requests more aren't drawn.</p>\n";
    return text;
}

std::string overview(const std::vector<Window>& windows, const TracedLaunch& launch, std::size_t drawn) {
    if (windows.size() < 2) return "";
    std::string text = "<div class=\"controls windows\" role=\"group\" aria-label=\"threads that are drawn\">";
    for (std::size_t k = 0; k < drawn; ++k) {
        const Window& window = windows[k];
        text += "<button type=\"button\" value=\"" + std::to_string(k) + "\" data-block=\"" +
                std::to_string(window.block) + "\" aria-pressed=\"" + (k == 0 ? "true" : "false") + "\">block " +
                index_text(window.block, launch.grid) + ", threads " + std::to_string(window.first) + "–" +
                std::to_string(window.first + window.count - 1) + "</button>";
    }
    if (drawn < windows.size())
        text += "<span class=\"soft\">" + std::to_string(windows.size() - drawn) + " more aren't drawn</span>";
    return text + "</div>\n";
}

std::string launch_section(const TracedLaunch& launch, const CheckReport& report, const std::string& id, bool hidden) {
    const std::vector<Window> windows = windows_of(launch);
    const std::vector<Request> requests = requests_of(launch);
    std::string maps, lanes;
    std::size_t drawn = 0;
    for (; drawn < windows.size() && maps.size() + lanes.size() < most_bytes / 2; ++drawn) {
        const std::string attributes =
            " class=\"window\" data-window=\"" + std::to_string(drawn) + "\"" + (drawn == 0 ? "" : " hidden");
        maps += figure(element_map(launch, windows[drawn]), attributes);
        lanes += figure(barrier_lanes(launch, windows[drawn]), attributes);
    }
    std::string races;
    for (const TracedFinding& finding : launch.findings) races += figure(race_pair(launch, finding));
    if (races.empty()) races = figure(no_findings());

    std::string text = "<section class=\"launch\"" + std::string(hidden ? " hidden" : "") + ">\n<h2>" +
                       escaped(launch.kernel) + " <span class=\"soft\">grid " + dims(launch.grid) + ", block " +
                       dims(launch.block) + "</span></h2>\n";
    for (const TracedFinding& finding : launch.findings)
        text += "<p class=\"bad\">" + escaped(finding.text.substr(0, finding.text.find('\n'))) + "</p>\n";
    if (launch.left_out > 0)
        text += "<p class=\"soft\">" + detail::report::thousands(launch.left_out) +
                " accesses more happened and weren't recorded: the pictures show the first " +
                detail::report::thousands(launch.accesses.size()) + ".</p>\n";
    text +=
        "<div class=\"thread\"><label>Thread <input type=\"number\" min=\"0\" max=\"1023\" "
        "aria-label=\"thread of the block\"></label> <button type=\"button\">none</button> "
        "<output aria-live=\"polite\"></output><ol></ol></div>\n";
    text += overview(windows, launch, drawn);
    const std::string findings = "<h3 id=\"" + id + "races\">Findings</h3>\n" + races;
    if (!launch.findings.empty()) text += findings;
    text += "<h3 id=\"" + id + "map\">Map: elements and threads</h3>\n" + maps;
    text += "<h3 id=\"" + id + "requests\">Warp requests: what moves</h3>\n" +
            steps(launch, lines_of(requests, launch, false), false, "warp requests");
    text += "<h3 id=\"" + id + "banks\">Banks: shared memory</h3>\n" +
            steps(launch, lines_of(requests, launch, true), true, "banks");
    text += "<h3 id=\"" + id + "lanes\">Time: from barrier to barrier</h3>\n" + lanes;
    if (launch.findings.empty()) text += findings;
    text += "<h3 id=\"" + id + "source\">Source with counts</h3>\n" + figure(source_counts(launch, report));
    text += "<script type=\"application/json\">" + data_of(launch, windows.front().block) + "</script>\n";
    return text + "</section>\n";
}

std::string article(const Trace& trace, const std::string& name, const std::string& id) {
    std::string text = "<article>\n";
    if (!name.empty()) text += "<h2>" + escaped(name) + "</h2>\n";
    if (trace.launches.size() > 1) {
        text += "<div class=\"controls\"><label>Launch <select class=\"launches\">";
        for (std::size_t k = 0; k < trace.launches.size(); ++k)
            text += "<option value=\"" + std::to_string(k) + "\">" + std::to_string(k + 1) + ": " +
                    escaped(trace.launches[k].kernel) + "</option>";
        text += "</select></label></div>\n";
    }
    for (std::size_t k = 0; k < trace.launches.size(); ++k)
        text += launch_section(trace.launches[k], trace.report, k == 0 ? id : id + std::to_string(k), k > 0);
    if (trace.launches.empty()) text += "<p>No kernel was launched.</p>\n";
    if (trace.launches_left_out > 0)
        text +=
            "<p class=\"soft\">" + std::to_string(trace.launches_left_out) + " launches more weren't recorded.</p>\n";
    text += "<h3 id=\"" + id + "schedule\">Order: copies and kernels</h3>\n" + figure(schedule(trace));
    // What host code did has no launch to stand with.
    for (const Finding& finding : trace.report.findings)
        if (finding.kernel.empty()) text += "<p class=\"bad\">" + escaped(finding.what) + "</p>\n";
    return text + "</article>\n";
}

}  // namespace

std::string Trace::html(const PageOptions& options) const {
    std::string text =
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>" +
        escaped(options.title) + "</title>\n<style>" + std::string(page_style()) + std::string(picture_style()) +
        "</style>\n</head>\n<body>\n<header><h1>" + escaped(options.title) + "</h1>\n";
    if (!options.subtitle.empty()) text += "<p class=\"soft\">" + escaped(options.subtitle) + "</p>\n";
    text += "</header>\n<nav aria-label=\"pictures\"><ul>";
    constexpr std::pair<const char*, const char*> parts[] = {
        {"map", "Map"},        {"requests", "Warp requests"}, {"banks", "Banks"},   {"lanes", "Time"},
        {"races", "Findings"}, {"source", "Source"},          {"schedule", "Order"}};
    for (const auto& [id, name] : parts)
        if (!launches.empty() || std::string_view(id) == "schedule")
            text += std::string("<li><a href=\"#a") + id + "\">" + name + "</a></li>";
    text += "</ul></nav>\n<main class=\"" + std::string(options.beside != nullptr ? "two" : "one") + "\">\n" +
            article(*this, options.name, "a");
    if (options.beside != nullptr) text += article(*options.beside, options.beside_name, "b");
    text +=
        "</main>\n<footer class=\"soft\"><p>Drawn from a run in check mode on the host backend. Colours tell "
        "threads, the same in every picture.</p></footer>\n<script>" +
        std::string(page_script()) + "</script>\n</body>\n</html>\n";
    return text;
}

}  // namespace gpu
