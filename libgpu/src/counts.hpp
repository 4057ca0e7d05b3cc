// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include <gpu/check.hpp>
#include <gpu/dtype.hpp>
#include <gpu/ledger.hpp>

namespace gpu::detail {

/// The process's counters behind gpu::counts().
struct Counters {
    std::atomic<std::uint64_t> copies_to_device{0}, copies_to_host{0}, copies_on_device{0};
    std::atomic<std::uint64_t> bytes_to_device{0}, bytes_to_host{0}, bytes_on_device{0};
    std::atomic<std::uint64_t> allocations{0}, bytes_allocated{0};
    std::atomic<std::uint64_t> synchronizations{0}, launches{0}, barriers{0}, atomics{0};
    std::atomic<std::uint64_t> prints{0};
    std::atomic<std::uint64_t> copies_between_devices{0}, bytes_between_devices{0}, pageable_async_copies{0};
};

/// Never destroyed, so that counting works in destructors of static objects too. A thread that prints gets counters
/// that nobody reads: printing is free.
Counters& counters() noexcept;

/// True while this thread prints an array.
bool is_printing() noexcept;

/// A piece of work, as counters and ledgers record it.
struct CountedWork {
    LedgerEntry::Kind kind;
    Device device;
    std::size_t bytes = 0;
    std::int64_t elements = 0;
    const DType* dtype = nullptr;
    const std::string* kernel = nullptr;
    const char* name = nullptr;  ///< if it isn't a kernel's
    Dim3 grid = {}, block = {};
    bool waits = false;
    bool pooled = false;
    bool pageable_async = false;
    bool between_devices = false;
};

/// The interface of open ledgers to the code that counts work.
class WorkNotes {
public:
    virtual void note(const CountedWork& work) noexcept = 0;

protected:
    ~WorkNotes() = default;
};

/// Null while no ledger is open: work then costs only this check.
extern std::atomic<WorkNotes*> work_notes;

/// True if an open ledger records what this thread does.
inline bool is_noted() noexcept { return work_notes.load(std::memory_order_acquire) != nullptr && !is_printing(); }

/// Counts the work and notes it in open ledgers, so that both agree.
void count_work(const CountedWork& work) noexcept;

/// A ledger's last line, built in report/: "totals: 3 allocations (12.0 kB, 1 from the pool), 1 launch, 2 waits". Pure.
std::string totals_text(const Counts& totals, std::uint64_t from_pool);

/// A member of gpu::WorkCounts and its name.
struct WorkCount {
    std::string_view name;
    std::uint64_t WorkCounts::*value;
};

// The grader, which includes no other header of libgpu's, has its own table in
// autograder/src/protocol/protocol_work.hpp. The runner copies member by member, so a name that is missing in one
// doesn't compile there.
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
