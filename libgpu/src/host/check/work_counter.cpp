// SPDX-License-Identifier: MIT
#include "host/check/work_counter.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <tuple>

#include "host/fibers/context_switch.hpp"

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

// Sorts by place and merges entries of the same place.
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

// A barrier joins the block's threads: the others waited for what the busiest one did since the last barrier.
GPU_ON_KERNEL_STACK void WorkCounter::end_phase() noexcept {
    std::uint32_t max_of_warps = 0;
    for (unsigned w = 0; w < warp_count_; ++w) {
        Alike& all = alike_[w];
        std::uint32_t max_of_threads = 0;
        for (unsigned t = 32 * w; all.others_since_barrier && t < 32 * w + 32; ++t) {
            max_of_threads = std::max(max_of_threads, threads_->since_barrier[t]);
            threads_->since_barrier[t] = 0;
        }
        max_of_warps = std::max(max_of_warps, all.since_barrier + max_of_threads);
        all.since_barrier = 0;
        all.others_since_barrier = false;
    }
    block_span_ += max_of_warps;
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

// A lane that ended without an access counts as running only if a higher one didn't end: `if (i >= n) return;` ends the
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
// ended by now, which would depend on the order of threads.
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

namespace {

constexpr std::size_t piece_size = std::size_t{256} << 10;
constexpr std::uint64_t first_table_size = 1024;

GPU_ON_KERNEL_STACK void* map(std::size_t bytes) noexcept {
    void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? nullptr : memory;
}

// A jump out of a signal handler then sees stores in the order of the text.
GPU_HOT_ON_KERNEL_STACK void publish() noexcept { std::atomic_signal_fence(std::memory_order_seq_cst); }

}  // namespace

PieceArena::~PieceArena() {
    while (first_ != nullptr) {
        Piece* const next = first_->next;
        ::munmap(first_, first_->size);
        first_ = next;
    }
}

GPU_ON_KERNEL_STACK void* PieceArena::take(std::size_t bytes) noexcept {
    bytes = (bytes + 15) & ~std::size_t{15};
    if (current_ == nullptr || used_ + bytes > current_->size) {
        Piece* next = current_ != nullptr ? current_->next : first_;
        if (next == nullptr) {
            if (mapped_ + piece_size > limit_) return nullptr;
            next = static_cast<Piece*>(map(piece_size));
            if (next == nullptr) return nullptr;
            next->size = piece_size;
            mapped_ += piece_size;
            publish();
            (current_ != nullptr ? current_->next : first_) = next;
        }
        used_ = sizeof(Piece);
        publish();
        current_ = next;
    }
    void* const memory = reinterpret_cast<char*>(current_) + used_;
    used_ += bytes;
    return memory;
}

void PieceArena::reset() noexcept {
    current_ = nullptr;
    used_ = 0;
}

RequestStore::~RequestStore() {
    if (table_ != nullptr) ::munmap(table_, bytes_of(table_->mask + 1));
}

GPU_ON_KERNEL_STACK void RequestStore::Table::insert(std::uint64_t key, SiteRecord* site) noexcept {
    std::uint64_t slot = slot_of(key);
    while (entries[slot].site != nullptr) slot = (slot + 1) & mask;
    entries[slot].key = key;
    publish();
    entries[slot].site = site;
    ++used;
}

GPU_ON_KERNEL_STACK RequestStore::Table* RequestStore::new_table(std::uint64_t size) noexcept {
    auto* const table = static_cast<Table*>(map(bytes_of(size)));
    if (table == nullptr) return nullptr;
    table->mask = size - 1;
    table->shift = 64 - std::countr_zero(size);
    return table;
}

GPU_ON_KERNEL_STACK bool RequestStore::grow() noexcept {
    Table* const old = table_;
    Table* const table = new_table(old == nullptr ? first_table_size : 2 * (old->mask + 1));
    if (table == nullptr) return false;
    if (old != nullptr)
        for (std::uint64_t slot = 0; slot <= old->mask; ++slot)
            if (old->entries[slot].site != nullptr) table->insert(old->entries[slot].key, old->entries[slot].site);
    publish();
    table_ = table;
    if (old != nullptr) ::munmap(old, bytes_of(old->mask + 1));
    return true;
}

GPU_ON_KERNEL_STACK SiteRecord* RequestStore::add_site(std::uint64_t key) noexcept {
    if ((table_ == nullptr || 2 * table_->used > table_->mask) && !grow()) return nullptr;
    auto* const site = static_cast<SiteRecord*>(site_memory_.take(sizeof(SiteRecord)));
    if (site == nullptr) return nullptr;
    *site = SiteRecord{};
    site->key = key;
    table_->insert(key, site);
    return site;
}

GPU_ON_KERNEL_STACK RequestRecord* RequestStore::take_record() noexcept {
    RequestRecord* record = free_records_;
    if (record != nullptr)
        free_records_ = record->next;
    else
        record = static_cast<RequestRecord*>(open_memory_.take(sizeof(RequestRecord)));
    if (record == nullptr) return nullptr;
    record->present = record->repeated = record->spilled = 0;
    for (RequestRecord::Newest& run : record->run) run.expected = RequestRecord::no_address;
    return record;
}

GPU_ON_KERNEL_STACK void RequestStore::give_back(RequestRecord& record) noexcept {
    for (std::uint32_t lanes = record.spilled; lanes != 0; lanes &= lanes - 1) {
        const int lane = std::countr_zero(lanes);
        record.newest[lane]->next = free_chunks_;
        free_chunks_ = record.first[lane];
    }
    record.next = free_records_;
    free_records_ = &record;
}

GPU_ON_KERNEL_STACK bool RequestStore::repeat(RequestRecord& record, std::uint32_t lane,
                                              std::uint64_t address) noexcept {
    const std::uint32_t bit = std::uint32_t{1} << lane;
    if ((record.repeated & bit) == 0) {
        const std::uint64_t stride = address - record.base[lane];
        record.run[lane] = {address + stride, stride, 2};
        record.repeated |= bit;
        return true;
    }
    RunChunk* chunk = (record.spilled & bit) != 0 ? record.newest[lane] : nullptr;
    if (chunk == nullptr || chunk->used == RunChunk::capacity) {
        RunChunk* more = free_chunks_;
        if (more != nullptr)
            free_chunks_ = more->next;
        else
            more = static_cast<RunChunk*>(open_memory_.take(sizeof(RunChunk)));
        if (more == nullptr) return false;
        more->next = nullptr;
        more->used = 0;
        (chunk != nullptr ? chunk->next : record.first[lane]) = more;
        record.newest[lane] = chunk = more;
        record.spilled |= bit;
    }
    chunk->runs[chunk->used++] = {record.base[lane], record.run[lane].stride,
                                  static_cast<std::uint32_t>(record.run[lane].count)};
    record.base[lane] = address;
    record.run[lane].expected = RequestRecord::no_address;
    record.repeated &= ~bit;
    return true;
}

void RequestStore::forget_open() noexcept {
    for_each_site([](SiteRecord& site) { std::fill_n(site.open, 32, nullptr); });
    free_records_ = nullptr;
    free_chunks_ = nullptr;
    open_memory_.reset();
}

void RequestStore::clear() noexcept {
    forget_open();
    if (table_ == nullptr) return;
    std::fill_n(table_->entries, table_->mask + 1, Entry{});
    table_->used = 0;
    site_memory_.reset();
}

namespace {

/// Iterates over the lanes' accesses at a site, request by request, or over as many at once as cost the same.
class RequestWalk {
public:
    GPU_ON_KERNEL_STACK explicit RequestWalk(const RequestRecord& record) noexcept : record_(record) {
        for (std::uint32_t rest = record.present; rest != 0; rest &= rest - 1) {
            const int lane = std::countr_zero(rest);
            chunk_[lane] = (record.spilled >> lane & 1) != 0 ? record.first[lane] : nullptr;
            next_[lane] = 0;
            active_ |= std::uint32_t{1} << lane;
            refill(lane);
        }
    }

    GPU_ON_KERNEL_STACK void charge_all(std::uint32_t running) noexcept {
        while (active_ != 0) {
            std::uint64_t steps = ~std::uint64_t{0};
            const std::uint64_t stride = stride_[std::countr_zero(active_)];
            bool together = true;
            for (std::uint32_t rest = active_; rest != 0; rest &= rest - 1) {
                const int lane = std::countr_zero(rest);
                steps = std::min<std::uint64_t>(steps, left_[lane]);
                together = together && stride_[lane] == stride;
            }
            charge_some(steps, together ? stride : 0, together, (running & ~active_) != 0);
        }
    }

private:
    // Takes a lane's next run; a lane without one becomes inactive. The newest run comes last.
    GPU_ON_KERNEL_STACK void refill(int lane) noexcept {
        const std::uint32_t bit = std::uint32_t{1} << lane;
        const RunChunk* chunk = chunk_[lane];
        if (chunk != nullptr) {
            const AddressRun& run = chunk->runs[next_[lane]];
            at_[lane] = run.base;
            stride_[lane] = run.stride;
            left_[lane] = run.count;
            if (++next_[lane] < chunk->used) return;
            next_[lane] = 0;
            chunk_[lane] = chunk == record_.newest[lane] ? nullptr : chunk->next;
        } else if ((newest_done_ & bit) == 0) {
            newest_done_ |= bit;
            const bool repeated = (record_.repeated & bit) != 0;
            left_[lane] = repeated ? static_cast<std::uint32_t>(record_.run[lane].count) : 1;
            stride_[lane] = repeated ? record_.run[lane].stride : 0;
            at_[lane] = record_.base[lane];
        } else {
            active_ &= ~bit;
        }
    }

    GPU_ON_KERNEL_STACK void charge_some(std::uint64_t steps, std::uint64_t stride, bool together,
                                         bool divergent) noexcept {
        SiteRecord& site = *record_.site;
        if (together) {
            const std::uint64_t period =
                std::min(steps, is_global(site) ? global_period(stride) : shared_period(stride));
            for (std::uint64_t k = 0; k < period; ++k) {
                charge_requests(site, at_, active_, divergent, (steps - k + period - 1) / period);
                advance(1);
            }
            advance(steps - period);
        } else {
            for (std::uint64_t k = 0; k < steps; ++k) {
                charge_requests(site, at_, active_, divergent, 1);
                advance(1);
            }
        }
        for (std::uint32_t rest = active_; rest != 0; rest &= rest - 1) {
            const int lane = std::countr_zero(rest);
            left_[lane] -= static_cast<std::uint32_t>(steps);
            if (left_[lane] == 0) refill(lane);
        }
    }

    GPU_HOT_ON_KERNEL_STACK void advance(std::uint64_t steps) noexcept {
        for (int lane = 0; lane < 32; ++lane) at_[lane] += stride_[lane] * steps;
    }

    const RequestRecord& record_;
    std::uint32_t active_ = 0, newest_done_ = 0;
    const RunChunk* chunk_[32];
    std::uint32_t next_[32], left_[32];
    std::uint64_t at_[32] = {}, stride_[32] = {};
};

}  // namespace

GPU_ON_KERNEL_STACK void charge_requests(SiteRecord& site, const std::uint64_t* addresses, std::uint32_t lanes,
                                         bool divergent, std::uint64_t times) noexcept {
    std::uint64_t requests = times;
    if (is_global(site)) {
        const GlobalCost cost = global_cost(addresses, lanes, site.size());
        site.sectors += cost.sectors * times;
        site.segments += cost.segments * times;
        const std::uint64_t asked = static_cast<unsigned>(std::popcount(lanes)) * std::uint64_t{site.size()};
        site.bytes_used += std::min(asked, std::uint64_t{32} * cost.sectors) * times;
    } else {
        const SharedCost cost = shared_cost(addresses, lanes, site.size(), is_atomic(site));
        requests = cost.requests * times;
        site.wavefronts += cost.wavefronts * times;
    }
    if (is_atomic(site)) {
        site.atomic_requests += times;
        site.atomic_turns += max_on_one_address(addresses, lanes) * times;
    }
    site.requests += requests;
    if (divergent) site.divergent += requests;
    site.events += times * static_cast<unsigned>(std::popcount(lanes));
}

GPU_ON_KERNEL_STACK void charge_record(const RequestRecord& record, std::uint32_t running) noexcept {
    if ((record.repeated | record.spilled) == 0)
        charge_requests(*record.site, record.base, record.present, (running & ~record.present) != 0, 1);
    else
        RequestWalk(record).charge_all(running);
}

namespace {

// A set of up to 160 numbers: 32 lanes with at most 5 words each.
class NumberSet {
public:
    // Returns its index: count() before the call if it is new.
    GPU_HOT_ON_KERNEL_STACK unsigned insert(std::uint64_t number) noexcept {
        std::uint64_t slot = number * 0x9E3779B97F4A7C15u >> 56;
        for (; used_[slot] != 0; slot = (slot + 1) % 256)
            if (numbers_[used_[slot] - 1] == number) return used_[slot] - 1u;
        numbers_[count_] = number;
        used_[slot] = static_cast<std::uint8_t>(count_ + 1);
        return count_++;
    }
    [[nodiscard]] GPU_HOT_ON_KERNEL_STACK unsigned count() const noexcept { return count_; }

private:
    std::uint8_t used_[256] = {};  // index in numbers_, plus 1
    unsigned count_ = 0;
    std::uint64_t numbers_[160];
};

// For addresses in any order.
GPU_ON_KERNEL_STACK GlobalCost scattered_cost(const std::uint64_t* addresses, std::uint32_t lanes,
                                              unsigned size) noexcept {
    NumberSet segments;
    std::uint8_t sectors[64] = {};  // per segment, as bits
    GlobalCost cost{0, 0};
    for (; lanes != 0; lanes &= lanes - 1) {
        const std::uint64_t address = addresses[std::countr_zero(lanes)];
        for (std::uint64_t sector = address >> 5; sector <= (address + size - 1) >> 5; ++sector) {
            std::uint8_t& seen = sectors[segments.insert(sector >> 2)];
            const auto bit = static_cast<std::uint8_t>(1u << sector % 4);
            cost.sectors += (seen & bit) == 0 ? 1u : 0u;
            seen = static_cast<std::uint8_t>(seen | bit);
        }
    }
    cost.segments = segments.count();
    return cost;
}

// One request. Most have no conflict, or only broadcasts: these take one pass over the lanes.
GPU_ON_KERNEL_STACK unsigned wavefronts(const std::uint64_t* addresses, std::uint32_t lanes, unsigned size,
                                        bool atomic) noexcept {
    std::uint64_t word_of[32];
    std::uint32_t banks = 0;
    bool conflict = false;
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        const std::uint64_t address = addresses[std::countr_zero(rest)];
        for (std::uint64_t word = address >> 2; word <= (address + size - 1) >> 2; ++word) {
            const std::uint32_t bank = word % 32, bit = std::uint32_t{1} << bank;
            conflict = conflict || ((banks & bit) != 0 && (atomic || word_of[bank] != word));
            banks |= bit;
            word_of[bank] = word;
        }
    }
    if (!conflict) return 1;
    NumberSet set;
    unsigned words[32] = {}, max_count = 0;
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        const std::uint64_t address = addresses[std::countr_zero(rest)];
        for (std::uint64_t word = address >> 2; word <= (address + size - 1) >> 2; ++word) {
            const unsigned known = set.count();
            if (!atomic && set.insert(word) != known) continue;
            const unsigned count = ++words[word % 32];
            max_count = max_count > count ? max_count : count;
        }
    }
    return max_count;
}

}  // namespace

GPU_ON_KERNEL_STACK GlobalCost global_cost(const std::uint64_t* addresses, std::uint32_t lanes,
                                           unsigned size) noexcept {
    // Most requests are a whole warp's, contiguous.
    if (lanes == ~std::uint32_t{0}) {
        using Two = std::uint64_t __attribute__((vector_size(16), aligned(8), may_alias));
        const auto* const pairs = reinterpret_cast<const Two*>(addresses);
        Two expected = {addresses[0], addresses[0] + size}, differs = {0, 0};
        for (int pair = 0; pair < 16; ++pair, expected += 2 * std::uint64_t{size}) differs |= pairs[pair] ^ expected;
        const std::uint64_t last = expected[0] - 1;
        if ((differs[0] | differs[1]) == 0)
            return {static_cast<unsigned>((last >> 5) - (addresses[0] >> 5) + 1),
                    static_cast<unsigned>((last >> 7) - (addresses[0] >> 7) + 1)};
    }
    GlobalCost cost{0, 0};
    std::uint64_t sector = ~std::uint64_t{0}, segment = ~std::uint64_t{0};  // the highest so far, if any
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        const std::uint64_t address = addresses[std::countr_zero(rest)];
        const std::uint64_t first = address >> 5, last = (address + size - 1) >> 5;
        if (first == sector && last == sector) continue;
        if (first < sector && cost.sectors != 0) return scattered_cost(addresses, lanes, size);
        cost.sectors += (first != sector ? 1u : 0u) + (last != first ? 1u : 0u);
        cost.segments += (first >> 2 != segment ? 1u : 0u) + (last >> 2 != first >> 2 ? 1u : 0u);
        sector = last;
        segment = last >> 2;
    }
    return cost;
}

GPU_ON_KERNEL_STACK SharedCost shared_cost(const std::uint64_t* addresses, std::uint32_t lanes, unsigned size,
                                           bool atomic) noexcept {
    if (size <= 4) return {1, wavefronts(addresses, lanes, size, atomic)};
    SharedCost cost{0, 0};
    const int width = size <= 8 ? 16 : 8;
    for (int begin = 0; begin < 32; begin += width) {
        const std::uint32_t part = lanes & ((std::uint32_t{1} << width) - 1) << begin;
        if (part == 0) continue;
        ++cost.requests;
        cost.wavefronts += wavefronts(addresses, part, size, atomic);
    }
    return cost;
}

GPU_ON_KERNEL_STACK unsigned max_on_one_address(const std::uint64_t* addresses, std::uint32_t lanes) noexcept {
    NumberSet set;
    unsigned count[32] = {}, max_count = 0;
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        const unsigned here = ++count[set.insert(addresses[std::countr_zero(rest)])];
        max_count = max_count > here ? max_count : here;
    }
    return max_count;
}

GPU_ON_KERNEL_STACK std::uint64_t global_period(std::uint64_t stride) noexcept {
    const int zeros = std::countr_zero(stride);
    return zeros >= 7 ? 1 : std::uint64_t{128} >> zeros;
}

GPU_ON_KERNEL_STACK std::uint64_t shared_period(std::uint64_t stride) noexcept {
    const int zeros = std::countr_zero(stride);
    return zeros >= 2 ? 1 : std::uint64_t{4} >> zeros;
}

}  // namespace gpu::detail::host
