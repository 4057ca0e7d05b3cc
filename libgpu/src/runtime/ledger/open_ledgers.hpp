// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <gpu/ledger.hpp>

#include "counts.hpp"
#include "symbolize/program_places.hpp"

namespace gpu::detail {

/// The host code that called into libgpu: instructions, innermost first, each inside its call.
struct CallStack {
    std::array<std::uintptr_t, 24> instructions{};
    std::size_t size = 0;

    [[nodiscard]] std::span<const std::uintptr_t> span() const noexcept { return {instructions.data(), size}; }
};

/// This thread's, without libgpu's own functions if those are in a shared library.
[[nodiscard]] CallStack call_stack() noexcept;

}  // namespace gpu::detail

namespace gpu {

struct Ledger::State {
    /// An entry; its place is looked up when it is requested.
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

class OpenLedgers final : public OpenListeners<OpenLedgers, Ledger::State> {
public:
    OpenLedgers() : OpenListeners(open_ledgers) {}
    void counted(const CountedWork& work) noexcept override;

    std::vector<LedgerEntry> entries_of(Ledger::State& ledger);

private:
    void place(Ledger::State::Noted& noted);

    PlaceFinder places_;
};

}  // namespace detail

}  // namespace gpu
