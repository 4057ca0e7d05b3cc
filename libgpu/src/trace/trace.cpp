// SPDX-License-Identifier: MIT
#include <gpu/trace.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <sys/stat.h>
#include <unistd.h>

#include <gpu/error.hpp>

#include "trace/pictures.hpp"

namespace gpu {

namespace {

using namespace detail::trace;  // NOLINT(google-build-using-namespace): this file chooses among them

// The whole text or nothing: beside the file first, then in its place. Devices, pipes and links are written to.
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
                std::to_string(trace.launches.size()) + (trace.launches.size() == 1 ? " launch" : " launches"));
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
    return {options.block, options.first_thread, std::min(most_threads, launch.threads() - options.first_thread)};
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

}  // namespace gpu
