// SPDX-License-Identifier: MIT
#include "host/check/check_calls.hpp"

#include <bit>
#include <cstdio>
#include <cstring>

#include "base.hpp"
#include "host/base/debugger.hpp"
#include "host/base/shown.hpp"
#include "host/check/block_watch.hpp"

namespace gpu::detail::host {

template <unsigned size, bool write, bool is_volatile>
GPU_ON_KERNEL_STACK void CheckCalls::on_slow_access(const void* p, const void* site) {
    BlockWatch& watch = *this_watch;
    const auto address = reinterpret_cast<std::uintptr_t>(p);
    if (size > 1 && __builtin_expect((address & (size - 1)) != 0, 0)) return on_misaligned_access(p, size, site);
    constexpr Access plain = write ? Access::write : Access::read;
    if constexpr (is_volatile)
        return watch.access_volatile(address, size, write, site);
    else
        watch.access(address, size, plain, site, true, true);
}

// True if a thread's read of a cell changes nothing. In shared memory, nothing is vetted for a launch.
template <bool is_shared>
GPU_HOT_ON_KERNEL_STACK bool CheckCalls::is_verified_reader(const BlockWatch& watch, Stamp verified_reader,
                                                            unsigned thread) noexcept {
    const Stamp now = watch.clock_.now();
    return verified_reader == verified_for_block(now) || verified_reader == verified_for_warp(now, thread) ||
           (!is_shared && verified_reader == verified_for_launch(watch.launch_floor_));
}

// A write ordered after everything that the cell remembers. Only cells with two readers can be vetted; most arrays have
// none, and then that memory is never touched and never allocated.
GPU_HOT_ON_KERNEL_STACK void write_over(Cell& cell, Stamp& verified_reader, Stamp now) noexcept {
    cell.write = now;
    cell.read[0] = 0;
    if (cell.read[1] == 0) return;
    cell.read[1] = 0;
    verified_reader = 0;
}

// The usual access that on_access() did not finish: ordered after those before it. All others restart on the slow path.
template <unsigned size, bool write, bool is_shared>
GPU_ON_KERNEL_STACK __attribute__((noinline)) void CheckCalls::on_quick_access(const void* p, const void* site) {
    BlockWatch& watch = *this_watch;
    const unsigned number = watch.number_of(site);
    SiteSlot& slot = watch.slots_[number];
    const std::size_t index = (reinterpret_cast<std::uintptr_t>(p) - slot.start) / size;
    const auto thread = static_cast<unsigned>(watch.scheduler_.current());
    const Stamp now = watch.clock_.now() | Stamp{thread} << thread_shift | number;
    Cell& cell = slot.cells[index];
    const auto past = watch.earlier<is_shared>(watch.launch_floor_);
    const auto ordered = [=](Stamp before) { return past(before) || same_thread(before, now); };
    const Stamp last_write = cell.write;
    if constexpr (write) {
        if (!ordered(last_write) || !ordered(cell.read[0]) || !ordered(cell.read[1]))
            return on_slow_access<size, write, false>(p, site);
        write_over(cell, slot.verified_reader[index], now);
    } else {
        // In shared memory, this is usually a write before the block's last barrier.
        const bool is_past = is_shared ? last_write - watch.clock_.floor() < watch.clock_.span() : past(last_write);
        if (!is_past && ((is_shared && last_write < watch.clock_.floor()) || !same_thread(last_write, now)))
            return on_slow_access<size, write, false>(p, site);
        const bool for_launch = last_write < watch.launch_floor_ && !watch.clock_.ran_over();
        const Stamp verified_reader =
            add_reader(cell, now, for_launch ? verified_for_launch(watch.launch_floor_) : 0, ordered);
        if (is_past && verified_reader != 0) slot.verified_reader[index] = verified_reader;
    }
    watch.count_quickly(slot, thread, slot.counted + index * size, site);
}

// In global memory, the element was usually not accessed by another thread in this launch.
template <unsigned size, bool write>
GPU_ON_KERNEL_STACK __attribute__((noinline)) void CheckCalls::on_global_access(const void* p, const void* site,
                                                                                BlockWatch& watch, SiteSlot& slot,
                                                                                unsigned number) {
    const std::size_t index = (reinterpret_cast<std::uintptr_t>(p) - slot.start) / size;
    const auto thread = static_cast<unsigned>(watch.scheduler_.current());
    if (!write && slot.many_read) {
        if (is_verified_reader<false>(watch, slot.verified_reader[index], thread))
            return watch.count_first(slot, thread, slot.counted + index * size, site);
        slot.many_read = false;
    }
    const Stamp now = watch.clock_.now() | Stamp{thread} << thread_shift | number, floor = watch.launch_floor_;
    const auto ordered = [=](Stamp before) { return before < floor || same_thread(before, now); };
    Cell& cell = slot.cells[index];
    __builtin_prefetch(&cell + 85, 1);  // 2 KiB ahead
    if (__builtin_expect(!ordered(cell.write) || !ordered(cell.read[0]) || (write && !ordered(cell.read[1])), 0)) {
        if (write || !is_verified_reader<false>(watch, slot.verified_reader[index], thread))
            return on_quick_access<size, write, false>(p, site);
        slot.many_read = true;
        return watch.count_first(slot, thread, slot.counted + index * size, site);
    }
    if constexpr (write)
        write_over(cell, slot.verified_reader[index], now);
    else
        cell.read[0] = now;
    watch.count_first(slot, thread, slot.counted + index * size, site);
}

// Accesses to the same array as the instruction's last one and, in shared memory, reads of an element that many read at
// once: these need no stack frame.
template <unsigned size, bool write>
GPU_ON_KERNEL_STACK void CheckCalls::on_access(const void* p, const void* site) {
    BlockWatch& watch = *this_watch;
    const unsigned number = watch.number_of(site);
    SiteSlot& slot = watch.slots_[number];
    // Large if the address isn't a multiple of the size, since the array's start is.
    const std::size_t index = std::rotr(reinterpret_cast<std::uintptr_t>(p) - slot.start, std::countr_zero(size));
    if (__builtin_expect(index >= slot.cell_count || watch.attention_ != 0, 0))
        return on_slow_access<size, write, false>(p, site);
    if (!slot.is_shared) return on_global_access<size, write>(p, site, watch, slot, number);
    if constexpr (!write) {
        const auto thread = static_cast<unsigned>(watch.scheduler_.current());
        if (is_verified_reader<true>(watch, slot.verified_reader[index], thread))
            return watch.count_quickly(slot, thread, slot.counted + index * size, site);
    }
    return on_quick_access<size, write, true>(p, site);
}

// Executes the atomic operation itself.
template <class T>
GPU_HOT_ON_KERNEL_STACK T execute(int operation, T* p, T value, T expected) {
    switch (operation) {
        case gpu_check_load: return __atomic_load_n(p, __ATOMIC_SEQ_CST);
        case gpu_check_store: __atomic_store_n(p, value, __ATOMIC_SEQ_CST); return 0;
        case gpu_check_exchange: return __atomic_exchange_n(p, value, __ATOMIC_SEQ_CST);
        case gpu_check_add: return __atomic_fetch_add(p, value, __ATOMIC_SEQ_CST);
        case gpu_check_sub: return __atomic_fetch_sub(p, value, __ATOMIC_SEQ_CST);
        case gpu_check_and: return __atomic_fetch_and(p, value, __ATOMIC_SEQ_CST);
        case gpu_check_or: return __atomic_fetch_or(p, value, __ATOMIC_SEQ_CST);
        case gpu_check_xor: return __atomic_fetch_xor(p, value, __ATOMIC_SEQ_CST);
        case gpu_check_nand: return __atomic_fetch_nand(p, value, __ATOMIC_SEQ_CST);
        default:
            __atomic_compare_exchange_n(p, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
            return expected;
    }
}

GPU_ON_KERNEL_STACK void CheckCalls::on_bounds(const void* description, unsigned long index, const void* site) {
    BlockWatch& watch = *this_watch;
    if (watch.arrays_.is_only_an_address(description)) return;
    watch.writer_.bounds(watch.fatal_, description, index, reinterpret_cast<std::uintptr_t>(site) - watch.text_begin_);
    watch.fail();
}

GPU_ON_KERNEL_STACK void CheckCalls::on_misaligned(const void* description, const void* p, const void* site) {
    BlockWatch& watch = *this_watch;
    watch.writer_.misaligned(watch.fatal_, description, reinterpret_cast<std::uintptr_t>(p), 0,
                             reinterpret_cast<std::uintptr_t>(site) - watch.text_begin_);
    watch.fail();
}

GPU_ON_KERNEL_STACK void CheckCalls::on_misaligned_access(const void* p, unsigned size, const void* site) {
    BlockWatch& watch = *this_watch;
    watch.writer_.misaligned(watch.fatal_, nullptr, reinterpret_cast<std::uintptr_t>(p), size,
                             reinterpret_cast<std::uintptr_t>(site) - watch.text_begin_);
    watch.fail();
}

GPU_ON_KERNEL_STACK void CheckCalls::on_shift(const void* description, unsigned long by, const void* site) {
    BlockWatch& watch = *this_watch;
    const std::size_t place = reinterpret_cast<std::uintptr_t>(site) - watch.text_begin_;
    watch.log_at(FindingKind::wide_shift, place, [&] { return watch.writer_.wide_shift(description, by, place); });
}

GPU_ON_KERNEL_STACK void CheckCalls::on_division(const void*, const void* site) {
    BlockWatch& watch = *this_watch;
    watch.writer_.fatal(watch.fatal_, FindingKind::division_by_zero,
                        reinterpret_cast<std::uintptr_t>(site) - watch.text_begin_);
    watch.fail();
}

GPU_ON_KERNEL_STACK void CheckCalls::on_local_begins(const void* p, unsigned long size, unsigned element,
                                                     unsigned columns, const char* name) {
    BlockWatch& watch = *this_watch;
    if (!watch.has_stack_left(reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)))) return;
    watch.locals_.begins(static_cast<unsigned>(watch.scheduler_.current()), reinterpret_cast<std::uintptr_t>(p), size,
                         element, columns, name);
}

GPU_ON_KERNEL_STACK void CheckCalls::on_local_ends(const void* p) {
    BlockWatch& watch = *this_watch;
    watch.locals_.ends(static_cast<unsigned>(watch.scheduler_.current()), reinterpret_cast<std::uintptr_t>(p));
}

GPU_ON_KERNEL_STACK void* CheckCalls::on_allocate(unsigned long long bytes, const void* site) {
    return this_watch->allocate(bytes, reinterpret_cast<std::uintptr_t>(site) - this_watch->text_begin_);
}

GPU_ON_KERNEL_STACK bool CheckCalls::on_release(void* data, int line, const void* site) {
    this_watch->release(data, line, reinterpret_cast<std::uintptr_t>(site) - this_watch->text_begin_);
    return true;
}

// In pieces of 8 or 4 bytes, as a GPU accesses a structure without a float4's alignment.
GPU_ON_KERNEL_STACK void CheckCalls::on_range(const void* p, unsigned long size, bool write, const void* site) {
    if (size == 0) return this_watch->resolve_write();  // a debugged function ends
    if (!write && this_watch->arrays_.is_argument(reinterpret_cast<std::uintptr_t>(p))) return;
    const unsigned long all = reinterpret_cast<std::uintptr_t>(p) | size;
    const unsigned long piece = all % 8 == 0 ? 8 : all % 4 == 0 ? 4 : all % 2 == 0 ? 2 : 1;
    // A structure with a float4's alignment may contain a whole piece of padding.
    const bool may_have_padding = !write && all % 16 == 0;
    for (unsigned long at = 0; at < size; at += piece) {
        const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(p) + at;
        if (may_have_padding && at % 16 == 0) this_watch->may_be_padding_ = !this_watch->is_unwritten(address, 16);
        this_watch->access(address, piece, write ? Access::write : Access::read, site);
    }
    this_watch->may_be_padding_ = false;
}

GPU_ON_KERNEL_STACK unsigned long long CheckCalls::on_atomic(int operation, void* p, unsigned size,
                                                             unsigned long long value, unsigned long long expected,
                                                             const void* site) {
    BlockWatch& watch = *this_watch;
    const auto address = reinterpret_cast<std::uintptr_t>(p);
    if ((address & (size - 1)) != 0) on_misaligned_access(p, size, site);
    const Access kind = operation == gpu_check_load       ? Access::atomic_read
                        : operation == gpu_check_store    ? Access::atomic_write
                        : operation == gpu_check_exchange ? Access::atomic_exchange
                                                          : Access::atomic_update;
    // An operation that consists of several, such as a loop around a compare-and-swap, counts once.
    if (operation == gpu_check_cas) watch.on_compare_and_swap(address);
    const bool counted = watch.atomic_begins_;
    watch.atomic_begins_ = false;
    const auto thread = static_cast<unsigned>(watch.scheduler_.current());
    if (watch.block_scope_ || watch.facts_.has_block_scope_atomics.load(std::memory_order_relaxed)) {
        std::uintptr_t start = 0;
        CheckedArray* const array = watch.arrays_.find(address, start);
        if (array != nullptr && array->space == Space::global && address - array->start + size <= array->bytes)
            watch.check_scope(*array, address - array->start,
                              watch.clock_.now() | Stamp{thread} << thread_shift | atomic_bit, size,
                              reinterpret_cast<std::uintptr_t>(site) - watch.text_begin_);
    }
    const auto place = reinterpret_cast<std::uintptr_t>(site) - watch.text_begin_;
    const bool alone = watch.last_site_ == place;
    watch.swaps_ = operation == gpu_check_cas;
    watch.access(address, size, kind, site, counted);
    watch.swaps_ = false;
    if (watch.volatile_uses_ != nullptr && operation != gpu_check_load) watch.volatile_uses_[thread].is_fenced = false;
    CheckedArray* const array = watch.slots_[watch.numbers_[place]].array;
    const std::uintptr_t carrier = watch.carrier(array, address);
    const bool several = watch.facts_.several_workers;
    if (several) watch.facts_.releases.mutex.lock();
    // A lock's holder needs a fence after taking it; a compare-and-swap of a value with itself is a load.
    const bool may_lock = operation == gpu_check_cas && value != expected;
    if (operation != gpu_check_store) watch.clock_.acquire(thread, carrier, may_lock);
    unsigned long long before = 0;
    switch (size) {
        case 1:
            before = execute(operation, static_cast<std::uint8_t*>(p), static_cast<std::uint8_t>(value),
                             static_cast<std::uint8_t>(expected));
            break;
        case 2:
            before = execute(operation, static_cast<std::uint16_t*>(p), static_cast<std::uint16_t>(value),
                             static_cast<std::uint16_t>(expected));
            break;
        case 4:
            before = execute(operation, static_cast<std::uint32_t*>(p), static_cast<std::uint32_t>(value),
                             static_cast<std::uint32_t>(expected));
            break;
        default:
            before = execute(operation, static_cast<std::uint64_t*>(p), static_cast<std::uint64_t>(value),
                             static_cast<std::uint64_t>(expected));
            break;
    }
    if (kind != Access::atomic_read && (operation != gpu_check_cas || before == expected))
        watch.clock_.release(thread, carrier);
    if (several) watch.facts_.releases.mutex.unlock();
    if (array != nullptr) watch.poll(thread, *array, address, before, size, place, alone);
    return before;
}

GPU_ON_KERNEL_STACK void CheckCalls::on_atomic_begins() {
    BlockWatch& watch = *this_watch;
    watch.atomic_begins_ = true;
    watch.block_scope_ = watch.next_has_block_scope_;
    watch.next_has_block_scope_ = false;
}

GPU_ON_KERNEL_STACK void CheckCalls::on_block_scope() { this_watch->next_has_block_scope_ = true; }

GPU_ON_KERNEL_STACK void CheckCalls::on_fence(int order) {
    BlockWatch& watch = *this_watch;
    const auto thread = static_cast<unsigned>(watch.scheduler_.current());
    watch.volatile_use_of(thread).is_fenced = true;
    // In the prelude, __threadfence_block() is an acquire-release fence, and the wider ones are sequentially
    // consistent.
    watch.clock_.fence(thread, order == __ATOMIC_ACQ_REL);
}

GPU_ON_KERNEL_STACK void CheckCalls::on_copy(void* to, const void* from, unsigned long size, const void* site) {
    if (size == 16) this_watch->check_vector_copy(to, from, site);
    // clang's copy of a float4.
    const std::uintptr_t both = reinterpret_cast<std::uintptr_t>(from) | reinterpret_cast<std::uintptr_t>(to);
    if (size == 16 && both % 16 == 0) {
        this_watch->access(reinterpret_cast<std::uintptr_t>(from), 16, Access::read, site);
        this_watch->access(reinterpret_cast<std::uintptr_t>(to), 16, Access::write, site);
    } else {
        on_range(from, size, false, site);
        on_range(to, size, true, site);
    }
    std::memmove(to, from, size);
}

GPU_ON_KERNEL_STACK void CheckCalls::on_fill(void* to, int value, unsigned long size, const void* site) {
    on_range(to, size, true, site);
    std::memset(to, value, size);
}

GPU_ON_KERNEL_STACK void CheckCalls::on_copy_begins(const gpu_copy* copy) { this_watch->begin_copy(*copy); }

GPU_ON_KERNEL_STACK void CheckCalls::on_copy_ends(const gpu_copy* copy) {
    this_watch->end_copy(*copy);
    on_range(copy->to, copy->bytes + copy->zeros, true, this_watch->copy_site(*copy));
    if (copy->bytes != 0) std::memmove(copy->to, copy->from, copy->bytes);
    std::memset(static_cast<char*>(copy->to) + copy->bytes, 0, copy->zeros);
}

GPU_ON_KERNEL_STACK void CheckCalls::on_barrier_phase(const void* barrier, unsigned phase, bool waited) {
    BlockWatch& watch = *this_watch;
    watch.resolve_write();
    watch.resolve_read();
    const auto thread = static_cast<unsigned>(watch.scheduler_.current());
    if (waited)
        watch.clock_.waited_for_phase(thread, barrier, phase);
    else
        watch.clock_.arrive_in_phase(thread, barrier, phase);
}

const gpu_check_calls& CheckCalls::table() noexcept {
    static constexpr gpu_check_calls table{
        nullptr, 0,
        {on_access<1, false>, on_access<2, false>, on_access<4, false>, on_access<8, false>, on_access<16, false>},
        {on_access<1, true>, on_access<2, true>, on_access<4, true>, on_access<8, true>, on_access<16, true>},
        {on_slow_access<1, false, true>, on_slow_access<2, false, true>, on_slow_access<4, false, true>,
         on_slow_access<8, false, true>, on_slow_access<16, false, true>},
        {on_slow_access<1, true, true>, on_slow_access<2, true, true>, on_slow_access<4, true, true>,
         on_slow_access<8, true, true>, on_slow_access<16, true, true>},
        on_range,
        on_atomic,
        on_atomic_begins,
        on_block_scope,
        on_fence,
        on_copy,
        on_fill,
        on_bounds,
        on_misaligned,
        on_division,
        on_shift,
        on_local_begins,
        on_local_ends,
        on_allocate,
        on_release,
        on_copy_begins,
        on_copy_ends,
        on_barrier_phase};
    return table;
}

namespace {

// The instruction that a signal interrupted if it is the kernel's own, otherwise the last one that accessed memory.
std::size_t site_of(const LaunchFacts& facts, const Fault& fault, const BlockWatch& watch) {
    if (fault.instruction != 0 && facts.module.is_text(fault.instruction)) {
        const std::size_t site = fault.instruction - facts.module.text_begin() + 1;
        // the debugger looks it up itself
        if (kernels_are_debugged() || facts.module.place(site).line > 0) return site;
    }
    return watch.last_site();
}

void divergent(RawFinding& finding, const LaunchFacts& facts, const BlockScheduler& scheduler) {
    const std::vector<Arrivals> arrivals = scheduler.arrivals();
    const std::string& file = facts.module.learners().file;
    finding.kind = FindingKind::divergent_barrier;
    finding.action.place = {file, arrivals.front().line};
    finding.other.place = {file, arrivals.back().line};
    for (const Arrivals& place : arrivals)
        finding.detail += (finding.detail.empty() ? "" : ", ") + plural(place.count, "thread") + " at line " +
                          std::to_string(place.line) + " (such as " + shown(scheduler.index_of(place.first_thread)) +
                          ')';
}

void deadlock(RawFinding& finding, const LaunchFacts& facts, const BlockScheduler& scheduler) {
    finding.kind = FindingKind::deadlock;
    finding.advice =
        "all threads that a mask names, or that are left of a block, must reach the same operation: take it "
        "out of the branch, or name only the lanes that come";
    bool has_line = false;
    for (const Arrivals& place : scheduler.arrivals()) {
        if (!has_line || (place.mask != 0 && finding.variable.empty())) {
            finding.action.place = {facts.module.learners().file, place.line};
            finding.element = place.at;
            if (place.mask != 0) finding.variable = hexadecimal(place.mask);
            has_line = true;
        }
        finding.detail += (finding.detail.empty() ? "" : ", ") + waiting_text(place);
        if (place.mask != 0) finding.detail += " with mask " + hexadecimal(place.mask);
        if (place.missing_thread >= 0)
            finding.detail += ", which names thread " + shown(scheduler.index_of(place.missing_thread));
    }
    finding.variable.clear();
    if (scheduler.ended() > 0) finding.detail += ", " + plural(scheduler.ended(), "thread") + " ended";
}

}  // namespace

std::string waiting_text(const Arrivals& place) {
    return plural(place.count, "thread") + (place.count == 1 ? " waits at " : " wait at ") + place.at + " in line " +
           std::to_string(place.line);
}

RawFinding finding_of(LaunchFacts& facts, Worker& worker, BlockWatch& watch) {
    const Fault& fault = worker.fault();
    const BlockScheduler& scheduler = worker.scheduler();
    if (fault.kind == Fault::Kind::checked) return watch.take_fatal();
    RawFinding finding;
    finding.action.block = facts.block_index(watch.block());
    finding.action.thread = scheduler.index_of(scheduler.current());
    char limit[32] = "";
    const auto learners_line = [&facts, &fault] { return SourcePlace{facts.module.learners().file, fault.line}; };
    switch (fault.kind) {
        case Fault::Kind::divergent: divergent(finding, facts, scheduler); break;
        case Fault::Kind::stuck: deadlock(finding, facts, scheduler); break;
        case Fault::Kind::wrong_mask:
            finding.kind = FindingKind::deadlock;
            finding.action.place = learners_line();
            finding.element = "a warp operation";
            finding.detail = "thread " + shown(finding.action.thread) + " calls it with mask " +
                             hexadecimal(fault.mask) + ", which does not name its own lane";
            finding.advice = "the mask must name every lane that calls: 0xffffffff where the whole warp does";
            break;
        case Fault::Kind::stuck_grid:
            finding.kind = FindingKind::deadlock;
            finding.action.place = learners_line();
            finding.element = "grid.sync()";
            finding.detail = "it waits there for a block that doesn't come";
            finding.advice = "all blocks of the grid must reach the same grid.sync()s: take it out of the branch";
            break;
        case Fault::Kind::uneven_barrier:
            finding.kind = FindingKind::deadlock;
            finding.action.place = learners_line();
            finding.element = "barrier " + std::to_string(fault.mask);
            finding.detail = "thread " + shown(finding.action.thread) +
                             " names another number of threads than those that wait there";
            finding.advice = "all threads of a __barrier_sync_count() name the barrier and the number of its threads";
            break;
        case Fault::Kind::failed:
            finding.kind = FindingKind::failed_assertion;
            finding.action.place = {fault.file != nullptr ? fault.file : "", fault.line};
            finding.detail = fault.what != nullptr ? fault.what : "it stopped itself";
            break;
        case Fault::Kind::null_call:
            finding.kind = FindingKind::out_of_bounds;
            finding.action.site = site_of(facts, fault, watch);
            finding.action.verb = "calls";
            finding.element = "a function through a null pointer";
            finding.advice =
                "set the pointer first, on the device: a function's address that host code takes is of no use in a "
                "kernel";
            break;
        case Fault::Kind::stack_overflow:
            finding.kind = FindingKind::stack_overflow;
            finding.action.site = site_of(facts, fault, watch);
            break;
        case Fault::Kind::division_by_zero:
        case Fault::Kind::arithmetic:
            finding.kind = FindingKind::division_by_zero;
            finding.action.site = site_of(facts, fault, watch);
            break;
        case Fault::Kind::endless:
            finding.kind = FindingKind::endless_loop;
            std::snprintf(limit, sizeof limit, "%g s", worker.watched().limit());
            finding.detail = limit;
            finding.action.site = site_of(facts, fault, watch);
            break;
        default:
            finding.kind = FindingKind::out_of_bounds;
            finding.action.site = site_of(facts, fault, watch);
            finding.action.verb = fault.access == Fault::Access::write ? "writes" : "reads";
            finding.element = fault.kind == Fault::Kind::illegal_instruction ? "code that can't be executed"
                                                                             : "an address that belongs to no array";
    }
    return finding;
}

}  // namespace gpu::detail::host
