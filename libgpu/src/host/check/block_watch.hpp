// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "host/check/block_clock.hpp"
#include "host/check/finding_writer.hpp"
#include "host/check/local_watch.hpp"
#include "host/check/poll_watch.hpp"
#include "host/check/reachable_arrays.hpp"
#include "host/check/work_counter.hpp"
#include "host/fibers/block_scheduler.hpp"

namespace gpu::detail::host {

/// Watches the memory accesses of one worker's blocks: each comes here before it happens.
///
/// An access is looked up by its instruction (which nearly always goes to the same array), then compared with what the
/// array's cells remember, then counted. All of it runs on kernels' stacks. What can't be gone on from is kept as the
/// fatal finding, and the kernel is left.
class BlockWatch final : public BlockObserver {
public:
    /// @param recorder told of each access; null: nobody is
    BlockWatch(LaunchFacts& facts, Worker& worker, gpu_thread_state* state, AccessRecorder* recorder);
    ~BlockWatch();
    BlockWatch(const BlockWatch&) = delete;
    BlockWatch& operator=(const BlockWatch&) = delete;

    /// `order`: its place in the schedule. Serials rise with it, as all that is compared of shared memory needs.
    void begin_block(std::uint64_t block, std::uint64_t order);
    /// The block has ended. False: it failed.
    void end_block(bool succeeded);

    [[nodiscard]] WorkCounter& counter() noexcept { return counter_; }
    [[nodiscard]] FoundAt found_at() noexcept { return {order_, ++step_}; }
    [[nodiscard]] LaunchFacts& facts() noexcept { return facts_; }
    [[nodiscard]] const RawFinding& fatal() const noexcept { return fatal_; }
    /// After a block failed with Fault::Kind::checked.
    [[nodiscard]] RawFinding take_fatal() noexcept { return std::move(fatal_); }
    /// The block was left because another one has failed.
    [[nodiscard]] bool given_up() const noexcept { return given_up_; }
    /// The last instruction that accessed memory.
    [[nodiscard]] std::size_t last_site() const noexcept { return last_site_; }
    [[nodiscard]] std::uint64_t block() const noexcept { return block_; }
    [[nodiscard]] const ReachableArrays& arrays() const noexcept { return arrays_; }

    void barrier_opens(int line, int ended) noexcept override;
    void part_opens(int line, unsigned barrier, const std::uint32_t* lanes) noexcept override;
    void grid_opens() noexcept override;
    void warp_done(const WarpArrival& arrival) noexcept override;
    void thread_waits(int thread) noexcept override;
    void thread_ends(int thread) noexcept override;

private:
    friend class CheckCalls;  // what a kernel calls
    /// An exchange hands over whatever was there: that nobody has written it is no mistake.
    enum class Access { read, write, atomic_read, atomic_write, atomic_exchange, atomic_update };
    static constexpr bool reads(Access a) {
        return a == Access::read || a == Access::atomic_read || a == Access::atomic_update;
    }
    static constexpr bool writes(Access a) { return a != Access::read && a != Access::atomic_read; }
    static constexpr bool is_atomic(Access a) { return a != Access::read && a != Access::write; }

    /// Where an instruction's accesses went last.
    struct alignas(64) SiteSlot {
        std::uintptr_t start = 1;
        std::size_t last = 0;           // the largest offset of an access
        CheckedArray* array = nullptr;  // null: nothing to check here
        std::uintptr_t counted = 0;     // the start as the counter knows it
        SiteRecord* counts = nullptr;   // the counter's memory
        Stamp* vetted = nullptr;        // the array's, ...
        Cell* cells = nullptr;          // ... its cells, ...
        std::uint32_t cell_count = 0;   // ... and how many there are, if all accesses here can take the quick way
        bool is_shared = false;
        bool many_read = false;         // what was read here last is vetted: that is looked at first
    };
    // A write of what another thread has written, too, with what stood there before it.
    struct PendingWrite {
        CheckedArray* array = nullptr;
        std::size_t offset = 0;
        unsigned size = 0;
        std::byte old_value[16] = {};
        Stamp before = 0, now = 0;
        std::size_t site = 0;
    };
    static constexpr unsigned max_pending = 64;

    // A plain read of what others update by atomics: the first guess of a loop around atomicCAS() on the same place,
    // which notices if it was stale, or else a race.
    struct HeldRead {
        CheckedArray* array = nullptr;
        std::size_t offset = 0;
        unsigned size = 0;
        Stamp before = 0, now = 0;
        std::size_t site = 0;
    };

    // By thread: its last volatile read, and who had written what it read. And whether a fence is its last of fences,
    // atomics and volatile writes: then the next write is a flag's.
    struct VolatileUse {
        std::uintptr_t address = 0;
        std::size_t site = 0;
        Stamp writer = 0;
        bool is_fenced = false;
    };

    [[nodiscard]] GPU_HOT_ON_KERNEL_STACK unsigned number_of(const void* site) const noexcept {
        return numbers_[reinterpret_cast<std::uintptr_t>(site) - text_begin_];
    }
    /// The same by its place in the text; the first time it gets one.
    [[nodiscard]] unsigned number_at(std::size_t site);
    void count_quickly(const SiteSlot& slot, unsigned thread, std::uintptr_t address, const void* site);
    void count_first(const SiteSlot& slot, unsigned thread, std::uintptr_t address, const void* site);
    static void count_slowly(BlockWatch& watch, SiteRecord& where, unsigned thread, std::uintptr_t address);
    void forget_cells(const CheckedArray& array);
    /// After others have run: they may have moved the cells of arrays.
    void look_at_cells_anew();

    void access(std::uintptr_t address, std::size_t size, Access kind, const void* site, bool counted = true,
                bool regular = false);
    void access_volatile(std::uintptr_t address, std::size_t size, bool write, const void* site);
    /// A place that carries order from one thread to another: each block has shared memory of its own, at one address.
    [[nodiscard]] std::uintptr_t carrier(const CheckedArray* array, std::uintptr_t address) const noexcept {
        const bool is_shared = array != nullptr && array->space == Space::shared;
        return is_shared ? address ^ (serial_of(clock_.floor()) << 47) : address;
    }
    [[nodiscard]] VolatileUse& volatile_use_of(unsigned thread);
    /// Of two accesses that plain ones would race by: whether it is one that CUDA's atomic functions don't make.
    [[nodiscard]] bool is_by_volatile(Stamp before, Stamp now, bool before_wrote, bool now_writes) const;
    void volatile_race(FindingKind kind, CheckedArray& array, std::size_t offset, Stamp before, Stamp now,
                       bool before_wrote, bool now_writes, unsigned size, std::size_t site);
    void* allocate(unsigned long long bytes, std::size_t site);
    void release(void* data, int line, std::size_t site);
    /// For what takes locks, and so must not fault.
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
    /// An asynchronous copy: its cells are marked as under way until it is done.
    [[nodiscard]] const void* copy_site(const gpu_copy& copy) const noexcept;
    void begin_copy(const gpu_copy& copy);
    void end_copy(const gpu_copy& copy);
    /// The array of some bytes, if cells of it can be marked.
    [[nodiscard]] CheckedArray* markable(std::uintptr_t address, std::size_t size, bool write, const void* site);
    void mark(std::uintptr_t address, std::size_t size, bool write, const void* site);
    void unmark(std::uintptr_t address, std::size_t size, const gpu_copy& copy);
    void copy_race(CheckedArray& array, std::size_t offset, Stamp before, Stamp now, bool before_wrote,
                   bool now_writes, unsigned size, std::size_t site);
    void missing_event(CheckedArray& array, std::size_t offset, Stamp before, Stamp now, bool before_wrote,
                       bool now_writes, unsigned size, std::size_t site);
    void rewrite(const PendingWrite& write);
    void constant_write(const CheckedArray& array, std::uintptr_t address, std::size_t size, std::size_t site);
    void wide_shift(const void* description, unsigned long by, std::size_t site);
    [[nodiscard]] bool has_seen_flag_of(Stamp writer, unsigned thread);
    /// Whether an access came before all that a thread does now.
    [[nodiscard]] bool is_ordered(Stamp before, unsigned thread) const;
    /// True if nothing is known to have been written there.
    [[nodiscard]] bool is_unwritten(std::uintptr_t address, std::size_t size);
    void uninitialized(CheckedArray& array, std::size_t offset, std::size_t size, std::size_t site);
    void count(std::uintptr_t address, std::size_t size, Access kind, const CheckedArray& array, unsigned thread,
               std::size_t site, SiteRecord*& known, bool regular = false);
    void review_pending(std::uintptr_t address, std::size_t size, bool writes_now);
    void tell_changed();
    void resolve_write();
    void resolve_read();
    template <class F>
    void log_line(FindingKind kind, int line, F&& make);
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

    // What every access needs lies together.
    unsigned attention_ = 0;  // something besides the access is to be done
    const unsigned at_rest_;  // what attention_ is while nothing is pending: recorded accesses all take the slow way
    std::size_t last_site_ = 0;
    LaunchFacts& facts_;
    AccessRecorder* const recorder_;
    Worker& worker_;
    BlockScheduler& scheduler_;
    const std::uintptr_t text_begin_;
    const std::uint16_t* const numbers_;
    std::unique_ptr<SiteSlot[]> slots_;
    Stamp launch_floor_ = 0, order_floor_ = 0;  // stamps of this launch; of all that it isn't behind
    BlockClock clock_;
    WorkCounter counter_;
    ReachableArrays arrays_;
    FindingWriter writer_;
    PollWatch polls_;
    LocalWatch locals_;
    unsigned splits_ = 0;  // of the launch, as far as this watch knows
    bool given_up_ = false;
    bool atomic_begins_ = false;
    bool block_scope_ = false, next_has_block_scope_ = false;  // of atomics
    bool swaps_ = false;  // the access is an atomicCAS()
    bool may_be_padding_ = false;  // what lies beside it in a structure has been written
    PendingWrite pending_[max_pending];  // pieces of one store, or of stores side by side
    unsigned pending_count_ = 0;
    std::uintptr_t store_begin_ = 0, store_end_ = 0;  // of what is pending
    HeldRead held_;
    std::unique_ptr<VolatileUse[]> volatile_uses_;
    RawFinding fatal_;
    std::uint64_t block_ = 0, order_ = 0, step_ = 0;
};

}  // namespace gpu::detail::host
