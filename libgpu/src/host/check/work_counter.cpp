// SPDX-License-Identifier: MIT
#include "host/check/work_counter.hpp"

#include <algorithm>
#include <bit>
#include <tuple>

#include "host/check/requests.hpp"

namespace gpu::detail::host {

namespace {

constexpr std::uint32_t first_lanes(unsigned count) noexcept {
    return count >= 32 ? ~std::uint32_t{0} : (std::uint32_t{1} << count) - 1;
}

WorkCounts work_of(const SiteRecord& site) {
    WorkCounts work;
    const std::uint64_t events = site.events, bytes = events * site.size(), elements = events * site.elements();
    const unsigned kind = site.kind();
    if (kind == SiteRecord::barrier) return {.barriers = events};
    if (kind == SiteRecord::warp_operation) return {.warp_operations = events};
    switch (static_cast<AccessKind>(kind)) {
        case AccessKind::global_read: work = {.global_reads = elements, .global_bytes_read = bytes}; break;
        case AccessKind::global_write: work = {.global_writes = elements, .global_bytes_written = bytes}; break;
        case AccessKind::shared_read: work = {.shared_reads = elements, .shared_bytes_read = bytes}; break;
        case AccessKind::shared_write: work = {.shared_writes = elements, .shared_bytes_written = bytes}; break;
        case AccessKind::global_atomic:
            work = {.global_bytes_written = bytes, .atomics = events, .global_atomics = events};
            break;
        case AccessKind::shared_atomic: work = {.shared_bytes_written = bytes, .atomics = events}; break;
    }
    (is_global(site) ? work.global_requests : work.shared_requests) = site.requests;
    work.global_sectors = site.sectors;
    work.global_segments = site.segments;
    work.global_bytes_used = site.bytes_used;
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

void WorkCounter::end_block() noexcept {
    close_all();
    add_block();
}

void WorkCounter::abandon_block() noexcept {
    store_.forget_open();
    for (Warp& warp : warps_) warp = {};
    add_block();
}

GPU_ON_KERNEL_STACK void WorkCounter::add_to_thread(const SiteRecord& where, unsigned thread,
                                                    std::uint32_t accesses) noexcept {
    accesses *= where.elements();
    (is_global(where) ? threads_->global : threads_->shared)[thread] += accesses;
    if (is_atomic(where)) threads_->atomic[thread] += accesses;
    threads_->since_barrier[thread] += accesses;
    alike_[thread / 32].others = alike_[thread / 32].others_since_barrier = true;
}

GPU_ON_KERNEL_STACK void WorkCounter::add_to_warp(const SiteRecord& where, unsigned warp,
                                                  std::uint32_t accesses) noexcept {
    Alike& all = alike_[warp];
    accesses *= where.elements();
    (is_global(where) ? all.global : all.shared) += accesses;
    if (is_atomic(where)) all.atomic += accesses;
    all.since_barrier += accesses;
}

GPU_ON_KERNEL_STACK void WorkCounter::add_to_threads(const RequestRecord& record, unsigned warp) noexcept {
    const bool is_whole = record.present == first_lanes(32) && record.spilled == 0;
    if (is_whole && record.repeated == 0) return add_to_warp(*record.site, warp, 1);
    if (is_whole && record.repeated == first_lanes(32)) {
        std::uint64_t differ = 0;
        for (const RequestRecord::Newest& run : record.run) differ |= run.count ^ record.run[0].count;
        if (differ == 0) return add_to_warp(*record.site, warp, static_cast<std::uint32_t>(record.run[0].count));
    }
    for (std::uint32_t rest = record.present; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const std::uint32_t bit = std::uint32_t{1} << lane;
        std::uint32_t accesses =
            (record.repeated & bit) != 0 ? static_cast<std::uint32_t>(record.run[lane].count) : 1;
        if ((record.spilled & bit) != 0)
            for (const RunChunk* chunk = record.first[lane];; chunk = chunk->next) {
                for (std::uint32_t k = 0; k < chunk->used; ++k) accesses += chunk->runs[k].count;
                if (chunk == record.newest[lane]) break;
            }
        add_to_thread(*record.site, 32 * warp + static_cast<unsigned>(lane), accesses);
    }
}

// A barrier joins the block's threads: what the busiest one did since the last barrier, the others waited for.
GPU_ON_KERNEL_STACK void WorkCounter::end_phase() noexcept {
    std::uint32_t longest = 0;
    for (unsigned w = 0; w < warp_count_; ++w) {
        Alike& all = alike_[w];
        std::uint32_t most = 0;
        for (unsigned t = 32 * w; all.others_since_barrier && t < 32 * w + 32; ++t) {
            most = std::max(most, threads_->since_barrier[t]);
            threads_->since_barrier[t] = 0;
        }
        longest = std::max(longest, all.since_barrier + most);
        all.since_barrier = 0;
        all.others_since_barrier = false;
    }
    block_span_ += longest;
}

void WorkCounter::add_block() noexcept {
    end_phase();
    const auto add = [this](WorkSpread& to, std::uint32_t* threads, std::uint32_t Alike::*count) {
        std::uint64_t block = 0;
        for (unsigned w = 0; w < warp_count_; ++w) {
            const std::uint32_t all = alike_[w].*count;
            std::uint64_t warp = std::uint64_t{32} * all;
            std::uint32_t busiest = all;
            unsigned working = all != 0 ? 32 : 0;
            for (unsigned t = 32 * w; alike_[w].others && t < 32 * w + 32; ++t) {
                warp += threads[t];
                busiest = std::max(busiest, all + threads[t]);
                working += all == 0 && threads[t] != 0 ? 1 : 0;
                threads[t] = 0;
            }
            block += warp;
            to.busiest_thread = std::max<std::uint64_t>(to.busiest_thread, busiest);
            to.busiest_warp = std::max(to.busiest_warp, warp);
            to.working_threads += working;
            to.working_warps += warp != 0 ? 1 : 0;
        }
        to.total += block;
        to.busiest_block = std::max(to.busiest_block, block);
        to.working_blocks += block != 0 ? 1 : 0;
    };
    const std::uint64_t before = spread_.global.total + spread_.shared.total;
    add(spread_.global, threads_->global, &Alike::global);
    add(spread_.shared, threads_->shared, &Alike::shared);
    add(spread_.atomic, threads_->atomic, &Alike::atomic);
    for (unsigned w = 0; w < warp_count_; ++w) alike_[w] = {};
    spread_.accesses += spread_.global.total + spread_.shared.total - before;
    spread_.span = std::max(spread_.span, block_span_);
    block_span_ = 0;
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

GPU_ON_KERNEL_STACK void WorkCounter::count_alone(SiteRecord& where, unsigned thread,
                                                  std::uintptr_t address) noexcept {
    approximate_ = true;
    add_to_thread(where, thread, 1);
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
        add_to_threads(record, static_cast<unsigned>(&warp - warps_));
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
    end_phase();
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
    spread_ = {};
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

void LaunchSpread::add(const LaunchSpread& others) noexcept {
    const auto join = [](WorkSpread& to, const WorkSpread& more) {
        to.total += more.total;
        to.busiest_thread = std::max(to.busiest_thread, more.busiest_thread);
        to.busiest_warp = std::max(to.busiest_warp, more.busiest_warp);
        to.busiest_block = std::max(to.busiest_block, more.busiest_block);
        to.working_threads += more.working_threads;
        to.working_warps += more.working_warps;
        to.working_blocks += more.working_blocks;
    };
    join(global, others.global);
    join(shared, others.shared);
    join(atomic, others.atomic);
    accesses += others.accesses;
    span = std::max(span, others.span);
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
