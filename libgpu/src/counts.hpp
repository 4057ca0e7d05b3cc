// SPDX-License-Identifier: MIT
#pragma once

#include <pthread.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <gpu/check.hpp>
#include <gpu/dtype.hpp>
#include <gpu/ledger.hpp>
#include <gpu/profiler.hpp>

namespace gpu::detail {

class Backend;

/// The process's counters behind gpu::counts().
struct Counters {
    std::atomic<std::uint64_t> copies_to_device{0}, copies_to_host{0}, copies_on_device{0};
    std::atomic<std::uint64_t> bytes_to_device{0}, bytes_to_host{0}, bytes_on_device{0};
    std::atomic<std::uint64_t> allocations{0}, bytes_allocated{0};
    std::atomic<std::uint64_t> synchronizations{0}, launches{0}, barriers{0}, atomics{0};
    std::atomic<std::uint64_t> prints{0};
    std::atomic<std::uint64_t> copies_between_devices{0}, bytes_between_devices{0}, pageable_async_copies{0};
};

/// Never destroyed, so that counting works in destructors of static objects too. Of a thread that prints, others that
/// nobody reads: what is printed is free.
Counters& counters() noexcept;

/// True while this thread prints an array.
bool is_printing() noexcept;

/// A piece of work as counters, ledgers and launch logs get it.
struct CountedWork {
    LedgerEntry::Kind kind;
    Device device;
    std::size_t bytes = 0;
    std::int64_t elements = 0;
    const DType* dtype = nullptr;
    const std::string* kernel = nullptr;
    const char* name = nullptr;  ///< where it isn't a kernel's
    Dim3 grid = {}, block = {};
    bool waits = false;
    bool pooled = false;
    bool pageable_async = false;
    bool between_devices = false;
    LaunchEntry::Kind entry = LaunchEntry::Kind::raw;  ///< what it is in a launch log
    std::size_t shared = 0;                            ///< bytes of dynamic shared memory of a raw kernel
    const std::string* problem = nullptr;              ///< of linear algebra: "float32, 3 x 4"
};

/// Who wants to know of work: open ledgers, open launch logs.
class WorkListener {
public:
    /// It has been done, and is counted.
    virtual void counted(const CountedWork&) noexcept {}
    /// It is done by `enqueue`, which puts it into the stream.
    virtual void enqueue(Backend&, void* /*stream*/, const CountedWork&, const std::function<void()>& enqueue) {
        enqueue();
    }

protected:
    ~WorkListener() = default;
};

/// Null while no ledger, or no log, is open: that is all that work without them looks at.
extern std::atomic<WorkListener*> open_ledgers, open_logs;

/// True if a ledger is open that wants to know what this thread does.
inline bool is_noted() noexcept { return open_ledgers.load(std::memory_order_acquire) != nullptr && !is_printing(); }

/// All that are open of a kind. Never destroyed, so that one of them may be a static object.
template <class Listener, class State>
class OpenListeners : public WorkListener {
public:
    static Listener& instance() {
        static auto* const all = new Listener;
        return *all;
    }
    void open(State* one) {
        const std::lock_guard lock(mutex);
        open_.push_back(one);
        told_.store(this, std::memory_order_release);
    }
    void close(State* one) noexcept {
        const std::lock_guard lock(mutex);
        std::erase(open_, one);
        if (open_.empty()) told_.store(nullptr, std::memory_order_release);
    }

    std::mutex mutex;

protected:
    explicit OpenListeners(std::atomic<WorkListener*>& told) : told_(told) {  // a forked child must find it unlocked
        ::pthread_atfork([] { instance().mutex.lock(); }, [] { instance().mutex.unlock(); },
                         [] { instance().mutex.unlock(); });
    }
    ~OpenListeners() = default;

    std::vector<State*> open_;

private:
    std::atomic<WorkListener*>& told_;
};

/// Counts it, and notes it in open ledgers: so both agree.
void count_work(const CountedWork& work) noexcept;

/// Adds it to the process's counters, or to a ledger's totals.
template <class Sums>
void add_to(Sums& to, const CountedWork& work) {
    using Kind = LedgerEntry::Kind;
    switch (work.kind) {
        case Kind::allocation:
            to.allocations += 1;
            to.bytes_allocated += work.bytes;
            break;
        case Kind::copy_to_device:
            to.copies_to_device += 1;
            to.bytes_to_device += work.bytes;
            break;
        case Kind::copy_to_host:
            to.copies_to_host += 1;
            to.bytes_to_host += work.bytes;
            break;
        case Kind::copy_on_device:
            to.copies_on_device += 1;
            to.bytes_on_device += work.bytes;
            if (!work.between_devices) break;
            to.copies_between_devices += 1;
            to.bytes_between_devices += work.bytes;
            break;
        case Kind::launch: to.launches += 1; break;
        case Kind::wait: to.synchronizations += 1; break;
        case Kind::print: to.prints += 1; break;
        case Kind::free:
        case Kind::linear_algebra: break;
    }
    if (work.waits) to.synchronizations += 1;
    if (work.pageable_async) to.pageable_async_copies += 1;
}

/// A ledger's last line, made in report/: "totals: 3 allocations (12.0 kB, 1 from the pool), 1 launch, 2 waits". Pure.
std::string totals_text(const Counts& totals, std::uint64_t from_pool);

/// A member of gpu::WorkCounts and its name.
struct WorkCount {
    std::string_view name;
    std::uint64_t WorkCounts::*value;
};

// The grader has a table of its own, in autograder/src/protocol/protocol_work.hpp: it includes nothing of libgpu's. The
// runner copies member by member, so a name that isn't in both doesn't compile there.
#define GPU_WORK_COUNT(member) \
    WorkCount { #member, &WorkCounts::member }
inline constexpr std::array work_counts = {
    GPU_WORK_COUNT(global_reads),
    GPU_WORK_COUNT(global_writes),
    GPU_WORK_COUNT(global_bytes_read),
    GPU_WORK_COUNT(global_bytes_written),
    GPU_WORK_COUNT(global_bytes_used),
    GPU_WORK_COUNT(global_requests),
    GPU_WORK_COUNT(global_sectors),
    GPU_WORK_COUNT(global_segments),
    GPU_WORK_COUNT(shared_reads),
    GPU_WORK_COUNT(shared_writes),
    GPU_WORK_COUNT(shared_bytes_read),
    GPU_WORK_COUNT(shared_bytes_written),
    GPU_WORK_COUNT(shared_requests),
    GPU_WORK_COUNT(shared_wavefronts),
    GPU_WORK_COUNT(atomics),
    GPU_WORK_COUNT(global_atomics),
    GPU_WORK_COUNT(atomic_requests),
    GPU_WORK_COUNT(atomic_turns),
    GPU_WORK_COUNT(barriers),
    GPU_WORK_COUNT(warp_operations),
    GPU_WORK_COUNT(divergent_requests),
    GPU_WORK_COUNT(double_operations),
};
#undef GPU_WORK_COUNT
static_assert(sizeof(WorkCounts) == work_counts.size() * sizeof(std::uint64_t), "a new count has no name yet");

}  // namespace gpu::detail
