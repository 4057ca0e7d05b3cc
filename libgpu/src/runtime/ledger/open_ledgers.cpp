// SPDX-License-Identifier: MIT
#include "runtime/ledger/open_ledgers.hpp"

#include <pthread.h>

#include <algorithm>
#include <utility>

namespace gpu {

namespace detail {

namespace {

thread_local bool is_noting = false;

LedgerEntry entry_of(const CountedWork& work) {
    return {.kind = work.kind,
            .file = {},
            .line = 0,
            .device = work.device,
            .bytes = work.bytes,
            .elements = work.elements,
            .type = work.dtype != nullptr ? std::string(name(*work.dtype)) : std::string(),
            .name = work.kernel != nullptr ? *work.kernel : std::string(work.name != nullptr ? work.name : ""),
            .grid = work.grid,
            .block = work.block,
            .waits = work.waits,
            .pooled = work.pooled,
            .pageable_async = work.pageable_async,
            .between_devices = work.between_devices};
}

void add(Ledger::State& ledger, const LedgerEntry& entry) {
    using Kind = LedgerEntry::Kind;
    Counts& totals = ledger.totals;
    const auto copy = [&](std::uint64_t& copies, std::uint64_t& bytes) {
        ++copies;
        bytes += entry.bytes;
        totals.synchronizations += entry.waits ? 1 : 0;
        totals.pageable_async_copies += entry.pageable_async ? 1 : 0;
        totals.copies_between_devices += entry.between_devices ? 1 : 0;
        totals.bytes_between_devices += entry.between_devices ? entry.bytes : 0;
    };
    switch (entry.kind) {
        case Kind::allocation:
            ++totals.allocations;
            totals.bytes_allocated += entry.bytes;
            ledger.from_pool += entry.pooled ? 1 : 0;
            break;
        case Kind::copy_to_device: return copy(totals.copies_to_device, totals.bytes_to_device);
        case Kind::copy_to_host: return copy(totals.copies_to_host, totals.bytes_to_host);
        case Kind::copy_on_device: return copy(totals.copies_on_device, totals.bytes_on_device);
        case Kind::launch: ++totals.launches; break;
        case Kind::wait: ++totals.synchronizations; break;
        case Kind::print: ++totals.prints; break;
        case Kind::free:
        case Kind::linear_algebra: break;
    }
}

}  // namespace

OpenLedgers::OpenLedgers() {  // a forked child must find it unlocked
    ::pthread_atfork([] { instance().mutex.lock(); }, [] { instance().mutex.unlock(); },
                     [] { instance().mutex.unlock(); });
}

OpenLedgers& OpenLedgers::instance() {
    static auto* const ledgers = new OpenLedgers;
    return *ledgers;
}

void OpenLedgers::open(Ledger::State* ledger) {
    const std::lock_guard lock(mutex);
    ledgers_.push_back(ledger);
    work_notes.store(this, std::memory_order_release);
}

void OpenLedgers::close(Ledger::State* ledger) noexcept {
    const std::lock_guard lock(mutex);
    std::erase(ledgers_, ledger);
    if (ledgers_.empty()) work_notes.store(nullptr, std::memory_order_release);
}

void OpenLedgers::place(Ledger::State::Noted& noted) {
    if (std::exchange(noted.is_placed, true)) return;
    const ProgramPlace place = places_.find(noted.stack.span());
    noted.entry.file = place.file;
    noted.entry.line = place.line;
}

void OpenLedgers::note(const CountedWork& work) noexcept {
    if (is_noting) return;
    is_noting = true;
    try {
        Ledger::State::Noted noted{.entry = entry_of(work), .stack = call_stack()};
        const std::lock_guard lock(mutex);
        for (Ledger::State* const ledger : ledgers_) {
            add(*ledger, noted.entry);
            if (ledger->options.on_entry) {
                place(noted);
                ledger->options.on_entry(noted.entry);
            }
            if (ledger->noted.size() < ledger->options.entries) ledger->noted.push_back(noted);
        }
    } catch (...) {  // no memory for a note, or its reader threw: the work counts more
    }
    is_noting = false;
}

std::vector<LedgerEntry> OpenLedgers::entries_of(Ledger::State& ledger) {
    const std::lock_guard lock(mutex);
    std::vector<LedgerEntry> entries;
    for (Ledger::State::Noted& noted : ledger.noted) {
        place(noted);
        entries.push_back(noted.entry);
    }
    return entries;
}

}  // namespace detail

Ledger::Ledger(const LedgerOptions& options) : state_(new State{.options = options, .noted = {}, .totals = {}}) {
    detail::OpenLedgers::instance().open(state_);
}

Ledger::~Ledger() {
    detail::OpenLedgers::instance().close(state_);
    delete state_;
}

std::vector<LedgerEntry> Ledger::entries() const { return detail::OpenLedgers::instance().entries_of(*state_); }

Counts Ledger::totals() const {
    const std::lock_guard lock(detail::OpenLedgers::instance().mutex);
    return state_->totals;
}

std::uint64_t Ledger::from_pool() const {
    const std::lock_guard lock(detail::OpenLedgers::instance().mutex);
    return state_->from_pool;
}

std::string Ledger::text() const {
    std::string text;
    for (const LedgerEntry& entry : entries()) text += entry.to_string() + "\n";
    return text + detail::totals_text(totals(), from_pool()) + "\n";
}

}  // namespace gpu
