// SPDX-License-Identifier: MIT
#include "run/ledger_report.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "support/text.hpp"

namespace course {
namespace {

using protocol::LedgerPage;
using protocol::LedgerRecord;

// One line of plain text.
template <std::size_t bytes>
std::string one_line(const char (&text)[bytes]) {
    std::string plain = plain_text({text, ::strnlen(text, bytes)}, bytes, 1);
    plain.resize(std::min(plain.find_first_of("\n\t"), plain.size()));
    return plain;
}

LedgerLine ledger_line(const LedgerRecord& record) {
    LedgerLine line{.kind = record.kind,
                    .file = one_line(record.file),
                    .line = static_cast<int>(std::min<std::uint32_t>(record.line, std::numeric_limits<int>::max())),
                    .bytes = record.bytes,
                    .elements = std::max<std::int64_t>(record.elements, 0),
                    .type = one_line(record.type),
                    .name = one_line(record.name),
                    .waits = record.waits == 1,
                    .pooled = record.pooled == 1,
                    .pageable_async = record.pageable_async == 1,
                    .between_devices = record.between_devices == 1};
    std::copy_n(record.grid, line.grid.size(), line.grid.begin());
    std::copy_n(record.block, line.block.size(), line.block.begin());
    return line;
}

}  // namespace

LedgerReport take_ledger(std::span<const std::byte> page) {
    LedgerReport report;
    if (page.size() < sizeof(LedgerPage)) return report;
    std::uint64_t count = 0;
    std::memcpy(&count, page.data() + offsetof(LedgerPage, count), sizeof count);
    const std::uint64_t written = std::min(count, protocol::most_ledger_records);
    report.left_out = count - written;
    for (std::uint64_t k = 0; k < written; ++k) {
        LedgerRecord record;  // a copy: the runner may still write
        std::memcpy(&record, page.data() + offsetof(LedgerPage, records) + k * sizeof record, sizeof record);
        if (static_cast<std::uint32_t>(record.kind) < protocol::ledger_kinds)
            report.lines.push_back(ledger_line(record));
    }
    return report;
}

}  // namespace course
