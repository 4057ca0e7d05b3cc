// SPDX-License-Identifier: MIT
// Every planted mistake is reported, as what it is; nothing is reported of a correct variant, whose results are right.
#include <doctest/doctest.h>

#include <cstdio>
#include <map>
#include <set>

#include <gpu/check.hpp>

#include "execution.hpp"
#include "support/on_host.hpp"

using namespace irregular;

namespace {

constexpr const char* schedules[] = {"fixed", "random:1"};

// What a report must say, at least once.
bool is_expected(const Variant& variant, const gpu::Finding& finding) {
    if (std::find(variant.variables.begin(), variant.variables.end(), finding.variable) == variant.variables.end())
        return false;
    switch (variant.expected) {
        case Expected::nothing: return false;
        case Expected::out_of_bounds: return finding.kind == gpu::FindingKind::out_of_bounds;
        case Expected::uninitialised: return finding.kind == gpu::FindingKind::uninitialized_read;
        case Expected::race: return is_race(finding.kind);
        case Expected::race_in_block: return finding.kind == gpu::FindingKind::missing_barrier;
        case Expected::race_in_warp: return finding.kind == gpu::FindingKind::missing_syncwarp;
    }
    return false;
}

// What it may say besides: some of a block's racing threads belong to one warp. Where an element too many is put in a
// list, or its size was never written, threads write beyond the list as well.
bool is_consequence(const Variant& variant, const gpu::Finding& finding) {
    if (variant.expected == Expected::race_in_block)
        return finding.kind == gpu::FindingKind::missing_syncwarp && finding.variable == variant.variables.front();
    const bool has_list = variant.pattern == Pattern::worklist || variant.pattern == Pattern::populate_once;
    const bool may_overflow = variant.mistake == Mistake::edge_bounds || variant.mistake == Mistake::uninitialised;
    return has_list && may_overflow && finding.kind == gpu::FindingKind::out_of_bounds;
}

// Those of all patterns.
std::vector<Variant> all_variants(std::vector<Variant> (*of_pattern)(Pattern)) {
    std::vector<Variant> all;
    for (const Pattern pattern : patterns)
        for (const Variant& variant : of_pattern(pattern)) all.push_back(variant);
    return all;
}

// Calls f with a value of each type and its spelling.
template <class F>
void for_each_type(F f) {
    f(int{}, types[0]);
    f(float{}, types[1]);
    f(double{}, types[2]);
    f(std::int64_t{}, types[3]);
}

template <class T>
void check_results(const Batch<T>& batch, const Graph& graph) {
    for (std::size_t k = 0; k < batch.variants().size(); ++k) {
        const Variant& variant = batch.variants()[k];
        CAPTURE(variant.name());
        CHECK(batch.run(k, graph) == reference(variant.pattern, graph));
    }
}

// Runs a batch of mistakes on every graph; returns those that weren't reported.
template <class T>
std::set<std::string> unreported(const Batch<T>& batch, const std::vector<Graph>& graphs, const char* schedule) {
    std::map<std::string, const Variant*> by_name;
    std::set<std::string> left;
    for (const Variant& variant : batch.variants()) {
        by_name[variant.name()] = &variant;
        left.insert(variant.name());
    }
    for (const Graph& graph : graphs) {
        const gpu::CheckReport report = gpu::check(
            [&] {
                for (std::size_t k = 0; k < batch.variants().size(); ++k) (void)batch.run(k, graph);
            },
            {.schedule = schedule, .seconds_per_block = 1});
        for (const gpu::Finding& finding : report.findings) {
            INFO(finding.kernel << ", " << graph.name << "\n" << finding.what << "\n" << finding.who);
            REQUIRE(by_name.contains(finding.kernel));
            const Variant& variant = *by_name[finding.kernel];
            const bool expected = is_expected(variant, finding);
            CHECK((expected || is_consequence(variant, finding)));
            if (expected) left.erase(finding.kernel);
        }
    }
    return left;
}

}  // namespace

TEST_CASE("variants without a mistake give what their serial references give, plainly and in check mode") {
    std::size_t count = 0;
    for_each_type([&](auto zero, const std::string& type) {
        CAPTURE(type);
        const Batch<decltype(zero)> batch(all_variants(correct_variants), type);
        count += batch.variants().size();
        for (const Graph& graph : test_graphs()) {
            CAPTURE(graph.name);
            check_results(batch, graph);
            if (!support::on_host()) continue;
            for (const char* const schedule : schedules) {
                CAPTURE(std::string(schedule));
                const auto report = gpu::check([&] { check_results(batch, graph); }, {.schedule = schedule});
                CHECK(report.to_text() == "");
            }
        }
    });
    std::printf("%zu variants without a mistake\n", count);
}

TEST_CASE("mistakes: each is reported, as what it is") {
    std::size_t count = 0;
    const std::vector<Graph> graphs = test_graphs();
    for_each_type([&](auto zero, const std::string& type) {
        CAPTURE(type);
        const Batch<decltype(zero)> batch(all_variants(variants_with_mistakes), type);
        count += batch.variants().size();
        for (const char* const schedule : schedules) {
            CAPTURE(std::string(schedule));
            for (const std::string& name : unreported(batch, graphs, schedule))
                FAIL_CHECK(name << ": nothing was reported");
        }
    });
    std::printf("%zu variants with a mistake\n", count);
    CHECK(count >= 200);
}
