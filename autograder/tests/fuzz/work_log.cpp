// SPDX-License-Identifier: MIT
// The capstone's log, its table and its page.
#include "fuzz/course_fixture.hpp"
#include "report/work_log.hpp"

namespace fuzz {

FUZZ_TARGET(work_log, std::size_t{1} << 18) {
    const course::WorkLog log = course::parse_log(std::string(input));
    require(log.next_step() >= 1, "the next step has no number");
    std::string text;
    for (const course::LogEntry& entry : log.entries) text += course::log_line(entry);
    const course::WorkLog again = course::parse_log(text);
    require(again.broken.empty() && again.entries.size() == log.entries.size(), "what is written can't be read");
    for (std::size_t k = 0; k < log.entries.size(); ++k)
        require(course::log_line(again.entries[k]) == course::log_line(log.entries[k]), "an entry has changed");
    const course::LogUnit unit{"pixel", 2};
    require_plain(course::log_table(log, unit), "the table");
    for (const course::LogEntry& entry : log.entries) {
        const course::LogEntry* const given = log.given_on(entry.device);
        const course::LogEntry& first = given != nullptr ? *given : entry;
        require_plain(course::step_text(entry, first, *log.last_on(entry.device), unit), "a step");
    }
    const std::string page = course::log_page(log, {.title = "Log", .unit = unit, .picture = {}});
    require(page.size() <= 100'000 + 30 * input.size() + 5000 * log.entries.size(), "a page larger than its log");
    require_plain(page, "the page");
    require(page.find("<script") == page.npos, "a note is taken for HTML");
}

}  // namespace fuzz
