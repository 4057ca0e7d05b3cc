// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base.hpp"
#include "trace/pictures.hpp"

namespace gpu::detail::trace {

namespace {

constexpr int word_size = 18;  // pixels of 4 bytes

std::string percent(long a, long b) { return b == 0 ? "0 %" : std::to_string((a * 200 + b) / (2 * b)) + " %"; }

// The lanes of the warp above what they access.
double draw_lanes(Drawing& drawing, const TracedLaunch& launch, const Request& request, double x) {
    const TracedArray& array = launch.arrays[static_cast<std::size_t>(request.array)];
    drawing.label(
        x, 12, "lanes of warp " + std::to_string(request.warp) + " of block " + index_text(request.block, launch.grid),
        "s");
    for (int k = 0; k < 32; ++k) {
        const TracedAccess* const lane = request.lanes[static_cast<std::size_t>(k)];
        const int thread = request.warp * 32 + k;
        if (lane == nullptr) {
            drawing.box(x + k * word_size, 18, word_size, word_size, "n", {},
                        "lane " + std::to_string(k) + " takes no part");
            continue;
        }
        drawing.box(x + k * word_size, 18, word_size, word_size, "t",
                    {{"fill", colour_of(thread)}, {"data-t", std::to_string(thread)}},
                    "thread " + index_text(thread, launch.block) + ' ' + verb_of(request.operation) + ' ' +
                        element_name(array, lane->byte / std::max(1U, array.element)) + ": " +
                        value_text(array, *lane));
        drawing.label(x + k * word_size + word_size / 2.0, 31, std::to_string(k), "c");
    }
    return 18 + word_size + 14;
}

}  // namespace

Drawing request_map(const TracedLaunch& launch, const Request& request) {
    Drawing drawing;
    const TracedArray& array = launch.arrays[static_cast<std::size_t>(request.array)];
    const auto lanes = 32 - std::count(request.lanes.begin(), request.lanes.end(), nullptr);
    drawing.title = "line " + std::to_string(request.line) + " " + verb_of(request.operation) + " " + array.name +
                    ": " + plural(request.sectors, "sector") + " for " + plural(lanes, "lane") + ", " +
                    percent(request.used_bytes, 32L * request.sectors) + " of the moved bytes used";
    drawing.question = "A sector of 32 bytes moves whole. Which of the grey bytes does nobody want?";
    constexpr double left = 130;
    double y = draw_lanes(drawing, launch, request, left);

    // For each 128-byte line, the threads that access each word.
    std::map<std::int64_t, std::map<std::int64_t, std::vector<const TracedAccess*>>> lines;
    std::set<std::int64_t> sectors;
    for (const TracedAccess* const lane : request.lanes) {
        if (lane == nullptr) continue;
        const std::int64_t last = lane->byte + static_cast<std::int64_t>(lane->bytes) - 1;
        for (std::int64_t at = lane->byte >> 2; at <= last >> 2; ++at) lines[at >> 5][at].push_back(lane);
        for (std::int64_t sector = lane->byte >> 5; sector <= last >> 5; ++sector) sectors.insert(sector);
    }
    drawing.text.push_back(drawing.title);
    std::int64_t before = -1;
    for (const auto& [line, words] : lines) {
        if (before >= 0 && line != before + 1) y += 6;
        before = line;
        drawing.label(0, y + 13, "byte " + std::to_string(line * 128), "s");
        std::string row = "  byte " + std::to_string(line * 128) + ": ";
        for (std::int64_t at = line * 32; at < line * 32 + 32; ++at) {
            const double x = left + static_cast<double>(at - line * 32) * word_size;
            const bool moves = sectors.count(at >> 3) != 0;
            if (at % 8 == 0) drawing.box(x, y, 8 * word_size, word_size, moves ? "m" : "n");
            if (at % 8 == 0) row += moves ? "[" : " ";
            const auto found = words.find(at);
            if (found == words.end()) {
                row += moves ? "." : " ";
            } else {
                const std::size_t shown = std::min<std::size_t>(found->second.size(), 4);
                std::string who;
                for (const TracedAccess* const lane : found->second) {
                    who += (who.empty() ? "" : " ") + std::to_string(lane->thread);
                    if (found->second.size() > 4 && who.size() > 200) break;
                }
                for (std::size_t k = 0; k < shown; ++k) {
                    const TracedAccess& lane = *found->second[k];
                    // The part of a word that a lane accesses.
                    const std::int64_t begin = std::max(lane.byte, at * 4),
                                       end = std::min(lane.byte + static_cast<std::int64_t>(lane.bytes), at * 4 + 4);
                    const double quarter = word_size / 4.0;
                    const bool apart = end - begin < 4;
                    const double part = apart ? quarter * static_cast<double>(end - begin)
                                              : static_cast<double>(word_size) / static_cast<double>(shown);
                    const double from =
                        apart ? quarter * static_cast<double>(begin - at * 4) : part * static_cast<double>(k);
                    drawing.box(x + from, y, part, word_size, "t", {{"fill", colour_of(lane.thread)}, {"data-t", who}},
                                element_name(array, lane.byte / std::max(1U, array.element)) + ": thread " +
                                    index_text(lane.thread, launch.block));
                }
                const std::size_t all = found->second.size();
                drawing.label(x + word_size / 2.0, y + 13,
                              all > 1 && found->second.front()->bytes >= 4
                                  ? std::to_string(all) + "×"
                                  : std::to_string(found->second.front()->thread % 32),
                              "c");
                row += "#";
            }
            if (at % 8 == 7) row += moves ? "]" : " ";
        }
        for (int sector = 0; sector <= 4; ++sector)
            drawing.line(left + sector * 8 * word_size, y - 1, left + sector * 8 * word_size, y + word_size + 1, "ar");
        drawing.text.push_back(row);
        y += word_size + 3;
    }
    drawing.label(left, y + 14, "coloured: used; grey: moved and not used; dashed: not moved", "s");
    return drawing;
}

Drawing bank_map(const TracedLaunch& launch, const Request& request) {
    Drawing drawing;
    const TracedArray& array = launch.arrays[static_cast<std::size_t>(request.array)];
    const int parts = request.bytes <= 4 ? 1 : request.bytes <= 8 ? 2 : 4;
    drawing.title = "line " + std::to_string(request.line) + " " + verb_of(request.operation) + " " + array.name +
                    ": " + plural(request.ways, "turn") + " of the banks" +
                    (parts > 1 ? " for " + std::to_string(parts) + " parts of the warp" : "");
    drawing.question = "A bank gives one word at a time. How high is the highest tower, and why?";
    constexpr double left = 60;
    double y = draw_lanes(drawing, launch, request, left);
    const bool atomic = request.operation == MemoryOperation::atomic;
    drawing.text.push_back(drawing.title);
    for (int part = 0; part < parts; ++part) {
        const std::size_t begin = static_cast<std::size_t>(32 / parts * part),
                          end = begin + static_cast<std::size_t>(32 / parts);
        std::map<int, std::map<std::int64_t, std::vector<const TracedAccess*>>> banks;
        for (std::size_t k = begin; k < end; ++k) {
            const TracedAccess* const lane = request.lanes[k];
            if (lane == nullptr) continue;
            const std::int64_t last = (lane->byte + static_cast<std::int64_t>(lane->bytes) - 1) >> 2;
            for (std::int64_t at = lane->byte >> 2; at <= last; ++at)
                banks[static_cast<int>(at & 31)][at].push_back(lane);
        }
        if (banks.empty()) continue;
        int highest = 0;
        const auto height_of = [&](const auto& words) {
            int height = 0;
            for (const auto& [at, lanes] : words) height += atomic ? static_cast<int>(lanes.size()) : 1;
            return height;
        };
        for (const auto& [bank, words] : banks) highest = std::max(highest, height_of(words));
        const double floor = y + highest * word_size;
        std::string heights = "  ";
        for (int bank = 0; bank < 32; ++bank) {
            const double x = left + bank * word_size;
            double top = floor;
            const auto found = banks.find(bank);
            if (found != banks.end()) {
                for (const auto& [at, lanes] : found->second) {
                    const std::size_t boxes = atomic ? lanes.size() : 1;
                    std::string who;
                    for (const TracedAccess* const lane : lanes)
                        who += (who.empty() ? "" : " ") + std::to_string(lane->thread);
                    for (std::size_t k = 0; k < boxes; ++k) {
                        top -= word_size;
                        const TracedAccess& lane = *lanes[k];
                        drawing.box(
                            x, top, word_size, word_size, "t",
                            {{"fill", colour_of(lane.thread)}, {"data-t", atomic ? std::to_string(lane.thread) : who}},
                            "word " + std::to_string(at) + ", " +
                                element_name(array, lane.byte / std::max(1U, array.element)) + ": " +
                                (boxes == 1 && lanes.size() > 1 ? std::to_string(lanes.size()) + " threads at once"
                                                                : "thread " + index_text(lane.thread, launch.block)));
                        drawing.label(x + word_size / 2.0, top + 13,
                                      !atomic && lanes.size() > 1 ? std::to_string(lanes.size()) + "×"
                                                                  : std::to_string(lane.thread % 32),
                                      "c");
                    }
                }
            }
            const int height = found == banks.end() ? 0 : height_of(found->second);
            heights += height == 0 ? " ." : ' ' + std::to_string(height);
            drawing.label(x + word_size / 2.0, floor + 13, std::to_string(bank), "cs");
        }
        drawing.line(left, floor, left + 32 * word_size, floor, "ar");
        drawing.label(0, floor - 4, plural(highest, "turn"), highest > 1 ? "b" : "s");
        drawing.label(0, floor + 13, "bank", "s");
        drawing.text.push_back(heights);
        y = floor + 30;
    }
    return drawing;
}

// Groups accesses into requests of warps, as check mode counts them.

namespace {

std::set<std::int64_t> sectors_of(const Request& request) {
    std::set<std::int64_t> sectors;
    for (const TracedAccess* const lane : request.lanes) {
        if (lane == nullptr) continue;
        const std::int64_t last = (lane->byte + static_cast<std::int64_t>(lane->bytes) - 1) >> 5;
        for (std::int64_t sector = lane->byte >> 5; sector <= last; ++sector) sectors.insert(sector);
    }
    return sectors;
}

int used_bytes_of(const Request& request) {
    std::set<std::int64_t> bytes;
    for (const TracedAccess* const lane : request.lanes)
        for (unsigned k = 0; lane != nullptr && k < lane->bytes; ++k) bytes.insert(lane->byte + k);
    return static_cast<int>(bytes.size());
}

// The number of words that the busiest bank must serve, for the lanes [begin, end).
int ways_of(const Request& request, std::size_t begin, std::size_t end) {
    const bool atomic = request.operation == MemoryOperation::atomic;
    std::map<std::int64_t, int> lanes_of_word;
    for (std::size_t k = begin; k < end; ++k) {
        const TracedAccess* const lane = request.lanes[k];
        if (lane == nullptr) continue;
        const std::int64_t last = (lane->byte + static_cast<std::int64_t>(lane->bytes) - 1) >> 2;
        for (std::int64_t word = lane->byte >> 2; word <= last; ++word) ++lanes_of_word[word];
    }
    std::map<std::int64_t, int> depth;
    int max_depth = 0;
    for (const auto& [word, lanes] : lanes_of_word)
        max_depth = std::max(max_depth, depth[word & 31] += atomic ? lanes : 1);
    return max_depth;
}

void charge(Request& request, bool shared) {
    if (!shared) {
        request.sectors = static_cast<int>(sectors_of(request).size());
        request.used_bytes = used_bytes_of(request);
        return;
    }
    const std::size_t step = request.bytes <= 4 ? 32 : request.bytes <= 8 ? 16 : 8;
    for (std::size_t begin = 0; begin < 32; begin += step) request.ways += ways_of(request, begin, begin + step);
}

}  // namespace

std::vector<Request> requests_of(const TracedLaunch& launch) {
    std::vector<Request> requests;
    std::map<std::tuple<int, int, int, int, unsigned, MemoryOperation, int>, std::size_t> known;
    for (const TracedAccess& access : launch.accesses) {
        if (access.out_of_bounds || access.array < 0) continue;
        const int warp = access.thread / 32;
        const auto [found, is_new] = known.try_emplace(
            {access.block, warp, access.instruction, access.turn, access.bytes, access.operation, access.array},
            requests.size());
        if (is_new) {
            Request request{.line = access.line,
                            .block = access.block,
                            .warp = warp,
                            .instruction = access.instruction,
                            .turn = access.turn,
                            .array = access.array,
                            .operation = access.operation,
                            .bytes = access.bytes,
                            .lanes = {}};
            request.lanes.resize(32);
            requests.push_back(std::move(request));
        }
        requests[found->second].lanes[static_cast<std::size_t>(access.thread % 32)] = &access;
    }
    for (Request& request : requests) charge(request, launch.arrays[static_cast<std::size_t>(request.array)].shared);
    return requests;
}

std::vector<LineRequests> lines_of(const std::vector<Request>& requests, const TracedLaunch& launch, bool shared) {
    std::map<int, LineRequests> lines;
    for (const Request& request : requests) {
        if (launch.arrays[static_cast<std::size_t>(request.array)].shared != shared) continue;
        LineRequests& line = lines[request.line];
        line.line = request.line;
        line.shared = shared;
        line.requests.push_back(&request);
        line.sectors += request.sectors;
        line.used_bytes += request.used_bytes;
        line.ways += request.ways;
    }
    std::vector<LineRequests> result;
    for (auto& [number, line] : lines) result.push_back(std::move(line));
    std::stable_sort(result.begin(), result.end(), [shared](const LineRequests& a, const LineRequests& b) {
        if (!shared) return a.efficiency() < b.efficiency();
        const auto a_count = static_cast<long>(a.requests.size()), b_count = static_cast<long>(b.requests.size());
        return a.ways * b_count > b.ways * a_count;
    });
    return result;
}

}  // namespace gpu::detail::trace
