// SPDX-License-Identifier: MIT
// What people read, against golden files.
#include <sstream>

#include <doctest/doctest.h>

#include "report/samples.hpp"
#include "support/golden.hpp"
#include "support/messages.hpp"

using support::contains;

namespace {

void check_page(const std::string& name, const std::string& text, std::size_t width) {
    support::check_golden(name, text);
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        CAPTURE(line);
        CHECK(line.size() <= width);
        CHECK((line.empty() || line.back() != ' '));
        CHECK(line.find('\x1b') == std::string::npos);
    }
}

}  // namespace

TEST_CASE("findings: each kind has its facts") {
    //! [facts]
    const gpu::FindingFacts& facts = gpu::facts_of(gpu::FindingKind::divergent_barrier);
    const std::string_view name = facts.name;                       // "divergent barrier"
    const bool stops = facts.ends == gpu::Ends::stops;              // true: the kernel can't go on
    const bool races = gpu::is_race(facts.kind);                    // false
    const gpu::FindingFacts* const unknown = gpu::find_facts(200);  // null: there is no such kind
    //! [facts]
    CHECK(name == "divergent barrier");
    CHECK(stops);
    CHECK_FALSE(races);
    CHECK(unknown == nullptr);
    for (std::size_t k = 0; k < gpu::finding_facts.size(); ++k) {
        CHECK_FALSE(gpu::finding_facts[k].name.empty());
        CHECK(gpu::find_facts(k) == &gpu::finding_facts[k]);
    }
}

TEST_CASE("findings: three lines each") {
    check_page("findings.txt", samples::report().to_text(), 120);
    CHECK(gpu::CheckReport().to_text().empty());
}

TEST_CASE("table: a row a kernel, then the host") {
    check_page("table.txt", samples::report().table(), 160);
    CHECK(gpu::CheckReport().table() == "host: nothing\n");
}

TEST_CASE("table: counts that are too high are said to be") {
    gpu::CheckReport report = samples::report();
    CHECK_FALSE(contains(report.table(), "too many places"));
    report.kernels[1].approximate = true;
    CHECK(contains(report.table(), "kernel squared_diff: its threads accessed too many places"));
}

TEST_CASE("annotated: the kernel's text with counts in the margin") {
    check_page("annotated.txt", samples::report().annotated(), 120);
    CHECK(gpu::CheckReport().annotated().empty());
}

TEST_CASE("annotated: kernels of one text share it") {
    gpu::CheckReport report;
    report.kernels = {samples::transpose(), samples::transpose()};
    report.kernels[1].name = "transpose_again";
    report.kernels[1].lines[0].file = "tile.cuh";
    const std::string text = report.annotated();
    CHECK(text.find("__global__") == text.rfind("__global__"));
    CHECK(contains(text, "kernel transpose in transpose.cu: 1 launch"));
    CHECK(contains(text, "kernel transpose_again in transpose.cu: 1 launch"));
    CHECK(contains(text, "2,048 |  7      __syncthreads();"));  // barriers of both
    CHECK(contains(text, "| tile.cuh:6"));
}

TEST_CASE("annotated: a kernel without counts still shows its text") {
    gpu::CheckReport report;
    report.kernels = {samples::transpose()};
    report.kernels[0].lines.clear();
    report.kernels[0].source = "void f() {}";
    report.kernels[0].first_line = 1;
    CHECK(contains(report.annotated(), "| 1  void f() {}\n"));
}

TEST_CASE("every kind of finding has a name of its own") {
    std::vector<std::string> names;
    for (const gpu::FindingFacts& facts : gpu::finding_facts) names.emplace_back(gpu::to_string(facts.kind));
    for (std::size_t k = 0; k < names.size(); ++k) {
        CHECK(names[k] != "unknown");
        for (std::size_t l = 0; l < k; ++l) CHECK(names[k] != names[l]);
    }
}
