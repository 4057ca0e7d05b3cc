// SPDX-License-Identifier: MIT
#include "host/check/work_counter.hpp"

#include <algorithm>
#include <bit>
#include <tuple>

#include "host/check/request_walk.hpp"

namespace gpu::detail::host {

namespace {

constexpr std::uint32_t first_lanes(unsigned count) noexcept {
    return count >= 32 ? ~std::uint32_t{0} : (std::uint32_t{1} << count) - 1;
}

WorkCounts work_of(const SiteRecord& site) {
    WorkCounts work;
    const std::uint64_t events = site.events, bytes = events * site.size();
    const unsigned kind = site.kind();
    if (kind == SiteRecord::barrier) return {.barriers = events};
    if (kind == SiteRecord::warp_operation) return {.warp_operations = events};
    switch (static_cast<AccessKind>(kind)) {
        case AccessKind::global_read: work = {.global_reads = events, .global_bytes_read = bytes}; break;
        case AccessKind::global_write: work = {.global_writes = events, .global_bytes_written = bytes}; break;
        case AccessKind::shared_read: work = {.shared_reads = events, .shared_bytes_read = bytes}; break;
        case AccessKind::shared_write: work = {.shared_writes = events, .shared_bytes_written = bytes}; break;
        case AccessKind::global_atomic:
            work = {.global_bytes_written = bytes, .atomics = events, .global_atomics = events};
            break;
        case AccessKind::shared_atomic: work = {.shared_bytes_written = bytes, .atomics = events}; break;
    }
    (is_global(site) ? work.global_requests : work.shared_requests) = site.requests;
    work.global_sectors = site.sectors;
    work.global_segments = site.segments;
    work.shared_wavefronts = site.wavefronts;
    work.atomic_requests = site.atomic_requests;
    work.atomic_turns = site.atomic_turns;
    work.divergent_requests = site.divergent;
    return work;
}

bool same_place(const LineCounts& a, const LineCounts& b) { return a.line == b.line && a.file == b.file; }

// Sorts by place and makes one of those that stand at the same.
void gather(std::vector<LineCounts>& lines) {
    std::stable_sort(lines.begin(), lines.end(), [](const LineCounts& a, const LineCounts& b) {
        return std::tie(a.file, a.line) < std::tie(b.file, b.line);
    });
    std::size_t kept = 0;
    for (std::size_t k = 0; k < lines.size(); ++k) {
        if (kept > 0 && same_place(lines[kept - 1], lines[k])) {
            lines[kept - 1].work += lines[k].work;
        } else {
            if (kept != k) lines[kept] = std::move(lines[k]);
            ++kept;
        }
    }
    lines.resize(kept);
}

}  // namespace

void WorkCounter::begin_block(unsigned threads) noexcept {
    warp_count_ = (threads + 31) / 32;
    for (unsigned w = 0; w < warp_count_; ++w) warps_[w] = {.running = first_lanes(threads - 32 * w)};
}

void WorkCounter::end_block() noexcept { close_all(); }

void WorkCounter::abandon_block() noexcept {
    store_.forget_open();
    for (Warp& warp : warps_) warp = {};
}

GPU_ON_KERNEL_STACK RequestRecord* WorkCounter::open_record(SiteRecord& where, unsigned warp) noexcept {
    RequestRecord* const record = store_.take_record();
    if (record == nullptr) return nullptr;
    record->site = &where;
    record->next = warps_[warp].open;
    warps_[warp].open = record;
    where.open[warp] = record;
    return record;
}

GPU_ON_KERNEL_STACK void WorkCounter::count_alone(SiteRecord& where, std::uintptr_t address) noexcept {
    approximate_ = true;
    const std::uint64_t addresses[1] = {address};
    charge_requests(where, addresses, 1, false, 1);
}

// A lane that ended without an access counts as running only if a higher one didn't: `if (i >= n) return;` ends the
// last lanes of a warp, and what the others do isn't divergent.
GPU_ON_KERNEL_STACK void WorkCounter::close(Warp& warp) noexcept {
    std::uint32_t accessed = 0;
    for (const RequestRecord* record = warp.open; record != nullptr; record = record->next) accessed |= record->present;
    const std::uint32_t busy = warp.running & ~(warp.ended & ~accessed);
    const std::uint32_t running = warp.running & first_lanes(static_cast<unsigned>(std::bit_width(busy)));
    while (warp.open != nullptr) {
        RequestRecord& record = *warp.open;
        charge_record(record, running);
        warp.open = record.next;
        record.site->open[&warp - warps_] = nullptr;
        store_.give_back(record);
    }
    warp.running &= ~warp.ended;
    warp.ended = 0;
}

GPU_ON_KERNEL_STACK void WorkCounter::close_all() noexcept {
    for (unsigned w = 0; w < warp_count_; ++w) {
        close(warps_[w]);
        warps_[w].waiting = 0;
    }
}

GPU_ON_KERNEL_STACK void WorkCounter::barrier(Site site) noexcept {
    close_all();
    count_event(site, SiteRecord::barrier);
}

// Whether the operation is for all lanes depends on those that ran when the open requests began, not on those that have
// ended by now: that would depend on the order of threads.
GPU_ON_KERNEL_STACK void WorkCounter::warp_operation(Site site, unsigned warp, std::uint32_t mask) noexcept {
    if ((warps_[warp].running & ~mask) == 0) close(warps_[warp]);
    count_event(site, SiteRecord::warp_operation);
}

GPU_ON_KERNEL_STACK void WorkCounter::count_event(Site site, unsigned kind) noexcept {
    const std::uint64_t key = SiteRecord::key_of(site, 1, kind);
    SiteRecord* where = store_.find(key);
    if (where == nullptr) where = store_.add_site(key);
    if (where != nullptr) ++where->events;
}

GPU_ON_KERNEL_STACK void WorkCounter::thread_waits(unsigned thread) noexcept {
    Warp& warp = warps_[thread / 32];
    warp.waiting |= std::uint32_t{1} << thread % 32;
    if ((warp.running & ~(warp.waiting | warp.ended)) == 0) close(warp);
}

std::vector<SiteCounts> WorkCounter::take() {
    std::vector<SiteCounts> sites;
    store_.for_each_site([&](const SiteRecord& site) { sites.push_back({site.site(), work_of(site)}); });
    store_.clear();
    approximate_ = false;
    std::sort(sites.begin(), sites.end(), [](const auto& a, const auto& b) { return a.site < b.site; });
    std::vector<SiteCounts> merged;
    for (const SiteCounts& site : sites) {
        if (merged.empty() || merged.back().site != site.site)
            merged.push_back(site);
        else
            merged.back().work += site.work;
    }
    return merged;
}

WorkCounts total_work(const std::vector<SiteCounts>& sites) noexcept {
    WorkCounts total;
    for (const SiteCounts& site : sites) total += site.work;
    return total;
}

std::vector<LineCounts> work_by_line(const std::vector<SiteCounts>& sites, const std::vector<SourcePlace>& places) {
    std::vector<LineCounts> lines;
    for (std::size_t k = 0; k < sites.size() && k < places.size(); ++k)
        if (!places[k].file.empty()) lines.push_back({places[k].file, places[k].line, sites[k].work});
    gather(lines);
    return lines;
}

void add_lines(std::vector<LineCounts>& to, const std::vector<LineCounts>& more) {
    to.insert(to.end(), more.begin(), more.end());
    gather(to);
}

}  // namespace gpu::detail::host
