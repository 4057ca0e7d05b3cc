// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <set>
#include <sstream>

#include <gpu/dtype.hpp>

#include "facts/columns.hpp"
#include "trace/pictures.hpp"

// How pictures name elements, values, threads and lines.
namespace gpu::detail::trace {

namespace {

template <class T>
T bits_as(std::uint64_t bits) {
    T value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

std::string short_number(double value) {
    char text[40];
    const auto [end, failure] = std::to_chars(text, text + sizeof text, value, std::chars_format::general, 6);
    return failure == std::errc() ? std::string(text, end) : "?";
}

}  // namespace

std::string element_name(const TracedArray& array, std::int64_t index) {
    if (array.lengths.size() < 2 || index < 0 || index >= array.elements)
        return array.elements == 1 && index == 0 && array.lengths.empty() && array.shared
                   ? array.name
                   : array.name + '[' + std::to_string(index) + ']';
    std::string text;
    std::int64_t rest = index;
    for (std::size_t k = array.lengths.size(); k-- > 0;) {
        const std::int64_t length = std::max<std::int64_t>(array.lengths[k], 1);
        text = '[' + std::to_string(rest % length) + ']' + text;
        rest /= length;
    }
    return array.name + text;
}

std::string value_text(const TracedArray& array, const TracedAccess& access) {
    const std::string& type = array.type;
    const unsigned bytes = access.bytes;
    if (bytes == array.element || type == "float4" || type == "float2") {
        if (type == "float" || ((type == "float4" || type == "float2") && bytes >= 4))
            return short_number(static_cast<double>(bits_as<float>(access.bits)));
        if (type == "double") return short_number(bits_as<double>(access.bits));
        if (type == "half" || type == "__half")
            return short_number(
                static_cast<double>(static_cast<float>(half::from_bits(static_cast<std::uint16_t>(access.bits)))));
        if (type == "nv_bfloat16" || type == "__nv_bfloat16")
            return short_number(
                static_cast<double>(static_cast<float>(bfloat16::from_bits(static_cast<std::uint16_t>(access.bits)))));
        if (type == "bool") return access.bits != 0 ? "true" : "false";
        const bool is_unsigned = type.find("unsigned") != std::string::npos || type.compare(0, 4, "uint") == 0;
        const bool is_integer = type.find("int") != std::string::npos || type.find("long") != std::string::npos ||
                                type.find("short") != std::string::npos || type.find("char") != std::string::npos;
        if (is_integer || is_unsigned) {
            const int shift = 64 - 8 * static_cast<int>(std::min(bytes, 8U));
            const std::uint64_t high = access.bits << shift;
            return is_unsigned ? std::to_string(high >> shift)
                               : std::to_string(static_cast<std::int64_t>(high) >> shift);
        }
    }
    char text[20];
    const auto end = std::to_chars(text, text + sizeof text, access.bits, 16).ptr;
    return "0x" + std::string(text, end);
}

std::string value_before(const TracedArray& array, const TracedAccess& access) {
    TracedAccess before = access;
    before.bits = access.bits_before;
    return value_text(array, before);
}

std::string index_text(int linear, const Dim3& of) {
    const auto x = static_cast<unsigned>(linear);
    return '(' + std::to_string(x % of.x) + ',' + std::to_string(x / of.x % of.y) + ',' +
           std::to_string(x / of.x / of.y) + ')';
}

std::string verb_of(MemoryOperation operation) {
    switch (operation) {
        case MemoryOperation::read: return "reads";
        case MemoryOperation::write: return "writes";
        case MemoryOperation::atomic: return "updates";
    }
    return "";
}

std::string line_text(const TracedLaunch& launch, int line) {
    std::size_t begin = 0;
    for (int at = launch.first_line; at < line && begin != std::string::npos; ++at) {
        begin = launch.source.find('\n', begin);
        if (begin != std::string::npos) ++begin;
    }
    if (line < launch.first_line || begin == std::string::npos || begin >= launch.source.size()) return "";
    std::string text = launch.source.substr(begin, launch.source.find('\n', begin) - begin);
    text.erase(0, std::min(text.find_first_not_of(" \t"), text.size()));
    text.erase(text.find_last_not_of(" \t\r") + 1);
    return text;
}

std::vector<Window> windows_of(const TracedLaunch& launch) {
    std::set<std::pair<int, int>> places;
    for (const TracedAccess& access : launch.accesses) places.insert({access.block, access.thread / max_threads});
    for (const TracedStop& stop : launch.stops) places.insert({stop.block, stop.thread / max_threads});
    if (places.empty()) places.insert({0, 0});
    std::vector<Window> windows;
    for (const auto& [block, part] : places)
        windows.push_back({block, part * max_threads, std::min(max_threads, launch.threads() - part * max_threads)});
    // Starts with the block of the first finding.
    if (!launch.findings.empty()) {
        const TracedFinding::Side& side = launch.findings.front().first;
        const auto found = std::find_if(windows.begin(), windows.end(),
                                        [&](const Window& w) { return w.holds(side.block, side.thread); });
        if (found != windows.end()) std::rotate(windows.begin(), found, found + 1);
    }
    return windows;
}

namespace {

// A bar each for the blocks, the warps and the threads of the launch: how many worked, and within it the share of the
// busiest one.
void draw_spread(Drawing& drawing, double& y, std::string_view what, const WorkSpread& spread) {
    if (spread.total == 0) return;
    const auto product = [](const Dim3& d) { return static_cast<double>(d.x * d.y * d.z); };
    const double blocks = product(spread.grid), threads = product(spread.block);
    const auto warps = static_cast<double>((spread.block.x * spread.block.y * spread.block.z + 31) / 32);
    const auto total = static_cast<double>(spread.total);
    struct Level {
        const char* name;
        double working, launched, busiest;
    };
    const Level levels[] = {
        {"blocks", static_cast<double>(spread.working_blocks), blocks, static_cast<double>(spread.busiest_block)},
        {"warps", static_cast<double>(spread.working_warps), blocks * warps, static_cast<double>(spread.busiest_warp)},
        {"threads", static_cast<double>(spread.working_threads), blocks * threads,
         static_cast<double>(spread.busiest_thread)}};
    std::string row = std::string(what) + ":";
    drawing.label(0, y + 11, what, "s");
    double x = 206;
    for (const Level& level : levels) {
        constexpr double width = 150;
        const double share = level.busiest / total;
        const std::string words = facts::short_number(static_cast<std::uint64_t>(level.working)) + " of " +
                                  facts::short_number(static_cast<std::uint64_t>(level.launched)) + ' ' + level.name;
        const std::string busiest =
            "the busiest did " + std::to_string(static_cast<int>(100 * share + 0.5)) + " %";
        const std::string colour = share > 0.9 && level.launched > 1 ? "var(--bad)" : "var(--bar)";
        drawing.box(x, y, width, 12, "m");
        drawing.box(x, y, width * level.working / level.launched, 12, "t", {{"fill", colour}, {"opacity", "0.35"}},
                    words + " worked; " + busiest);
        drawing.box(x, y, std::max(1.0, width * share), 12, "t", {{"fill", colour}}, busiest);
        drawing.label(x, y + 25, words, "s");
        row += (x == 206 ? " " : ", ") + words;
        x += width + 30;
    }
    row += " worked; the busiest thread did " + facts::short_number(spread.busiest_thread) + " of " +
           facts::short_number(spread.total);
    drawing.text.push_back(std::move(row));
    y += 34;
}

}  // namespace

Drawing source_counts(const TracedLaunch& launch, const CheckReport& report) {
    Drawing drawing;
    const KernelCounts* counts = nullptr;
    for (const KernelCounts& kernel : report.kernels)
        if (kernel.name == launch.kernel && kernel.file == launch.file) counts = &kernel;
    WorkCounts work;
    if (counts != nullptr) work = counts->work;
    drawing.title = facts::counted(work.global_requests + work.shared_requests, "request", "requests") + ", " +
                    facts::counted(work.global_sectors, "sector", "sectors") + ", " +
                    facts::counted(work.barriers, "barrier", "barriers");
    drawing.question = "Which line costs most, and must it? Do all threads share the work?";
    double y = 0;
    if (counts != nullptr && counts->span > 0) {
        drawing.title += ", work " + facts::short_number(counts->accesses) + ", span " +
                         facts::short_number(counts->span);
        draw_spread(drawing, y, "accesses to global memory", counts->global_spread);
        draw_spread(drawing, y, "accesses to shared memory", counts->shared_spread);
        draw_spread(drawing, y, "atomic operations", counts->atomic_spread);
    }
    const auto cost = [](const WorkCounts& w) { return w.global_sectors + w.shared_wavefronts; };
    std::uint64_t max_cost = 1;
    if (counts != nullptr)
        for (const LineCounts& line : counts->lines) max_cost = std::max(max_cost, cost(line.work));
    drawing.label(0, y + 12, "requests", "s");
    drawing.label(72, y + 12, "sectors", "s");
    drawing.label(136, y + 12, "bank turns", "s");
    drawing.text.push_back("requests  sectors  bank turns");
    std::istringstream lines(launch.source);
    int number = launch.first_line;
    y += 18;
    for (std::string text; std::getline(lines, text) && number < launch.first_line + 400; ++number, y += 15) {
        WorkCounts here;
        bool found = false;
        for (std::size_t k = 0; counts != nullptr && k < counts->lines.size(); ++k)
            if (counts->lines[k].line == number && counts->lines[k].file == launch.file) {
                here += counts->lines[k].work;
                found = true;
            }
        std::string shown;
        for (const char c : text) shown += c == '\t' ? std::string(4, ' ') : std::string(1, c);
        const std::uint64_t requests = here.global_requests + here.shared_requests;
        const auto column = [](std::uint64_t value) {
            return value == 0 ? std::string() : facts::short_number(value);
        };
        if (found && cost(here) > 0)
            drawing.box(206, y, 6.0 + 40.0 * static_cast<double>(cost(here)) / static_cast<double>(max_cost), 12, "x",
                        {{"opacity", "0.35"}}, "line " + std::to_string(number));
        drawing.label(0, y + 11, column(requests), "s");
        drawing.label(72, y + 11, column(here.global_sectors), "s");
        drawing.label(136, y + 11, column(here.shared_wavefronts), "s");
        drawing.label(262, y + 11, std::to_string(number), "s");
        drawing.label(292, y + 11, shown, "l", {{"xml:space", "preserve"}, {"data-line", std::to_string(number)}});
        std::string row = column(requests);
        row.resize(10, ' ');
        row += column(here.global_sectors);
        row.resize(19, ' ');
        row += column(here.shared_wavefronts);
        row.resize(31, ' ');
        drawing.text.push_back(row + std::to_string(number) + "  " + shown);
    }
    return drawing;
}

}  // namespace gpu::detail::trace
