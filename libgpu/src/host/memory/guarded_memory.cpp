// SPDX-License-Identifier: MIT
#include "host/memory/guarded_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
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

void* address(std::uintptr_t value) noexcept { return reinterpret_cast<void*>(value); }

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

GuardedMemory::Region GuardedMemory::make(std::size_t bytes, std::size_t length) {
    void* const mapping = ::mmap(nullptr, length + 2 * guard, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapping == MAP_FAILED) throw no_room_for(bytes);
    const std::uintptr_t start = reinterpret_cast<std::uintptr_t>(mapping) + guard;
    if (::mprotect(address(start), length, PROT_READ | PROT_WRITE) != 0) {
        unmap(start, length);
        throw no_room_for(bytes);
    }
    mapped_ += length;
    if (length >= huge) ::madvise(address(start), length, MADV_HUGEPAGE);
    Region region;
    region.start = start;
    region.length = length;
    region.bytes = bytes;
    return region;
}

bool GuardedMemory::reuse(std::size_t bytes, std::size_t length, Region& region) {
    const auto found = kept_by_length_.find(length);
    if (found == kept_by_length_.end() || found->second.empty()) return false;
    std::deque<std::uintptr_t>& kept = found->second;
    const bool is_small = length <= small;
    if (is_small && kept.size() < small_at_rest) return false;
    region = regions_.at(is_small ? kept.front() : kept.back());  // the newest one's pages are still in the caches
    if (is_small) kept.pop_front();
    else kept.pop_back();
    kept_by_age_.erase(region.freed);
    kept_ -= length;
    if (::mprotect(address(region.start), length, PROT_READ | PROT_WRITE) != 0) {
        regions_.erase(region.start);
        unmap(region.start, length);
        mapped_ -= length;
        return false;
    }
    region.bytes = bytes;
    region.freed = 0;
    region.written = region.lent = false;
    region.elements = -1;
    return true;
}

void* GuardedMemory::allocate(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    if (bytes > capacity_ - std::min(held_, capacity_)) throw no_room_for(bytes);
    const std::size_t length = std::max(bytes + page_size() - 1, page_size()) / page_size() * page_size();
    Region region;
    if (!reuse(bytes, length, region)) region = make(bytes, length);
    fill_pattern(region);
    regions_[region.start] = region;
    held_ += bytes;
    if (watch_ != nullptr) watch(region);
    return address(region.data());
}

void GuardedMemory::deallocate(void* data) noexcept {
    const std::lock_guard lock(mutex_);
    auto found = regions_.upper_bound(reinterpret_cast<std::uintptr_t>(data));
    if (found == regions_.begin()) return;
    // An array of 0 bytes begins where its pages end, still before any other mapping's start.
    Region& region = (--found)->second;
    if (region.data() != reinterpret_cast<std::uintptr_t>(data) || region.freed != 0) return;
    if (watched_.count(region.start) != 0) unwatch(region);
    if (const std::size_t before = changed(region); before > 0)
        std::fprintf(stderr, "libgpu: something wrote %zu bytes before the start of an array of %zu bytes\n", before,
                     region.bytes);
    if (const std::size_t after = changed_behind(region); after > 0)
        std::fprintf(stderr, "libgpu: something wrote %zu bytes past the end of an array of %zu bytes\n", after,
                     region.bytes);
    held_ -= region.bytes;
    if (region.length > max_kept_ || ::mprotect(address(region.start), region.length, PROT_NONE) != 0) {
        unmap(region.start, region.length);
        mapped_ -= region.length;
        regions_.erase(found);
        return;
    }
    region.freed = ++frees_;
    kept_by_length_[region.length].push_back(region.start);
    kept_by_age_.emplace(region.freed, region.start);
    kept_ += region.length;
    while (kept_ > max_kept_) drop_oldest();
}

void GuardedMemory::trim(std::size_t max_kept) noexcept {
    const std::lock_guard lock(mutex_);
    while (kept_ > max_kept) drop_oldest();
}

void GuardedMemory::limit_kept(std::size_t bytes) noexcept {
    const std::size_t most = max_kept_of(capacity_);
    const std::size_t keep = bytes == 0 ? most : std::min(bytes, most);
    {
        const std::lock_guard lock(mutex_);
        max_kept_ = keep;
    }
    trim(keep);
}

void GuardedMemory::drop_oldest() noexcept {
    const auto oldest = kept_by_age_.begin();
    const Region region = regions_.at(oldest->second);
    const auto same_length = kept_by_length_.find(region.length);
    same_length->second.pop_front();
    if (same_length->second.empty()) kept_by_length_.erase(same_length);
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
    std::uintptr_t least = guard;
    for (int k = 0; k < 2 && found != regions_.begin(); ++k) {
        const Region& region = (--found)->second;
        const std::uintptr_t end = region.start + region.length;
        const std::uintptr_t distance = where < region.start ? region.start - where : where >= end ? where - end : 0;
        if (distance >= least && !(distance == 0)) continue;
        nearest = &region;
        least = distance;
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
    if (!is_open_) ::mprotect(address(region.start), region.length, PROT_NONE);
}

void GuardedMemory::unwatch(const Region& region) noexcept {
    watched_.erase(region.start);
    watch_->remove(region.start);
    ::mprotect(address(region.start), region.length, PROT_READ | PROT_WRITE);
}

void GuardedMemory::watch(AddressMap& ranges) {
    const std::lock_guard lock(mutex_);
    watch_ = &ranges;
    is_open_ = false;
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
    for (const std::uintptr_t start : watched_)
        ::mprotect(address(start), regions_.at(start).length, PROT_READ | PROT_WRITE);
}

void GuardedMemory::close() noexcept {
    const std::lock_guard lock(mutex_);
    is_open_ = false;
    for (const std::uintptr_t start : watched_) ::mprotect(address(start), regions_.at(start).length, PROT_NONE);
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
