// SPDX-License-Identifier: MIT
#pragma once

#include <sched.h>

#include <algorithm>
#include <bit>

#include "host/base/thread_variables.hpp"
#include "host/check/access_recorder.hpp"
#include "host/check/block_watch.hpp"
#include "host/fibers/worker.hpp"

// What every access passes through, inlined into the callbacks.
namespace gpu::detail::host {

GPU_HOT_ON_KERNEL_STACK bool same_thread(Stamp a, Stamp b) noexcept {
    return ((a ^ b) & (serial_mask | thread_mask)) == 0;
}

/// Holds the part of an array around an offset where several workers share it: its cells there, and that they stay
/// where they are. No destructor: see GPU_ON_KERNEL_STACK.
GPU_HOT_ON_KERNEL_STACK void lock_part(CheckedArray& array, std::size_t offset) noexcept {
    std::atomic<std::uint8_t>& lock = array.locks[offset / array.locked % 64];
    while (lock.exchange(1, std::memory_order_acquire) != 0)
        while (lock.load(std::memory_order_relaxed) != 0) ::sched_yield();
}
GPU_HOT_ON_KERNEL_STACK void unlock_part(CheckedArray& array, std::size_t offset) noexcept {
    array.locks[offset / array.locked % 64].store(0, std::memory_order_release);
}

// Tells stamps of other launches and those before the block's last barrier. Of shared memory, nothing but the block's
// own accesses is remembered: one comparison does.
template <bool is_shared>
GPU_HOT_ON_KERNEL_STACK auto BlockWatch::earlier(Stamp floor) const noexcept {
    const Stamp block = clock_.floor(), span = clock_.span();
    return [=](Stamp stamp) { return is_shared ? stamp < block + span : stamp < floor || stamp - block < span; };
}

// The same where work of other streams may run at the same time as the launch: `floor` is the first one's.
template <bool is_shared>
GPU_HOT_ON_KERNEL_STACK auto BlockWatch::earlier_in_order(Stamp floor) const noexcept {
    return [past = earlier<is_shared>(floor), this](Stamp stamp) {
        if (past(stamp)) return true;
        return !is_shared && stamp < launch_floor_ && operation_of(facts_.unordered, serial_of(stamp)) == nullptr;
    };
}

// One of a cell's two readers: in the place of one that comes before this one. Of three at once, those of different
// blocks or warps tell more than neighbours. Returns for whom it is vetted now, or 0. `launch`: what it is for all if
// two blocks have read.
template <class Ordered>
GPU_HOT_ON_KERNEL_STACK Stamp add_reader(Cell& cell, Stamp now, Stamp launch, Ordered ordered) noexcept {
    const Stamp first = cell.read[0];
    if (ordered(first)) {
        cell.read[0] = now;
        return 0;
    }
    const Stamp second = cell.read[1];
    constexpr Stamp warp = serial_mask | (thread_mask & ~(Stamp{31} << thread_shift));
    const bool one_warp = ((first ^ second) & warp) == 0, one_block = ((first ^ second) & serial_mask) == 0;
    if (ordered(second) || (one_warp && ((first ^ now) & warp) != 0) ||
        (one_block && ((first ^ now) & serial_mask) != 0)) {
        cell.read[1] = now;
        return 0;
    }
    const Stamp moment = now & ~(thread_mask | atomic_bit | site_mask);
    if (!one_block && launch != 0) return launch;
    return one_warp ? vetted_for_warp(moment, thread_of(now)) : vetted_for_block(moment);
}

template <bool is_shared>
GPU_HOT_ON_KERNEL_STACK void BlockWatch::read_cell(CheckedArray& array, Cell* cell, Stamp now, Stamp floor,
                                                   std::size_t size, std::size_t site) {
    const auto past = earlier_in_order<is_shared>(floor);
    const Stamp write = cell->write;
    if (!past(write) && !same_thread(write, now)) check_conflict(array, cell, write, now, true, false, size, site);
    if (__builtin_expect(host::is_atomic(now) && facts_.has_plain_writes.load(std::memory_order_relaxed), 0))
        check_plain_write(array, static_cast<std::size_t>(cell - array.cells(0, size)) << array.shift(), now, false,
                          size, site);
    const auto ordered = [=](Stamp before) { return past(before) || same_thread(before, now); };
    add_reader(*cell, now, 0, ordered);
}

template <bool is_shared>
GPU_HOT_ON_KERNEL_STACK void BlockWatch::write_cell(CheckedArray& array, Cell* cell, Stamp now, Stamp floor,
                                                    std::size_t size, std::size_t site) {
    const auto past = earlier_in_order<is_shared>(floor);
    const Stamp write = cell->write;
    if (!past(write) && !same_thread(write, now)) check_conflict(array, cell, write, now, true, true, size, site);
    // A reader that this thread waited for needs no remembering; one that it didn't wait for may race with others, too.
    for (Stamp& read : cell->read) {
        if (past(read) || same_thread(read, now))
            read = 0;
        else
            check_conflict(array, cell, read, now, false, true, size, site);
    }
    if (__builtin_expect(host::is_atomic(now), 0)) {
        const std::size_t offset = static_cast<std::size_t>(cell - array.cells(0, size)) << array.shift();
        if (!host::is_atomic(write) && write >= (is_shared ? clock_.floor() + clock_.span() : launch_floor_))
            keep_plain_write(array, offset, write);
        else if (facts_.has_plain_writes.load(std::memory_order_relaxed))
            check_plain_write(array, offset, now, true, size, site);
    }
    cell->write = now;
    array.forget_vetted(cell);
}

// Of shared memory: the block hasn't written it.
GPU_HOT_ON_KERNEL_STACK bool BlockWatch::is_unwritten(const Cell& cell) const noexcept {
    return cell.write < clock_.floor() && !clock_.is_own(serial_of(cell.write));
}

template <bool is_shared>
GPU_HOT_ON_KERNEL_STACK void BlockWatch::remember_cell(CheckedArray& array, Cell* cell, std::size_t size, Access kind,
                                                       Stamp now, Stamp floor, std::size_t site) {
    if (writes(kind))
        write_cell<is_shared>(array, cell, now, floor, size, site);
    else
        read_cell<is_shared>(array, cell, now, floor, size, site);
}

// An access that spans several cells.
GPU_ON_KERNEL_STACK __attribute__((noinline)) inline void BlockWatch::remember_cells(CheckedArray& array, Cell* cell,
                                                                              std::size_t offset, std::size_t size,
                                                                              Access kind, Stamp now, Stamp floor,
                                                                              std::size_t site) {
    const std::size_t step = std::size_t{1} << array.shift();
    const bool is_shared = array.space == Space::shared;
    const auto unwritten = [this](const Cell& one) { return is_unwritten(one); };
    if (is_shared && reads(kind) && std::all_of(cell, cell + size / step, unwritten))
        uninitialized(array, offset, size, site);
    for (std::size_t at = 0; at < size; at += step) {
        if (is_shared)
            remember_cell<true>(array, cell++, step, kind, now, floor, site);
        else
            remember_cell<false>(array, cell++, step, kind, now, floor, site);
    }
}

GPU_HOT_ON_KERNEL_STACK void BlockWatch::remember(CheckedArray& array, std::size_t offset, std::size_t size,
                                                  Access kind, unsigned number, unsigned thread, std::size_t site) {
    const Stamp now = clock_.now() | Stamp{thread} << thread_shift | (is_atomic(kind) ? atomic_bit : 0) | number;
    Cell* const cell = array.cells(offset, size);
    const bool one = __builtin_expect(size >> array.shift() == 1, 1);
    if (array.space == Space::shared) {
        if (one && reads(kind) && is_unwritten(*cell)) uninitialized(array, offset, size, site);
        if (one)
            remember_cell<true>(array, cell, size, kind, now, clock_.floor(), site);
        else
            remember_cells(array, cell, offset, size, kind, now, clock_.floor(), site);
        return;
    }
    if (one)
        remember_cell<false>(array, cell, size, kind, now, order_floor_, site);
    else
        remember_cells(array, cell, offset, size, kind, now, order_floor_, site);
    if (array.tracks_values()) {
        if (reads(kind) && !array.initialized(offset, size)) uninitialized(array, offset, size, site);
        if (writes(kind)) array.initialize(offset, size);
    }
}

GPU_HOT_ON_KERNEL_STACK unsigned BlockWatch::number_at(std::size_t site) {
    const unsigned number = numbers_[site];
    return __builtin_expect(number == 0, 0) ? facts_.module.number_site(site) : number;
}

// `regular`: this instruction's accesses are all of one size and kind.
GPU_HOT_ON_KERNEL_STACK void BlockWatch::count(std::uintptr_t address, std::size_t size, Access kind,
                                               const CheckedArray& array, unsigned thread, std::size_t site,
                                               SiteRecord*& known, bool regular) {
    if (regular && known != nullptr) return counter_.access(*known, thread, address);
    AccessKind counted = AccessKind::global_read;
    if (array.space == Space::shared)
        counted = is_atomic(kind) ? AccessKind::shared_atomic
                                  : (writes(kind) ? AccessKind::shared_write : AccessKind::shared_read);
    else
        counted = is_atomic(kind) ? AccessKind::global_atomic
                                  : (writes(kind) ? AccessKind::global_write : AccessKind::global_read);
    const std::size_t element = array.element;
    const bool whole = element != 0 && element < size && size % element == 0;
    counter_.access(site, thread, address, static_cast<unsigned>(size), counted, known,
                    whole ? static_cast<unsigned>(size / element) : 1);
}

GPU_ON_KERNEL_STACK inline void BlockWatch::record(const CheckedArray* array, std::uintptr_t address,
                                                   std::size_t size, Access kind, std::size_t site) noexcept {
    if (recorder_ == nullptr) return;
    const MemoryOperation operation = kind >= Access::atomic_exchange ? MemoryOperation::atomic
                                      : writes(kind)                   ? MemoryOperation::write
                                                                       : MemoryOperation::read;
    recorder_->access(array, address, size, operation, site, static_cast<unsigned>(scheduler_.current()));
}

GPU_HOT_ON_KERNEL_STACK void BlockWatch::access(std::uintptr_t address, std::size_t size, Access kind, const void* from,
                                                bool counted, bool regular) {
    if (__builtin_expect(attention_ != 0, 0)) review_pending(address, size, writes(kind));
    const std::size_t site = reinterpret_cast<std::uintptr_t>(from) - text_begin_;
    const unsigned number = number_at(site);
    SiteSlot& slot = slots_[number];
    if (__builtin_expect(address - slot.start > slot.last, 0))
        if (!find(slot, address, size, kind, site)) return;
    CheckedArray* const array = slot.array;
    if (array == nullptr) return;
    last_site_ = site;
    const std::size_t offset = address - slot.start;
    const auto thread = static_cast<unsigned>(scheduler_.current());
    if (__builtin_expect(recorder_ != nullptr, 0)) record(array, address, size, kind, site);
    bool split = false;
    if (__builtin_expect(facts_.several_workers && array->space != Space::shared, 0)) {
        remember_among_workers(*array, offset, size, kind, number, thread, site);
    } else {
        const unsigned shift = array->shift();
        remember(*array, offset, size, kind, number, thread, site);
        split = array->shift() != shift;
    }
    if (counted) count(slot.counted + offset, size, kind, *array, thread, site, slot.counts, regular);
    if (__builtin_expect(split, 0)) forget_cells(*array);
    // From now on the quick way, if cells are as large as what this instruction accesses.
    slot.is_shared = array->space == Space::shared;
    if (regular && slot.counts != nullptr && slot.start % size == 0 &&
        (slot.is_shared ||
         !(facts_.several_workers || array->tracks_values() || order_floor_ != launch_floor_)) &&
        size >> array->shift() == 1 && slot.last / size < ~std::uint32_t{0}) {
        slot.vetted = array->vetted();
        slot.cells = &array->cell(0);
        slot.cell_count = static_cast<std::uint32_t>(slot.last / size + 1);
    }
}

GPU_HOT_ON_KERNEL_STACK bool BlockWatch::has_stack_left(std::uintptr_t frame) const noexcept {
    constexpr std::size_t reserve = std::size_t{12} * 1024;
    const KernelStacks& stacks = worker_.stacks();
    const int own = stacks.stack_of(frame);
    return own < 0 || frame - stacks.bottom(own) >= page_size() + reserve;
}

GPU_ON_KERNEL_STACK __attribute__((noinline)) inline void BlockWatch::count_slowly(BlockWatch& watch,
                                                                                   SiteRecord& where, unsigned thread,
                                                                                   std::uintptr_t address) {
    watch.counter_.access(where, thread, address);
}

GPU_HOT_ON_KERNEL_STACK void BlockWatch::count_quickly(const SiteSlot& slot, unsigned thread, std::uintptr_t address,
                                                       const void* site) {
    last_site_ = reinterpret_cast<std::uintptr_t>(site) - text_begin_;
    if (!WorkCounter::access_quickly(*slot.counts, thread, address)) count_slowly(*this, *slot.counts, thread, address);
}

// The same where most threads come once, as they do to global memory.
GPU_HOT_ON_KERNEL_STACK void BlockWatch::count_first(const SiteSlot& slot, unsigned thread, std::uintptr_t address,
                                                     const void* site) {
    if (!WorkCounter::begin_quickly(*slot.counts, thread, address)) return count_quickly(slot, thread, address, site);
    last_site_ = reinterpret_cast<std::uintptr_t>(site) - text_begin_;
}

}  // namespace gpu::detail::host
