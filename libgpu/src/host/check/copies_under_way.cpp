// SPDX-License-Identifier: MIT
// Asynchronous copies: from the call until they are waited for, what they read and write is under way.
#include "host/check/block_watch_hot.hpp"

namespace gpu::detail::host {

namespace {

// The largest access that a GPU makes of such bytes.
std::size_t piece_of(std::uintptr_t address, std::size_t size) noexcept {
    return std::size_t{1} << std::min(std::countr_zero(address | size), 4);
}

}  // namespace

// Compilers put calls together, so that a copy's line tells where it is.
GPU_ON_KERNEL_STACK const void* BlockWatch::copy_site(const gpu_copy& copy) const noexcept {
    const std::size_t place = facts_.module.site_of_line(copy.line);
    return place != 0 ? reinterpret_cast<const void*>(text_begin_ + place) : copy.site;
}

// Before it: it may read at once, so that its source must be there, and nobody may still use its target.
GPU_ON_KERNEL_STACK void BlockWatch::begin_copy(const gpu_copy& copy) {
    const auto to = reinterpret_cast<std::uintptr_t>(copy.to), from = reinterpret_cast<std::uintptr_t>(copy.from);
    const std::size_t written = copy.bytes + copy.zeros;
    const void* const site = copy_site(copy);
    for (const std::uintptr_t address : {to, from})
        if (copy.align > 1 && address % copy.align != 0) {
            writer_.misaligned(fatal_, nullptr, address, copy.align,
                               reinterpret_cast<std::uintptr_t>(site) - text_begin_);
            fail();
        }
    if (const std::size_t piece = piece_of(from, copy.bytes); copy.bytes != 0)
        for (std::size_t at = 0; at < copy.bytes; at += piece) {
            access(from + at, piece, Access::read, site);
            mark(from + at, piece, false, site);
        }
    if (const std::size_t piece = piece_of(to, written); written != 0)
        for (std::size_t at = 0; at < written; at += piece) mark(to + at, piece, true, site);
}

GPU_ON_KERNEL_STACK void BlockWatch::end_copy(const gpu_copy& copy) {
    const auto to = reinterpret_cast<std::uintptr_t>(copy.to), from = reinterpret_cast<std::uintptr_t>(copy.from);
    const std::size_t written = copy.bytes + copy.zeros;
    if (const std::size_t piece = piece_of(from, copy.bytes); copy.bytes != 0)
        for (std::size_t at = 0; at < copy.bytes; at += piece) unmark(from + at, piece, copy);
    if (const std::size_t piece = piece_of(to, written); written != 0)
        for (std::size_t at = 0; at < written; at += piece) unmark(to + at, piece, copy);
}

// Null as well for a thread's own memory, and where several workers would have to be asked: an access there is checked
// when it happens, and no more.
GPU_ON_KERNEL_STACK CheckedArray* BlockWatch::markable(std::uintptr_t address, std::size_t size, bool write,
                                                       const void* site) {
    const std::size_t place = reinterpret_cast<std::uintptr_t>(site) - text_begin_;
    SiteSlot& slot = slots_[number_at(place)];
    if (address - slot.start > slot.last && !find(slot, address, size, write ? Access::write : Access::read, place))
        return nullptr;
    CheckedArray* const array = slot.array;
    const bool is_shared = array != nullptr && array->space == Space::shared;
    if (array == nullptr || (!is_shared && (write || facts_.several_workers))) return nullptr;
    const unsigned shift = array->shift();
    (void)array->cells(address - array->start, size);
    if (array->shift() != shift) forget_cells(*array);
    return array;
}

GPU_ON_KERNEL_STACK void BlockWatch::mark(std::uintptr_t address, std::size_t size, bool write, const void* site) {
    CheckedArray* const array = markable(address, size, write, site);
    if (array == nullptr) return;
    const std::size_t place = reinterpret_cast<std::uintptr_t>(site) - text_begin_, offset = address - array->start;
    const unsigned number = number_at(place), thread = static_cast<unsigned>(scheduler_.current());
    const Stamp now = clock_.now() | Stamp{thread} << thread_shift | number;
    const Stamp marked = under_way(serial_of(now), thread, number);
    const auto past = earlier<true>(0);
    const unsigned step = 1U << array->shift();
    const auto conflicts = [&](Stamp before) {
        return before != 0 && !past(before) && !same_thread(before, now) && !same_thread(before, marked) &&
               !is_ordered(before, thread);
    };
    Cell* cell = array->cells(offset, size);
    for (std::size_t at = 0; at < size; at += step, ++cell) {
        array->forget_vetted(cell);
        if (!write) {
            if (!is_under_way(cell->read[0]) && !same_thread(cell->read[0], now)) cell->read[1] = cell->read[0];
            cell->read[0] = marked;
            continue;
        }
        if (conflicts(cell->write)) race(*array, offset + at, cell->write, now, true, true, step, place);
        for (const Stamp read : cell->read)
            if (conflicts(read)) race(*array, offset + at, read, now, false, true, step, place);
        cell->write = marked;
    }
}

// What was read counts as read now; the write follows.
GPU_ON_KERNEL_STACK void BlockWatch::unmark(std::uintptr_t address, std::size_t size, const gpu_copy& copy) {
    std::uintptr_t counted = 0;
    CheckedArray* const array = arrays_.find(address, counted);
    if (array == nullptr || address - array->start + size > array->bytes || array->vetted() == nullptr) return;
    if (array->space != Space::shared && facts_.several_workers) return;
    const unsigned number = number_at(reinterpret_cast<std::uintptr_t>(copy_site(copy)) - text_begin_);
    const unsigned shift = array->shift();
    Cell* cell = array->cells(address - array->start, size);
    if (array->shift() != shift) forget_cells(*array);
    const Stamp now = clock_.now() | Stamp{static_cast<unsigned>(scheduler_.current())} << thread_shift | number;
    const auto is_own = [&](Stamp stamp) {
        return is_under_way(stamp) && copying_thread(stamp) == copy.thread && site_of(stamp) == number;
    };
    for (std::size_t at = 0; at < size; at += std::size_t{1} << array->shift(), ++cell) {
        if (is_own(cell->write)) cell->write = 0;
        if (is_own(cell->read[0])) cell->read[0] = now;
    }
}

// `before` is an asynchronous copy's.
GPU_ON_KERNEL_STACK void BlockWatch::copy_race(CheckedArray& array, std::size_t offset, Stamp before, Stamp now,
                                               bool before_wrote, bool now_writes, unsigned size, std::size_t site) {
    const Stamp begun = time_of(serial_of(before), 1) | Stamp{copying_thread(before)} << thread_shift | site_of(before);
    if (!clock_.is_own(serial_of(before)))
        return race(array, offset, begun, now, before_wrote, now_writes, size, site);
    facts_.log.add({FindingKind::missing_barrier, array.space == Space::global ? &array : nullptr,
                    arrays_.name_of(array), 0},
                   found_at(), [&] {
                       RawFinding finding = writer_.two_sides(FindingKind::missing_barrier, array, offset, begun, now,
                                                              before_wrote, now_writes, size, site);
                       finding.copy_under_way = true;
                       finding.advice.clear();
                       return finding;
                   });
}

}  // namespace gpu::detail::host
