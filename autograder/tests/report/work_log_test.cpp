// SPDX-License-Identifier: MIT
// The capstone's log: lines that come back, lines that can't, and what is made of them.
#include <cmath>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "report/sample_results.hpp"
#include "report/work_log.hpp"
#include "support/golden.hpp"

using namespace course;

namespace {

LogEntry entry_of(int step, const std::string& note, double seconds) {
    LogEntry entry;
    entry.step = step;
    entry.date = "2026-11-23T01:02:03Z";
    entry.note = note;
    entry.answer = "0a1b";
    entry.backend = "cuda";
    entry.device = "NVIDIA H200";
    entry.counted_case = "the picture, 128 x 192";
    entry.counted_elements = 24'576;
    entry.launches = step == 0 ? 9 : 4;
    entry.copies_to_host = step == 0 ? 2 : 0;
    entry.reads = 24'576 * 3;
    entry.writes = 24'576;
    entry.sectors = 24'576;       // 32 bytes each
    entry.used_bytes = 24'576 * 8;
    entry.bank_ways = step == 0 ? 0 : 1.5;
    entry.timed_elements = 1'000'000;
    entry.seconds = seconds;
    entry.copy_bytes_per_second = 4e12;
    entry.picture = "pictures/step-01.png";
    return entry;
}

const LogUnit unit{.element = "pixel", .min_bytes = 2};

WorkLog three_steps() {
    WorkLog log;
    log.entries = {entry_of(0, "the given version", 0.02), entry_of(1, "no copies & <no> waits", 0.001),
                   entry_of(2, "a note that is longer than any bar of the chart can hold, by far", 12e-6)};
    return log;
}

}  // namespace

TEST_CASE("a log's lines come back as they were") {
    std::string text;
    for (const LogEntry& entry : three_steps().entries) text += log_line(entry);
    const WorkLog again = parse_log(text);
    CHECK(again.broken.empty());
    REQUIRE(again.entries.size() == 3);
    std::string same;
    for (const LogEntry& entry : again.entries) same += log_line(entry);
    CHECK(same == text);
    CHECK(again.next_step() == 3);
    CHECK(again.given_on("NVIDIA H200") == &again.entries[0]);
    CHECK(again.last_on("NVIDIA H200") == &again.entries[2]);
    CHECK(again.given_on("CPU") == nullptr);
    CHECK(parse_log("").next_step() == 1);
}

TEST_CASE("lines that can't be a step are named, and the others are read") {
    const LogEntry good = entry_of(1, "good", 1);
    std::string text = "nonsense\n\n" + log_line(good) + "{\"step\": 1}\n[]\n";
    for (const auto& [key, value] : std::vector<std::pair<const char*, nlohmann::json>>{
             {"seconds", 0}, {"seconds", "fast"}, {"counted_elements", 0}, {"timed_elements", -1}, {"step", -1},
             {"step", 2'147'483'647}, {"note", "two\nlines"}, {"note", ""}, {"device", "\x1b[2J"},
             {"picture", "../../etc/passwd"}, {"picture", "pictures/a b.png"}, {"copy_bytes_per_second", -1},
             {"step", 1e300}, {"launches", -1}, {"reads", 1.5}, {"seconds", 5e-324}}) {
        nlohmann::json json = nlohmann::json::parse(log_line(good));
        json[key] = value;
        text += json.dump() + "\n";
    }
    const WorkLog log = parse_log(text + log_line(good));
    CHECK(log.entries.size() == 2);
    CHECK(log.broken == std::vector<int>{1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21});
}

TEST_CASE("a note is one line of a few words") {
    CHECK(why_not_a_note("a shared tile in the blur") == "");
    CHECK(why_not_a_note("größer") == "");
    CHECK(why_not_a_note("  ") == "the note is empty; say what you changed in a few words");
    CHECK(why_not_a_note("two\nlines") == "the note must be one line of plain text");
    CHECK(why_not_a_note("\x1b[31mred") == "the note must be one line of plain text");
    CHECK(why_not_a_note(std::string(121, 'x')) == "the note has 121 bytes; 120 is the most");
}

TEST_CASE("an entry is made of what check mode counted and of the time; without either there is none") {
    TaskResult task = test::passed().tasks[0];
    CHECK_THROWS_WITH(measured_entry(task), "no kernel ran in check mode: nothing is counted");
    task.check = test::checked();
    task.cases[2].checked_counts = task.cases[2].counts;
    CHECK_THROWS_WITH(measured_entry(task), "it was not timed: no GPU. Counted work decides here.");
    task.speed->pairs = 3;
    task.speed->seconds = 0.25;
    const LogEntry entry = measured_entry(task);
    CHECK(entry.counted_case == "n = 1009");
    CHECK(entry.counted_elements == 1009);
    CHECK(entry.launches == 1);
    CHECK(entry.reads == 2018);
    CHECK(entry.sectors == 381);
    CHECK(entry.used_bytes == 12'108);
    CHECK(entry.seconds == 0.25);
}

TEST_CASE("a step in words, beside the given version and the one before; and the table") {
    WorkLog log = three_steps();
    const std::string text = step_text(log.entries[2], log.entries[0], log.entries[1], unit);
    log.entries.push_back(entry_of(0, "the given version", 0.5));
    log.entries.back().device = "CPU";
    log.entries.back().backend = "host";
    log.broken = {7};
    test::check_golden("report", "work_log", text + "\n" + log_table(log, unit));
}

TEST_CASE("the page holds everything that it shows, and nothing that a note could smuggle in") {
    WorkLog log = three_steps();
    const auto picture = [](const std::string& name) { return name.empty() ? "" : std::string("\x89PNG\0!", 6); };
    const std::string page = log_page(log, {"Edges of an image", unit, picture});
    test::check_golden("report", "work_log_page", page);
    CHECK(page.find("<no>") == page.npos);
    CHECK(page.find("no copies &amp; &lt;no&gt; waits") != page.npos);
    CHECK(page.find("src=\"data:image/png;base64,iVBORwAh\"") != page.npos);
    CHECK(page.find("href=") == page.npos);
    CHECK(page.find("NaN") == page.npos);
    CHECK(log_page({}, {"Edges", unit}).find("Nothing is logged yet.") != page.npos);
}

TEST_CASE("a chart needs no bandwidth, nor the given version") {
    WorkLog log = three_steps();
    log.entries.erase(log.entries.begin());
    for (LogEntry& entry : log.entries) entry.copy_bytes_per_second = 0;
    const std::string page = log_page(log, {"Edges", unit});
    for (const char* odd : {"nan", "inf", "The marks say"}) CHECK(page.find(odd) == page.npos);
    CHECK(page.find("<svg") != page.npos);
    log.entries[0].sectors = 0;   // nothing moved
    for (const char* odd : {"nan", "inf"}) CHECK(log_page(log, {"Edges", unit}).find(odd) == page.npos);
    log.entries[1].sectors = 0;
    for (const char* odd : {"nan", "inf"}) CHECK(log_page(log, {"Edges", unit}).find(odd) == page.npos);
    log.entries.resize(1);   // one bar
    CHECK(log_page(log, {"Edges", unit}).find("nan") == page.npos);
}
