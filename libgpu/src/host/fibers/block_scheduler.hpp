// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "host/base/abi.hpp"
#include "host/base/debugger.hpp"
#include "host/base/thread_variables.hpp"
#include "host/fibers/grid_barrier.hpp"
#include "host/fibers/thread_pool.hpp"
#include "host/memory/fault.hpp"
#include "host/memory/kernel_stacks.hpp"

namespace gpu::detail::host {

/// "__syncwarp()", "a vote of the warp", ...
const char* name_of_warp_operation(int operation) noexcept;

/// Lanes of a warp that have arrived at the same operation.
struct WarpArrival {
    int warp = 0, operation = 0, line = 0;
    std::uint32_t lanes = 0, live = 0;    ///< those that arrived, and all that have not ended
    std::uint32_t ended = 0;              ///< those that the mask names although they have ended
    int reader = -1, inactive_lane = -1;  ///< a lane whose shuffle reads from one that isn't in `lanes`; -1: none
};

/// Observes a block's synchronisations: check mode. Called on kernels' stacks, before threads resume.
class BlockObserver {
public:
    /// All blocks of the launch have arrived at a barrier of the grid, and this one resumes.
    virtual void grid_opens() noexcept = 0;
    /// `ended`: how many threads have ended and will never arrive.
    virtual void barrier_opens(int line, int ended) noexcept = 0;
    /// A barrier of some warps: the lanes that wait there, by warp.
    virtual void part_opens(int line, unsigned barrier, const std::uint32_t* lanes) noexcept = 0;
    virtual void warp_done(const WarpArrival& arrival) noexcept = 0;
    virtual void thread_waits(int thread) noexcept = 0;
    virtual void thread_ends(int thread) noexcept = 0;

protected:
    ~BlockObserver() = default;
};

/// Threads that have arrived at one line.
struct Arrivals {
    int line = 0;
    int first_thread = 0, count = 0;
    std::uint32_t mask = 0;   ///< of the first thread's warp operation; 0 for a barrier
    std::string at;           ///< "__syncthreads()"
    int missing_thread = -1;  ///< a thread that the mask names and that isn't there; -1: none
};

/// Runs the threads of one block in fiber mode, in one OS thread.
///
/// A thread begins as a plain call. When one has to wait (at a barrier, for its warp), the next one begins on another
/// stack; a thread that ends without waiting hands its stack to the next at once, so that a block without barriers
/// never switches. A barrier opens when all threads that have not ended have arrived; a warp operation completes when
/// all lanes of its mask that have not ended have arrived. The order of threads is fixed.
class BlockScheduler {
public:
    explicit BlockScheduler(Worker& worker) : worker_(worker) {}

    /// Sets the kernel and the shape of its blocks. Uses this OS thread's thread state.
    void begin(const gpu_module& module, void* const* arguments, uint3 grid, uint3 block);

    /// Sets the barrier at which the blocks of a cooperative launch wait for each other, until the next begin().
    void join_grid(GridBarrier* grid) noexcept { grid_ = grid; }

    /// Runs one block. False: it failed; see the worker's fault.
    bool run(uint3 block);

    /// From the next run() on, reports synchronisations to `observer` (null: nobody), and requires a barrier to be on
    /// the same line for all threads. With a seed other than 0, threads run in a random order drawn from it.
    void observe(BlockObserver* observer) noexcept { observer_ = observer; }
    void draw_order(std::uint64_t seed) noexcept { random_ = seed; }

    /// Barriers passed and atomics executed since begin().
    [[nodiscard]] std::uint64_t barriers() const noexcept { return barriers_; }
    [[nodiscard]] std::uint64_t atomics() const noexcept { return state_->atomics; }

    /// After a run() that got stuck: which threads wait where, and how many have ended.
    [[nodiscard]] std::vector<WaitingThreads> waiting() const;
    [[nodiscard]] int ended() const noexcept { return threads_ - alive_; }
    [[nodiscard]] int first_ended() const noexcept;
    /// How many threads can run; and, on a kernel's stack, runs the others before this one continues.
    [[nodiscard]] int runnable() const noexcept;
    void let_others_run() { yield(this); }

    /// waiting() with details: where the threads of a stuck or divergent block wait, by line.
    [[nodiscard]] std::vector<Arrivals> arrivals() const;
    [[nodiscard]] uint3 index_of(int thread) const noexcept { return index_[thread].at; }
    /// The line of the barrier or warp operation at which a thread waits; 0: none.
    [[nodiscard]] int waits_at(int thread) const noexcept {
        const Warp& warp = warp_[thread / 32];
        return ((warp.waiting | warp.at_barrier) >> thread % 32 & 1) != 0 ? line_[thread] : 0;
    }

    bool running_thread(uint3& thread) const noexcept;
    /// The index of the running thread in its block.
    [[nodiscard]] int current() const noexcept { return current_; }

    /// What kernels call, see abi.hpp.
    static const gpu_host_calls& calls() noexcept;
    /// The same with faster barriers and warp operations, for when nobody observes.
    static const gpu_host_calls& fast_calls() noexcept;
    /// The running thread has arrived at a barrier; returns the fiber to resume.
    static void* arrive(int line, void* fiber);
    static void* arrive_in_warp(void* fiber, std::uint64_t instruction, std::uint64_t value, int line);

private:
    struct alignas(64) Warp {
        std::uint32_t live = 0;      // lanes that have not ended
        std::uint32_t runnable = 0;  // lanes that can run, begun or not
        std::uint32_t begun = 0;
        std::uint32_t at_barrier = 0;
        std::uint32_t waiting = 0;  // lanes in a warp operation
        std::uint32_t asking = 0;   // lanes in __activemask()
        std::uint64_t first = 0;    // the instruction of the first lane that waits
        std::uint64_t differs = 0;  // bits in which another lane's is different
        std::uint64_t instruction[32] = {};  // the one each lane waits in, see abi.hpp
        std::uint64_t value[32] = {};
    };

    // Threads that wait there are also in at_barrier of their warps: meanwhile the block's barrier can't open.
    static constexpr unsigned part_barriers = 16;
    struct PartBarrier {
        unsigned threads = 0;  // how many it waits for
        int line = 0;
        std::uint32_t waiting[max_block_threads / 32] = {};
    };

    // Laid out like the beginning of a running thread's state.
    struct alignas(16) ThreadIndex {
        uint3 at;
        unsigned number;
    };

    static void barrier(void* scheduler, int line);
    static unsigned barrier_count(void* scheduler, unsigned predicate, int line);
    static bool grid_barrier(void* scheduler, bool waits, int line);
    static void part_barrier(void* scheduler, unsigned barrier, unsigned threads, int line);
    static unsigned long long warp(void* scheduler, unsigned long long instruction, unsigned long long value, int line);
    static unsigned active_lanes(void* scheduler, int line);
    static void yield(void* scheduler);
    static void copy_later(const gpu_copy* copy, const void* barrier, unsigned phase);
    static void end_copy_group();
    static bool next_copy(gpu_copy* copy, const void* barrier, unsigned last);
    static void thread_fiber();

    void wait_at_barrier(int line);
    [[nodiscard, gnu::noinline]] void* arrive_slowly(bool opens);
    void open_barrier() noexcept;
    [[gnu::noinline]] void pass_grid();
    [[gnu::noinline]] bool open_if_complete(unsigned barrier) noexcept;
    [[gnu::noinline]] void open_parts_without() noexcept;
    bool deposit(Warp& warp, unsigned thread, std::uint64_t instruction, std::uint64_t value, int line) noexcept;
    [[gnu::noinline]] bool finish_with(Warp& warp, unsigned thread) noexcept;
    void* next_lane(Warp& warp, unsigned thread);
    [[gnu::noinline]] void* arrive_last(Warp& warp, unsigned thread);
    [[nodiscard, gnu::noinline]] bool complete(Warp& warp, int lane) noexcept;
    [[gnu::noinline]] void finish(Warp& warp, std::uint32_t lanes) noexcept;
    void finish_without(Warp& warp) noexcept;
    [[gnu::noinline]] void tell_warp(const Warp& warp, std::uint32_t lanes, int operation) noexcept;
    [[gnu::noinline]] void answer(Warp& warp) noexcept;
    int end_thread() noexcept;
    [[nodiscard]] int next() noexcept;
    [[nodiscard]] int first_runnable() noexcept;
    [[gnu::noinline]] int random_runnable() noexcept;
    [[gnu::noinline]] void tell_barrier();
    void make_current(int thread) noexcept;
    void* fiber_of(int thread);
    void* begin_fiber(int thread);
    void switch_to_next();
    void stop_running(int thread) noexcept;
    [[noreturn]] void fail(Fault::Kind kind, int line, unsigned mask);
    void show_to_debugger();

    Worker& worker_;
    BlockObserver* observer_ = nullptr;
    std::uint64_t random_ = 0;  // the generator's state; 0: threads run in their order
    const gpu_module* module_ = nullptr;
    void* const* arguments_ = nullptr;
    gpu_thread_state* state_ = nullptr;
    uint3 shape_{};
    int threads_ = 0, warps_ = 0;
    int current_ = 0, alive_ = 0, arrived_ = 0;
    int beginning_stack_ = 0;
    bool running_ = false, stacks_are_stale_ = true;
    std::uint32_t ready_ = 0;  // warps with runnable lanes
    unsigned votes_ = 0, vote_result_ = 0;
    std::uint64_t barriers_ = 0;
    Warp warp_[max_block_threads / 32];
    void* fiber_[max_block_threads] = {};
    unsigned long long result_[max_block_threads] = {};  // of warp operations
    ThreadIndex index_[max_block_threads] = {};
    int line_[max_block_threads] = {};
    PartBarrier part_[part_barriers];
    PendingCopies copies_;
    GridBarrier* grid_ = nullptr;  // null: not a cooperative launch
    int at_grid_ = 0;              // of those that have arrived at the barrier, how many wait for the grid
    bool has_parts_ = false;  // this block has used some of them
    std::unique_ptr<BlockForDebugger> debugged_;  // null: no debugger is attached
};

// The few functions that every wait passes through, inlined: a barrier costs each thread a few nanoseconds, and calls
// would double that.

// The fields of a warp instruction, see abi.hpp.
constexpr std::uint32_t mask_of(std::uint64_t instruction) noexcept {
    return static_cast<std::uint32_t>(instruction >> 32);
}
constexpr int operation_of(std::uint64_t instruction) noexcept { return static_cast<int>(instruction >> 16 & 0xffff); }
constexpr int argument_of(std::uint64_t instruction) noexcept { return static_cast<int>(instruction & 0xffff); }
constexpr bool same_operation(std::uint64_t differs) noexcept { return differs >> 16 == 0; }

constexpr std::uint32_t bit(int lane) noexcept { return std::uint32_t{1} << lane; }

GPU_HOT_ON_KERNEL_STACK void BlockScheduler::make_current(int thread) noexcept {
    current_ = thread;
    std::memcpy(static_cast<void*>(state_), &index_[thread], sizeof(ThreadIndex));
}

// The fiber to switch to so that a thread resumes, or begins on a free stack.
GPU_HOT_ON_KERNEL_STACK void* BlockScheduler::fiber_of(int thread) {
    Warp& warp = warp_[thread / 32];
    if ((warp.begun & bit(thread % 32)) != 0) return fiber_[thread];
    return begin_fiber(thread);
}

// The next runnable thread: higher lanes of this warp, then its lower lanes, then the following warps. -1: none.
GPU_HOT_ON_KERNEL_STACK int BlockScheduler::next() noexcept {
    if (ready_ == 0) return -1;
    if (__builtin_expect(random_ != 0, 0)) return random_runnable();
    int w = current_ / 32;
    std::uint32_t lanes = warp_[w].runnable;
    if (lanes != 0) {
        const int lane = current_ % 32;
        const std::uint32_t above = lanes & ~((bit(lane) << 1) - 1);
        if (above != 0) lanes = above;
    } else {
        const std::uint32_t above = ready_ & ~((bit(w) << 1) - 1);
        w = std::countr_zero(above != 0 ? above : ready_);
        lanes = warp_[w].runnable;
    }
    return w * 32 + std::countr_zero(lanes);
}

// After a barrier, threads resume in the order in which they began: so the lowest one is the first to hit a mistake.
GPU_HOT_ON_KERNEL_STACK int BlockScheduler::first_runnable() noexcept {
    if (__builtin_expect(random_ != 0, 0)) return random_runnable();
    const int w = std::countr_zero(ready_);
    return w * 32 + std::countr_zero(warp_[w].runnable);
}

GPU_HOT_ON_KERNEL_STACK void BlockScheduler::stop_running(int thread) noexcept {
    Warp& warp = warp_[thread / 32];
    warp.runnable &= ~bit(thread % 32);
    if (warp.runnable != 0) return;
    if (warp.asking != 0) return answer(warp);
    ready_ &= ~bit(thread / 32);
}

GPU_HOT_ON_KERNEL_STACK void BlockScheduler::switch_to_next() {
    const int from = current_;
    const int to = next();
    if (to < 0) fail(Fault::Kind::stuck, line_[from], 0);
    make_current(to);
    switch_fiber(&fiber_[from], fiber_of(to));
}

// Deposits a thread's value for an operation of its warp. True: all lanes in its mask wait.
GPU_HOT_ON_KERNEL_STACK bool BlockScheduler::deposit(Warp& warp, unsigned thread, std::uint64_t instruction,
                                                     std::uint64_t value, int line) noexcept {
    const unsigned lane = thread % 32;
    const std::uint32_t waiting = warp.waiting | std::uint32_t{1} << lane;
    if (warp.waiting == 0) {
        warp.first = instruction;
        warp.differs = 0;
    } else {
        warp.differs |= warp.first ^ instruction;
    }
    warp.waiting = waiting;
    warp.instruction[lane] = instruction;
    warp.value[lane] = value;
    line_[thread] = line;
    const std::uint32_t need = mask_of(instruction) & warp.live;
    return (waiting & need) == need;
}

GPU_HOT_ON_KERNEL_STACK void BlockScheduler::wait_at_barrier(int line) {
    const int thread = current_;
    ++arrived_;
    line_[thread] = line;
    warp_[thread / 32].at_barrier |= bit(thread % 32);
    if (__builtin_expect(observer_ != nullptr, 0)) observer_->thread_waits(thread);
    stop_running(thread);
    if (arrived_ != alive_) return switch_to_next();
    open_barrier();
    const int first = first_runnable();
    if (first == thread) return;
    make_current(first);
    switch_fiber(&fiber_[thread], fiber_[first]);
}

}  // namespace gpu::detail::host
