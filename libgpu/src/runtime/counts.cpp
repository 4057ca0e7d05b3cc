// SPDX-License-Identifier: MIT
#include <atomic>
#include <cstdint>

#include <gpu/print.hpp>
#include <gpu/profiler.hpp>

#include "counts.hpp"
#include "runtime/devices/registry.hpp"
#include "runtime/graph.hpp"

namespace gpu::detail {

void count_work(const CountedWork& work) noexcept {
    if (is_capturing() && counted_by_graph(work)) [[unlikely]] return;
    Counters& to = counters();
    each_count(work, [&](std::uint64_t Counts::*count, std::uint64_t more) { to.add(count, more); });
    if (is_noted()) [[unlikely]] {
        if (WorkListener* const ledgers = open_ledgers.load(std::memory_order_acquire)) ledgers->counted(work);
    }
}

Printing::Printing() noexcept {
    int& depth = printing_depth();
    if (depth == 0) {
        counters().add(&Counts::prints, 1);
        if (WorkListener* const ledgers = open_ledgers.load(std::memory_order_acquire))
            ledgers->counted({.kind = LedgerEntry::Kind::print, .device = current_device()});
    }
    ++depth;
}
Printing::~Printing() { --printing_depth(); }

}  // namespace gpu::detail
