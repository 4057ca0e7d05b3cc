// SPDX-License-Identifier: MIT
#include "host/fibers/block_scheduler.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdio>
#include <ctime>
#include <iterator>
#include <map>
#include <utility>

#include "host/device_library/device_library.hpp"

// Nearly everything here runs on a kernel's stack, which may be abandoned: no locals with destructors, no exceptions.
namespace gpu::detail::host {

namespace {

GPU_ON_KERNEL_STACK void host_fail(const char* what, const char* file, int line, const uint3* thread) {
    Fault fault;
    fault.kind = Fault::Kind::failed;
    fault.what = what;
    fault.file = file;
    fault.line = line;
    fault.thread = *thread;
    worker_of_this_thread()->fail(fault);
}

// "%n" stores the number of characters, which check mode wouldn't see; CUDA's printf doesn't have it.
bool stores(std::string_view format) noexcept {
    for (std::size_t at = format.find('%'); at != std::string_view::npos; at = format.find('%', at + 1)) {
        at = std::min(format.find_first_not_of("0123456789-+ #'.*$hlqjztLI", at + 1), format.size() - 1);
        if (format[at] == 'n') return true;
    }
    return false;
}

GPU_ON_KERNEL_STACK void host_print(const char* format, __builtin_va_list values) {
    char text[2049];
    if (stores(format)) {
        uint3 thread{};
        (void)worker_of_this_thread()->running_thread(thread);
        return host_fail("printf: a kernel's printf has no %n", "", 0, &thread);
    }
    const int length = std::vsnprintf(text, sizeof text, format, values);
    if (length <= 0) return;
    std::fwrite(text, 1, std::min<std::size_t>(static_cast<std::size_t>(length), sizeof text - 1), stdout);
}

GPU_ON_KERNEL_STACK long long host_clock() {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

}  // namespace

const gpu_host_calls& BlockScheduler::calls() noexcept {
    static constexpr gpu_host_calls table{barrier, barrier_count, warp, host_fail, host_print, host_clock,
                                          active_lanes, yield, part_barrier, grid_barrier, skip_xorwow,
                                          allocate_in_kernel, release_in_kernel,
                                          copy_later, end_copy_group, next_copy, find_texels};
    return table;
}

void BlockScheduler::begin(const gpu_module& module, void* const* arguments, uint3 grid, uint3 block) {
    module_ = &module;
    arguments_ = arguments;
    state_ = module.state();
    state_->block_size = block;
    state_->grid_size = grid;
    state_->scheduler = this;
    state_->calls = &calls();
    running_scheduler = this;
    if (module.calls != nullptr) std::atomic_ref(*module.calls).store(&fast_calls(), std::memory_order_relaxed);
    state_->atomics = 0;
    barriers_ = 0;
    grid_ = nullptr;
    if (kernels_are_debugged()) show_to_debugger();
    if (shape_.x == block.x && shape_.y == block.y && shape_.z == block.z) return;
    shape_ = block;
    stacks_are_stale_ = true;
    threads_ = static_cast<int>(block.x * block.y * block.z);
    warps_ = (threads_ + 31) / 32;
    unsigned thread = 0;
    for (unsigned z = 0; z < block.z; ++z)
        for (unsigned y = 0; y < block.y; ++y)
            for (unsigned x = 0; x < block.x; ++x, ++thread) index_[thread] = {{x, y, z}, thread};
}

bool BlockScheduler::run(uint3 block) {
    state_->block = block;
    for (int w = 0; w < warps_; ++w) {
        const int lanes = threads_ - w * 32;
        const std::uint32_t all = lanes >= 32 ? ~std::uint32_t{0} : bit(lanes) - 1;
        Warp& warp = warp_[w];
        warp.live = warp.runnable = all;
        warp.begun = warp.at_barrier = warp.waiting = warp.asking = 0;
    }
    ready_ = warps_ == 32 ? ~std::uint32_t{0} : bit(warps_) - 1;
    alive_ = threads_;
    arrived_ = 0;
    at_grid_ = 0;
    votes_ = 0;
    if (has_parts_)
        for (PartBarrier& part : part_) part = {};
    has_parts_ = false;
    copies_.begin_block();
    if (stacks_are_stale_) worker_.stacks().reset(threads_);
    const int begins = random_ != 0 ? random_runnable() : 0;
    make_current(begins);
    void* const first = fiber_of(begins);
    running_ = true;
    if (debugged_ != nullptr) debugged_->begins();
    const bool ended_well = worker_.enter(first);
    running_ = false;
    stacks_are_stale_ = !ended_well;
    return ended_well;
}

void BlockScheduler::show_to_debugger() {
    static const std::vector<const char*> names = [] {
        std::vector<const char*> all;
        for (int operation = gpu_warp_sync; operation <= gpu_warp_bitxor; ++operation)
            all.push_back(name_of_warp_operation(operation));
        return all;
    }();
    const std::uint64_t own_switch = current_fiber_kind == FiberKind::own ? 1 : 0;
    if (debugged_ == nullptr)
        debugged_ = std::make_unique<BlockForDebugger>(
            DebuggedBlock{.version = 1,
                          .threads = &threads_,
                          .current = &current_,
                          .running = &running_,
                          .index = &index_[0].at,
                          .index_bytes = sizeof(ThreadIndex),
                          .fiber = fiber_,
                          .line = line_,
                          .warps = warp_,
                          .warp_bytes = sizeof(Warp),
                          .live = offsetof(Warp, live),
                          .runnable = offsetof(Warp, runnable),
                          .begun = offsetof(Warp, begun),
                          .at_barrier = offsetof(Warp, at_barrier),
                          .waiting = offsetof(Warp, waiting),
                          .instruction = offsetof(Warp, instruction),
                          .operation_names = names.data(),
                          .own_switch = own_switch});
    debugged_->set_state(state_);
}

bool BlockScheduler::running_thread(uint3& thread) const noexcept {
    if (running_) thread = index_[current_].at;
    return running_;
}

GPU_ON_KERNEL_STACK void* BlockScheduler::begin_fiber(int thread) {
    warp_[thread / 32].begun |= bit(thread % 32);
    beginning_stack_ = worker_.stacks().take();
    return prepare_fiber(worker_.stacks().top(beginning_stack_), KernelStacks::size(), thread_fiber);
}

// Threads that have not begun run here one after the other, until one waits (and keeps this fiber) or none is left.
GPU_ON_KERNEL_STACK void BlockScheduler::thread_fiber() {
    BlockScheduler& scheduler = *running_scheduler;
    Worker& worker = scheduler.worker_;
    const int stack = scheduler.beginning_stack_;
    for (;;) {
        scheduler.module_->thread(scheduler.arguments_);
        const int thread = scheduler.end_thread();
        if (thread < 0) {
            worker.stacks().give_back(stack);
            worker.leave();
        }
        scheduler.make_current(thread);
        Warp& warp = scheduler.warp_[static_cast<unsigned>(thread) / 32];
        const std::uint32_t mine = std::uint32_t{1} << static_cast<unsigned>(thread) % 32;
        if ((warp.begun & mine) == 0) {
            warp.begun |= mine;
            continue;
        }
        worker.stacks().give_back(stack);
        leave_for_fiber(scheduler.fiber_[thread]);
    }
}

GPU_ON_KERNEL_STACK void BlockScheduler::fail(Fault::Kind kind, int line, unsigned mask) {
    Fault fault;
    fault.kind = kind;
    fault.line = line;
    fault.mask = mask;
    fault.thread = index_[current_].at;
    worker_.fail(fault);
}

// A thread has returned from the kernel: releases those that waited only for it. -1: the block is done.
GPU_ON_KERNEL_STACK int BlockScheduler::end_thread() noexcept {
    const auto ends = static_cast<unsigned>(current_);
    const std::uint32_t mine = std::uint32_t{1} << ends % 32;
    Warp& warp = warp_[ends / 32];
    if (observer_ != nullptr) observer_->thread_ends(current_);
    warp.live &= ~mine;
    // The usual case: nobody waits, and the next lane runs.
    if ((warp.runnable & mine << 1) != 0 && warp.waiting == 0 && arrived_ == 0 && random_ == 0) {
        warp.runnable &= ~mine;
        --alive_;
        return static_cast<int>(ends + 1);
    }
    stop_running(current_);
    if (--alive_ == 0) return -1;
    if (warp.waiting != 0) finish_without(warp);
    if (has_parts_) open_parts_without();
    if (arrived_ == alive_) {
        open_barrier();
        return first_runnable();
    }
    const int thread = next();
    if (thread < 0) fail(Fault::Kind::stuck, 0, 0);
    return thread;
}

// Threads that wait on different lines are at different barriers. The block then fails, with all of its threads still
// waiting.
GPU_ON_KERNEL_STACK void BlockScheduler::tell_barrier() {
    int line = 0;
    for (int thread = 0; thread < threads_; ++thread) {
        if ((warp_[thread / 32].at_barrier & bit(thread % 32)) == 0) continue;
        if (line != 0 && line_[thread] != line) fail(Fault::Kind::divergent, line, 0);
        line = line_[thread];
    }
    observer_->barrier_opens(line, ended());
}

int BlockScheduler::runnable() const noexcept {
    int threads = 0;
    for (int w = 0; w < warps_; ++w) threads += std::popcount(warp_[w].runnable);
    return threads;
}

int BlockScheduler::first_ended() const noexcept {
    for (int thread = 0; thread < threads_; ++thread)
        if ((warp_[thread / 32].live & bit(thread % 32)) == 0) return thread;
    return -1;
}

// A runnable thread, chosen uniformly. The generator is Marsaglia's xorshift64*.
GPU_ON_KERNEL_STACK int BlockScheduler::random_runnable() noexcept {
    random_ ^= random_ >> 12;
    random_ ^= random_ << 25;
    random_ ^= random_ >> 27;
    const std::uint64_t number = random_ * 0x2545F4914F6CDD1DULL >> 32;
    std::uint64_t runnable = 0;
    for (int w = 0; w < warps_; ++w) runnable += static_cast<unsigned>(std::popcount(warp_[w].runnable));
    std::uint64_t chosen = number * runnable >> 32;
    for (int w = 0; w < warps_; ++w) {
        std::uint32_t lanes = warp_[w].runnable;
        const auto here = static_cast<unsigned>(std::popcount(lanes));
        if (chosen >= here) {
            chosen -= here;
            continue;
        }
        for (; chosen > 0; --chosen) lanes &= lanes - 1;
        return w * 32 + std::countr_zero(lanes);
    }
    return -1;
}

GPU_ON_KERNEL_STACK void BlockScheduler::open_barrier() noexcept {
    if (__builtin_expect(observer_ != nullptr, 0)) tell_barrier();
    if (__builtin_expect(at_grid_ != 0, 0)) pass_grid();
    for (int w = 0; w < warps_; ++w) {
        Warp& warp = warp_[w];
        if (warp.at_barrier == 0) continue;
        warp.runnable |= warp.at_barrier;
        warp.at_barrier = 0;
        ready_ |= bit(w);
    }
    arrived_ = 0;
    vote_result_ = votes_;
    votes_ = 0;
    ++barriers_;
}

// All of the block's threads have arrived; now the block waits for the others, in its OS thread.
GPU_ON_KERNEL_STACK void BlockScheduler::pass_grid() {
    int thread = 0;
    while ((warp_[thread / 32].at_barrier & bit(thread % 32)) == 0) ++thread;
    const int line = line_[thread];
    if (at_grid_ != arrived_) fail(Fault::Kind::divergent, line, 0);
    at_grid_ = 0;
    const GridBarrier::Outcome outcome = grid_->arrive();
    if (outcome == GridBarrier::Outcome::stuck) fail(Fault::Kind::stuck_grid, line, 0);
    if (outcome == GridBarrier::Outcome::given_up) fail(Fault::Kind::given_up, line, 0);
    if (observer_ != nullptr) observer_->grid_opens();
}

GPU_ON_KERNEL_STACK bool BlockScheduler::grid_barrier(void*, bool waits, int line) {
    BlockScheduler* const self = running_scheduler;
    if (self->grid_ == nullptr || !waits) return self->grid_ != nullptr;
    ++self->at_grid_;
    self->wait_at_barrier(line);
    return true;
}

// A warp counts as 32 threads once all of its lanes that have not ended have arrived. True: the barrier has opened.
GPU_ON_KERNEL_STACK bool BlockScheduler::open_if_complete(unsigned barrier) noexcept {
    PartBarrier& part = part_[barrier];
    unsigned arrived = 0;
    for (int w = 0; w < warps_; ++w)
        if (part.waiting[w] != 0 && part.waiting[w] == warp_[w].live) arrived += 32;
    if (arrived < part.threads || arrived == 0) return false;
    if (observer_ != nullptr) observer_->part_opens(part.line, barrier, part.waiting);
    for (int w = 0; w < warps_; ++w) {
        if (part.waiting[w] == 0) continue;
        warp_[w].runnable |= part.waiting[w];
        warp_[w].at_barrier &= ~part.waiting[w];
        ready_ |= bit(w);
    }
    part = {};
    ++barriers_;
    return true;
}

// Called after a thread has ended: the rest of its warp may have waited only for it.
GPU_ON_KERNEL_STACK void BlockScheduler::open_parts_without() noexcept {
    for (unsigned barrier = 0; barrier < part_barriers; ++barrier)
        if (part_[barrier].threads != 0) (void)open_if_complete(barrier);
}

GPU_ON_KERNEL_STACK void BlockScheduler::part_barrier(void*, unsigned barrier, unsigned threads, int line) {
    BlockScheduler* const self = running_scheduler;
    const int thread = self->current_;
    if (barrier >= part_barriers || threads == 0 || threads > max_block_threads)
        self->fail(Fault::Kind::uneven_barrier, line, barrier);
    PartBarrier& part = self->part_[barrier];
    if (part.threads != 0 && part.threads != threads) self->fail(Fault::Kind::uneven_barrier, line, barrier);
    part.threads = threads;
    part.line = line;
    part.waiting[thread / 32] |= bit(thread % 32);
    self->has_parts_ = true;
    self->line_[thread] = line;
    self->warp_[thread / 32].at_barrier |= bit(thread % 32);
    if (self->observer_ != nullptr) self->observer_->thread_waits(thread);
    if (self->open_if_complete(barrier)) return;
    self->stop_running(thread);
    self->switch_to_next();
}

GPU_ON_KERNEL_STACK void BlockScheduler::copy_later(const gpu_copy* copy, const void* barrier, unsigned phase) {
    BlockScheduler* const self = running_scheduler;
    gpu_copy kept = *copy;
    kept.thread = static_cast<unsigned>(self->current_);
    if (barrier == nullptr)
        self->copies_.add(kept);
    else
        self->copies_.add(kept, barrier, phase);
}

GPU_ON_KERNEL_STACK void BlockScheduler::end_copy_group() {
    running_scheduler->copies_.end_group(static_cast<unsigned>(running_scheduler->current_));
}

GPU_ON_KERNEL_STACK bool BlockScheduler::next_copy(gpu_copy* copy, const void* barrier, unsigned last) {
    BlockScheduler* const self = running_scheduler;
    return barrier == nullptr ? self->copies_.next(static_cast<unsigned>(self->current_), last, *copy)
                              : self->copies_.next(barrier, last, *copy);
}

GPU_ON_KERNEL_STACK void BlockScheduler::barrier(void*, int line) { running_scheduler->wait_at_barrier(line); }

GPU_ON_KERNEL_STACK unsigned BlockScheduler::barrier_count(void*, unsigned predicate, int line) {
    BlockScheduler* const self = running_scheduler;
    self->votes_ += predicate;
    self->wait_at_barrier(line);
    return self->vote_result_;  // the next barrier can't open before this thread has arrived there
}

// Shuffles, votes and __syncwarp: lanes deposit their values, and the mask's last lane computes all results.

namespace {

// The lane that a shuffle reads from, by CUDA's rules; the lane itself if the source is outside its segment.
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

// -1: the operation isn't a shuffle.
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
    // Usually all 32 lanes pass the same argument: then all sources can be checked at once.
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

// True if all lanes that this lane's operation needs have arrived at the same operation.
GPU_ON_KERNEL_STACK bool BlockScheduler::complete(Warp& warp, int lane) noexcept {
    const std::uint64_t own = warp.instruction[lane];
    const std::uint32_t need = mask_of(own) & warp.live;
    if ((warp.waiting & need) != need) return false;
    // The usual case: all waiting lanes are in the same operation, so none needs a closer look.
    if (same_operation(warp.differs)) return true;
    for (std::uint32_t left = need; left != 0; left &= left - 1)
        if (!same_operation(warp.instruction[std::countr_zero(left)] ^ own)) return false;
    return true;
}

// Every lane's source must be among the lanes; otherwise the value it reads is undefined on a GPU.
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

// Called after a lane has ended: completes operations that waited only for it.
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

// CUDA doesn't define which lanes __activemask() reports. Here, a lane that calls it waits until no lane of its warp
// can run; then each gets the lanes that wait on the same line.
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

// Switches to the next thread in the block's order, so that every thread makes progress, however many spin.
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
    if (to <= from) ::sched_yield();  // every thread has had a go: what this one waits for may be up to another block
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

// __syncthreads() and warp operations for our own fibers when nobody observes: saves the registers before choosing the
// next fiber, so that the choice has none of its own to save. Equivalent to wait_at_barrier() and warp().
#if defined(GPU_HAS_OWN_FIBERS)

extern "C" {
__attribute__((visibility("hidden"))) void gpu_host_fast_barrier(void* scheduler, int line);
__attribute__((visibility("hidden"))) void* gpu_host_arrive(void*, int line, void* fiber);
__attribute__((visibility("hidden"))) unsigned long long gpu_host_fast_warp(void* scheduler,
                                                                            unsigned long long instruction,
                                                                            unsigned long long value, int line);
__attribute__((visibility("hidden"))) void* gpu_host_arrive_in_warp(void* fiber, unsigned long long instruction,
                                                                    unsigned long long value, int line);
}

// The frame is gpu_host_switch_fiber()'s. A warp operation's resumes at gpu_host_take_result, which finds the address
// of the thread's result right behind it.
#if defined(__x86_64__)
__asm__(R"(
.text
.p2align 5
.globl gpu_host_fast_barrier
.hidden gpu_host_fast_barrier
.type gpu_host_fast_barrier, @function
gpu_host_fast_barrier:
)" GPU_SAVE_FIBER R"(
    movq %rsp, %rdx
    subq $8, %rsp
    call gpu_host_arrive
    movq %rax, %rsp
)" GPU_GO_ON_WITH_FIBER R"(
.size gpu_host_fast_barrier, .-gpu_host_fast_barrier

.p2align 5
.globl gpu_host_fast_warp
.hidden gpu_host_fast_warp
.type gpu_host_fast_warp, @function
gpu_host_fast_warp:
    subq $8, %rsp
    leaq gpu_host_take_result(%rip), %rax
    pushq %rax
)" GPU_SAVE_FIBER R"(
    movq %rsp, %rdi
    subq $8, %rsp
    call gpu_host_arrive_in_warp
    movq %rax, %rsp
)" GPU_GO_ON_WITH_FIBER R"(
gpu_host_take_result:
    popq %rax
    movq (%rax), %rax
    popq %rcx
    jmp *%rcx
.size gpu_host_fast_warp, .-gpu_host_fast_warp
)");
#else
// `hint #34` is `bti c`: kernels call these two through a table.
__asm__(R"(
.text
.p2align 5
.globl gpu_host_fast_barrier
.hidden gpu_host_fast_barrier
.type gpu_host_fast_barrier, %function
gpu_host_fast_barrier:
    hint #34
)" GPU_SAVE_FIBER R"(
    mov x2, sp
    bl gpu_host_arrive
    b gpu_host_leave_for_fiber
.size gpu_host_fast_barrier, .-gpu_host_fast_barrier

.p2align 5
.globl gpu_host_fast_warp
.hidden gpu_host_fast_warp
.type gpu_host_fast_warp, %function
gpu_host_fast_warp:
    hint #34
    stp x0, x30, [sp, #-16]!
    adr x30, gpu_host_take_result
)" GPU_SAVE_FIBER R"(
    mov x0, sp
    bl gpu_host_arrive_in_warp
    b gpu_host_leave_for_fiber
gpu_host_take_result:
    ldp x1, x30, [sp], #16
    ldr x0, [x1]
    ret
.size gpu_host_fast_warp, .-gpu_host_fast_warp
)");
#endif

namespace gpu::detail::host {

// The fiber of a thread that can run, prepared if the thread has not begun.
GPU_HOT_ON_KERNEL_STACK void* BlockScheduler::next_lane(Warp& warp, unsigned thread) {
    const std::uint32_t lane = std::uint32_t{1} << thread % 32;
    make_current(static_cast<int>(thread));
    if (__builtin_expect((warp.begun & lane) != 0, 1)) return fiber_[thread];
    warp.begun |= lane;
    KernelStacks& stacks = worker_.stacks();
    const int stack = beginning_stack_ = stacks.take();
    return prepare_own_fiber(stacks.top(stack), thread_fiber);
}

// Called when a thread has arrived and its fiber is saved; returns the fiber to resume, usually the next lane's. A
// branch tests for that lane, rather than a computation from the mask, so that a processor can speculate several
// threads ahead.
GPU_HOT_ON_KERNEL_STACK void* BlockScheduler::arrive(int line, void* fiber) {
    BlockScheduler* const self = running_scheduler;
    const auto thread = static_cast<unsigned>(self->current_), to = thread + 1;
    const std::uint32_t mine = std::uint32_t{1} << thread % 32, above = mine << 1;  // 0 after the last lane
    Warp& warp = self->warp_[thread / 32];
    self->line_[thread] = line;
    self->fiber_[thread] = fiber;
    warp.at_barrier |= mine;
    warp.runnable &= ~mine;
    const bool opens = ++self->arrived_ == self->alive_;
    if (__builtin_expect(!opens && (warp.runnable & above) != 0, 1)) return self->next_lane(warp, to);
    return self->arrive_slowly(opens);
}

// The same for a warp operation, except that the last lane resumes itself.
GPU_HOT_ON_KERNEL_STACK void* BlockScheduler::arrive_in_warp(void* fiber, std::uint64_t instruction,
                                                             std::uint64_t value, int line) {
    BlockScheduler* const self = running_scheduler;
    const auto thread = static_cast<unsigned>(self->current_);
    const std::uint32_t mine = std::uint32_t{1} << thread % 32, above = mine << 1;
    Warp& warp = self->warp_[thread / 32];
    const std::uint32_t mask = mask_of(instruction);
    if (__builtin_expect((mask & mine) == 0, 0)) self->fail(Fault::Kind::wrong_mask, line, mask);
    self->fiber_[thread] = fiber;
    static_cast<void**>(fiber)[words_of_fiber] = &self->result_[thread];
    if (__builtin_expect(self->deposit(warp, thread, instruction, value, line), 0))
        return self->arrive_last(warp, thread);
    warp.runnable &= ~mine;
    if (__builtin_expect((warp.runnable & above) != 0, 1)) return self->next_lane(warp, thread + 1);
    return self->arrive_slowly(false);
}

GPU_ON_KERNEL_STACK void* BlockScheduler::arrive_last(Warp& warp, unsigned thread) {
    if (finish_with(warp, thread)) return fiber_[thread];
    warp.runnable &= ~(std::uint32_t{1} << thread % 32);
    return arrive_slowly(false);
}

GPU_ON_KERNEL_STACK void* BlockScheduler::arrive_slowly(bool opens) {
    const int thread = current_;
    if (warp_[thread / 32].runnable == 0) stop_running(thread);
    int to = 0;
    if (opens) {
        open_barrier();
        to = first_runnable();
    } else {
        to = next();
        if (to < 0) fail(Fault::Kind::stuck, line_[thread], 0);
    }
    make_current(to);
    return fiber_of(to);
}

const gpu_host_calls& BlockScheduler::fast_calls() noexcept {
    static const gpu_host_calls table = [] {
        gpu_host_calls fast = calls();
        fast.barrier = gpu_host_fast_barrier;
        fast.warp = gpu_host_fast_warp;
        return fast;
    }();
    return current_fiber_kind == FiberKind::own ? table : calls();
}

}  // namespace gpu::detail::host

extern "C" GPU_ON_KERNEL_STACK void* gpu_host_arrive(void*, int line, void* fiber) {
    return gpu::detail::host::BlockScheduler::arrive(line, fiber);
}
extern "C" GPU_ON_KERNEL_STACK void* gpu_host_arrive_in_warp(void* fiber, unsigned long long instruction,
                                                             unsigned long long value, int line) {
    return gpu::detail::host::BlockScheduler::arrive_in_warp(fiber, instruction, value, line);
}

#else

namespace gpu::detail::host {
const gpu_host_calls& BlockScheduler::fast_calls() noexcept { return calls(); }
}  // namespace gpu::detail::host

#endif
