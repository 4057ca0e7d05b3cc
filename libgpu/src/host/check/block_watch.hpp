// SPDX-License-Identifier: MIT
#pragma once

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>

#include "host/base/thread_variables.hpp"
#include "host/check/array_resolver.hpp"
#include "host/check/checked_memory.hpp"
#include "host/check/finding_builder.hpp"
#include "host/check/launch_facts.hpp"
#include "host/check/work_counter.hpp"
#include "host/fibers/block_scheduler.hpp"
#include "host/fibers/thread_pool.hpp"

namespace gpu::detail::host {

/// Watches the memory accesses of one worker's blocks: called before each access.
///
/// An access is looked up by its instruction (which nearly always accesses the same array), compared with what the
/// array's cells remember, and counted. All of this runs on kernels' stacks. A finding that the kernel can't continue
/// from is stored as the fatal one, and the kernel is left.
class BlockWatch final : public BlockObserver {
public:
    /// @param recorder records each access; null: not recorded
    BlockWatch(LaunchFacts& facts, Worker& worker, gpu_thread_state* state, AccessRecorder* recorder);
    ~BlockWatch();
    BlockWatch(const BlockWatch&) = delete;
    BlockWatch& operator=(const BlockWatch&) = delete;

    /// `order`: the block's position in the schedule. Serials increase with it, which comparing accesses to shared
    /// memory requires.
    void begin_block(std::uint64_t block, std::uint64_t order);
    /// Ends the block. False: it failed.
    void end_block(bool succeeded);

    [[nodiscard]] WorkCounter& counter() noexcept { return counter_; }
    [[nodiscard]] FoundAt found_at() noexcept { return {order_, ++step_}; }
    [[nodiscard]] LaunchFacts& facts() noexcept { return facts_; }
    [[nodiscard]] const RawFinding& fatal() const noexcept { return fatal_; }
    /// Call it after a block failed with Fault::Kind::checked.
    [[nodiscard]] RawFinding take_fatal() noexcept { return std::move(fatal_); }
    /// True if the block was left because another one failed.
    [[nodiscard]] bool given_up() const noexcept { return given_up_; }
    /// The last instruction that accessed memory.
    [[nodiscard]] std::size_t last_site() const noexcept { return last_site_; }
    [[nodiscard]] std::uint64_t block() const noexcept { return block_; }
    [[nodiscard]] const ArrayResolver& arrays() const noexcept { return arrays_; }

    void barrier_opens(int line, int ended) noexcept override;
    void part_opens(int line, unsigned barrier, const std::uint32_t* lanes) noexcept override;
    void grid_opens() noexcept override;
    void warp_done(const WarpArrival& arrival) noexcept override;
    void thread_waits(int thread) noexcept override;
    void thread_ends(int thread) noexcept override;

private:
    friend class CheckCalls;  // the functions that a kernel calls
    /// An exchange passes on whatever was there: reading an unwritten value this way is no mistake.
    enum class Access { read, write, atomic_read, atomic_write, atomic_exchange, atomic_update };
    static constexpr bool reads(Access a) {
        return a == Access::read || a == Access::atomic_read || a == Access::atomic_update;
    }
    static constexpr bool writes(Access a) { return a != Access::read && a != Access::atomic_read; }
    static constexpr bool is_atomic(Access a) { return a != Access::read && a != Access::write; }

    /// The target of an instruction's last access.
    struct alignas(64) SiteSlot {
        std::uintptr_t start = 1;
        std::size_t last = 0;           // the largest offset of an access
        CheckedArray* array = nullptr;  // null: unchecked memory
        std::uintptr_t counted = 0;     // the start in the counter's numbering
        SiteRecord* counts = nullptr;   // in the counter's memory
        Stamp* verified_reader = nullptr;        // the array's, ...
        Cell* cells = nullptr;          // ... its cells, ...
        std::uint32_t cell_count = 0;   // ... and how many there are, if all accesses here can take the quick way
        bool is_shared = false;
        bool many_read = false;         // recent reads here were vetted: check that first
    };
    // A write to an element that another thread has written, with the value before it.
    struct PendingWrite {
        CheckedArray* array = nullptr;
        std::size_t offset = 0;
        unsigned size = 0;
        std::byte old_value[16] = {};
        Stamp before = 0, now = 0;
        std::size_t site = 0;
    };
    static constexpr unsigned max_pending = 64;

    // A plain read of an element that others update by atomics: either the first guess of a loop around atomicCAS() on
    // the same element, which detects a stale value, or a race.
    struct HeldRead {
        CheckedArray* array = nullptr;
        std::size_t offset = 0;
        unsigned size = 0;
        Stamp before = 0, now = 0;
        std::size_t site = 0;
    };

    // Per thread: its last volatile read, and who had written the value. And whether its last fence came after its last
    // atomic or volatile write: then the next write is a flag's.
    struct VolatileUse {
        std::uintptr_t address = 0;
        std::size_t site = 0;
        Stamp writer = 0;
        bool is_fenced = false;
    };

    [[nodiscard]] GPU_HOT_ON_KERNEL_STACK unsigned number_of(const void* site) const noexcept {
        return numbers_[reinterpret_cast<std::uintptr_t>(site) - text_begin_];
    }
    /// The same by offset in the text; assigns a number on first use.
    [[nodiscard]] unsigned number_at(std::size_t site);
    void count_quickly(const SiteSlot& slot, unsigned thread, std::uintptr_t address, const void* site);
    void count_first(const SiteSlot& slot, unsigned thread, std::uintptr_t address, const void* site);
    static void count_slowly(BlockWatch& watch, SiteRecord& where, unsigned thread, std::uintptr_t address);
    void forget_cells(const CheckedArray& array);
    /// Call it after others have run: they may have moved arrays' cells.
    void look_at_cells_anew();

    void access(std::uintptr_t address, std::size_t size, Access kind, const void* site, bool counted = true,
                bool regular = false);
    void access_volatile(std::uintptr_t address, std::size_t size, bool write, const void* site);
    /// The key of an element that carries order between threads: each block has its own shared memory, at the same
    /// address.
    [[nodiscard]] std::uintptr_t carrier(const CheckedArray* array, std::uintptr_t address) const noexcept {
        const bool is_shared = array != nullptr && array->space == Space::shared;
        return is_shared ? address ^ (serial_of(clock_.floor()) << 47) : address;
    }
    [[nodiscard]] VolatileUse& volatile_use_of(unsigned thread);
    /// True if one of two racing accesses is not an access by CUDA's atomic functions.
    [[nodiscard]] bool is_by_volatile(Stamp before, Stamp now, bool before_wrote, bool now_writes) const;
    void volatile_race(FindingKind kind, CheckedArray& array, std::size_t offset, Stamp before, Stamp now,
                       bool before_wrote, bool now_writes, unsigned size, std::size_t site);
    void* allocate(unsigned long long bytes, std::size_t site);
    void release(void* data, int line, std::size_t site);
    /// For code that takes locks, and so must not fault.
    [[nodiscard]] bool has_stack_left(std::uintptr_t frame) const noexcept;
    GPU_ON_KERNEL_STACK bool find(SiteSlot& slot, std::uintptr_t address, std::size_t size, Access kind,
                                  std::size_t site);
    void remember(CheckedArray& array, std::size_t offset, std::size_t size, Access kind, unsigned number,
                  unsigned thread, std::size_t site);
    void remember_among_workers(CheckedArray& array, std::size_t offset, std::size_t size, Access kind, unsigned number,
                                unsigned thread, std::size_t site);
    [[nodiscard]] bool is_unwritten(const Cell& cell) const noexcept;
    template <bool is_shared>
    void remember_cell(CheckedArray& array, Cell* cell, std::size_t size, Access kind, Stamp now, Stamp floor,
                       std::size_t site);
    void remember_cells(CheckedArray& array, Cell* cell, std::size_t offset, std::size_t size, Access kind, Stamp now,
                        Stamp floor, std::size_t site);
    template <bool is_shared>
    auto earlier(Stamp floor) const noexcept;
    template <bool is_shared>
    auto earlier_in_order(Stamp floor) const noexcept;
    template <bool is_shared>
    void read_cell(CheckedArray& array, Cell* cell, Stamp now, Stamp floor, std::size_t size, std::size_t site);
    template <bool is_shared>
    void write_cell(CheckedArray& array, Cell* cell, Stamp now, Stamp floor, std::size_t size, std::size_t site);
    void check_conflict(CheckedArray& array, const Cell* cell, Stamp before, Stamp now, bool before_wrote,
                        bool now_writes, std::size_t size, std::size_t site);
    void race(CheckedArray& array, std::size_t offset, Stamp before, Stamp now, bool before_wrote, bool now_writes,
              unsigned size, std::size_t site);
    /// An asynchronous copy: its cells are marked as in use until it is done.
    [[nodiscard]] const void* copy_site(const gpu_copy& copy) const noexcept;
    void begin_copy(const gpu_copy& copy);
    void end_copy(const gpu_copy& copy);
    /// The array that contains the bytes, if its cells can be marked.
    [[nodiscard]] CheckedArray* markable(std::uintptr_t address, std::size_t size, bool write, const void* site);
    void mark(std::uintptr_t address, std::size_t size, bool write, const void* site);
    void unmark(std::uintptr_t address, std::size_t size, const gpu_copy& copy);
    void copy_race(CheckedArray& array, std::size_t offset, Stamp before, Stamp now, bool before_wrote,
                   bool now_writes, unsigned size, std::size_t site);
    void missing_event(CheckedArray& array, std::size_t offset, Stamp before, Stamp now, bool before_wrote,
                       bool now_writes, unsigned size, std::size_t site);
    void rewrite(const PendingWrite& write);
    [[nodiscard]] bool has_seen_flag_of(Stamp writer, unsigned thread);
    /// True if an access happened before everything that a thread does now.
    [[nodiscard]] bool is_ordered(Stamp before, unsigned thread) const;
    /// True if no write to these bytes is known.
    [[nodiscard]] bool is_unwritten(std::uintptr_t address, std::size_t size);
    void uninitialized(CheckedArray& array, std::size_t offset, std::size_t size, std::size_t site);
    void count(std::uintptr_t address, std::size_t size, Access kind, const CheckedArray& array, unsigned thread,
               std::size_t site, SiteRecord*& known, bool regular = false);
    void review_pending(std::uintptr_t address, std::size_t size, bool writes_now);
    /// Among several workers: this one executes a write to this address next; 0: it has.
    void announce_write(std::uintptr_t address) noexcept {
        if (under_way_ != nullptr) under_way_->store(address, std::memory_order_release);
    }
    void wait_for_writes(std::uintptr_t address, std::size_t size) const noexcept;
    void tell_changed();
    void resolve_write();
    void resolve_read();
    /// Logs a finding about an access to an array, once for each array and instruction.
    void log_access(FindingKind kind, const char* verb, const CheckedArray& array, std::size_t offset, std::size_t size,
                    std::size_t site);
    /// Logs one that has no array, once for each site.
    template <class Make>
    void log_at(FindingKind kind, WorkCounter::Site site, Make&& make) {
        facts_.log.add({kind, nullptr, "", site}, found_at(), make);
    }
    void check_plain_write(CheckedArray& array, std::size_t offset, Stamp now, bool now_writes, std::size_t size,
                           std::size_t site);
    void keep_plain_write(const CheckedArray& array, std::size_t offset, Stamp plain);
    [[nodiscard]] Stamp last_write(CheckedArray& array, std::size_t offset, std::size_t size) const;
    void check_scope(CheckedArray& array, std::size_t offset, Stamp now, std::size_t size, std::size_t site);
    void check_volatile_update(CheckedArray& array, std::size_t offset, Stamp before, Stamp now, std::size_t size,
                               std::size_t site);
    void on_compare_and_swap(std::uintptr_t address);

    void record(const CheckedArray* array, std::uintptr_t address, std::size_t size, Access kind,
                std::size_t site) noexcept;
    [[noreturn]] void fail();
    void check_vector_copy(const void* to, const void* from, const void* site);
    void poll(unsigned thread, CheckedArray& array, std::uintptr_t address, std::uint64_t value, std::size_t size,
              std::size_t site, bool alone);
    void poll_place(unsigned thread, CheckedArray& array, std::uintptr_t address, std::size_t size, std::size_t site);
    void later_block(CheckedArray& array, std::uintptr_t address, unsigned thread, std::size_t size, std::size_t site);
    [[noreturn]] void out_of_bounds(std::uintptr_t address, std::size_t size, Access kind, std::size_t site);

    // The data that every access needs, kept together.
    unsigned attention_ = 0;  // nonzero: the slow path has something to do
    const unsigned at_rest_;  // attention_ while nothing is pending: recording sends all accesses down the slow path
    std::size_t last_site_ = 0;
    LaunchFacts& facts_;
    AccessRecorder* const recorder_;
    Worker& worker_;
    BlockScheduler& scheduler_;
    const std::uintptr_t text_begin_;
    const std::uint16_t* const numbers_;
    std::unique_ptr<SiteSlot[]> slots_;
    // the first stamp of this launch; of everything that it isn't ordered after
    Stamp launch_floor_ = 0, order_floor_ = 0;
    BlockClock clock_;
    WorkCounter counter_;
    ArrayResolver arrays_;
    FindingBuilder writer_;
    SpinDetector polls_;
    LocalArrayShadow locals_;
    unsigned splits_ = 0;  // of the launch, as last seen by this watch
    bool given_up_ = false;
    bool atomic_begins_ = false;
    bool block_scope_ = false, next_has_block_scope_ = false;  // for atomics
    bool swaps_ = false;  // the current access is an atomicCAS()
    bool may_be_padding_ = false;  // its neighbours in a structure have been written
    PendingWrite pending_[max_pending];  // pieces of one store, or of adjacent stores
    unsigned pending_count_ = 0;
    std::uintptr_t store_begin_ = 0, store_end_ = 0;  // of what is pending
    std::atomic<std::uintptr_t>* const under_way_;  // this worker's; null: there is no other
    HeldRead held_;
    std::unique_ptr<VolatileUse[]> volatile_uses_;
    RawFinding fatal_;
    std::uint64_t block_ = 0, order_ = 0, step_ = 0;
};

// The path of every access, inlined into the callbacks.

GPU_HOT_ON_KERNEL_STACK bool same_thread(Stamp a, Stamp b) noexcept {
    return ((a ^ b) & (serial_mask | thread_mask)) == 0;
}

/// Locks the part of an array around an offset if several workers share it: its cells, and their place. No destructor:
/// see GPU_ON_KERNEL_STACK.
GPU_HOT_ON_KERNEL_STACK void lock_part(CheckedArray& array, std::size_t offset) noexcept {
    std::atomic<std::uint8_t>& lock = array.locks[offset / array.locked % 64];
    while (lock.exchange(1, std::memory_order_acquire) != 0)
        while (lock.load(std::memory_order_relaxed) != 0) ::sched_yield();
}
GPU_HOT_ON_KERNEL_STACK void unlock_part(CheckedArray& array, std::size_t offset) noexcept {
    array.locks[offset / array.locked % 64].store(0, std::memory_order_release);
}

// A test for stamps of other launches and of accesses before the block's last barrier. For shared memory, only the
// block's own accesses are remembered: one comparison suffices.
template <bool is_shared>
GPU_HOT_ON_KERNEL_STACK auto BlockWatch::earlier(Stamp floor) const noexcept {
    const Stamp block = clock_.floor(), span = clock_.span();
    return [=](Stamp stamp) { return is_shared ? stamp < block + span : stamp < floor || stamp - block < span; };
}

// The same if work of other streams may run concurrently with the launch: `floor` is that of the first one.
template <bool is_shared>
GPU_HOT_ON_KERNEL_STACK auto BlockWatch::earlier_in_order(Stamp floor) const noexcept {
    return [past = earlier<is_shared>(floor), this](Stamp stamp) {
        if (past(stamp)) return true;
        return !is_shared && stamp < launch_floor_ && operation_of(facts_.unordered, serial_of(stamp)) == nullptr;
    };
}

// Records a reader in one of a cell's two places, replacing one that happened before it. Of three concurrent ones,
// keeps those of different blocks or warps, which say more than neighbours. Returns for whom further reads are vetted,
// or 0. `launch`: the value for all, if two blocks have read.
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
    return one_warp ? verified_for_warp(moment, thread_of(now)) : verified_for_block(moment);
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
    // A reader ordered before this thread can be forgotten; one that isn't may also race with others.
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

// True for shared memory that the block hasn't written.
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

// `regular`: all accesses of this instruction have one size and kind.
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
    // Enables the fast path if cells are as large as this instruction's accesses.
    slot.is_shared = array->space == Space::shared;
    if (regular && slot.counts != nullptr && slot.start % size == 0 &&
        (slot.is_shared ||
         !(facts_.several_workers || array->tracks_values() || order_floor_ != launch_floor_)) &&
        size >> array->shift() == 1 && slot.last / size < ~std::uint32_t{0}) {
        slot.verified_reader = array->verified_reader();
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

// The same for sites that most threads reach once, as with global memory.
GPU_HOT_ON_KERNEL_STACK void BlockWatch::count_first(const SiteSlot& slot, unsigned thread, std::uintptr_t address,
                                                     const void* site) {
    if (!WorkCounter::begin_quickly(*slot.counts, thread, address)) return count_quickly(slot, thread, address, site);
    last_site_ = reinterpret_cast<std::uintptr_t>(site) - text_begin_;
}

}  // namespace gpu::detail::host
