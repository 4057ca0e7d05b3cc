// SPDX-License-Identifier: MIT
#pragma once

#include <mutex>
#include <vector>

#include <gpu/ledger.hpp>

#include "counts.hpp"
#include "places/program_places.hpp"
#include "runtime/ledger/call_stack.hpp"

namespace gpu {

struct Ledger::State {
    /// An entry; its place is looked up when somebody wants to see it.
    struct Noted {
        LedgerEntry entry;
        detail::CallStack stack;
        bool is_placed = false;
    };

    LedgerOptions options;
    std::vector<Noted> noted;
    Counts totals;
    std::uint64_t from_pool = 0;
};

namespace detail {

/// All open ledgers. Never destroyed, so that a ledger may be a static object.
class OpenLedgers final : public WorkNotes {
public:
    static OpenLedgers& instance();

    void open(Ledger::State* ledger);
    void close(Ledger::State* ledger) noexcept;
    void note(const CountedWork& work) noexcept override;

    std::vector<LedgerEntry> entries_of(Ledger::State& ledger);

    std::mutex mutex;

private:
    OpenLedgers();
    void place(Ledger::State::Noted& noted);

    std::vector<Ledger::State*> ledgers_;
    PlaceFinder places_;
};

}  // namespace detail

}  // namespace gpu
