// SPDX-License-Identifier: MIT
// Shuffles, votes and __syncwarp: lanes deposit their values, the last one of the mask computes all results.
#include <sched.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <map>
#include <utility>

#include "host/fibers/block_scheduler_hot.hpp"

namespace gpu::detail::host {

namespace {

// Which lane a shuffle reads from, by CUDA's rules; the lane itself where the source is outside its segment.
template <int operation>
GPU_HOT_ON_KERNEL_STACK int source_lane(int lane, int argument) noexcept {
    const int width = argument >> 8, by = argument & 0xff;
    const int first = lane & ~(width - 1);
    int from = lane;
    if constexpr (operation == gpu_warp_index) return first | (by & (width - 1));
    if constexpr (operation == gpu_warp_up) from = lane - by < first ? lane : lane - by;
    if constexpr (operation == gpu_warp_down) from = lane + by >= first + width ? lane : lane + by;
    if constexpr (operation == gpu_warp_xor) from = (lane ^ (by & 31)) >= first + width ? lane : lane ^ (by & 31);
    return from;
}

// -1: it isn't a shuffle.
GPU_ON_KERNEL_STACK int source_of(int operation, int lane, int argument) noexcept {
    switch (operation) {
        case gpu_warp_index: return source_lane<gpu_warp_index>(lane, argument);
        case gpu_warp_up: return source_lane<gpu_warp_up>(lane, argument);
        case gpu_warp_down: return source_lane<gpu_warp_down>(lane, argument);
        case gpu_warp_xor: return source_lane<gpu_warp_xor>(lane, argument);
        default: return -1;
    }
}

template <int operation, class Warp>
GPU_HOT_ON_KERNEL_STACK void shuffle(const Warp& warp, std::uint32_t lanes, unsigned long long* result) noexcept {
    // Mostly a whole warp with one argument: which lanes are read is then known of all at once.
    if (lanes == ~std::uint32_t{0} && warp.differs == 0) {
        const int argument = argument_of(warp.first);
        for (int lane = 0; lane < 32; ++lane) result[lane] = warp.value[source_lane<operation>(lane, argument)];
        return;
    }
    for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
        const int lane = std::countr_zero(left);
        const int from = source_lane<operation>(lane, argument_of(warp.instruction[lane]));
        result[lane] = warp.value[(lanes & bit(from)) != 0 ? from : lane];
    }
}

GPU_ON_KERNEL_STACK std::uint32_t combined(int operation, std::uint32_t a, std::uint32_t b) noexcept {
    switch (operation) {
        case gpu_warp_add: return a + b;
        case gpu_warp_min: return static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b) ? a : b;
        case gpu_warp_max: return static_cast<std::int32_t>(a) > static_cast<std::int32_t>(b) ? a : b;
        case gpu_warp_min_unsigned: return a < b ? a : b;
        case gpu_warp_max_unsigned: return a > b ? a : b;
        case gpu_warp_and: return a & b;
        case gpu_warp_or: return a | b;
        default: return a ^ b;
    }
}

// __match_all_sync and the __reduce_sync functions: one result for all lanes.
template <class Warp>
GPU_ON_KERNEL_STACK std::uint32_t common_result(const Warp& warp, std::uint32_t lanes, int operation) noexcept {
    const int first = std::countr_zero(lanes);
    auto result = static_cast<std::uint32_t>(warp.value[first]);
    bool same = true;
    for (std::uint32_t left = lanes & (lanes - 1); left != 0; left &= left - 1) {
        const int lane = std::countr_zero(left);
        same = same && warp.value[lane] == warp.value[first];
        result = combined(operation, result, static_cast<std::uint32_t>(warp.value[lane]));
    }
    return operation != gpu_warp_match_all ? result : same ? lanes : 0;
}

}  // namespace

const char* name_of_warp_operation(int operation) noexcept {
    switch (operation) {
        case gpu_warp_sync: return "__syncwarp()";
        case gpu_warp_index: return "__shfl_sync()";
        case gpu_warp_up: return "__shfl_up_sync()";
        case gpu_warp_down: return "__shfl_down_sync()";
        case gpu_warp_xor: return "__shfl_xor_sync()";
        case gpu_warp_ballot: return "a vote of the warp";
        case gpu_warp_match: return "__match_any_sync()";
        case gpu_warp_match_all: return "__match_all_sync()";
        default: return "a __reduce_sync() function";
    }
}

// True if all lanes that this lane's operation needs have arrived at the same one.
GPU_ON_KERNEL_STACK bool BlockScheduler::complete(Warp& warp, int lane) noexcept {
    const std::uint64_t own = warp.instruction[lane];
    const std::uint32_t need = mask_of(own) & warp.live;
    if ((warp.waiting & need) != need) return false;
    // Mostly all lanes that wait are in the same operation: then none needs to be looked at.
    if (same_operation(warp.differs)) return true;
    for (std::uint32_t left = need; left != 0; left &= left - 1)
        if (!same_operation(warp.instruction[std::countr_zero(left)] ^ own)) return false;
    return true;
}

// Every lane's source must be among the lanes; otherwise what it reads is undefined on a GPU.
GPU_ON_KERNEL_STACK void BlockScheduler::tell_warp(const Warp& warp, std::uint32_t lanes, int operation) noexcept {
    const int w = static_cast<int>(&warp - warp_), first = std::countr_zero(lanes);
    const int existing = threads_ - w * 32;
    const std::uint32_t all = existing >= 32 ? ~std::uint32_t{0} : bit(existing) - 1;
    WarpArrival arrival{w, operation, line_[w * 32 + first], lanes, warp.live,
                        mask_of(warp.instruction[first]) & all & ~warp.live};
    for (std::uint32_t left = lanes; left != 0 && arrival.reader < 0; left &= left - 1) {
        const int lane = std::countr_zero(left);
        const int from = source_of(operation, lane, argument_of(warp.instruction[lane]));
        if (from < 0 || (lanes & bit(from)) != 0) continue;
        arrival.reader = lane;
        arrival.inactive_lane = from;
    }
    observer_->warp_done(arrival);
}

GPU_ON_KERNEL_STACK void BlockScheduler::finish(Warp& warp, std::uint32_t lanes) noexcept {
    const int operation = operation_of(warp.instruction[std::countr_zero(lanes)]);
    if (__builtin_expect(observer_ != nullptr, 0)) tell_warp(warp, lanes, operation);
    unsigned long long* const result = result_ + (&warp - warp_) * 32;
    std::uint32_t ballot = 0;
    if (operation == gpu_warp_ballot)
        for (std::uint32_t left = lanes; left != 0; left &= left - 1)
            if (warp.value[std::countr_zero(left)] != 0) ballot |= left & -left;
    switch (operation) {
        case gpu_warp_sync: break;
        case gpu_warp_ballot:
            for (std::uint32_t left = lanes; left != 0; left &= left - 1) result[std::countr_zero(left)] = ballot;
            break;
        case gpu_warp_match:
            for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
                const int lane = std::countr_zero(left);
                std::uint32_t same = 0;
                for (std::uint32_t others = lanes; others != 0; others &= others - 1)
                    if (warp.value[std::countr_zero(others)] == warp.value[lane]) same |= others & -others;
                result[lane] = same;
            }
            break;
        case gpu_warp_index: shuffle<gpu_warp_index>(warp, lanes, result); break;
        case gpu_warp_up: shuffle<gpu_warp_up>(warp, lanes, result); break;
        case gpu_warp_down: shuffle<gpu_warp_down>(warp, lanes, result); break;
        case gpu_warp_xor: shuffle<gpu_warp_xor>(warp, lanes, result); break;
        default: {
            const std::uint32_t common = common_result(warp, lanes, operation);
            for (std::uint32_t left = lanes; left != 0; left &= left - 1) result[std::countr_zero(left)] = common;
        }
    }
    warp.waiting &= ~lanes;
    warp.runnable |= lanes;
    ready_ |= bit(static_cast<int>(&warp - warp_));
}

// All lanes that a thread's operation names wait. True: in the same operation, and now they have their results.
GPU_ON_KERNEL_STACK bool BlockScheduler::finish_with(Warp& warp, unsigned thread) noexcept {
    const auto lane = static_cast<int>(thread % 32);
    if (!complete(warp, lane)) return false;
    finish(warp, mask_of(warp.instruction[lane]) & warp.live);
    return true;
}

// After a lane has ended: operations that waited only for it.
GPU_ON_KERNEL_STACK void BlockScheduler::finish_without(Warp& warp) noexcept {
    for (std::uint32_t left = warp.waiting; left != 0; left &= left - 1) {
        const int lane = std::countr_zero(left);
        if ((warp.waiting & bit(lane)) != 0 && complete(warp, lane))
            finish(warp, mask_of(warp.instruction[lane]) & warp.live);
    }
}

GPU_ON_KERNEL_STACK unsigned long long BlockScheduler::warp(void*, unsigned long long instruction,
                                                            unsigned long long value, int line) {
    BlockScheduler* const self = running_scheduler;
    const int thread = self->current_;
    Warp& warp = self->warp_[thread / 32];
    if ((mask_of(instruction) & bit(thread % 32)) == 0)
        self->fail(Fault::Kind::wrong_mask, line, mask_of(instruction));
    if (!self->deposit(warp, static_cast<unsigned>(thread), instruction, value, line) ||
        !self->finish_with(warp, static_cast<unsigned>(thread))) {
        self->stop_running(thread);
        self->switch_to_next();
    }
    return self->result_[thread];
}

// __activemask() has no rule that says which lanes run together. Here: a lane that asks waits until no lane of its warp
// can run; then those that ask on the same line are told of each other.
GPU_ON_KERNEL_STACK unsigned BlockScheduler::active_lanes(void*, int line) {
    BlockScheduler* const self = running_scheduler;
    const int thread = self->current_;
    self->line_[thread] = line;
    self->warp_[thread / 32].asking |= bit(thread % 32);
    self->stop_running(thread);
    const int to = self->next();
    if (to != thread) {
        self->make_current(to);
        switch_fiber(&self->fiber_[thread], self->fiber_of(to));
    }
    return static_cast<unsigned>(self->result_[thread]);
}

GPU_ON_KERNEL_STACK void BlockScheduler::answer(Warp& warp) noexcept {
    const int first_thread = static_cast<int>(&warp - warp_) * 32;
    for (std::uint32_t left = warp.asking; left != 0; left &= left - 1) {
        const int lane = std::countr_zero(left);
        std::uint32_t together = 0;
        for (std::uint32_t others = warp.asking; others != 0; others &= others - 1)
            if (line_[first_thread + std::countr_zero(others)] == line_[first_thread + lane])
                together |= others & -others;
        result_[first_thread + lane] = together;
    }
    warp.runnable |= warp.asking;
    warp.asking = 0;
}

// The next thread in the block's order, so that each gets its turn however many wait for one.
GPU_ON_KERNEL_STACK void BlockScheduler::yield(void*) {
    BlockScheduler* const self = running_scheduler;
    const int from = self->current_, lane = from % 32;
    int w = from / 32;
    std::uint32_t lanes = self->warp_[w].runnable & ~((bit(lane) << 1) - 1);
    if (lanes == 0) {
        const std::uint32_t above = self->ready_ & ~((bit(w) << 1) - 1);
        w = std::countr_zero(above != 0 ? above : self->ready_);
        lanes = self->warp_[w].runnable;
    }
    const int to = w * 32 + std::countr_zero(lanes);
    if (to <= from) ::sched_yield();  // a round is over: what this thread waits for may be another block's
    if (to == from) return;
    self->make_current(to);
    switch_fiber(&self->fiber_[from], self->fiber_of(to));
}

std::vector<Arrivals> BlockScheduler::arrivals() const {
    std::map<std::pair<int, std::string>, Arrivals> places;
    for (int thread = 0; thread < threads_; ++thread) {
        const Warp& warp = warp_[thread / 32];
        const int lane = thread % 32;
        const bool in_operation = (warp.waiting & bit(lane)) != 0;
        if (!in_operation && (warp.at_barrier & bit(lane)) == 0) continue;
        const bool in_part = std::any_of(std::begin(part_), std::end(part_), [&](const PartBarrier& part) {
            return (part.waiting[thread / 32] & bit(lane)) != 0;
        });
        const std::string at = in_operation ? name_of_warp_operation(operation_of(warp.instruction[lane]))
                               : in_part    ? "__barrier_sync_count()"
                                            : "__syncthreads()";
        Arrivals& place = places[{line_[thread], at}];
        if (place.count++ > 0) continue;
        place = {line_[thread], thread, 1, in_operation ? mask_of(warp.instruction[lane]) : 0, at, -1};
        for (std::uint32_t left = place.mask & warp.live; left != 0 && place.missing_thread < 0; left &= left - 1) {
            const int other = std::countr_zero(left);
            if ((warp.waiting & bit(other)) == 0 ||
                !same_operation(warp.instruction[other] ^ warp.instruction[lane]))
                place.missing_thread = thread / 32 * 32 + other;
        }
    }
    std::vector<Arrivals> result;
    for (const auto& [key, place] : places) result.push_back(place);
    return result;
}

std::vector<WaitingThreads> BlockScheduler::waiting() const {
    std::vector<WaitingThreads> result;
    for (const Arrivals& place : arrivals())
        result.push_back({place.at + " on line " + std::to_string(place.line), place.count});
    return result;
}

}  // namespace gpu::detail::host
