// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "facts/columns.hpp"
#include "facts/device_model.hpp"
#include "trace/pictures.hpp"

namespace gpu {

std::string TracedOperation::to_string() const {
    using facts::counted;
    switch (kind) {
        case Kind::wait: return "the host waits";
        case Kind::linear_algebra: return name;
        case Kind::kernel:
            return "kernel " + name + ": " +
                   counted(static_cast<std::uint64_t>(grid.x * grid.y * grid.z), "block", "blocks") + " of " +
                   counted(static_cast<std::uint64_t>(block.x * block.y * block.z), "thread", "threads");
        case Kind::copy_to_device:
        case Kind::copy_to_host:
        case Kind::copy_on_device: break;
    }
    return name + ": " + facts::bytes(bytes) + (pageable ? ", pageable" : "") +
           (host_waits ? ", the host waits" : "");
}

namespace detail::trace {

namespace {

using Kind = TracedOperation::Kind;

constexpr int step = 24;
constexpr std::size_t max_drawn = 48, max_listed = 16, max_grids = 4, max_characters = 64;
constexpr double left = 190;

std::string summary(const Counts& host) {
    std::string text;
    const auto add = [&](std::uint64_t count, std::uint64_t bytes, const char* one, const char* more) {
        if (count == 0) return;
        text += (text.empty() ? "" : ", ") + facts::counted(count, one, more);
        if (bytes > 0) text += " (" + facts::bytes(bytes) + ")";
    };
    add(host.copies_to_device, host.bytes_to_device, "copy to the device", "copies to the device");
    add(host.launches, 0, "launch", "launches");
    add(host.copies_on_device - host.copies_between_devices, host.bytes_on_device - host.bytes_between_devices,
        "copy on the device", "copies on the device");
    add(host.copies_between_devices, host.bytes_between_devices, "copy between devices", "copies between devices");
    add(host.copies_to_host, host.bytes_to_host, "copy to the host", "copies to the host");
    add(host.allocations, host.bytes_allocated, "allocation", "allocations");
    return text.empty() ? "nothing was asked of the device" : text;
}

// "12.5", "2500".
std::string us(double value) {
    const long long tenths = std::llround(value * 10);
    return std::to_string(tenths / 10) + (tenths % 10 != 0 && tenths < 10'000 ? '.' + std::to_string(tenths % 10) : "");
}

// One of 32 hues per stream; the first ones aren't the red of a fault.
int stream_colour(const TracedOperation& operation) { return (6 + 7 * operation.stream) % 32; }

std::string between(const TracedOperation& operation) {
    return us(operation.start_us) + " to " + us(operation.end_us) + " us";
}

/// Operations that follow each other, drawn in one line.
struct Lane {
    int device = 0, stream = 0, part = 0;  // of the stream: copies up, on the device, kernels, copies down
    std::string name;
    friend bool operator<(const Lane& a, const Lane& b) {
        return std::tie(a.device, a.stream, a.part) < std::tie(b.device, b.stream, b.part);
    }
};

Lane lane_of(const TracedOperation& operation) {
    Lane lane{operation.device, operation.stream, 1, "kernels"};
    if (operation.kind == Kind::copy_to_device) {
        lane.part = 0;
        lane.name = "copy up";
    } else if (operation.kind == Kind::copy_to_host) {
        lane.part = 3;
        lane.name = "copy down";
    } else if (operation.kind == Kind::copy_on_device) {
        lane.part = 2;
        lane.name = "copy on device";
    }
    lane.name += operation.stream == 0 ? "" : ", stream " + std::to_string(operation.stream);
    lane.name += operation.device == 0 ? "" : ", device " + std::to_string(operation.device);
    return lane;
}

/// What is drawn: the first operations, in lanes, numbered from 1.
struct Schedule {
    std::vector<TracedOperation> operations;
    std::vector<Lane> lanes;
    double end_us = 0, waits_us = 0;
};

// The time at which the host begins to wait for it.
double waits_from(const TracedOperation& operation) {
    return operation.kind == Kind::wait ? operation.start_us : operation.asked_us + modelled::call_us;
}

Schedule schedule_of(const Trace& trace) {
    Schedule made;
    std::set<Lane> lanes;
    for (const TracedOperation& operation : trace.operations) {
        made.end_us = std::max(made.end_us, operation.end_us);
        if (operation.host_waits) made.waits_us += operation.end_us - waits_from(operation);
    }
    made.operations.assign(
        trace.operations.begin(),
        trace.operations.begin() + static_cast<std::ptrdiff_t>(std::min(trace.operations.size(), max_drawn)));
    for (const TracedOperation& operation : made.operations)
        if (operation.kind != Kind::wait) lanes.insert(lane_of(operation));
    made.lanes.assign(lanes.begin(), lanes.end());
    return made;
}

// The multiprocessors that a grid keeps busy: one box each, blue if it has a block. A row is two dashed lines.
void draw_blocks(Drawing& drawing, const TracedOperation& kernel, std::size_t number, double& y) {
    constexpr int wide = 6, max_rows = 4, many = modelled::multiprocessors;
    const std::int64_t blocks = kernel.grid.x * kernel.grid.y * kernel.grid.z;
    const std::int64_t rows = (blocks + many - 1) / many, drawn = std::min<std::int64_t>(rows, max_rows);
    const std::int64_t idle = rows * many - blocks;
    std::string words = kernel.to_string();
    if (rows == 1)
        words += idle == 0 ? ", one for each multiprocessor"
                           : "; " + std::to_string(idle) + " of " + std::to_string(many) + " multiprocessors have none";
    else
        words += ", in no fixed order: " + std::to_string(rows) + " for a multiprocessor" +
                 (idle == 0 ? "" : ", or " + std::to_string(rows - 1));
    drawing.label(0, y + 10, "blocks of " + std::to_string(number), "s");
    for (std::int64_t row = 0; row < drawn; ++row, y += 10) {
        const std::int64_t filled = std::min<std::int64_t>(blocks - row * many, many);
        const double begin = left + static_cast<double>(filled) * wide, end = left + many * wide;
        drawing.line(left, y + 4, begin, y + 4, "k");
        if (filled < many) drawing.line(begin, y + 4, end, y + 4, "kn");
    }
    drawing.label(left, y + 12, words + (rows > drawn ? "; " + std::to_string(drawn) + " of them drawn" : ""), "s");
    drawing.text.push_back("blocks of " + std::to_string(number) + ": " + words);
    y += 20;
}

void draw_axis(Drawing& drawing, double end, double scale, double height) {
    double tick = 1;
    while (tick * scale < 60) tick *= tick * scale < 30 && std::fmod(std::log10(tick), 1) == 0 ? 5 : 2;
    for (double at = 0; at <= end + tick / 2; at += tick) {
        drawing.line(left + at * scale, 16, left + at * scale, height, "r");
        drawing.label(left + at * scale, 11, us(at) + (at == 0 ? " us" : ""), "s");
    }
}

// One line of characters per lane: an operation's number from its begin to its end.
void write_lanes(Drawing& drawing, const Schedule& made) {
    std::size_t name_length = 4;
    for (const Lane& lane : made.lanes) name_length = std::max(name_length, lane.name.size());
    std::vector<std::string> lines(made.lanes.size() + 1, std::string(max_characters, '.'));
    const double scale = static_cast<double>(max_characters) / std::max(made.end_us, 1e-9);
    const auto mark = [&](std::string& line, double from, double to, char character) {
        const auto begin = static_cast<std::size_t>(std::floor(from * scale + 1e-9));
        const auto end = std::max(begin + 1, static_cast<std::size_t>(std::ceil(to * scale - 1e-9)));
        for (std::size_t at = begin; at < std::min(end, max_characters); ++at) line[at] = character;
    };
    for (std::size_t k = 0; k < made.operations.size(); ++k) {
        const TracedOperation& operation = made.operations[k];
        if (operation.host_waits) mark(lines[0], waits_from(operation), operation.end_us, 'w');
        if (operation.kind == Kind::wait) continue;
        const Lane lane = lane_of(operation);
        const auto at = std::lower_bound(made.lanes.begin(), made.lanes.end(), lane) - made.lanes.begin();
        mark(lines[static_cast<std::size_t>(at) + 1], operation.start_us, operation.end_us,
             static_cast<char>('0' + (k + 1) % 10));
    }
    const auto named = [&](const std::string& name, const std::string& line) {
        drawing.text.push_back(name + std::string(name_length + 2 - name.size(), ' ') + line);
    };
    named("host", lines[0]);
    for (std::size_t k = 0; k < made.lanes.size(); ++k) named(made.lanes[k].name, lines[k + 1]);
}

}  // namespace

Drawing schedule(const Trace& trace) {
    Drawing drawing;
    const Schedule made = schedule_of(trace);
    drawing.title = summary(trace.report.host);
    drawing.question =
        "Which of these could run at the same time, where does the host wait without need, and which "
        "could be left out?";
    if (made.operations.empty()) return drawing;
    drawing.title += "; modelled " + us(made.end_us) + " us, the host waits " + us(made.waits_us);

    const double scale =
        std::min(12.0, std::max(800.0, 24.0 * static_cast<double>(made.operations.size())) / made.end_us);
    const double lanes_end = 20 + static_cast<double>(made.lanes.size() + 1) * step;
    draw_axis(drawing, made.end_us, scale, lanes_end);
    const auto top_of = [](std::size_t lane) { return 20 + static_cast<double>(lane) * step; };
    drawing.label(0, top_of(0) + 15, "host", "s");
    for (std::size_t k = 0; k < made.lanes.size(); ++k) drawing.label(0, top_of(k + 1) + 15, made.lanes[k].name, "s");
    for (std::size_t k = 0; k < made.operations.size(); ++k) {
        const TracedOperation& operation = made.operations[k];
        const std::string number = std::to_string(k + 1);
        const std::string tip = number + ": " + operation.to_string() + ", " + between(operation);
        const auto bar = [&](double from, double to, double y, const char* classes, const std::string& fill,
                             const std::string& words) {
            const double wide = std::max(2.0, (to - from) * scale - 1);
            if (fill.empty())
                drawing.box(left + from * scale, y, wide, step - 5, classes, {}, tip);
            else
                drawing.box(left + from * scale, y, wide, step - 5, classes, {{"fill", fill}}, tip);
            if (wide > 7.0 * static_cast<double>(words.size()))
                drawing.label(left + from * scale + wide / 2, y + 14, words, fill.empty() ? "cs" : "c");
        };
        if (operation.host_waits) bar(waits_from(operation), operation.end_us, top_of(0), "n", "", "waits");
        if (operation.kind == Kind::wait) continue;
        bar(operation.asked_us, operation.asked_us + modelled::call_us, top_of(0), "t",
            colour_of(stream_colour(operation)), number);
        const auto at = std::lower_bound(made.lanes.begin(), made.lanes.end(), lane_of(operation)) - made.lanes.begin();
        bar(operation.start_us, operation.end_us, top_of(static_cast<std::size_t>(at) + 1), "t",
            colour_of(stream_colour(operation)), number);
    }
    write_lanes(drawing, made);

    double y = lanes_end + 8;
    std::set<std::tuple<std::string, std::int64_t>> grids;
    for (std::size_t k = 0; k < made.operations.size() && grids.size() < max_grids; ++k) {
        const TracedOperation& operation = made.operations[k];
        if (operation.kind == Kind::kernel &&
            grids.emplace(operation.name, operation.grid.x * operation.grid.y * operation.grid.z).second)
            draw_blocks(drawing, operation, k + 1, y);
    }
    for (std::size_t k = 0; k < made.operations.size(); ++k) {
        const std::string words =
            std::to_string(k + 1) + "  " + made.operations[k].to_string() + ", " + between(made.operations[k]);
        if (k < max_listed) {
            drawing.label(0, y + 11, words, "l");
            y += 15;
        }
        drawing.text.push_back(words);
    }
    const std::size_t all = trace.operations.size() + trace.operations_left_out;
    if (all > std::min(made.operations.size(), max_listed)) {
        drawing.label(0, y + 11, "and " + std::to_string(all - std::min(made.operations.size(), max_listed)) + " more",
                      "s");
        y += 15;
    }
    if (all > made.operations.size())
        drawing.text.push_back("and " + std::to_string(all - made.operations.size()) + " more");
    const std::string modelled =
        "Modelled, not measured: times of a made-up GPU, from bytes and counted work. They compare; they promise "
        "nothing.";
    drawing.label(0, y + 15, modelled, "s");
    drawing.text.push_back(modelled);
    return drawing;
}

}  // namespace detail::trace

}  // namespace gpu
