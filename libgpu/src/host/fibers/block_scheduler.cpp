// SPDX-License-Identifier: MIT
#include "host/fibers/block_scheduler.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdio>
#include <ctime>

#include "host/device_library/device_heap.hpp"
#include "host/device_library/textures.hpp"
#include "host/device_library/xorwow.hpp"
#include "host/fibers/block_scheduler_hot.hpp"

// Nearly everything here runs on a kernel's stack and may be left for good: no locals with destructors, no exceptions.
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

// "%n" stores how much was printed, which check mode wouldn't see; CUDA's printf doesn't know it.
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

// Threads that have not begun run here one after the other, until one waits (it keeps this fiber) or none is left.
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

// A thread has returned from the kernel: whoever waited only for it can go on. -1: the block is done.
GPU_ON_KERNEL_STACK int BlockScheduler::end_thread() noexcept {
    const auto ends = static_cast<unsigned>(current_);
    const std::uint32_t mine = std::uint32_t{1} << ends % 32;
    Warp& warp = warp_[ends / 32];
    if (observer_ != nullptr) observer_->thread_ends(current_);
    warp.live &= ~mine;
    // Mostly nobody waits, and the next lane goes on.
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

// Two lines: not the same barrier. The block is left with all of its threads still at theirs.
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

// Any thread that can run, each as likely as another. The generator is Marsaglia's xorshift64*.
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

// The block's threads have all arrived; now the block waits for the others, in its OS thread.
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

// A warp counts as 32 threads once all of its lanes that have not ended have arrived. True: it has opened.
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

// After a thread has ended: the rest of its warp may have waited only for it.
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

}  // namespace gpu::detail::host
