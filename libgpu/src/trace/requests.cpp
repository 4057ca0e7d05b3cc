// SPDX-License-Identifier: MIT
// Accesses become requests of warps, as check mode counts them.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "trace/pictures.hpp"

namespace gpu::detail::trace {

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

// Words that the busiest bank has to give, for the lanes [begin, end).
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
    int most = 0;
    for (const auto& [word, lanes] : lanes_of_word) most = std::max(most, depth[word & 31] += atomic ? lanes : 1);
    return most;
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
