// SPDX-License-Identifier: MIT
// Counted work against its definition, written down as plainly as can be, for programs drawn at random.
#include <algorithm>
#include <numeric>
#include <random>

#include <doctest/doctest.h>

#include "host/check/work_counter.hpp"

using gpu::WorkCounts;
using gpu::detail::host::AccessKind;
using gpu::detail::host::SiteCounts;
using gpu::detail::host::WorkCounter;

namespace {

std::vector<unsigned> shuffled(unsigned threads, unsigned seed) {
    std::vector<unsigned> order(threads);
    std::iota(order.begin(), order.end(), 0u);
    std::shuffle(order.begin(), order.end(), std::mt19937(seed));
    return order;
}

/// A program of accesses at random: for each segment between barriers and each thread, what it accesses.
struct Access {
    unsigned site;
    std::uintptr_t address;
};
using Program = std::vector<std::vector<std::vector<Access>>>;

Program random_program(unsigned threads, unsigned seed) {
    std::mt19937 random(seed);
    Program program(3, std::vector<std::vector<Access>>(threads));
    for (auto& segment : program)
        for (auto& thread : segment) {
            std::uintptr_t address = random() % 256;
            const std::uintptr_t stride = random() % 3 * 4;
            const unsigned length = random() % 12;
            for (unsigned k = 0; k < length; ++k) {
                if (random() % 4 == 0) address = random() % 4096;
                thread.push_back({static_cast<unsigned>(random() % 3), address += stride});
            }
        }
    return program;
}

AccessKind kind_of(unsigned site) { return site == 2 ? AccessKind::shared_read : AccessKind::global_read; }

std::vector<SiteCounts> run(const Program& program, unsigned threads, unsigned seed) {
    WorkCounter counter;
    counter.begin_block(threads);
    for (std::size_t s = 0; s < program.size(); ++s) {
        for (const unsigned t : shuffled(threads, seed + static_cast<unsigned>(s))) {
            for (const Access& access : program[s][t])
                counter.access(access.site, t, access.address, 4, kind_of(access.site));
            if (s + 1 < program.size())
                counter.thread_waits(t);
            else
                counter.thread_ends(t);
        }
        if (s + 1 < program.size()) counter.barrier(7);
    }
    counter.end_block();
    return counter.take();
}

// The definition, word for word.
WorkCounts by_definition(const Program& program, unsigned threads, unsigned site) {
    WorkCounts work;
    for (const auto& segment : program)
        for (unsigned warp = 0; warp * 32 < threads; ++warp) {
            std::vector<std::vector<std::uintptr_t>> requests;
            for (unsigned t = 32 * warp; t < std::min(threads, 32 * warp + 32); ++t) {
                std::size_t k = 0;
                for (const Access& access : segment[t]) {
                    if (access.site != site) continue;
                    if (k == requests.size()) requests.emplace_back();
                    requests[k++].push_back(access.address);
                }
            }
            const auto pieces = [](std::vector<std::uintptr_t> addresses, std::uintptr_t size) {
                std::vector<std::uintptr_t> found;
                for (const std::uintptr_t address : addresses)
                    for (std::uintptr_t byte = address; byte < address + 4; ++byte) found.push_back(byte / size);
                std::sort(found.begin(), found.end());
                found.erase(std::unique(found.begin(), found.end()), found.end());
                return found;
            };
            for (const auto& addresses : requests) {
                if (kind_of(site) == AccessKind::global_read) {
                    work.global_reads += addresses.size();
                    work.global_requests += 1;
                    work.global_sectors += pieces(addresses, 32).size();
                    work.global_bytes_used += std::min(4 * addresses.size(), 32 * pieces(addresses, 32).size());
                    work.global_segments += pieces(addresses, 128).size();
                } else {
                    unsigned words[32] = {};
                    for (const std::uintptr_t word : pieces(addresses, 4)) ++words[word % 32];
                    work.shared_reads += addresses.size();
                    work.shared_requests += 1;
                    work.shared_wavefronts += *std::max_element(words, words + 32);
                }
            }
        }
    work.global_bytes_read = 4 * work.global_reads;
    work.shared_bytes_read = 4 * work.shared_reads;
    return work;
}

}  // namespace

TEST_CASE("random programs: as the definition says, in any order of threads") {
    for (unsigned seed = 0; seed < 30; ++seed) {
        const unsigned threads = 1 + seed * 37 % 130;
        CAPTURE(seed);
        const Program program = random_program(threads, seed);
        const std::vector<SiteCounts> sites = run(program, threads, 1);
        for (const SiteCounts& site : sites) {
            if (site.site == 7) continue;
            WorkCounts work = site.work;
            work.divergent_requests = 0;
            CHECK(work == by_definition(program, threads, static_cast<unsigned>(site.site)));
        }
        const std::vector<SiteCounts> again = run(program, threads, 1000);
        REQUIRE(again.size() == sites.size());
        for (std::size_t k = 0; k < sites.size(); ++k) {
            CHECK(again[k].site == sites[k].site);
            CHECK(again[k].work == sites[k].work);
        }
    }
}
