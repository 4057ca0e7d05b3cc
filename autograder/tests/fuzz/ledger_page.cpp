// SPDX-License-Identifier: MIT
// What a runner wrote down of a call, and the page that is made of it.
#include <cstring>

#include "fuzz/course_fixture.hpp"
#include "report/ledger_text.hpp"
#include "run/check_report.hpp"

namespace fuzz {

namespace {

using namespace course;

protocol::LedgerRecord ledger_record(Values& from) {
    protocol::LedgerRecord record{};
    gpu::LedgerWork& work = record.work;
    work.kind = static_cast<LedgerLine::Kind>(from.number());
    record.line = static_cast<std::uint32_t>(from.number());
    work.bytes = from.number();
    work.elements = static_cast<std::int64_t>(from.number());
    const auto flags = from.take<std::uint8_t>();
    work.waits = (flags & 1) != 0;
    work.pooled = (flags >> 1 & 1) != 0;
    work.pageable_async = (flags >> 2 & 1) != 0;
    work.between_devices = (flags >> 3 & 1) != 0;
    if (flags & 128)
        for (const auto axis : {&gpu::Dim3::x, &gpu::Dim3::y, &gpu::Dim3::z}) {
            work.grid.*axis = static_cast<std::int64_t>(from.number());
            work.block.*axis = static_cast<std::int64_t>(from.number());
        }
    const auto set = [&](auto& to) {
        const std::string_view text = from.text();
        std::copy_n(text.begin(), std::min(text.size(), sizeof to), to);
    };
    set(record.file);
    set(record.type);
    set(record.name);
    return record;
}

}  // namespace

FUZZ_TARGET(ledger_page, std::size_t{1} << 13) {
    static std::vector<std::byte> page(sizeof(protocol::LedgerPage));
    Values from(input);
    const std::uint64_t count = from.number();
    std::memcpy(page.data(), &count, sizeof count);
    std::size_t written = 0;
    for (; written < std::min(count, protocol::max_ledger_records) && !from.rest().empty(); ++written) {
        const protocol::LedgerRecord record = ledger_record(from);
        std::memcpy(page.data() + offsetof(protocol::LedgerPage, records) + written * sizeof record, &record,
                    sizeof record);
    }
    const LedgerReport ledger = take_ledger(page);
    require(ledger.lines.size() + ledger.left_out <= count, "more lines than were written");
    for (const LedgerLine& line : ledger.lines) {
        require(line.line >= 0 && line.elements >= 0, "a number that can't be");
        for (const std::string* text : {&line.file, &line.type, &line.name}) {
            require(text->find_first_of("\n\t") == text->npos, "a text of several lines");
            require_plain(*text, "a text of a line");
        }
    }
    require_plain(ledger_text(ledger, std::vector<SourceFile>{{"a.cpp", "one\n  two\n"}}), "the ledger");
    const gpu::Counts totals = totals_of(ledger);
    require(totals.launches <= ledger.lines.size(), "more launches than lines");
    require_plain(ledger_totals(totals, Task{}, CallSize{.elements = 5}), "the totals");
    std::memset(page.data(), 0, offsetof(protocol::LedgerPage, records) + written * sizeof(protocol::LedgerRecord));
}

}  // namespace fuzz
