// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstring>
#include <limits>
#include <memory>

#include "report/ledger_text.hpp"
#include "support/golden.hpp"
#include "support/text.hpp"

using namespace course;

namespace {

LedgerLine line(LedgerLine::Kind kind, int number, std::uint64_t bytes, std::string name = "") {
    return {{.kind = kind,
             .bytes = bytes,
             .elements = static_cast<std::int64_t>(bytes / 4),
             .waits = kind == LedgerLine::Kind::copy_to_device || kind == LedgerLine::Kind::copy_to_host},
            "port.cpp",
            number,
            "float32",
            std::move(name)};
}

/// A loop of copies between a port's first lines and its last ones.
LedgerReport sample() {
    LedgerReport report;
    report.lines = {line(LedgerLine::Kind::allocation, 2, 4000), line(LedgerLine::Kind::copy_to_device, 2, 4000)};
    for (int k = 0; k < 1000; ++k) {
        report.lines.push_back(line(LedgerLine::Kind::launch, 4, 0, "scale"));
        report.lines.back().grid = {4, 2, 1};
        report.lines.back().block = {256, 1, 1};
        report.lines.push_back(line(LedgerLine::Kind::copy_to_host, 5, 4));
    }
    report.lines.push_back(line(LedgerLine::Kind::launch, 6, 0, "expression"));
    report.lines.back().elements = 1000;
    report.lines.push_back(line(LedgerLine::Kind::linear_algebra, 7, 4096, "svd (float32, 32 x 32)"));
    report.lines.push_back(line(LedgerLine::Kind::wait, 8, 0, "the default stream"));
    for (int k = 0; k < 2; ++k) {
        report.lines.push_back(line(LedgerLine::Kind::free, 9, 4'000'000));
        report.lines.back().pooled = true;
    }
    report.lines.push_back({{.kind = LedgerLine::Kind::print}});
    return report;
}

const std::vector<SourceFile> sources = {{"port.cpp",
                                          "float port(const std::vector<float>& a) {\n"
                                          "    gpu::Array<float> x = gpu::to_device(a);   // up\n"
                                          "    for (int k = 0; k < 1000; ++k) {\n"
                                          "\tscale({.grid = {4, 2}, .block = 256}, x, k);\r\n"
                                          "        norms[k] = gpu::linalg::norm(x(gpu::slice(k, k + 1)) * weight_of(k) "
                                          "+ offset_of(k) * gpu::sin(x)).item();\n"
                                          "    x = x + 1;\n"}};

}  // namespace

TEST_CASE("numbers of things and of bytes, as people read them") {
    CHECK(plural(0, "file") == "0 files");
    CHECK(plural(1, "file") == "1 file");
    CHECK(plural(std::size_t{2}, "launch", "launches") == "2 launches");
    CHECK(plural(1, "launch", "launches") == "1 launch");
    CHECK(thousands(999) == "999");
    CHECK(thousands(1'048'576) == "1,048,576");
    CHECK(bytes_text(999) == "999 B");
    CHECK(bytes_text(1250) == "1.2 kB");
    CHECK(bytes_text(999'949) == "999.9 kB");
    CHECK(bytes_text(999'950) == "1.0 MB");
    CHECK(bytes_text(~std::uint64_t{0}) == "18446744.1 TB");
    CHECK(base64("") == "");
    CHECK(base64("any c") == "YW55IGM=");
}

TEST_CASE("a ledger stands beside the answer's lines, and a loop is shown once") {
    LedgerReport report = sample();
    report.left_out = 1234;
    const std::string text = ledger_text(report, sources);
    test::check_golden("report", "ledger", text);
    std::size_t begin = 0;
    for (std::size_t end = 0; (end = text.find('\n', begin)) != text.npos; begin = end + 1) CHECK(end - begin <= 120);
    CHECK(ledger_text({}, sources) == "nothing was asked of the device\n");
}

TEST_CASE("a loop is shown once although its first round's memory doesn't come from the pool") {
    LedgerReport report;
    for (int k = 0; k < 8; ++k) {
        report.lines.push_back(line(LedgerLine::Kind::allocation, 4, 4000));
        report.lines.back().pooled = k > 0;
        report.lines.push_back(line(LedgerLine::Kind::copy_to_device, 4, 4000));
    }
    CHECK(ledger_text(report, {}).ends_with("    ... these 2 lines 8 times in all\n"));
}

TEST_CASE("totals say what a budget asks for, at the size of the call") {
    gpu::Counts counts = totals_of(sample());
    CHECK(counts.copies_to_host == 1000);
    CHECK(counts.bytes_to_host == 4000);
    CHECK(counts.allocations == 1);
    CHECK(counts.launches == 1001);
    CHECK(counts.synchronizations == 1002);
    counts.atomics = 5;  // a kernel's
    Task task;
    task.budgets = {{.counter = "copies_to_host", .at_most = Limit{.plus = 1}},
                    {.counter = "launches", .at_most = Limit{.plus = 1, .each = 1}},
                    {.counter = "copies_on_device", .at_least = Limit{.plus = 0}, .at_most = Limit{.plus = 0}}};
    test::check_golden("report", "ledger_totals",
                       ledger_totals(counts, task, {.elements = 1000, .arguments = {}, .empty = false}));
}

TEST_CASE("of what a runner wrote down nothing is trusted") {
    auto page = std::make_unique<protocol::LedgerPage>();
    std::memset(static_cast<void*>(page.get()), 0xff, sizeof *page);
    const auto taken = [&] { return take_ledger(std::as_bytes(std::span(page.get(), 1))); };
    CHECK(taken().lines.empty());
    CHECK(taken().left_out == std::numeric_limits<std::uint64_t>::max() - protocol::max_ledger_records);
    page->count = 2;
    page->records[1] = {};
    page->records[1].work.kind = LedgerLine::Kind::wait;
    page->records[1].line = ~0U;
    std::memset(page->records[1].name, 'x', sizeof page->records[1].name);
    std::strcpy(page->records[1].file, "a\033[2J\nb.cpp");
    const LedgerReport report = taken();
    REQUIRE(report.lines.size() == 1);
    CHECK(report.left_out == 0);
    CHECK(report.lines[0].line == std::numeric_limits<int>::max());
    CHECK(report.lines[0].name.size() <= sizeof page->records[1].name);
    CHECK(report.lines[0].file.find_first_of("\033\n") == std::string::npos);
    CHECK(!ledger_text(report, sources).empty());
    CHECK(take_ledger({}).lines.empty());
}
