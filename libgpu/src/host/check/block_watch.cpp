// SPDX-License-Identifier: MIT
#include "host/check/block_watch.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "host/check/block_watch_hot.hpp"

namespace gpu::detail::host {

namespace {

constexpr std::size_t stack_reserve = std::size_t{12} * 1024;
constexpr std::size_t counted_alignment = 256;  // of arrays on a GPU

std::uintptr_t round_up(std::uintptr_t value, std::size_t to) { return (value + to - 1) / to * to; }

// Numbers of places that aren't instructions: lines of barriers and warp operations.
constexpr WorkCounter::Site line_site(int line) { return WorkCounter::Site{1} << 40 | static_cast<unsigned>(line); }

}  // namespace

BlockWatch::BlockWatch(LaunchFacts& facts, Worker& worker, gpu_thread_state* state)
    : facts_(facts),
      worker_(worker),
      scheduler_(worker.scheduler()),
      text_begin_(facts.module.text_begin()),
      numbers_(facts.module.site_numbers()),
      slots_(new SiteSlot[unknown_site + 1]),
      launch_floor_(time_of(facts.first_serial, 0)),
      clock_(facts.releases) {
    const std::uintptr_t own = reinterpret_cast<std::uintptr_t>(state) - facts.module.symbols().state_offset;
    std::uintptr_t counted = 0;
    for (const ModuleVariable& variable : facts.module.symbols().variables) {
        const bool dynamic = variable.name == "gpu_dynamic_shared";
        const Space space = variable.is_shared ? Space::shared : Space::module;
        const std::uintptr_t start = (variable.is_shared ? own : facts.module.base()) + variable.offset;
        auto array = std::make_unique<CheckedArray>(space, start, dynamic ? facts.dynamic_shared : variable.bytes);
        array->name = dynamic ? facts.module.dynamic_shared_name() : variable.name;
        if (!variable.is_shared) {
            objects_.push_back(std::move(array));
            continue;
        }
        if (shared_.empty()) shared_begin_ = start;
        shared_end_ = start + variable.bytes;
        shared_.push_back({std::move(array), counted});
        counted = round_up(counted + variable.bytes, 128);
    }
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
    block_ = block;
    order_ = order;
    step_ = 0;
    const unsigned threads = facts_.block.x * facts_.block.y * facts_.block.z;
    clock_.begin_block(facts_.first_serial + block, threads);
    counter_.begin_block(threads);
    pending_.array = nullptr;
    held_.array = nullptr;
    attention_ = 0;
    atomic_begins_ = false;
}

void BlockWatch::end_block(bool succeeded) {
    resolve_write();
    resolve_read();
    if (succeeded)
        counter_.end_block();
    else
        counter_.abandon_block();
}

GPU_ON_KERNEL_STACK void BlockWatch::barrier_opens(int line) noexcept {
    clock_.barrier();
    counter_.barrier(line_site(line));
}

GPU_ON_KERNEL_STACK void BlockWatch::warp_done(int warp, std::uint32_t lanes, std::uint32_t live, int operation,
                                               int line) noexcept {
    resolve_write();
    resolve_read();
    if (operation == gpu_warp_sync) clock_.warp_sync(warp, lanes, live);
    counter_.warp_operation(line_site(line), static_cast<unsigned>(warp), lanes);
}

GPU_ON_KERNEL_STACK void BlockWatch::thread_waits(int thread) noexcept {
    resolve_write();
    resolve_read();
    counter_.thread_waits(static_cast<unsigned>(thread));
}

GPU_ON_KERNEL_STACK void BlockWatch::thread_ends(int thread) noexcept {
    resolve_write();
    resolve_read();
    counter_.thread_ends(static_cast<unsigned>(thread));
}

// Another thread wrote, too. The same value again does no harm ("found = true"), and which value it is shows once the
// write has happened: at the next access, or the one after if that only reads, as copies of structures are told in the
// order write, read.
GPU_ON_KERNEL_STACK void BlockWatch::review_pending(bool writes_now) {
    if (pending_.array == nullptr) {
        attention_ = 0;
        return;
    }
    if (writes_now || pending_.patience-- == 0) resolve_write();
}

GPU_ON_KERNEL_STACK void BlockWatch::resolve_write() {
    attention_ = 0;
    if (pending_.array == nullptr) return;
    const PendingWrite write = pending_;
    pending_.array = nullptr;
    std::uint64_t value = 0;
    std::memcpy(&value, reinterpret_cast<const void*>(write.array->start + write.offset), write.size);
    if (value != write.old_value)
        race(*write.array, write.offset, write.before, write.now, true, true, write.size, write.site);
}

GPU_ON_KERNEL_STACK void BlockWatch::resolve_read() {
    if (held_.array == nullptr) return;
    const HeldRead read = held_;
    held_.array = nullptr;
    race(*read.array, read.offset, read.before, read.now, true, false, read.size, read.site);
}

// The running thread executes atomicCAS() on this place.
GPU_ON_KERNEL_STACK void BlockWatch::on_compare_and_swap(std::uintptr_t address) {
    if (held_.array != nullptr && held_.array->start + held_.offset == address) held_.array = nullptr;
}

GPU_ON_KERNEL_STACK void BlockWatch::check_conflict(CheckedArray& array, const Cell* cell, Stamp before, Stamp now,
                                                    bool before_wrote, bool now_writes, std::size_t size,
                                                    std::size_t site) {
    if (host::is_atomic(before) && host::is_atomic(now)) return;
    const bool other_block = !clock_.is_own(serial_of(before));
    if (other_block && array.space == Space::shared) return;
    if (facts_.several_workers) facts_.releases.mutex.lock();
    const bool ordered = clock_.ordered(before, thread_of(now));
    if (facts_.several_workers) facts_.releases.mutex.unlock();
    if (ordered) return;
    const std::size_t offset = static_cast<std::size_t>(cell - array.cells(0, size)) << array.shift();
    if (before_wrote && now_writes && size <= 8 && !host::is_atomic(before) && !host::is_atomic(now)) {
        resolve_write();
        pending_ = {&array, offset, static_cast<unsigned>(size), 1, 0, before, now, site};
        std::memcpy(&pending_.old_value, reinterpret_cast<const void*>(array.start + offset), size);
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

CheckedArray* BlockWatch::array_at(std::uintptr_t address, std::uintptr_t& counted) {
    if (address - shared_begin_ < shared_end_ - shared_begin_) {
        for (const SharedVariable& variable : shared_) {
            if (address - variable.array->start >= variable.array->bytes) continue;
            counted = variable.counted;
            return variable.array.get();
        }
        return nullptr;
    }
    for (const auto& object : objects_) {
        if (address - object->start >= object->bytes) continue;
        counted = round_up(object->start, counted_alignment);
        return object.get();
    }
    CheckedArray* const array = facts_.memory.find(facts_.guarded, address);
    if (array != nullptr) counted = round_up(array->start, counted_alignment);
    return array;
}

// The array's cells have another size now, and lie elsewhere.
GPU_ON_KERNEL_STACK void BlockWatch::forget_cells(const CheckedArray& array) {
    for (std::size_t number = 0; number <= unknown_site; ++number)
        if (slots_[number].array == &array) slots_[number].cell_count = 0;
}

// Other workers access the array, too: what splits its cells, or spans two parts, takes all parts of it. Nobody waits
// for one part while holding another but who takes all of them, in order.
GPU_ON_KERNEL_STACK __attribute__((noinline)) void BlockWatch::remember_among_workers(CheckedArray& array,
                                                                                      std::size_t offset,
                                                                                      std::size_t size, Access kind,
                                                                                      unsigned number, unsigned thread,
                                                                                      std::size_t site) {
    lock_part(array, offset);
    if (!array.must_split(offset, size) && offset / array.locked == (offset + size - 1) / array.locked) {
        remember(array, offset, size, kind, number, thread, site);
        unlock_part(array, offset);
        return;
    }
    unlock_part(array, offset);
    for (std::size_t k = 0; k < std::size(array.locks); ++k) lock_part(array, k * array.locked);
    remember(array, offset, size, kind, number, thread, site);
    for (std::size_t k = 0; k < std::size(array.locks); ++k) unlock_part(array, k * array.locked);
}

// An access that spans several cells.
GPU_ON_KERNEL_STACK __attribute__((noinline)) void BlockWatch::remember_cells(CheckedArray& array, Cell* cell,
                                                                              std::size_t offset, std::size_t size,
                                                                              Access kind, Stamp now, Stamp floor,
                                                                              std::size_t site) {
    const std::size_t step = std::size_t{1} << array.shift();
    for (std::size_t at = 0; at < size; at += step) {
        if (array.space == Space::shared)
            remember_cell<true>(array, cell++, offset + at, step, kind, now, floor, site);
        else
            remember_cell<false>(array, cell++, offset + at, step, kind, now, floor, site);
    }
}

// Where an access goes whose instruction went elsewhere before. False: nothing of it is to be checked.
GPU_ON_KERNEL_STACK bool BlockWatch::find(SiteSlot& slot, std::uintptr_t address, std::size_t size, Access kind,
                                          std::size_t site) {
    KernelStacks& stacks = worker_.stacks();
    const auto frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    const int own = stacks.stack_of(frame);
    // What follows takes locks, and must not fault.
    if (own >= 0 && frame - stacks.bottom(own) < page_size() + stack_reserve) {
        prepare_overflow(site);
        fail();
    }
    if (const int stack = stacks.stack_of(address); stack >= 0) {
        if (stack != own) out_of_bounds(address, size, kind, site);
        return false;
    }
    slot.counts = nullptr;
    slot.cell_count = 0;
    slot.array = array_at(address, slot.counted);
    if (slot.array != nullptr && slot.array->name.empty() && slot.array->space == Space::shared) {
        slot = SiteSlot{};  // a compiler's guard: not watched
        return false;
    }
    if (slot.array != nullptr && address - slot.array->start + size <= slot.array->bytes) {
        slot.start = slot.array->start;
        slot.last = slot.array->bytes - size;
        return true;
    }
    slot = SiteSlot{};
    // Constants without a name: tables that the compiler made.
    const ModuleSymbols& symbols = facts_.module.symbols();
    if (kind == Access::read && address - facts_.module.base() < symbols.object_end) return false;
    out_of_bounds(address, size, kind, site);
}

}  // namespace gpu::detail::host
