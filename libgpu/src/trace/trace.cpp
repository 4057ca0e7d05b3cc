// SPDX-License-Identifier: MIT
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>
#include <string_view>
#include <utility>

#include <embedded/trace.hpp>
#include <gpu/error.hpp>
#include <gpu/trace.hpp>

#include "base.hpp"
#include "facts/columns.hpp"
#include "facts/json.hpp"
#include "trace/pictures.hpp"

namespace gpu {

namespace {

using namespace detail::trace;  // NOLINT(google-build-using-namespace): this file chooses among them

// Writes the complete text or nothing: to a temporary file first, then renamed. Devices, pipes and links are written to
// directly.
void write_whole(const std::string& path, const std::string& text) {
    struct stat known {};
    const bool in_place = ::lstat(path.c_str(), &known) == 0 && !S_ISREG(known.st_mode);
    const std::string beside = in_place ? path : path + "." + std::to_string(::getpid()) + ".part";
    const auto fail = [&](int error) {
        if (!in_place) ::unlink(beside.c_str());
        throw Error("can't write " + path + ": " + std::strerror(error));
    };
    std::FILE* const file = std::fopen(beside.c_str(), "wbe");
    if (file == nullptr) fail(errno);
    const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    const int error = written ? 0 : errno;
    const bool closed = std::fclose(file) == 0;
    if (!written || !closed) fail(written ? errno : error);
    if (!in_place && std::rename(beside.c_str(), path.c_str()) != 0) fail(errno);
}

const TracedLaunch& launch_of(const Trace& trace, std::size_t number) {
    if (number < trace.launches.size()) return trace.launches[number];
    throw Error("a picture of launch " + std::to_string(number) + ": the trace has " +
                detail::plural(trace.launches.size(), "launch", "launches"));
}

Window window_of(const TracedLaunch& launch, const PictureOptions& options) {
    const std::vector<Window> windows = windows_of(launch);
    const auto found = std::find_if(windows.begin(), windows.end(),
                                    [&](const Window& window) { return window.block == options.block; });
    if (found == windows.end())
        throw Error("a picture of block " + std::to_string(options.block) + ": nothing was recorded of it");
    if (options.first_thread < 0 || options.first_thread >= launch.threads())
        throw Error("a picture from thread " + std::to_string(options.first_thread) + " on: the block has " +
                    std::to_string(launch.threads()) + " threads");
    return {options.block, options.first_thread, std::min(max_threads, launch.threads() - options.first_thread)};
}

Drawing request_drawing(const TracedLaunch& launch, const PictureOptions& options, bool shared) {
    const std::vector<Request> requests = requests_of(launch);
    for (const LineRequests& line : lines_of(requests, launch, shared)) {
        if (options.line != 0 && line.line != options.line) continue;
        const auto at =
            std::min<std::size_t>(static_cast<std::size_t>(std::max(options.request, 0)), line.requests.size() - 1);
        return shared ? bank_map(launch, *line.requests[at]) : request_map(launch, *line.requests[at]);
    }
    Drawing drawing;
    drawing.title = shared ? "no access to shared memory" : "no access to global memory";
    drawing.question = options.line == 0 ? "This kernel has none that was recorded."
                                         : "Line " + std::to_string(options.line) + " has none that was recorded.";
    drawing.text.push_back(drawing.title);
    drawing.reach(200, 20);
    return drawing;
}

std::vector<Drawing> drawings(const Trace& trace, Picture picture, const PictureOptions& options) {
    if (picture == Picture::schedule) return {schedule(trace)};
    const TracedLaunch& launch = launch_of(trace, options.launch);
    switch (picture) {
        case Picture::map: return {element_map(launch, window_of(launch, options))};
        case Picture::requests: return {request_drawing(launch, options, false)};
        case Picture::banks: return {request_drawing(launch, options, true)};
        case Picture::lanes: return {barrier_lanes(launch, window_of(launch, options))};
        case Picture::source: return {source_counts(launch, trace.report)};
        case Picture::races:
        case Picture::schedule: break;
    }
    std::vector<Drawing> made;
    for (const TracedFinding& finding : launch.findings) made.push_back(race_pair(launch, finding));
    if (made.empty()) made.push_back(no_findings());
    return made;
}

}  // namespace

std::string_view to_string(Picture picture) noexcept {
    switch (picture) {
        case Picture::map: return "map";
        case Picture::requests: return "requests";
        case Picture::banks: return "banks";
        case Picture::lanes: return "lanes";
        case Picture::races: return "races";
        case Picture::schedule: return "schedule";
        case Picture::source: return "source";
    }
    return "";
}

std::string Trace::svg(Picture picture, const PictureOptions& options) const {
    return drawings(*this, picture, options).front().document();
}

void Trace::write_svg(const std::string& path, Picture picture, const PictureOptions& options) const {
    write_whole(path, svg(picture, options));
}

void Trace::write_html(const std::string& path, const PageOptions& options) const { write_whole(path, html(options)); }

std::string Trace::to_text(Picture picture, const PictureOptions& options) const {
    if (launches.empty() && picture != Picture::schedule) return {};
    std::string text;
    for (const Drawing& drawing : drawings(*this, picture, options)) {
        text += drawing.title + '\n' + drawing.question + '\n';
        for (const std::string& line : drawing.text)
            if (line != drawing.title) text += "  " + line + '\n';
        text += '\n';
    }
    return text;
}

std::string Trace::to_text(const PictureOptions& options) const {
    std::string text;
    if (launches.empty()) text = "No kernel was launched.\n\n";
    for (const Picture picture : {Picture::map, Picture::requests, Picture::banks, Picture::lanes, Picture::races,
                                  Picture::schedule, Picture::source})
        text += to_text(picture, options);
    return text;
}

namespace {

using facts::Json;
using facts::json_list;
using facts::json_of;

Json json_of(const TracedFinding::Side& who) {
    Json json = {{"block", who.block}, {"thread", who.thread}, {"line", who.line}, {"verb", who.verb}};
    if (who.access >= 0) json["access"] = who.access;
    return json;
}

std::string_view name_of(StopKind kind) {
    switch (kind) {
        case StopKind::barrier: return "barrier";
        case StopKind::waits: return "waits";
        case StopKind::ends: return "ends";
    }
    return "";
}

Json json_of(const TracedArray& array) {
    return {{"name", array.name},
            {"type", array.type},
            {"shared", array.shared},
            {"output", array.output},
            {"element_bytes", array.element},
            {"elements", array.elements},
            {"lengths", array.lengths}};
}

Json json_of(const TracedAccess& access, const TracedLaunch& of) {
    Json json = {{"block", access.block},
                 {"thread", access.thread},
                 {"operation", detail::trace::verb_of(access.operation)},
                 {"array", access.array},
                 {"byte", access.byte},
                 {"bytes", access.bytes},
                 {"line", access.line},
                 {"instruction", access.instruction},
                 {"interval", access.interval},
                 {"turn", access.turn},
                 {"bits", access.bits},
                 {"bits_before", access.bits_before}};
    if (access.array >= 0) {
        const TracedArray& array = of.arrays[static_cast<std::size_t>(access.array)];
        json["value"] = detail::trace::value_text(array, access);
        json["value_before"] = detail::trace::value_before(array, access);
    }
    json["out_of_bounds"] = access.out_of_bounds;
    return json;
}

Json json_of(const TracedStop& stop) {
    return {{"block", stop.block},
            {"thread", stop.thread},
            {"kind", name_of(stop.kind)},
            {"line", stop.line},
            {"interval", stop.interval}};
}

Json json_of(const TracedFinding& finding) {
    Json json = {{"kind", to_string(finding.kind)}, {"variable", finding.variable}, {"element", finding.element}};
    if (finding.first.block >= 0) json["first"] = json_of(finding.first);
    if (finding.second.block >= 0) json["second"] = json_of(finding.second);
    json["text"] = finding.text;
    return json;
}

Json json_of(const TracedLaunch& of) {
    const auto any = [](const auto& value) { return json_of(value); };
    return {{"kernel", of.kernel},
            {"file", of.file},
            {"first_line", of.first_line},
            {"source", of.source},
            {"grid", json_of(of.grid)},
            {"block", json_of(of.block)},
            {"arrays", json_list(of.arrays, any)},
            {"accesses", json_list(of.accesses, [&](const TracedAccess& access) { return json_of(access, of); })},
            {"stops", json_list(of.stops, any)},
            {"findings", json_list(of.findings, any)},
            {"left_out", of.left_out}};
}

std::string_view name_of(TracedOperation::Kind kind) {
    using Kind = TracedOperation::Kind;
    switch (kind) {
        case Kind::copy_to_device: return "copy to device";
        case Kind::copy_to_host: return "copy to host";
        case Kind::copy_on_device: return "copy on device";
        case Kind::kernel: return "kernel";
        case Kind::linear_algebra: return "linear algebra";
        case Kind::wait: return "wait";
    }
    return "";
}

Json json_of(const TracedOperation& of) {
    const auto nanoseconds = [](double us) { return static_cast<std::int64_t>(std::llround(us * 1000)); };
    Json json = {{"kind", name_of(of.kind)}, {"name", of.name}};
    if (of.kind != TracedOperation::Kind::wait) {
        json["device"] = of.device;
        json["stream"] = of.stream;
    }
    if (of.kind == TracedOperation::Kind::kernel) {
        json["grid"] = json_of(of.grid);
        json["block"] = json_of(of.block);
    }
    json["bytes"] = of.bytes;
    json["pageable"] = of.pageable;
    json["host_waits"] = of.host_waits;
    json["modelled_asked_ns"] = nanoseconds(of.asked_us);
    json["modelled_start_ns"] = nanoseconds(of.start_us);
    json["modelled_end_ns"] = nanoseconds(of.end_us);
    json["text"] = of.to_string();
    return json;
}

}  // namespace

std::string Trace::to_json() const {
    const auto any = [](const auto& value) { return json_of(value); };
    const Json json = {{"version", 2},
                       {"launches", json_list(launches, any)},
                       {"launches_left_out", launches_left_out},
                       {"operations", json_list(operations, any)},
                       {"operations_left_out", operations_left_out}};
    return facts::json_text(json, 2) + '\n';
}

// All pictures of a trace on one page.

namespace {

using namespace detail::trace;  // NOLINT(google-build-using-namespace): this file is their page

constexpr std::size_t max_bytes = 900'000;  // of a launch's pictures
constexpr std::size_t max_steps = 6;        // requests drawn per line

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

// A JSON text inside <script>: nothing in it may end the element.
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
                facts::json_text(element_name(array, index)) + ',' + std::to_string(a.line) + ',' +
                facts::json_text(value_text(array, a)) + ',' + (a.out_of_bounds ? '1' : '0') + ']';
        first = false;
    }
    return inside_script(json + "]}");
}

// The lines of a launch, one request at a time.
std::string steps(const TracedLaunch& launch, const std::vector<LineRequests>& lines, bool shared,
                  const std::string& name) {
    if (lines.empty())
        return shared ? "<p class=\"soft\">This kernel has no shared memory, or didn't come to it.</p>\n"
                      : "<p class=\"soft\">No access to global memory was recorded.</p>\n";
    std::string options, figures;
    std::size_t left_out = 0;
    for (const LineRequests& line : lines) {
        const std::string number = std::to_string(line.line);
        using facts::counted;
        const std::string of = " for " + counted(line.requests.size(), "request", "requests");
        const std::string what = shared ? counted(static_cast<std::uint64_t>(line.ways), "turn", "turns") + of
                                        : counted(static_cast<std::uint64_t>(line.sectors), "sector", "sectors") + of +
                                              ", " + std::to_string(static_cast<int>(line.efficiency() * 100 + 0.5)) +
                                              " % used";
        options += "<option value=\"" + number + "\">line " + number + ": " + what + "</option>";
        for (std::size_t k = 0; k < line.requests.size(); ++k) {
            if (k >= max_steps || figures.size() > max_bytes / 2) {
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
    for (; drawn < windows.size() && maps.size() + lanes.size() < max_bytes / 2; ++drawn) {
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
        text += "<p class=\"soft\">" + facts::thousands(launch.left_out) +
                " accesses more happened and weren't recorded: the pictures show the first " +
                facts::thousands(launch.accesses.size()) + ".</p>\n";
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
    // Findings about host code belong to no launch.
    for (const Finding& finding : trace.report.findings)
        if (finding.kernel.empty()) text += "<p class=\"bad\">" + escaped(finding.what) + "</p>\n";
    return text + "</article>\n";
}

}  // namespace

std::string Trace::html(const PageOptions& options) const {
    std::string text =
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>" +
        escaped(options.title) + "</title>\n<style>" + text::page_style + text::picture_style +
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
        std::string(text::page_script) + "</script>\n</body>\n</html>\n";
    return text;
}

}  // namespace gpu
