// SPDX-License-Identifier: MIT
// Each barrier of each program is removed in turn: check mode must report something, or redundant_barriers.txt says why
// nothing can go wrong without it.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <map>

#include <gpu/check.hpp>

#include "barriers.hpp"
#include "program.hpp"
#include "support/on_host.hpp"

using namespace programs;

namespace {

using Place = std::pair<std::string, std::size_t>;  // a program's file, and a barrier's number in it, from 1

std::map<Place, std::string> redundant_barriers() {
    std::map<Place, std::string> places;
    for (const Row& row : table("redundant_barriers.txt")) {
        REQUIRE(row.size() == 3);
        CHECK_FALSE(row[2].empty());
        places[{row[0], std::stoul(row[1])}] = row[2];
    }
    return places;
}

bool runs_on_host(const Program& program) {
    const std::vector<Row> left_out = table("not_on_host.txt");
    return std::none_of(left_out.begin(), left_out.end(), [&](const Row& row) { return row.at(0) == program.file; });
}

gpu::CheckReport check(const Program& program, const gpu::RawModule& kernels, const char* schedule) {
    return gpu::check(
        [&] {
            Run run(kernels);  // its results don't matter
            program.run(run);
        },
        {.schedule = schedule, .seconds_per_block = 0.5});
}

bool is_found(const Program& program, const gpu::RawModule& kernels) {
    const auto found = [&](const char* schedule) { return !check(program, kernels, schedule).clean(); };
    return found("fixed") || found("random:1");
}

}  // namespace

TEST_CASE("barriers: one is found in a text, but not in its comments") {
    const std::string text =
        "__global__ void k() {\n"
        "    // __syncthreads();\n"
        "    for (;;) __syncthreads();\n"
        "    if (__syncthreads_or(1)) __syncwarp((1 << 4) - 1);\n"
        "    tile.sync();\n"
        "}\n";
    const std::vector<Barrier> barriers = barriers_in(text);
    REQUIRE(barriers.size() == 3);
    CHECK(barriers[0].line == 3);
    CHECK(barriers[1].line == 4);
    CHECK(barriers[2].line == 5);
    CHECK(without_barrier(text, 2).find("if (__syncthreads_or(1)) (void)0;") != std::string::npos);
    CHECK(with_removable_barriers(text).find("(removed_barrier == 3 ? (void)0 : (void)tile.sync());") !=
          std::string::npos);
}

TEST_CASE("barriers: check mode finds each that is removed") {
    std::map<Place, std::string> redundant = redundant_barriers();
    std::size_t total = 0, caught = 0, listed = redundant.size();
    for (const Program& program : all_programs()) {
        const std::string text = kernel_text(program.file);
        const std::vector<Barrier> barriers = barriers_in(text);
        if (barriers.empty() || !runs_on_host(program)) continue;
        const gpu::RawModule kernels(gpu::Source(with_removable_barriers(text), program.file));
        gpu::View<int> removed = kernels.symbol<int>("removed_barrier");
        removed = 0;
        INFO(program.file);
        CHECK(check(program, kernels, "fixed").to_text() == "");
        for (std::size_t n = 1; n <= barriers.size(); ++n) {
            INFO(program.file << ":" << barriers[n - 1].line << ", barrier " << n);
            removed = static_cast<int>(n);
            const bool found = is_found(program, kernels);
            const bool is_listed = redundant.erase({program.file, n}) != 0;
            ++total;
            caught += found ? 1 : 0;
            if (found && is_listed)
                FAIL_CHECK("it is listed as redundant, but without it check mode reports a mistake");
            if (!found && !is_listed) FAIL_CHECK("check mode reports nothing without it, and it isn't listed");
        }
    }
    for (const auto& [place, reason] : redundant) FAIL_CHECK(place.first << " has no barrier " << place.second);
    std::printf("%zu barriers: %zu are found missing when they are removed, %zu are listed as redundant\n", total,
                caught, listed);
    CHECK(total >= 80);
}

TEST_CASE("barriers: one that is missing from the text is found as one that threads pass") {
    const std::map<Place, std::string> redundant = redundant_barriers();
    std::size_t number = 0;
    for (const Program& program : all_programs()) {
        const std::string text = kernel_text(program.file);
        const std::size_t count = runs_on_host(program) ? barriers_in(text).size() : 0;
        for (std::size_t n = 1; n <= count; ++n) {
            if (++number % 5 != 0) continue;  // each takes a compile
            CAPTURE(program.file);
            CAPTURE(n);
            const gpu::RawModule kernels(gpu::Source(without_barrier(text, n), program.file));
            CHECK(is_found(program, kernels) == !redundant.contains({program.file, n}));
        }
    }
}
