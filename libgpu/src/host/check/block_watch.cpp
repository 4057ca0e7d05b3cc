// SPDX-License-Identifier: MIT
#include "host/check/block_watch.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <iterator>
#include <optional>
#include <utility>

namespace gpu::detail::host {

namespace {

// Site numbers for places that aren't instructions: lines of barriers and warp operations.
constexpr WorkCounter::Site line_site(int line) { return WorkCounter::Site{1} << 40 | static_cast<unsigned>(line); }

}  // namespace

BlockWatch::BlockWatch(LaunchFacts& facts, Worker& worker, gpu_thread_state* state, AccessRecorder* recorder)
    : at_rest_(recorder != nullptr ? 1 : 0),
      facts_(facts),
      recorder_(recorder),
      worker_(worker),
      scheduler_(worker.scheduler()),
      text_begin_(facts.module.text_begin()),
      numbers_(facts.module.site_numbers()),
      slots_(new SiteSlot[unknown_site + 1]),
      launch_floor_(time_of(facts.first_serial, 0)),
      order_floor_(facts.unordered.empty() ? launch_floor_ : time_of(facts.unordered.front()->first_serial, 0)),
      clock_(facts.releases),
      arrays_(facts, worker.stacks(), state),
      writer_(facts, scheduler_, arrays_, recorder),
      polls_(facts, scheduler_, arrays_),
      under_way_(facts.take_write_under_way()) {
    clock_.on_overflow(
        [](void* self) {
            auto& watch = *static_cast<BlockWatch*>(self);
            return watch.facts_.more_serials(watch.block_);
        },
        this);
    this_watch = this;
}

BlockWatch::~BlockWatch() { this_watch = nullptr; }

void BlockWatch::begin_block(std::uint64_t block, std::uint64_t order) {
    look_at_cells_anew();
    block_ = block;
    order_ = order;
    step_ = 0;
    const unsigned threads = facts_.block.x * facts_.block.y * facts_.block.z;
    if (clock_.ran_over()) arrays_.forget_shared();   // of the previous block, with serials above this one's
    clock_.begin_block(facts_.first_serial + order, threads);
    counter_.begin_block(threads);
    writer_.begin_block(block);
    polls_.begin_block(block);
    if (recorder_ != nullptr) recorder_->begin_block(block);
    if (recorder_ != nullptr) arrays_.poison_shared();  // a picture shows what an early read may get
    locals_.begin_block();
    pending_count_ = 0;
    held_.array = nullptr;
    attention_ = at_rest_;
    atomic_begins_ = block_scope_ = next_has_block_scope_ = may_be_padding_ = false;
    if (volatile_uses_ != nullptr) std::fill_n(volatile_uses_.get(), threads, VolatileUse{});
}

void BlockWatch::end_block(bool succeeded) {
    resolve_write();
    resolve_read();
    announce_write(0);
    polls_.end_block();
    if (succeeded)
        counter_.end_block();
    else
        counter_.abandon_block();
}

GPU_ON_KERNEL_STACK void BlockWatch::barrier_opens(int line, int ended) noexcept {
    if (ended > 0)
        log_at(FindingKind::skipped_barrier, line_site(line), [&] { return writer_.skipped_barrier(line, ended); });
    announce_write(0);
    if (recorder_ != nullptr) recorder_->barrier(line);
    clock_.barrier();
    counter_.barrier(line_site(line));
}

GPU_ON_KERNEL_STACK void BlockWatch::part_opens(int line, unsigned barrier, const std::uint32_t* lanes) noexcept {
    resolve_write();
    resolve_read();
    if (recorder_ != nullptr) recorder_->settle();
    if (facts_.several_workers) facts_.releases.mutex.lock();
    clock_.part_barrier(barrier, lanes);
    if (facts_.several_workers) facts_.releases.mutex.unlock();
    counter_.part_barrier(line_site(line));
}

// Everything that any block did before happens before what this one does now, like work of an earlier launch.
GPU_ON_KERNEL_STACK void BlockWatch::grid_opens() noexcept {
    look_at_cells_anew();
    clock_.grid_barrier(facts_.grid_epoch);
    const bool alone = order_floor_ == launch_floor_;
    launch_floor_ = time_of(facts_.grid_epoch, 0);
    if (alone) order_floor_ = launch_floor_;
}

GPU_ON_KERNEL_STACK void BlockWatch::warp_done(const WarpArrival& arrival) noexcept {
    resolve_write();
    resolve_read();
    if (arrival.ended != 0)
        log_at(FindingKind::skipped_barrier, line_site(arrival.line), [&] { return writer_.ended_lanes(arrival); });
    if (arrival.reader >= 0)
        log_at(FindingKind::inactive_lane, line_site(arrival.line), [&] { return writer_.inactive_lane(arrival); });
    if (arrival.operation == gpu_warp_sync) clock_.warp_sync(arrival.warp, arrival.lanes, arrival.live);
    if (recorder_ != nullptr) {
        recorder_->settle();
        if (arrival.lanes == arrival.live) recorder_->warp_operation(arrival.warp);
    }
    counter_.warp_operation(line_site(arrival.line), static_cast<unsigned>(arrival.warp), arrival.lanes);
}

GPU_ON_KERNEL_STACK void BlockWatch::thread_waits(int thread) noexcept {
    resolve_write();
    resolve_read();
    if (recorder_ != nullptr) recorder_->settle();
    counter_.thread_waits(static_cast<unsigned>(thread));
}

GPU_ON_KERNEL_STACK void BlockWatch::thread_ends(int thread) noexcept {
    if (__builtin_expect(pending_count_ != 0 || held_.array != nullptr, 0)) {
        resolve_write();
        resolve_read();
    }
    announce_write(0);
    if (__builtin_expect(recorder_ != nullptr, 0)) recorder_->thread_ends(static_cast<unsigned>(thread));
    counter_.thread_ends(static_cast<unsigned>(thread));
}

// Called when another thread wrote as well. Writing the same value again does no harm ("found = true"), and the value
// is known once the write has happened: at the latest when others run. A copy of a structure is reported in advance,
// piece by piece, and a large one by g++ twice: accesses nearby may still belong to it.
GPU_ON_KERNEL_STACK void BlockWatch::review_pending(std::uintptr_t address, std::size_t size, bool writes_now) {
    if (pending_count_ == 0) {
        attention_ = at_rest_;
        return;
    }
    if (!writes_now) return;
    constexpr std::uintptr_t before = 4096, behind = 16;
    const std::uintptr_t first = store_begin_ - std::min(store_begin_, before);
    if (address - first > store_end_ + behind - first) return resolve_write();
    tell_changed();
    store_end_ = std::max(store_end_, address + size);
}

// Reports the pending writes whose value has changed.
GPU_ON_KERNEL_STACK void BlockWatch::tell_changed() {
    unsigned left = 0;
    const unsigned count = pending_count_;
    for (unsigned k = 0; k < count; ++k) {
        const PendingWrite write = pending_[k];
        const void* const place = reinterpret_cast<const void*>(write.array->start + write.offset);
        if (std::memcmp(place, write.old_value, write.size) != 0)
            race(*write.array, write.offset, write.before, write.now, true, true, write.size, write.site);
        else
            pending_[left++] = write;
    }
    pending_count_ = left;
}

GPU_ON_KERNEL_STACK void BlockWatch::resolve_write() {
    attention_ = at_rest_;
    if (pending_count_ == 0) return;
    tell_changed();
    for (unsigned k = 0; k < pending_count_; ++k) rewrite(pending_[k]);
    pending_count_ = 0;
    announce_write(0);
}

// Another worker has recorded a write and may not have executed it: until then the old value says nothing. That worker
// waits for nobody in between, but one that computes for long isn't waited for.
GPU_ON_KERNEL_STACK void BlockWatch::wait_for_writes(std::uintptr_t address, std::size_t size) const noexcept {
    constexpr std::uintptr_t max_access = 16;
    constexpr std::chrono::milliseconds timeout{50};
    const auto is_near = [&](std::uintptr_t at) { return at < address + size && address < at + max_access; };
    for (const LaunchFacts::WriteUnderWay& write : facts_.writes_under_way) {
        if (&write.address == under_way_ || !is_near(write.address.load(std::memory_order_acquire))) continue;
        const auto give_up = std::chrono::steady_clock::now() + timeout;
        while (is_near(write.address.load(std::memory_order_acquire)) && std::chrono::steady_clock::now() < give_up)
            ::sched_yield();
    }
}

GPU_ON_KERNEL_STACK void BlockWatch::resolve_read() {
    if (held_.array == nullptr) return;
    const HeldRead read = held_;
    held_.array = nullptr;
    race(*read.array, read.offset, read.before, read.now, true, false, read.size, read.site);
}

// The running thread executes atomicCAS() on this element.
GPU_ON_KERNEL_STACK void BlockWatch::on_compare_and_swap(std::uintptr_t address) {
    if (held_.array != nullptr && held_.array->start + held_.offset == address) held_.array = nullptr;
}

GPU_ON_KERNEL_STACK void BlockWatch::check_conflict(CheckedArray& array, const Cell* cell, Stamp before, Stamp now,
                                                    bool before_wrote, bool now_writes, std::size_t size,
                                                    std::size_t site) {
    const bool both_atomic = host::is_atomic(before) && host::is_atomic(now);
    if (both_atomic && !is_by_volatile(before, now, before_wrote, now_writes)) return;
    const bool other_block = !clock_.is_own(serial_of(before));
    if (other_block && array.space == Space::shared) return;
    // The first guess of another block's loop around atomicCAS(), which that block may be about to execute.
    if (other_block && facts_.several_workers && swaps_ && !before_wrote) return;
    if (before >= launch_floor_ && is_ordered(before, thread_of(now))) return;
    const std::size_t offset = static_cast<std::size_t>(cell - array.cells(0, size)) << array.shift();
    const bool none_atomic = !host::is_atomic(before) && !host::is_atomic(now);
    if (before_wrote && now_writes && size <= sizeof(PendingWrite::old_value) && (both_atomic || none_atomic)) {
        if (pending_count_ == max_pending) return;   // the recorded ones of this store suffice
        const std::uintptr_t address = array.start + offset;
        if (other_block) wait_for_writes(address, size);
        if (pending_count_ == 0) store_begin_ = store_end_ = address;
        store_end_ = std::max(store_end_, address + size);
        PendingWrite& write = pending_[pending_count_++];
        write = {&array, offset, static_cast<unsigned>(size), {}, before, now, site};
        std::memcpy(write.old_value, reinterpret_cast<const void*>(address), size);
        attention_ = 1;
        return;
    }
    if (before_wrote && !now_writes && host::is_atomic(before) && !host::is_atomic(now)) {
        if (held_.array == &array && held_.offset == offset) return;
        resolve_read();
        held_ = {&array, offset, static_cast<unsigned>(size), before, now, site};
        return;
    }
    race(array, offset, before, now, before_wrote, now_writes, static_cast<unsigned>(size), site);
}

GPU_ON_KERNEL_STACK bool BlockWatch::is_ordered(Stamp before, unsigned thread) const {
    if (facts_.several_workers) facts_.releases.mutex.lock();
    const bool ordered = clock_.ordered(before, thread);
    if (facts_.several_workers) facts_.releases.mutex.unlock();
    return ordered;
}

// An atomic write follows a plain one of this launch: the cell forgets the plain one, but other threads' atomics may
// not be ordered after it.
void BlockWatch::keep_plain_write(const CheckedArray& array, std::size_t offset, Stamp plain) {
    if (facts_.several_workers) facts_.releases.mutex.lock();
    facts_.plain_writes[array.start + offset] = plain;
    facts_.has_plain_writes.store(true, std::memory_order_relaxed);
    if (facts_.several_workers) facts_.releases.mutex.unlock();
}

void BlockWatch::check_plain_write(CheckedArray& array, std::size_t offset, Stamp now, bool now_writes,
                                   std::size_t size, std::size_t site) {
    if (facts_.several_workers) facts_.releases.mutex.lock();
    const auto found = facts_.plain_writes.find(array.start + offset);
    const Stamp before = found != facts_.plain_writes.end() ? found->second : 0;
    const bool in_order = before == 0 || same_thread(before, now) ||
                          (array.space == Space::shared && before < clock_.floor() + clock_.span()) ||
                          clock_.ordered(before, thread_of(now));
    if (facts_.several_workers) facts_.releases.mutex.unlock();
    if (!in_order) race(array, offset, before, now, true, now_writes, static_cast<unsigned>(size), site);
}

// The last writer of an element; 0 if its cell has another size.
Stamp BlockWatch::last_write(CheckedArray& array, std::size_t offset, std::size_t size) const {
    if (offset + size > array.bytes) return 0;
    if (facts_.several_workers) lock_part(array, offset);
    const Stamp write = array.must_split(offset, size) ? 0 : array.cells(offset, size)->write;
    if (facts_.several_workers) unlock_part(array, offset);
    return write;
}

// Atomics of block scope are atomic only among the threads of one block.
void BlockWatch::check_scope(CheckedArray& array, std::size_t offset, Stamp now, std::size_t size, std::size_t site) {
    const std::uintptr_t address = array.start + offset;
    Stamp before = 0;
    if (block_scope_) {
        const Stamp write = last_write(array, offset, size);
        if (write >= launch_floor_ && host::is_atomic(write)) before = write;
    }
    if (facts_.several_workers) facts_.releases.mutex.lock();
    if (const auto known = facts_.block_scope_atomics.find(address); known != facts_.block_scope_atomics.end())
        before = known->second;
    if (block_scope_) {
        facts_.block_scope_atomics[address] = now;
        facts_.has_block_scope_atomics.store(true, std::memory_order_relaxed);
    }
    const bool in_order = before == 0 || clock_.is_own(serial_of(before)) || clock_.ordered(before, thread_of(now));
    if (facts_.several_workers) facts_.releases.mutex.unlock();
    if (in_order) return;
    facts_.log.add({FindingKind::inter_block_race, &array, arrays_.name_of(array), site}, found_at(), [&] {
        RawFinding finding =
            writer_.two_sides(FindingKind::inter_block_race, array, offset, before, now, true, true, size, site);
        finding.advice =
            "an atomic function that ends in _block is atomic among the threads of one block, as "
            "thread_scope_block is: use the one without _block, or thread_scope_device, where several blocks share the "
            "element";
        return finding;
    });
}

// A volatile read followed by a volatile write by one thread, with nothing to keep other threads' writes from coming in
// between. Whether both are on one line, as in c[0] += 1, is known after the launch.
void BlockWatch::check_volatile_update(CheckedArray& array, std::size_t offset, Stamp before, Stamp now,
                                       std::size_t size, std::size_t site) {
    const VolatileUse& read = volatile_uses_[thread_of(now)];
    if (read.address != array.start + offset || before < launch_floor_ || same_thread(before, now)) return;
    if (is_ordered(before, thread_of(now))) return;
    const bool own = clock_.is_own(serial_of(before));
    const FindingKind kind = own ? FindingKind::missing_barrier : FindingKind::inter_block_race;
    facts_.log.add({kind, &array, arrays_.name_of(array), site}, found_at(), [&] {
        RawFinding finding = writer_.two_sides(kind, array, offset, before, now, true, true, size, site);
        finding.volatile_update = true;
        finding.action.verb = finding.other.verb = "changes";
        finding.other.site = read.site;
        return finding;
    });
}

// The array's cells have a new size and a new place.
GPU_ON_KERNEL_STACK void BlockWatch::forget_cells(const CheckedArray& array) {
    for (std::size_t number = 0; number <= unknown_site; ++number)
        if (slots_[number].array == &array) slots_[number].cell_count = 0;
    splits_ = ++facts_.splits;
}

GPU_ON_KERNEL_STACK void BlockWatch::look_at_cells_anew() {
    if (splits_ == facts_.splits) return;
    splits_ = facts_.splits;
    for (std::size_t number = 0; number <= unknown_site; ++number) slots_[number].cell_count = 0;
}

// Other workers access the array, too: an access that splits its cells, or spans two parts, takes the locks of all
// parts. Lock order: only code that takes all parts, in order, may hold more than one.
GPU_ON_KERNEL_STACK __attribute__((noinline)) void BlockWatch::remember_among_workers(CheckedArray& array,
                                                                                      std::size_t offset,
                                                                                      std::size_t size, Access kind,
                                                                                      unsigned number, unsigned thread,
                                                                                      std::size_t site) {
    announce_write(0);
    lock_part(array, offset);
    if (!array.must_split(offset, size) && offset / array.locked == (offset + size - 1) / array.locked) {
        remember(array, offset, size, kind, number, thread, site);
        if (kind == Access::write) announce_write(array.start + offset);
        unlock_part(array, offset);
        return;
    }
    unlock_part(array, offset);
    for (std::size_t k = 0; k < std::size(array.locks); ++k) lock_part(array, k * array.locked);
    remember(array, offset, size, kind, number, thread, site);
    if (kind == Access::write) announce_write(array.start + offset);
    for (std::size_t k = 0; k < std::size(array.locks); ++k) unlock_part(array, k * array.locked);
}

// Slow path: the instruction last accessed another array, so look this one up. False if the memory isn't checked.
GPU_ON_KERNEL_STACK bool BlockWatch::find(SiteSlot& slot, std::uintptr_t address, std::size_t size, Access kind,
                                          std::size_t site) {
    KernelStacks& stacks = worker_.stacks();
    const auto frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    const int own = stacks.stack_of(frame);
    // What follows takes locks, and must not fault.
    if (!has_stack_left(frame)) {
        writer_.fatal(fatal_, FindingKind::stack_overflow, site);
        fail();
    }
    if (const int stack = stacks.stack_of(address); stack >= 0) {
        if (stack != own) out_of_bounds(address, size, kind, site);
        const auto thread = static_cast<unsigned>(scheduler_.current());
        if (const LocalArray* const unwritten = locals_.access(thread, address, size, reads(kind)))
            writer_.uninitialized_local(found_at(), *unwritten, address, site);
        return false;
    }
    slot.counts = nullptr;
    slot.cell_count = 0;
    slot.array = arrays_.find(address, slot.counted);
    if (slot.array != nullptr && slot.array->name.empty() && slot.array->space == Space::shared) {
        slot = SiteSlot{};  // a compiler's guard: not watched
        return false;
    }
    if (slot.array != nullptr && slot.array->is_heap) {
        if (!facts_.heap.is_allocated(address, size)) out_of_bounds(address, size, kind, site);
        slot.start = slot.array->start;
        slot.last = 0;
        return true;
    }
    if (slot.array != nullptr && address - slot.array->start + size <= slot.array->bytes) {
        if (slot.array->is_constant && writes(kind)) {
            log_access(FindingKind::constant_write, "writes", *slot.array, address - slot.array->start, size, site);
            slot = SiteSlot{};
            return false;
        }
        if (slot.array->is_never_set) uninitialized(*slot.array, address - slot.array->start, size, site);
        slot.start = slot.array->start;
        slot.last = slot.array->bytes - size;
        return true;
    }
    slot = SiteSlot{};
    // Constants without a name, which are the compiler's tables; and parameters that are structures.
    const ModuleSymbols& symbols = facts_.module.symbols();
    const bool is_table = address - facts_.module.base() < symbols.object_end;
    if (kind == Access::read && (is_table || arrays_.is_argument(address))) return false;
    out_of_bounds(address, size, kind, site);
}

// Findings are stored in the launch's log, or as the fatal finding. This also runs on kernels' stacks; functions that
// don't return leave no locals behind.

bool BlockWatch::is_unwritten(std::uintptr_t address, std::size_t size) {
    std::uintptr_t counted = 0;
    CheckedArray* const array = arrays_.find(address, counted);
    if (array == nullptr) return false;
    const std::size_t offset = address - array->start;
    if (array->space != Space::shared) return array->untouched(offset, size);
    if (array->verified_reader() == nullptr) return true;   // no access so far
    for (std::size_t k = offset >> array->shift(); k <= (offset + size - 1) >> array->shift(); ++k)
        if (!is_unwritten(array->cell(k))) return false;
    return true;
}

// A structure may have unwritten padding: it's a finding only if everything read at once is missing.
void BlockWatch::uninitialized(CheckedArray& array, std::size_t offset, std::size_t size, std::size_t site) {
    if (array.space == Space::global) {
        const bool missing = array.untouched(offset, size);
        array.initialize(offset, size);
        if (!missing) return;
    }
    if (may_be_padding_) return;
    log_access(FindingKind::uninitialized_read, "reads", array, offset, size, site);
}

void BlockWatch::race(CheckedArray& array, std::size_t offset, Stamp before, Stamp now, bool before_wrote,
                      bool now_writes, unsigned size, std::size_t site) {
    if (before < launch_floor_)
        return missing_event(array, offset, before, now, before_wrote, now_writes, size, site);
    if (is_under_way(before)) return copy_race(array, offset, before, now, before_wrote, now_writes, size, site);
    FindingKind kind = FindingKind::missing_barrier;
    if (!clock_.is_own(serial_of(before)))
        kind = FindingKind::inter_block_race;
    else if (thread_of(before) / 32 == thread_of(now) / 32)
        kind = FindingKind::missing_syncwarp;
    if (host::is_atomic(before) && host::is_atomic(now))
        return volatile_race(kind, array, offset, before, now, before_wrote, now_writes, size, site);
    const bool several_write = before_wrote && now_writes && !host::is_atomic(before) && !host::is_atomic(now);
    const bool one_line_writes = several_write && facts_.module.site_offset(site_of(before)) == site;
    const auto make = [&] {
        RawFinding finding =
            writer_.two_sides(kind, array, offset, before, now, before_wrote, now_writes, size, site);
        finding.behind_flag =
            before_wrote && !host::is_atomic(before) && has_seen_flag_of(before, thread_of(now));
        return finding;
    };
    facts_.log.add({kind, array.space == Space::global ? &array : nullptr, arrays_.name_of(array), 0}, found_at(), make,
                   several_write, one_line_writes);
}

// Volatile reads of what atomic functions write are correct, and so are atomic functions on what volatile writes wrote.
bool BlockWatch::is_by_volatile(Stamp before, Stamp now, bool before_wrote, bool now_writes) const {
    const auto is_volatile = [this](Stamp stamp) {
        return site_of(stamp) != unknown_site && facts_.volatile_sites[site_of(stamp)].load(std::memory_order_relaxed);
    };
    if (!is_volatile(now)) return false;
    if (before_wrote && now_writes) return volatile_uses_[thread_of(now)].writer != before;
    return is_volatile(before);
}

// Whether the element is a flag is known after the launch.
void BlockWatch::volatile_race(FindingKind kind, CheckedArray& array, std::size_t offset, Stamp before, Stamp now,
                               bool before_wrote, bool now_writes, unsigned size, std::size_t site) {
    constexpr unsigned max_races = 256;   // per launch
    const std::uintptr_t address = array.start + offset;
    if (facts_.volatile_races.fetch_add(1, std::memory_order_relaxed) >= max_races) return;
    facts_.log.add({kind, array.space == Space::global ? &array : nullptr, arrays_.name_of(array), address}, found_at(),
                   [&] {
                       RawFinding finding = writer_.two_sides(kind, array, offset, before, now, before_wrote,
                                                              now_writes, size, site);
                       finding.volatile_address = address;
                       for (Action* const one : {&finding.action, &finding.other})
                           if (one->verb == "updates") one->verb = "writes";
                       return finding;
                   });
}

// The earlier access was made by work of another stream, which this launch isn't ordered after.
void BlockWatch::missing_event(CheckedArray& array, std::size_t offset, Stamp before, Stamp now, bool before_wrote,
                               bool now_writes, unsigned size, std::size_t site) {
    const StreamOperation* const other = operation_of(facts_.unordered, serial_of(before));
    if (other == nullptr) return;
    facts_.log.add({FindingKind::missing_event, &array, arrays_.name_of(array), 0}, found_at(), [&] {
        return writer_.missing_event(array, offset, *other, before, now, before_wrote, now_writes, size, site);
    });
}

// True if the thread's last atomic or volatile read was of an element that the writer has written, too.
bool BlockWatch::has_seen_flag_of(Stamp writer, unsigned thread) {
    const std::uintptr_t flag = polls_.last_place(thread);
    if (flag == 0 || facts_.several_workers) return false;
    std::uintptr_t counted = 0;
    CheckedArray* const array = arrays_.find(flag, counted);
    return array != nullptr && same_thread(last_write(*array, flag - array->start, 1U << array->shift()), writer);
}

void* BlockWatch::allocate(unsigned long long bytes, std::size_t site) {
    return facts_.heap.allocate(bytes, {.module = facts_.kernel.shared_checked(),
                                        .kernel = facts_.kernel.name(),
                                        .site = site,
                                        .block = facts_.block_index(block_),
                                        .thread = scheduler_.index_of(scheduler_.current())});
}

void BlockWatch::release(void* data, int line, std::size_t site) {
    if (facts_.heap.release(data)) return;
    writer_.fatal(fatal_, FindingKind::failed_assertion, site);
    if (line > 0) fatal_.action.place = {facts_.module.learners().file, line};
    fatal_.detail = "what is freed there wasn't given by malloc() or new, or was freed before";
    fail();
}

void BlockWatch::log_access(FindingKind kind, const char* verb, const CheckedArray& array, std::size_t offset,
                            std::size_t size, std::size_t site) {
    facts_.log.add({kind, &array, arrays_.name_of(array), site}, found_at(),
                   [&] { return writer_.access(kind, verb, array, offset, size, site); });
}

void BlockWatch::rewrite(const PendingWrite& write) {
    if (write.array->space != Space::global || write.before < launch_floor_) return;
    facts_.log.add_rewrite(found_at(), [&] {
        return writer_.two_sides(FindingKind::inter_block_race, *write.array, write.offset, write.before, write.now,
                                 true, true, write.size, write.site);
    });
}

// Not instrumented: this leaves the kernel, and nothing in this frame is destroyed.
GPU_ON_KERNEL_STACK void BlockWatch::fail() {
    Fault fault;
    fault.kind = Fault::Kind::checked;
    worker_.fail(fault);
}

GPU_ON_KERNEL_STACK void BlockWatch::out_of_bounds(std::uintptr_t address, std::size_t size, Access kind,
                                                   std::size_t site) {
    record(nullptr, address, size, kind, site);
    const char* const verb = kind >= Access::atomic_exchange ? "updates" : writes(kind) ? "writes" : "reads";
    writer_.outside(fatal_, verb, address, size, site);
    fail();
}

// clang copies a float4 with memcpy() and doesn't report alignment. If one side is an array of such a type, and the
// line itself calls no memcpy(), the other side must be aligned as well.
GPU_ON_KERNEL_STACK void BlockWatch::check_vector_copy(const void* to, const void* from, const void* site) {
    for (const void* const side : {to, from}) {
        const auto bad = reinterpret_cast<std::uintptr_t>(side),
                   other = reinterpret_cast<std::uintptr_t>(side == to ? from : to);
        if (bad % 16 == 0 || other % 16 != 0) continue;
        if (!arrays_.copies_vectors(other, reinterpret_cast<std::uintptr_t>(site) - text_begin_)) continue;
        writer_.misaligned(fatal_, nullptr, bad, 16, reinterpret_cast<std::uintptr_t>(site) - text_begin_);
        fail();
    }
}

BlockWatch::VolatileUse& BlockWatch::volatile_use_of(unsigned thread) {
    if (volatile_uses_ == nullptr) volatile_uses_.reset(new VolatileUse[max_block_threads]);
    return volatile_uses_[thread];
}

// A volatile access can carry a flag, like an atomic one, but makes no data safe: see is_by_volatile().
GPU_ON_KERNEL_STACK void BlockWatch::access_volatile(std::uintptr_t address, std::size_t size, bool write,
                                                     const void* site) {
    std::uintptr_t counted = 0;
    CheckedArray* const array = arrays_.find(address, counted);
    const auto thread = static_cast<unsigned>(scheduler_.current());
    const std::size_t place = reinterpret_cast<std::uintptr_t>(site) - text_begin_;
    const std::size_t offset = array != nullptr ? address - array->start : 0;
    if (array != nullptr && !write && size <= sizeof(std::uint64_t) && offset + size <= array->bytes)
        poll_place(thread, *array, address, size, place);
    if (array == nullptr) return access(address, size, write ? Access::write : Access::read, site);
    const unsigned number = number_at(place);
    facts_.volatile_sites[number].store(number != unknown_site, std::memory_order_relaxed);
    VolatileUse& use = volatile_use_of(thread);
    const Stamp before = last_write(*array, offset, size);
    if (write && use.is_fenced) facts_.add_flag(address, LaunchFacts::released);
    access(address, size, write ? Access::atomic_write : Access::atomic_read, site, false);
    if (write && before != 0)
        check_volatile_update(*array, offset, before, clock_.now() | Stamp{thread} << thread_shift | atomic_bit, size,
                              place);
    use = write ? VolatileUse{} : VolatileUse{address, place, before, use.is_fenced};
    if (facts_.several_workers) facts_.releases.mutex.lock();
    if (write)
        clock_.release(thread, carrier(array, address));
    else
        clock_.acquire(thread, carrier(array, address));
    if (facts_.several_workers) facts_.releases.mutex.unlock();
    SiteRecord* known = nullptr;
    count(address, size, write ? Access::write : Access::read, *array, thread, place, known);
}

// Called before the read itself. Others may run meanwhile, and then the kernel reads what they wrote.
GPU_ON_KERNEL_STACK void BlockWatch::poll_place(unsigned thread, CheckedArray& array, std::uintptr_t address,
                                                std::size_t size, std::size_t site) {
    const auto value = [address, size] {
        std::uint64_t bits = 0;
        std::memcpy(&bits, reinterpret_cast<const void*>(address), size);
        return bits;
    };
    const std::uint64_t now = value();
    poll(thread, array, address, now, size, site, last_site_ == site);
    if (const std::uint64_t then = value(); then != now) poll(thread, array, address, then, size, site, true);
}

// The value of a volatile read or an atomic: a thread that reads it repeatedly waits for another one, which must run.
GPU_ON_KERNEL_STACK void BlockWatch::poll(unsigned thread, CheckedArray& array, std::uintptr_t address,
                                          std::uint64_t value, std::size_t size, std::size_t site, bool alone) {
    resolve_write();  // others may run now
    const SpinDetector::Outcome outcome = polls_.polled(thread, address, value, size, site, alone);
    look_at_cells_anew();
    last_site_ = site;
    if (outcome != SpinDetector::Outcome::go_on) {
        given_up_ = outcome == SpinDetector::Outcome::given_up;
        if (!given_up_) polls_.deadlock(fatal_);
        fail();
    }
    if (polls_.has_waited(thread)) later_block(array, address, thread, size, site);
}

void BlockWatch::later_block(CheckedArray& array, std::uintptr_t address, unsigned thread, std::size_t size,
                             std::size_t site) {
    const Stamp writer = last_write(array, address - array.start, size);
    if (std::optional<RawFinding> finding = polls_.waited_for_later_block(thread, writer))
        facts_.log.add({FindingKind::deadlock, &array, arrays_.name_of(array), site}, found_at(),
                       [&] { return std::move(*finding); });
}

// Asynchronous copies: from the call until the wait, their source and target are in use.

namespace {

// The largest access that a GPU makes to such bytes.
std::size_t piece_of(std::uintptr_t address, std::size_t size) noexcept {
    return std::size_t{1} << std::min(std::countr_zero(address | size), 4);
}

}  // namespace

// Compilers merge calls, so a copy's line identifies it.
GPU_ON_KERNEL_STACK const void* BlockWatch::copy_site(const gpu_copy& copy) const noexcept {
    const std::size_t place = facts_.module.site_of_line(copy.line);
    return place != 0 ? reinterpret_cast<const void*>(text_begin_ + place) : copy.site;
}

// Called before the copy: it may read at once, so its source must be complete, and its target no longer in use.
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

// Also null for a thread's own memory, and where other workers would have to be consulted: such an access is only
// checked when it happens.
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

// Turns the copy's read into an ordinary one made now; the write follows separately.
GPU_ON_KERNEL_STACK void BlockWatch::unmark(std::uintptr_t address, std::size_t size, const gpu_copy& copy) {
    std::uintptr_t counted = 0;
    CheckedArray* const array = arrays_.find(address, counted);
    if (array == nullptr || address - array->start + size > array->bytes || array->verified_reader() == nullptr) return;
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

// `before` belongs to an asynchronous copy.
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
