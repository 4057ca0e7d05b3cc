// SPDX-License-Identifier: MIT
#include "host/memory/guarded_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <utility>

#include "host/base/machine.hpp"
#include "host/memory/kernel_stacks.hpp"

namespace gpu::detail::host {

namespace {

constexpr std::size_t guard = std::size_t{64} * 1024;  // address space only: a block's worth of overshoot
constexpr std::size_t huge = std::size_t{4} << 20;     // huge pages pay from here on
constexpr std::size_t max_kept_ever = std::size_t{1} << 30;

std::size_t max_kept_of(std::size_t capacity) { return std::min(max_kept_ever, capacity / 8); }

constexpr unsigned char pattern = 0xC7;
// Small arrays stay freed for a while before their memory is reused, so that accesses through stale pointers fault.
constexpr std::size_t small = std::size_t{64} * 1024;
constexpr std::size_t small_at_rest = 16;
constexpr std::size_t max_ready = 64;  // of one length

void* address(std::uintptr_t value) noexcept { return reinterpret_cast<void*>(value); }

// Addresses of device memory begin with 0xd, where the system allows it: whoever prints one sees what it is.
constexpr std::uintptr_t first_address = 0xd'0000'0000, last_address = 0xd00'0000'0000;
std::atomic<std::uintptr_t> next_address{first_address};

void* wanted_address(std::size_t length) noexcept {
    std::uintptr_t wanted = next_address.fetch_add(length);
    if (wanted > last_address) {
        next_address = first_address + length;
        wanted = first_address;
    }
    return address(wanted);
}

void unmap(std::uintptr_t start, std::size_t length) noexcept { ::munmap(address(start - guard), length + 2 * guard); }

}  // namespace

GuardedMemory::GuardedMemory(std::string where, std::size_t capacity)
    : where_(std::move(where)), capacity_(capacity), max_kept_(max_kept_of(capacity)) {}

GuardedMemory::~GuardedMemory() {
    for (const auto& [start, region] : regions_) unmap(start, region.length);
}

MemoryUse GuardedMemory::use_now() const noexcept {
    return {.used = held_, .held = mapped_, .free = capacity_ - std::min(held_, capacity_), .total = capacity_};
}

MemoryUse GuardedMemory::use() const {
    const std::lock_guard lock(mutex_);
    return use_now();
}

OutOfMemory GuardedMemory::no_room_for(std::size_t bytes) const { return {bytes, use_now(), where_}; }

bool GuardedMemory::set_access(const Region& region, bool is_accessible) noexcept {
    return ::mprotect(address(region.start), region.length, is_accessible ? PROT_READ | PROT_WRITE : PROT_NONE) == 0;
}

GuardedMemory::Region* GuardedMemory::make(std::size_t bytes, std::size_t length) {
    void* const mapping = ::mmap(wanted_address(length + 2 * guard), length + 2 * guard, PROT_NONE,
                                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapping == MAP_FAILED) throw no_room_for(bytes);
    Region region;
    region.start = reinterpret_cast<std::uintptr_t>(mapping) + guard;
    region.length = length;
    region.bytes = bytes;
    if (!set_access(region, true)) {
        unmap(region.start, length);
        throw no_room_for(bytes);
    }
    mapped_ += length;
    if (length >= huge) ::madvise(address(region.start), length, MADV_HUGEPAGE);
    fill_pattern(region);
    return &(regions_[region.start] = region);
}

GuardedMemory::Region* GuardedMemory::reuse(std::size_t bytes, std::size_t length) {
    const auto found = kept_by_length_.find(length);
    if (found == kept_by_length_.end()) return nullptr;
    Kept& kept = found->second;
    const bool is_ready = !kept.ready.empty(), is_small = length <= small;
    std::deque<std::uintptr_t>& starts = is_ready ? kept.ready : kept.at_rest;
    if (!is_ready && starts.size() < (is_small ? small_at_rest : 1)) return nullptr;
    const bool oldest = is_small && !is_ready;  // otherwise the newest one: its pages are still in the caches
    Region& region = regions_.at(oldest ? starts.front() : starts.back());
    if (oldest) starts.pop_front();
    else starts.pop_back();
    spare_ = kept_by_age_.extract(region.freed);
    kept_ -= length;
    if (!is_ready && !set_access(region, true)) {
        unmap(region.start, length);
        mapped_ -= length;
        regions_.erase(region.start);
        return nullptr;
    }
    const bool has_pattern = is_ready && region.bytes == bytes;  // found unchanged when it was freed
    region.bytes = bytes;
    region.freed = 0;
    region.written = region.lent = region.handed_out = region.ready = false;
    region.elements = -1;
    if (!has_pattern) fill_pattern(region);
    return &region;
}

void* GuardedMemory::allocate(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    if (bytes > capacity_ - std::min(held_, capacity_)) throw no_room_for(bytes);
    const std::size_t length = std::max(bytes + page_size() - 1, page_size()) / page_size() * page_size();
    Region* region = reuse(bytes, length);
    if (region == nullptr) region = make(bytes, length);
    held_ += bytes;
    if (watch_ != nullptr) watch(*region);
    return address(region->data());
}

void GuardedMemory::deallocate(void* data) noexcept {
    const std::lock_guard lock(mutex_);
    auto found = regions_.upper_bound(reinterpret_cast<std::uintptr_t>(data));
    if (found == regions_.begin()) return;
    // An array of 0 bytes begins where its pages end, still before any other mapping's start.
    Region& region = (--found)->second;
    if (region.data() != reinterpret_cast<std::uintptr_t>(data) || region.freed != 0) return;
    if (watched_.count(region.start) != 0) unwatch(region);
    const std::size_t before = changed(region), after = changed_behind(region);
    const bool is_unchanged = before == 0 && after == 0;
    if (before > 0)
        std::fprintf(stderr, "libgpu: something wrote %zu bytes before the start of an array of %zu bytes\n", before,
                     region.bytes);
    if (after > 0)
        std::fprintf(stderr, "libgpu: something wrote %zu bytes past the end of an array of %zu bytes\n", after,
                     region.bytes);
    held_ -= region.bytes;
    const auto same = kept_by_length_.find(region.length);
    const bool has_room = same == kept_by_length_.end() || same->second.ready.size() < max_ready;
    region.ready = is_unchanged && !region.handed_out && !region.lent && watch_ == nullptr && region.length <= small &&
                   has_room;
    if (region.length > max_kept_ || (!region.ready && !set_access(region, false))) {
        unmap(region.start, region.length);
        mapped_ -= region.length;
        regions_.erase(found);
        return;
    }
    region.freed = ++frees_;
    Kept& kept = kept_by_length_[region.length];
    (region.ready ? kept.ready : kept.at_rest).push_back(region.start);
    if (spare_.empty()) {
        kept_by_age_.emplace_hint(kept_by_age_.end(), region.freed, region.start);
    } else {
        spare_.key() = region.freed;
        spare_.mapped() = region.start;
        kept_by_age_.insert(kept_by_age_.end(), std::move(spare_));
    }
    kept_ += region.length;
    while (kept_ > max_kept_) drop_oldest();
}

void GuardedMemory::trim(std::size_t max_kept) noexcept {
    const std::lock_guard lock(mutex_);
    while (kept_ > max_kept) drop_oldest();
}

void GuardedMemory::limit_kept(std::size_t bytes) noexcept {
    const std::size_t max_kept = max_kept_of(capacity_);
    const std::size_t keep = bytes == 0 ? max_kept : std::min(bytes, max_kept);
    {
        const std::lock_guard lock(mutex_);
        max_kept_ = keep;
    }
    trim(keep);
}

void GuardedMemory::drop_oldest() noexcept {
    const auto oldest = kept_by_age_.begin();
    const Region region = regions_.at(oldest->second);
    Kept& kept = kept_by_length_.at(region.length);
    (region.ready ? kept.ready : kept.at_rest).pop_front();
    if (kept.ready.empty() && kept.at_rest.empty()) kept_by_length_.erase(region.length);
    kept_by_age_.erase(oldest);
    kept_ -= region.length;
    mapped_ -= region.length;
    unmap(region.start, region.length);
    regions_.erase(region.start);
}

bool GuardedMemory::find(std::uintptr_t where, NearArray& array) const {
    const std::lock_guard lock(mutex_);
    auto found = regions_.upper_bound(where + guard);
    // Neighbours' guards may touch: an address between two arrays belongs to the nearer one.
    const Region* nearest = nullptr;
    std::uintptr_t min_distance = guard;
    for (int k = 0; k < 2 && found != regions_.begin(); ++k) {
        const Region& region = (--found)->second;
        const std::uintptr_t end = region.start + region.length;
        const std::uintptr_t distance = where < region.start ? region.start - where : where >= end ? where - end : 0;
        if (distance >= min_distance && !(distance == 0)) continue;
        nearest = &region;
        min_distance = distance;
    }
    if (nearest == nullptr) return false;
    array = {.start = nearest->data(),
             .bytes = nearest->bytes,
             .name = {},
             .freed = nearest->freed != 0,
             .written = nearest->written,
             .dtype = nearest->elements,
             .shape = nearest->shape};
    return true;
}

void GuardedMemory::watch(const Region& region) {
    watch_->add({.begin = region.start,
                 .length = region.length,
                 .array = region.data(),
                 .bytes = region.bytes,
                 .device = 0,
                 .elements = region.elements});
    watched_.insert(region.start);
    if (!is_open_) (void)set_access(region, false);
}

void GuardedMemory::unwatch(const Region& region) noexcept {
    watched_.erase(region.start);
    watch_->remove(region.start);
    (void)set_access(region, true);
}

void GuardedMemory::watch(AddressMap& ranges) {
    const std::lock_guard lock(mutex_);
    watch_ = &ranges;
    is_open_ = false;
    for (auto& [length, kept] : kept_by_length_) {
        for (const std::uintptr_t start : kept.ready) {
            Region& region = regions_.at(start);
            region.ready = false;
            (void)set_access(region, false);
        }
        kept.at_rest.insert(kept.at_rest.end(), kept.ready.begin(), kept.ready.end());
        kept.ready.clear();
        std::sort(kept.at_rest.begin(), kept.at_rest.end(), [this](std::uintptr_t one, std::uintptr_t other) {
            return regions_.at(one).freed < regions_.at(other).freed;
        });
    }
    for (const auto& [start, region] : regions_)
        if (region.freed == 0 && !region.lent) watch(region);
}

void GuardedMemory::end_watch() noexcept {
    const std::lock_guard lock(mutex_);
    while (!watched_.empty()) unwatch(regions_.at(*watched_.begin()));
    watch_ = nullptr;
    is_open_ = true;
}

void GuardedMemory::open() noexcept {
    const std::lock_guard lock(mutex_);
    is_open_ = true;
    for (const std::uintptr_t start : watched_) (void)set_access(regions_.at(start), true);
}

void GuardedMemory::close() noexcept {
    const std::lock_guard lock(mutex_);
    is_open_ = false;
    for (const std::uintptr_t start : watched_) (void)set_access(regions_.at(start), false);
}

void GuardedMemory::hand_out(const void* data) noexcept {
    const std::lock_guard lock(mutex_);
    if (Region* const region = region_of(data)) region->handed_out = true;
}

void GuardedMemory::lend(const void* data) noexcept {
    const std::lock_guard lock(mutex_);
    Region* const region = region_of(data);
    if (region == nullptr) return;
    region->lent = true;
    if (watched_.count(region->start) != 0) unwatch(*region);
}

void GuardedMemory::describe(const void* data, DType elements, const Shape& shape) noexcept {
    const std::lock_guard lock(mutex_);
    Region* const region = region_of(data);
    if (region == nullptr) return;
    region->elements = static_cast<int>(elements);
    region->shape = shape;
    if (watched_.count(region->start) != 0) watch_->describe(region->data(), elements);
}

GuardedMemory::Region* GuardedMemory::region_of(const void* data) {
    auto found = regions_.upper_bound(reinterpret_cast<std::uintptr_t>(data));
    if (found == regions_.begin()) return nullptr;
    Region& region = (--found)->second;
    const bool inside = reinterpret_cast<std::uintptr_t>(data) <= region.start + region.length;
    return inside && region.freed == 0 ? &region : nullptr;
}

std::vector<std::uintptr_t> GuardedMemory::addresses_in(const void* table) const {
    const auto first = reinterpret_cast<std::uintptr_t>(table);
    NearArray array;
    if (table == nullptr || !find(first, array) || array.freed || first < array.start) return {};
    std::vector<std::uintptr_t> addresses((array.start + array.bytes - std::min(first, array.start + array.bytes)) /
                                          sizeof(std::uintptr_t));
    if (!addresses.empty()) std::memcpy(addresses.data(), table, addresses.size() * sizeof(std::uintptr_t));
    return addresses;
}

void GuardedMemory::mark_written(const void* data) noexcept {
    const std::lock_guard lock(mutex_);
    if (Region* const region = region_of(data)) region->written = true;
}

std::size_t GuardedMemory::changed_before(const void* data) {
    const std::lock_guard lock(mutex_);
    const Region* const region = region_of(data);
    const std::size_t before = region != nullptr ? changed(*region) : 0;
    if (before > 0) fill_pattern(*region);
    return before;
}

std::size_t GuardedMemory::changed_after(const void* data) {
    const std::lock_guard lock(mutex_);
    const Region* const region = region_of(data);
    const std::size_t after = region != nullptr ? changed_behind(*region) : 0;
    if (after > 0) fill_pattern(*region);
    return after;
}

std::size_t GuardedMemory::changed(const Region& region) noexcept {
    const auto* const first = static_cast<const unsigned char*>(address(region.start));
    const std::size_t slack = region.data() - region.start;
    // Usually nothing has changed: then each byte equals the one before it.
    if (slack == 0 || (first[0] == pattern && std::memcmp(first, first + 1, slack - 1) == 0)) return 0;
    for (std::size_t k = 0; k < slack; ++k)
        if (first[k] != pattern) return slack - k;
    return 0;
}

std::size_t GuardedMemory::changed_behind(const Region& region) noexcept {
    const auto* const first = static_cast<const unsigned char*>(address(region.end()));
    for (std::size_t k = region.start + region.length - region.end(); k > 0; --k)
        if (first[k - 1] != pattern) return k;
    return 0;
}

void GuardedMemory::fill_pattern(const Region& region) noexcept {
    std::memset(address(region.start), pattern, region.data() - region.start);
    std::memset(address(region.end()), pattern, region.start + region.length - region.end());
}

std::vector<const void*> written_through(const GuardedMemory& memory, const gpu_parameter& parameter,
                                         const void* argument) {
    std::vector<const void*> arrays;
    if (parameter.pointed == 0 || parameter.is_pointed_const) return arrays;
    for (const std::uintptr_t address : memory.addresses_in(*static_cast<void* const*>(argument))) {
        NearArray array;
        const bool found = address != 0 && memory.find(address, array) && !array.freed;
        arrays.push_back(found ? reinterpret_cast<const void*>(array.start) : nullptr);
    }
    return arrays;
}

std::size_t memory_capacity(int devices) {
    const char* text = std::getenv("LIBGPU_HOST_MEMORY");
    if (text == nullptr || *text == '\0') return physical_memory() / static_cast<std::size_t>(devices);
    char* end = nullptr;
    const unsigned long long number = std::strtoull(text, &end, 10);
    const int shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
    if (end == text || number == 0 || *(end + (shift != 0 ? 1 : 0)) != '\0')
        throw Error(std::string("LIBGPU_HOST_MEMORY is \"") + text +
                    "\"; it must be a number of bytes such as 512M or 8G");
    return static_cast<std::size_t>(number) << shift;
}

}  // namespace gpu::detail::host
