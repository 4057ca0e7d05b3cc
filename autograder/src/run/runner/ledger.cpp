// SPDX-License-Identifier: MIT
#include "run/runner/ledger.hpp"

#include <algorithm>
#include <atomic>
#include <string>

namespace course::runner {
namespace {

using protocol::LedgerKind;
using protocol::LedgerRecord;
using Kind = gpu::LedgerEntry::Kind;

constexpr bool same_number(LedgerKind mine, Kind libgpus) {
    return static_cast<std::uint32_t>(mine) == static_cast<std::uint32_t>(libgpus);
}
static_assert(same_number(LedgerKind::allocation, Kind::allocation) && same_number(LedgerKind::free, Kind::free) &&
              same_number(LedgerKind::copy_to_device, Kind::copy_to_device) &&
              same_number(LedgerKind::copy_to_host, Kind::copy_to_host) &&
              same_number(LedgerKind::copy_on_device, Kind::copy_on_device) &&
              same_number(LedgerKind::launch, Kind::launch) &&
              same_number(LedgerKind::linear_algebra, Kind::linear_algebra) &&
              same_number(LedgerKind::wait, Kind::wait) && same_number(LedgerKind::print, Kind::print));

template <std::size_t bytes>
void set_text(char (&to)[bytes], const std::string& text) {
    std::copy_n(text.begin(), std::min(text.size(), bytes - 1), to);
}

LedgerRecord record_of(const gpu::LedgerEntry& entry) {
    LedgerRecord record{.kind = static_cast<LedgerKind>(entry.kind),
                        .line = static_cast<std::uint32_t>(std::max(entry.line, 0)),
                        .bytes = entry.bytes,
                        .elements = entry.elements,
                        .grid = {entry.grid.x, entry.grid.y, entry.grid.z},
                        .block = {entry.block.x, entry.block.y, entry.block.z},
                        .waits = entry.waits ? 1U : 0U,
                        .pooled = entry.pooled ? 1U : 0U,
                        .pageable_async = entry.pageable_async ? 1U : 0U,
                        .between_devices = entry.between_devices ? 1U : 0U,
                        .file = {},
                        .type = {},
                        .name = {}};
    set_text(record.file, entry.file);
    set_text(record.type, entry.type);
    set_text(record.name, entry.name);
    return record;
}

gpu::LedgerOptions writing_to(protocol::LedgerPage& page) {
    return {.entries = 0, .on_entry = [&page](const gpu::LedgerEntry& entry) {
                const std::atomic_ref<std::uint64_t> count(page.count);
                const std::uint64_t place = count.load(std::memory_order_relaxed);
                if (place < protocol::most_ledger_records) page.records[place] = record_of(entry);
                count.store(place + 1, std::memory_order_release);
            }};
}

}  // namespace

WrittenLedger::WrittenLedger(protocol::LedgerPage& page) : ledger_(writing_to(page)) {}

}  // namespace course::runner
