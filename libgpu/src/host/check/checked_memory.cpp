// SPDX-License-Identifier: MIT
#include "host/check/checked_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <system_error>
#include <utility>

#include <gpu/error.hpp>

#include "host/base/own_thread.hpp"
#include "host/device_library/device_library.hpp"

namespace gpu::detail::host {

namespace {

constexpr std::size_t huge = std::size_t{4} << 20;

// Calls f(word, mask) for each word of the bits [from, from + count).
template <class F>
bool for_words(std::size_t from, std::size_t count, F&& f) {
    while (count > 0) {
        const std::size_t bit = from % 64, here = std::min(count, 64 - bit);
        const std::uint64_t ones = here == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << here) - 1;
        if (!f(from / 64, ones << bit)) return false;
        from += here;
        count -= here;
    }
    return true;
}

}  // namespace

ZeroedMemory::ZeroedMemory(std::size_t bytes) : bytes_(std::max<std::size_t>(bytes, 1)) {
    void* const memory =
        ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw OutOfMemory(bytes_, {}, "check mode (what it remembers of each element)");
    if (bytes_ >= huge) ::madvise(memory, bytes_, MADV_HUGEPAGE);
    data_ = memory;
}

ZeroedMemory::~ZeroedMemory() {
    if (data_ != nullptr) ::munmap(data_, bytes_);
}

ZeroedMemory::ZeroedMemory(ZeroedMemory&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

ZeroedMemory& ZeroedMemory::operator=(ZeroedMemory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
}

void ZeroedMemory::clear() noexcept {
    if (data_ != nullptr) ::madvise(data_, bytes_, MADV_DONTNEED);
}

void CheckedArray::split(std::size_t alignment) {
    const auto wanted = static_cast<unsigned>(std::min(std::countr_zero(alignment), 4));
    const std::size_t count = (bytes >> wanted) + 2;
    ZeroedMemory more(count * (sizeof(Cell) + sizeof(Stamp)));
    if (cells_ != nullptr) {
        const std::size_t old_count = (bytes + (std::size_t{1} << shift_) - 1) >> shift_;
        const std::size_t parts = std::size_t{1} << (shift_ - wanted);
        for (std::size_t k = 0; k < old_count; ++k) {
            const Cell cell = cells_[k];
            if ((cell.write | cell.read[0] | cell.read[1]) == 0) continue;
            for (std::size_t part = k * parts; part < std::min((k + 1) * parts, count); ++part)
                more.as<Cell>()[part] = cell;
        }
    }
    memory_ = std::move(more);
    cells_ = memory_.as<Cell>();
    verified_reader_ = reinterpret_cast<Stamp*>(cells_ + count);
    shift_ = wanted;
    mask_ = (std::size_t{1} << wanted) - 1;
}

void CheckedArray::forget_values() {
    bit_memory_ = ZeroedMemory((bytes + 63) / 64 * 8);
    bits_ = bit_memory_.as<std::uint64_t>();
}

bool CheckedArray::initialized(std::size_t offset, std::size_t size) const noexcept {
    return bits_ == nullptr || for_words(offset, size, [this](std::size_t word, std::uint64_t mask) {
               return (std::atomic_ref(bits_[word]).load(std::memory_order_relaxed) & mask) == mask;
           });
}

bool CheckedArray::untouched(std::size_t offset, std::size_t size) const noexcept {
    return bits_ != nullptr && for_words(offset, size, [this](std::size_t word, std::uint64_t mask) {
               return (std::atomic_ref(bits_[word]).load(std::memory_order_relaxed) & mask) == 0;
           });
}

void CheckedArray::initialize(std::size_t offset, std::size_t size) noexcept {
    if (bits_ == nullptr) return;
    for_words(offset, size, [this](std::size_t word, std::uint64_t mask) {
        std::atomic_ref bits(bits_[word]);
        if ((bits.load(std::memory_order_relaxed) & mask) != mask) bits.fetch_or(mask, std::memory_order_relaxed);
        return true;
    });
}

CheckedArray::Reached CheckedArray::reached(std::uint64_t first_serial, std::uint64_t end_serial) const noexcept {
    Reached found;
    const auto is_in = [&](Stamp stamp) {
        return serial_of(stamp) >= first_serial && serial_of(stamp) < end_serial && stamp != 0;
    };
    const std::size_t count = cells_ == nullptr ? 0 : (bytes + (std::size_t{1} << shift_) - 1) >> shift_;
    for (std::size_t k = 0; k < count; ++k) {
        const Cell& one = cells_[k];
        const bool is_written = is_in(one.write);
        if (!is_written && !is_in(one.read[0]) && !is_in(one.read[1])) continue;
        if (found.end == 0) found.begin = k << shift_;
        found.end = std::min((k + 1) << shift_, bytes);
        found.is_written = found.is_written || is_written;
    }
    return found;
}

CheckedArray* CheckedMemory::find(const GuardedMemory& memory, std::uintptr_t address) {
    const std::lock_guard lock(mutex_);
    if (auto after = arrays_.upper_bound(address); after != arrays_.begin()) {
        CheckedArray& array = *(--after)->second.array;
        if (address - array.start < array.bytes) return &array;
    }
    NearArray near;
    const bool is_own = memory.find(address, near) && !near.freed && address - near.start < near.bytes;
    if (!is_own && !find_foreign(address, near)) return nullptr;
    auto array = std::make_unique<CheckedArray>(Space::global, near.start, near.bytes);
    if (!near.written) array->forget_values();
    if (near.dtype >= 0) array->element = static_cast<unsigned>(size_of(static_cast<DType>(near.dtype)));
    CheckedArray* const result = array.get();
    arrays_[near.start] = {std::move(array), &memory};
    return result;
}

// Overlapping pieces are treated as one.
bool CheckedMemory::find_foreign(std::uintptr_t address, NearArray& array) const {
    std::uintptr_t begin = address, end = address + 1;
    bool is_found = false;
    for (bool grows = true; grows;) {
        grows = false;
        for (const auto& [start, bytes] : foreign_) {
            if (start >= end || start + bytes <= begin) continue;
            grows = grows || start < begin || start + bytes > end;
            is_found = true;
            begin = std::min(begin, start);
            end = std::max(end, start + bytes);
        }
    }
    if (is_found) array = {.start = begin, .bytes = end - begin, .name = {}, .freed = false, .written = true};
    return is_found;
}

void CheckedMemory::add_foreign(const void* data, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    const auto start = reinterpret_cast<std::uintptr_t>(data);
    if (bytes > 0) foreign_.emplace(start, bytes);
}

void CheckedMemory::remove_foreign(const void* data, std::size_t bytes) noexcept {
    const std::lock_guard lock(mutex_);
    const auto start = reinterpret_cast<std::uintptr_t>(data);
    for (auto piece = foreign_.lower_bound(start); piece != foreign_.end() && piece->first == start;) {
        const std::uintptr_t end = start + piece->second;
        if (bytes != 0 && piece->second != bytes) {
            ++piece;
            continue;
        }
        std::erase_if(arrays_, [&](const auto& entry) {
            return entry.first < end && start < entry.first + entry.second.array->bytes;
        });
        piece = foreign_.erase(piece);
        if (bytes != 0) return;
    }
}

std::vector<const CheckedArray*> CheckedMemory::foreign_arrays() {
    const std::lock_guard lock(mutex_);
    std::vector<const CheckedArray*> found;
    if (foreign_.empty()) return found;
    for (const auto& [start, entry] : arrays_)
        if (NearArray array; entry.array != nullptr && find_foreign(start, array)) found.push_back(entry.array.get());
    return found;
}

bool CheckedMemory::is_foreign(std::uintptr_t address) {
    const std::lock_guard lock(mutex_);
    NearArray array;
    return find_foreign(address, array);
}

CheckedArray* CheckedMemory::known(const void* data) noexcept {
    const std::lock_guard lock(mutex_);
    const auto address = reinterpret_cast<std::uintptr_t>(data);
    auto after = arrays_.upper_bound(address);
    if (after == arrays_.begin()) return nullptr;
    CheckedArray& array = *(--after)->second.array;
    return address - array.start <= array.bytes ? &array : nullptr;
}

void CheckedMemory::written(GuardedMemory& memory, std::uintptr_t address, std::size_t bytes) {
    if (bytes == 0) return;
    CheckedArray* const array = find(memory, address);
    if (array == nullptr) return;
    const std::size_t offset = address - array->start, left = array->bytes - offset;
    array->initialize(offset, bytes < left ? bytes : left);
}

void CheckedMemory::forget(const void* data) noexcept {
    const std::lock_guard lock(mutex_);
    arrays_.erase(reinterpret_cast<std::uintptr_t>(data));
}

void CheckedMemory::forget_accesses() noexcept {
    const std::lock_guard lock(mutex_);
    for (auto& [start, entry] : arrays_) entry.array->forget_accesses();
}

void CheckedMemory::clear() noexcept {
    const std::lock_guard lock(mutex_);
    for (auto& [start, entry] : arrays_)
        if (!entry.array->untouched(0, entry.array->bytes))
            const_cast<GuardedMemory*>(entry.memory)->mark_written(reinterpret_cast<const void*>(start));
    arrays_.clear();
}

namespace {

constexpr std::size_t address_bytes = std::size_t{64} << 20, gap = 64;

}  // namespace

bool CheckedHeap::begin() {
    if (array_ != nullptr) return true;
    // Mapped for the whole process: a kernel outside checks may still have a pointer there.
    static void* const memory = ::mmap(nullptr, address_bytes, PROT_READ | PROT_WRITE,
                                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return false;
    begin_ = reinterpret_cast<std::uintptr_t>(memory);
    end_ = begin_ + address_bytes;
    next_ = begin_ + gap;
    array_ = std::make_unique<CheckedArray>(Space::global, begin_, address_bytes);
    array_->is_heap = true;
    array_->forget_values();
    return true;
}

void* CheckedHeap::allocate(unsigned long long bytes, const Origin& origin) {
    const std::lock_guard lock(mutex_);
    if (bytes > device_heap_bytes || !begin()) return nullptr;
    const std::size_t taken = heap_piece(bytes);
    if (used_ + taken > device_heap_bytes || next_ + taken + gap > end_) return nullptr;
    const auto [number, is_new] = numbers_.try_emplace({origin.module.get(), origin.site}, origins_.size());
    if (is_new) origins_.push_back(origin);
    const std::uintptr_t start = next_;
    pieces_[start] = {start, static_cast<std::size_t>(bytes), false, number->second};
    next_ += taken + gap;
    used_ += taken;
    return reinterpret_cast<void*>(start);
}

bool CheckedHeap::release(const void* data) {
    if (data == nullptr) return true;
    const std::lock_guard lock(mutex_);
    const auto piece = pieces_.find(reinterpret_cast<std::uintptr_t>(data));
    if (piece == pieces_.end() || piece->second.is_free) return false;
    piece->second.is_free = true;
    used_ -= heap_piece(piece->second.bytes);
    return true;
}

CheckedHeap::Piece CheckedHeap::piece_at(std::uintptr_t address) const {
    const std::lock_guard lock(mutex_);
    const auto behind = pieces_.upper_bound(address);
    return behind == pieces_.begin() ? Piece{} : std::prev(behind)->second;
}

bool CheckedHeap::is_allocated(std::uintptr_t address, std::size_t bytes) const {
    const Piece piece = piece_at(address);
    return !piece.is_free && piece.start != 0 && address - piece.start + bytes <= piece.bytes;
}

std::vector<CheckedHeap::Leak> CheckedHeap::leaks() const {
    const std::lock_guard lock(mutex_);
    std::vector<Leak> all(origins_.size());
    for (const auto& [start, piece] : pieces_) {
        if (piece.is_free) continue;
        Leak& leak = all[piece.origin];
        leak.first = origins_[piece.origin];
        ++leak.pieces;
        leak.bytes += piece.bytes;
    }
    std::erase_if(all, [](const Leak& leak) { return leak.pieces == 0; });
    return all;
}

void CheckedHeap::forget_accesses() noexcept {
    const std::lock_guard lock(mutex_);
    if (array_ != nullptr) array_->forget_accesses();
}

void CheckedHeap::clear() noexcept {
    const std::lock_guard lock(mutex_);
    array_.reset();
    pieces_.clear();
    origins_.clear();
    numbers_.clear();
    begin_ = end_ = next_ = 0;
    used_ = 0;
}

namespace {

void merge(std::vector<ReleaseLog::Known>& to, const std::vector<ReleaseLog::Known>& more) {
    for (const ReleaseLog::Known& known : more) {
        const auto same = std::find_if(to.begin(), to.end(), [&known](const auto& other) {
            return other.location == known.location && other.within_block == known.within_block;
        });
        if (same == to.end())
            to.push_back(known);
        else
            same->count = std::max(same->count, known.count);
    }
}

}  // namespace

void ReleaseLog::release(std::uintptr_t address, Release release) {
    if (is_full()) return;
    Location& location = locations_[address];
    // The count covers its own chain, except releases limited to the releaser's block.
    location.has_block_scope = location.has_block_scope || release.within_block;
    if (!location.has_block_scope)
        std::erase_if(release.imports, [&location](const Known& known) { return known.location == &location; });
    const auto at = static_cast<std::uint32_t>(location.releases.size());
    location.by_serial[release.serial].push_back(at);
    if (!release.imports.empty()) location.with_imports.push_back(at);
    kept_ += 1 + release.imports.size();
    location.releases.push_back(std::move(release));
}

bool ReleaseLog::acquire(std::uintptr_t address, Known& known) const {
    const auto found = locations_.find(address);
    if (found == locations_.end()) return false;
    known = {&found->second, static_cast<std::uint32_t>(found->second.releases.size())};
    return true;
}

bool ReleaseLog::covers(const std::vector<Known>& known, Stamp before, std::uint64_t own_serial, Visited& visited) {
    const unsigned thread = thread_of(before);
    const std::uint32_t tick = tick_of(before);
    for (const Known& each : known) {
        std::uint32_t& seen = visited[{each.location, each.within_block, own_serial}];
        if (seen >= each.count) continue;
        seen = each.count;
        if (const auto found = each.location->by_serial.find(serial_of(before));
            found != each.location->by_serial.end())
            for (const std::uint32_t at : found->second) {
                if (at >= each.count) break;
                const Release& release = each.location->releases[at];
                if ((release.within_block || each.within_block) && release.serial != own_serial) continue;
                if (tick < release.block || (thread == release.thread && tick < release.own)) return true;
                if (thread / 32 == release.thread / 32 && tick < release.warp) return true;
                if (release.fenced && tick < (*release.fenced)[thread]) return true;
            }
        for (const std::uint32_t at : each.location->with_imports)
            if (const Release& release = each.location->releases[at];
                at < each.count && (!each.within_block || release.serial == own_serial) &&
                covers(release.imports, before, release.serial, visited))
                return true;
    }
    return false;
}

bool ReleaseLog::covers(const std::vector<Known>& known, Stamp before, std::uint64_t own_serial) {
    Visited visited;
    return !known.empty() && covers(known, before, own_serial, visited);
}

void BlockClock::begin_block(std::uint64_t serial, unsigned threads) noexcept {
    serial_ = serial;
    epoch_ = 0;
    threads_ = threads;
    floor_ = time_of(serial, 0);
    tick_ = barrier_tick_ = 0;
    ran_over_ = false;
    older_serials_.clear();
    phases_.clear();
    waited_.clear();
    std::fill_n(warp_tick_, 32, 0);
    std::fill_n(partial_, 32, false);
    if (fences_) std::fill_n(fence_, 1024, Fence{});
    fences_ = fences_since_barrier_ = false;
    fenced_.reset();
    if (knows_)
        for (auto& known : known_) known.clear();
    knows_ = false;
    if (has_pending_)
        for (auto& pending : pending_) pending.clear();
    has_pending_ = false;
    set_now();
}

void BlockClock::set_now() noexcept {
    now_ = time_of(serial_, tick_);
    span_ = time_of(serial_, barrier_tick_) - floor_;
}

void BlockClock::tick() {
    if (++tick_ < last_tick) return set_now();
    // From here on, everything before counts as ordered: a race across this moment is missed, but none is invented.
    begin_serial();
}

void BlockClock::grid_barrier(std::uint64_t epoch) {
    epoch_ = epoch;
    begin_serial();
}

void BlockClock::begin_serial() {
    older_serials_.push_back(serial_);
    serial_ = next_serial_(owner_);
    ran_over_ = true;
    floor_ = time_of(serial_, 0);
    tick_ = 1;
    barrier_tick_ = 1;
    phases_.clear();
    waited_.clear();
    std::fill_n(warp_tick_, 32, 1);
    std::fill_n(partial_, 32, false);
    std::fill_n(fence_, 1024, Fence{});
    fenced_.reset();
    set_now();
}

bool BlockClock::is_own(std::uint64_t serial) const noexcept {
    return serial == serial_ || std::find(older_serials_.begin(), older_serials_.end(), serial) != older_serials_.end();
}

std::vector<ReleaseLog::Known>& BlockClock::known_of(unsigned thread) {
    if (known_.empty()) known_.resize(1025);
    return known_[thread];
}

void BlockClock::barrier() {
    if (fences_since_barrier_) {
        std::vector<std::uint32_t> fenced(threads_);
        for (unsigned thread = 0; thread < threads_; ++thread) fenced[thread] = fence_[thread].own;
        fenced_ = std::make_shared<const std::vector<std::uint32_t>>(std::move(fenced));
        fences_since_barrier_ = false;
    }
    for (unsigned thread = 0; has_pending_ && thread < threads_; ++thread) take_pending(thread, false);
    if (knows_) {
        std::vector<ReleaseLog::Known>& all = known_of(1024);
        for (unsigned thread = 0; thread < threads_; ++thread) {
            merge(all, known_[thread]);
            known_[thread].clear();
        }
    }
    tick();
    barrier_tick_ = tick_;
    set_now();
}

void BlockClock::warp_sync(int warp, std::uint32_t lanes, std::uint32_t live) {
    const auto w = static_cast<unsigned>(warp);
    tick();
    for (std::uint32_t left = has_pending_ ? lanes : 0; left != 0; left &= left - 1)
        take_pending(w * 32 + static_cast<unsigned>(std::countr_zero(left)), false);
    if (knows_) {
        std::vector<ReleaseLog::Known> together;
        for (std::uint32_t left = lanes; left != 0; left &= left - 1)
            merge(together, known_of(w * 32 + static_cast<unsigned>(std::countr_zero(left))));
        for (std::uint32_t left = lanes; left != 0; left &= left - 1)
            known_[w * 32 + static_cast<unsigned>(std::countr_zero(left))] = together;
    }
    if (lanes == live) {
        warp_tick_[w] = tick_;
        return;
    }
    if (!partial_[w]) std::fill_n(&lane_tick_[w * 32][0], 32 * 32, std::uint16_t{0});
    partial_[w] = true;
    std::uint16_t together[32] = {};
    for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
        const std::uint16_t* const row = lane_tick_[w * 32 + static_cast<unsigned>(std::countr_zero(left))];
        for (int lane = 0; lane < 32; ++lane) together[lane] = std::max(together[lane], row[lane]);
    }
    for (std::uint32_t left = lanes; left != 0; left &= left - 1)
        together[std::countr_zero(left)] = static_cast<std::uint16_t>(tick_);
    for (std::uint32_t left = lanes; left != 0; left &= left - 1)
        std::copy_n(together, 32, lane_tick_[w * 32 + static_cast<unsigned>(std::countr_zero(left))]);
}

// Each warp releases to a location of the barrier's own, and acquires what all have released there.
void BlockClock::part_barrier(unsigned barrier, const std::uint32_t* lanes) {
    const std::uintptr_t place = ~static_cast<std::uintptr_t>(serial_ << 4 | barrier);
    tick();
    for (unsigned w = 0; w * 32 < threads_; ++w) {
        if (lanes[w] == 0) continue;
        warp_tick_[w] = tick_;
        ReleaseLog::Release release;
        release.serial = serial_;
        release.thread = w * 32;
        release.own = release.warp = tick_;
        release.block = barrier_tick_;
        release.imports = known_of(1024);
        for (std::uint32_t left = lanes[w]; left != 0; left &= left - 1) {
            const unsigned thread = w * 32 + static_cast<unsigned>(std::countr_zero(left));
            if (has_pending_) take_pending(thread, false);
            merge(release.imports, known_[thread]);
        }
        log_.release(place, std::move(release));
    }
    for (unsigned w = 0; w * 32 < threads_; ++w)
        for (std::uint32_t left = lanes[w]; left != 0; left &= left - 1)
            acquire(w * 32 + static_cast<unsigned>(std::countr_zero(left)), place);
}

void BlockClock::fence(unsigned thread, bool within_block) {
    tick();
    fence_[thread] = {tick_, warp_tick_[thread / 32], barrier_tick_, within_block};
    fences_ = fences_since_barrier_ = true;
    if (has_pending_) take_pending(thread, within_block);
}

void BlockClock::take_pending(unsigned thread, bool within_block) {
    std::vector<ReleaseLog::Known>& pending = pending_[thread];
    if (pending.empty()) return;
    for (ReleaseLog::Known& known : pending) known.within_block = within_block;
    merge(known_of(thread), pending);
    knows_ = true;
    if (!within_block) pending.clear();   // a wider fence may follow
}

void BlockClock::acquire(unsigned thread, std::uintptr_t address, bool when_fenced) {
    ReleaseLog::Known known{};
    if (log_.empty() || !log_.acquire(address, known)) return;
    if (when_fenced) {
        pending_.resize(1024);
        merge(pending_[thread], {known});
        has_pending_ = true;
        return;
    }
    merge(known_of(thread), {known});
    knows_ = true;
}

void BlockClock::release(unsigned thread, std::uintptr_t address) {
    if (!fences_) return;
    const Fence& fence = fence_[thread];
    if (fence.own == 0 && !fenced_) return;
    ReleaseLog::Release release;
    release.serial = serial_;
    release.thread = thread;
    release.own = fence.own;
    release.warp = fence.warp;
    release.block = fence.block;
    release.within_block = fence.within_block;
    release.fenced = fenced_;
    if (knows_) {
        release.imports = known_of(1024);
        merge(release.imports, known_[thread]);
    }
    log_.release(address, std::move(release));
}

void BlockClock::arrive_in_phase(unsigned thread, const void* barrier, unsigned phase) {
    tick();
    Phase* own = nullptr;
    for (Phase& one : phases_)
        if (one.barrier == barrier && (one.phase ^ phase) % 2 == 0) own = &one;
    if (own == nullptr) own = &phases_.emplace_back(Phase{barrier, phase, std::vector<std::uint32_t>(threads_)});
    if (own->phase != phase) std::fill(own->ticks.begin(), own->ticks.end(), 0U);
    own->phase = phase;
    const auto know = [own](unsigned other, std::uint32_t tick) {
        own->ticks[other] = std::max(own->ticks[other], tick);
    };
    if (!waited_.empty())
        for (unsigned other = 0; other < threads_; ++other) know(other, waited_[thread * threads_ + other]);
    const unsigned first = thread / 32 * 32;
    for (unsigned other = first; other < std::min(first + 32, threads_); ++other) {
        know(other, warp_tick_[thread / 32]);
        if (partial_[thread / 32]) know(other, lane_tick_[thread][other % 32]);
    }
    know(thread, tick_);
}

void BlockClock::waited_for_phase(unsigned thread, const void* barrier, unsigned phase) {
    for (const Phase& one : phases_) {
        if (one.barrier != barrier || one.phase != phase) continue;
        if (waited_.empty()) waited_.resize(std::size_t{threads_} * threads_);
        std::uint32_t* const row = &waited_[std::size_t{thread} * threads_];
        for (unsigned other = 0; other < threads_; ++other) row[other] = std::max(row[other], one.ticks[other]);
    }
}

bool BlockClock::ordered(Stamp before, unsigned thread) const {
    const std::uint64_t serial = serial_of(before);
    if (serial == serial_) {
        const unsigned other = thread_of(before);
        const std::uint32_t tick = tick_of(before);
        if (tick < barrier_tick_ || other == thread) return true;
        if (other / 32 == thread / 32) {
            if (tick < warp_tick_[thread / 32]) return true;
            if (partial_[thread / 32] && tick < lane_tick_[thread][other % 32]) return true;
        }
        if (!waited_.empty() && tick < waited_[thread * threads_ + other]) return true;
    } else if (serial < epoch_ || is_own(serial)) {
        return true;
    }
    if (!knows_) return false;
    if (log_.is_full()) return true;
    return log_.covers(known_[thread], before, serial_) || log_.covers(known_[1024], before, serial_);
}

CooperativeScheduler::CooperativeScheduler(std::function<void()> take_blocks, std::function<bool()> has_more)
    : take_blocks_(std::move(take_blocks)), has_more_(std::move(has_more)) {}

void CooperativeScheduler::join() {
    // A thread that ends may have started another one.
    for (std::size_t k = 0;; ++k) {
        std::thread thread;
        {
            const std::lock_guard lock(mutex_);
            if (k == threads_.size()) return;
            thread = std::move(threads_[k]);
        }
        if (thread.joinable()) thread.join();
    }
}

void CooperativeScheduler::begin() {
    const std::lock_guard lock(mutex_);
    ++running_;
}

void CooperativeScheduler::end() {
    const std::lock_guard lock(mutex_);
    progress();
    --running_;
    hand_over();
}

void CooperativeScheduler::next_block() {
    std::unique_lock lock(mutex_);
    progress();
    if (queue_.empty()) return;
    ++takers_;
    queue_up(lock);
    --takers_;
}

void CooperativeScheduler::pass() {
    std::unique_lock lock(mutex_);
    start_thread_if_needed();
    if (!queue_.empty()) queue_up(lock);
}

bool CooperativeScheduler::all_wait() {
    const std::lock_guard lock(mutex_);
    const auto blocks = static_cast<int>(queue_.size()) + running_;
    return takers_ == 0 && waiting_ == blocks &&
           (!has_more_() || threads_.size() >= max_threads || has_no_more_threads_);
}

// Queues behind all that are waiting already; those that run concurrently aren't affected.
void CooperativeScheduler::queue_up(std::unique_lock<std::mutex>& lock) {
    Turn turn;
    queue_.push_back(&turn);
    --running_;
    hand_over();
    wait_for(turn, lock);
}

void CooperativeScheduler::wait_for(const Turn& turn, std::unique_lock<std::mutex>& lock) {
    turned_.wait(lock, [&turn] { return turn.is_mine; });
}

void CooperativeScheduler::hand_over() {
    if (queue_.empty()) return;
    queue_.front()->is_mine = true;
    queue_.pop_front();
    ++running_;
    turned_.notify_all();
}

// If nobody would begin other blocks, starts a thread, which queues for its first turn. If that fails, this block may
// wait in vain.
void CooperativeScheduler::start_thread_if_needed() {
    if (takers_ > 0 || threads_.size() >= max_threads || !has_more_()) return;
    const auto turn = std::make_shared<Turn>();
    queue_.push_back(turn.get());
    ++takers_;
    try {
        threads_.push_back(start_thread([this, turn] {
            {
                std::unique_lock lock(mutex_);
                wait_for(*turn, lock);
                --takers_;
            }
            take_blocks_();
        }));
    } catch (const std::system_error&) {
        queue_.pop_back();
        --takers_;
        has_no_more_threads_ = true;
    }
}

}  // namespace gpu::detail::host
