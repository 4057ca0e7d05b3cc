// SPDX-License-Identifier: MIT
#include "host/check/block_clock.hpp"

#include <algorithm>
#include <bit>

namespace gpu::detail::host {

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
    // Its own chain is known by the count, but for what was released to the releaser's block alone.
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
    // What lies before is taken to be in order from here on: a race across this moment goes unseen, none is invented.
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

// Each warp releases what came before to a place of the barrier's own, and acquires what all have released there.
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

}  // namespace gpu::detail::host
