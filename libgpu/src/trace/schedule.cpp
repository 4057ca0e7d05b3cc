// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>

#include "report/numbers.hpp"
#include "trace/pictures.hpp"

namespace gpu::detail::trace {

namespace {

constexpr int step = 26;
constexpr std::size_t most_drawn = 48;

bool is_copy(const LaunchEntry& entry) {
    return entry.kind == LaunchEntry::Kind::copy_to_device || entry.kind == LaunchEntry::Kind::copy_to_host ||
           entry.kind == LaunchEntry::Kind::copy_on_device;
}

std::string summary(const Counts& host) {
    std::string text;
    const auto add = [&](std::uint64_t count, std::uint64_t bytes, const char* one, const char* more) {
        if (count == 0) return;
        text += (text.empty() ? "" : ", ") + report::counted(count, one, more);
        if (bytes > 0) text += " (" + report::bytes(bytes) + ")";
    };
    add(host.copies_to_device, host.bytes_to_device, "copy to the device", "copies to the device");
    add(host.launches, 0, "launch", "launches");
    add(host.copies_on_device, host.bytes_on_device, "copy on the device", "copies on the device");
    add(host.copies_to_host, host.bytes_to_host, "copy to the host", "copies to the host");
    add(host.allocations, host.bytes_allocated, "allocation", "allocations");
    return text.empty() ? "nothing was asked of the device" : text;
}

}  // namespace

Drawing schedule(const Trace& trace) {
    Drawing drawing;
    drawing.title = summary(trace.report.host);
    drawing.question = "In what order does the work come, and which of these copies and launches could be left out?";
    // Lanes: copies up, a lane of kernels for each stream, copies on the device and down.
    std::map<void*, std::string> streams;
    for (const LaunchEntry& entry : trace.operations)
        if (!is_copy(entry)) streams.try_emplace(entry.stream.native(), "");
    std::size_t number = 0;
    for (auto& [native, name] : streams)
        name = streams.size() == 1 ? "kernels" : "kernels, stream " + std::to_string(number++);
    std::vector<std::string> lanes{"copies to device"};
    for (const auto& [native, name] : streams) lanes.push_back(name);
    lanes.insert(lanes.end(), {"copies on device", "copies to host"});
    const auto lane_of = [&](const LaunchEntry& entry) {
        const std::string name = entry.kind == LaunchEntry::Kind::copy_to_device   ? "copies to device"
                                 : entry.kind == LaunchEntry::Kind::copy_to_host   ? "copies to host"
                                 : entry.kind == LaunchEntry::Kind::copy_on_device ? "copies on device"
                                                                                   : streams[entry.stream.native()];
        return static_cast<int>(std::find(lanes.begin(), lanes.end(), name) - lanes.begin());
    };
    const std::size_t drawn = std::min(trace.operations.size(), most_drawn);
    constexpr double left = 140;
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
        const double y = 6 + static_cast<double>(lane) * step;
        drawing.label(0, y + 15, lanes[lane], "s");
        drawing.line(left, y + step - 2, left + static_cast<double>(std::max<std::size_t>(drawn, 4)) * step,
                     y + step - 2, "r");
    }
    double y = 6 + static_cast<double>(lanes.size()) * step + 8;
    for (std::size_t k = 0; k < drawn; ++k) {
        const LaunchEntry& entry = trace.operations[k];
        const double x = left + static_cast<double>(k) * step, top = 6 + lane_of(entry) * step;
        drawing.box(x + 1, top, step - 2, step - 4, "t", {{"fill", colour_of(lane_of(entry) * 8)}}, entry.to_string());
        drawing.label(x + step / 2.0, top + 15, std::to_string(k + 1), "c");
    }
    for (std::size_t k = 0; k < drawn; ++k) {
        const std::string words = std::to_string(k + 1) + "  " + trace.operations[k].to_string();
        if (k < 16) {
            drawing.label(0, y + 11, words, "l");
            y += 15;
        }
        drawing.text.push_back(words);
    }
    const std::size_t left_out = trace.operations.size() - std::min<std::size_t>(drawn, 16) + trace.operations_left_out;
    if (left_out > 0) drawing.label(0, y + 11, "and " + std::to_string(left_out) + " more", "s");
    if (trace.operations.size() + trace.operations_left_out > drawn)
        drawing.text.push_back("and " + std::to_string(trace.operations.size() + trace.operations_left_out - drawn) +
                               " more");
    drawing.label(0, y + 30, "How long each takes isn't drawn: on the host backend that says nothing of a GPU.", "s");
    return drawing;
}

}  // namespace gpu::detail::trace
