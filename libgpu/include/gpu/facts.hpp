// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

/// @file
/// What check mode can find and what libgpu counts, in words and plain numbers: for libgpu, and for who judges by it.

namespace gpu {

/// What check mode can find in a kernel, and in what host code does with arrays.
enum class FindingKind : std::uint8_t {
    out_of_bounds,       ///< an access outside a global, shared or local array
    missing_barrier,     ///< two threads of a block race; a __syncthreads() would order them
    missing_syncwarp,    ///< two threads of a warp race; a __syncwarp() would order them
    inter_block_race,    ///< threads of two blocks race on global memory
    uninitialized_read,  ///< a value is read that was never written
    divergent_barrier,   ///< threads of a block wait at different barriers, or some never come
    deadlock,            ///< threads wait for each other, or for threads that have ended
    misaligned_access,   ///< an address that isn't a multiple of the type's alignment
    division_by_zero,    ///< of integers
    endless_loop,        ///< a block that doesn't end
    stack_overflow,      ///< too much recursion, or local arrays that are too large
    failed_assertion,    ///< assert() or __trap()
    host_access,         ///< host code reads or writes an array's memory on the device
    host_pointer,        ///< a kernel follows a pointer to host memory
    inactive_lane,       ///< a shuffle reads from a lane that takes no part in it
    wide_shift,          ///< a shift by as many bits as the type has, by more, or by a negative number
    skipped_barrier,     ///< threads end before a barrier that others wait at, see CheckOptions::strict_barriers
    missing_event,       ///< work of two streams touches one element, and nothing orders the streams
    constant_write,      ///< a kernel writes a __constant__ variable
    host_buffer_in_use,  ///< host memory is used while an asynchronous copy may still read or write it
    memory_leak          ///< what kernels allocate by malloc() or new is never freed
};

/// The rules of the course's notional machine (lessons/notional-machine.md), one of which every mistake breaks.
enum class Rule : std::uint8_t {
    many_threads = 1,
    blocks_never_wait,
    warps_and_sectors,
    shared_memory,
    barriers_count_all,
    host_only_queues
};

/// The rule in one line: "a barrier counts all threads of the block".
[[nodiscard]] constexpr std::string_view sentence(Rule rule) noexcept {
    switch (rule) {
        case Rule::many_threads: return "many threads run one function, in no order, and nobody checks an index";
        case Rule::blocks_never_wait: return "blocks never wait for each other";
        case Rule::warps_and_sectors:
            return "32 threads are a warp, and memory answers the warp in sectors of 32 bytes";
        case Rule::shared_memory: return "shared memory belongs to a block, begins as rubbish, and has 32 banks";
        case Rule::barriers_count_all: return "a barrier counts all threads of the block";
        case Rule::host_only_queues: return "the host only queues; its memory is apart, and fresh memory is rubbish";
    }
    return "";
}

/// "rule 5: a barrier counts all threads of the block".
[[nodiscard]] inline std::string to_string(Rule rule) {
    return "rule " + std::to_string(static_cast<int>(rule)) + ": " + std::string(sentence(rule));
}

/// How a kernel with a mistake ends where nobody watches it.
enum class Ends : std::uint8_t {
    goes_on,  ///< with wrong values, or right ones by chance
    stops,    ///< at the mistake, on the host backend; a GPU may let it run into the next array
    hangs
};

/// What is known of a kind of mistake.
struct FindingFacts {
    FindingKind kind;
    std::string_view name;
    Rule rule;          ///< that it breaks, unless the finding says another one
    Ends ends;
    int misconception;  ///< of the course's list, lessons/misconceptions.toml; 0: none
};

inline constexpr auto finding_facts = std::to_array<FindingFacts>({
    {FindingKind::out_of_bounds, "out of bounds", Rule::many_threads, Ends::stops, 0},
    {FindingKind::missing_barrier, "missing barrier", Rule::many_threads, Ends::goes_on, 5},
    {FindingKind::missing_syncwarp, "missing syncwarp", Rule::many_threads, Ends::goes_on, 0},
    {FindingKind::inter_block_race, "inter-block race", Rule::blocks_never_wait, Ends::goes_on, 0},
    {FindingKind::uninitialized_read, "uninitialized read", Rule::host_only_queues, Ends::goes_on, 0},
    {FindingKind::divergent_barrier, "divergent barrier", Rule::barriers_count_all, Ends::stops, 5},
    {FindingKind::deadlock, "deadlock", Rule::barriers_count_all, Ends::stops, 0},
    {FindingKind::misaligned_access, "misaligned access", Rule::many_threads, Ends::stops, 0},
    {FindingKind::division_by_zero, "division by zero", Rule::many_threads, Ends::stops, 0},
    {FindingKind::endless_loop, "endless loop", Rule::many_threads, Ends::hangs, 0},
    {FindingKind::stack_overflow, "stack overflow", Rule::many_threads, Ends::stops, 0},
    {FindingKind::failed_assertion, "failed assertion", Rule::many_threads, Ends::stops, 0},
    {FindingKind::host_access, "host access", Rule::host_only_queues, Ends::stops, 11},
    {FindingKind::host_pointer, "host pointer", Rule::host_only_queues, Ends::stops, 11},
    {FindingKind::inactive_lane, "inactive lane", Rule::warps_and_sectors, Ends::goes_on, 0},
    {FindingKind::wide_shift, "wide shift", Rule::many_threads, Ends::goes_on, 0},
    {FindingKind::skipped_barrier, "skipped barrier", Rule::barriers_count_all, Ends::goes_on, 5},
    {FindingKind::missing_event, "missing event", Rule::host_only_queues, Ends::goes_on, 15},
    {FindingKind::constant_write, "constant write", Rule::host_only_queues, Ends::goes_on, 0},
    {FindingKind::host_buffer_in_use, "host buffer in use", Rule::host_only_queues, Ends::goes_on, 15},
    {FindingKind::memory_leak, "memory leak", Rule::host_only_queues, Ends::goes_on, 0},
});

/// The facts of the kind with this number; null for a number that is none.
/// @snippet report/report_test.cpp facts
[[nodiscard]] constexpr const FindingFacts* find_facts(std::uint64_t kind) noexcept {
    return kind < finding_facts.size() ? &finding_facts[kind] : nullptr;
}
/// The facts of a kind.
/// @snippet report/report_test.cpp facts
[[nodiscard]] constexpr const FindingFacts& facts_of(FindingKind kind) noexcept {
    return finding_facts[static_cast<std::size_t>(kind)];
}

/// True for two threads of a kernel that access one element, one of them writing, with nothing that orders them.
/// @snippet report/report_test.cpp facts
[[nodiscard]] constexpr bool is_race(FindingKind kind) noexcept {
    return kind == FindingKind::missing_barrier || kind == FindingKind::missing_syncwarp ||
           kind == FindingKind::inter_block_race;
}

/// "out of bounds", "missing barrier", ...
[[nodiscard]] constexpr std::string_view to_string(FindingKind kind) noexcept {
    const FindingFacts* const facts = find_facts(static_cast<std::uint64_t>(kind));
    return facts != nullptr ? facts->name : "unknown";
}

/// One mistake, reported once however often it happened.
struct Finding {
    FindingKind kind{};
    Rule rule = Rule::many_threads;  ///< the one that it breaks
    std::string kernel = {};  ///< empty where host code made it
    std::string file = {};    ///< as in compile errors: "raw_add.cu", or the generated kernel's name
    int line = 0;
    std::string variable = {};     ///< the array; empty where there is none
    std::string what = {};         ///< first line: what happened and where, with index and size
    std::string who = {};          ///< second line: block and thread, both sides of a race
    std::string advice = {};       ///< third line: what to do
    std::uint64_t times = 1;  ///< how often it happened, where that was counted
};

/// @cond internal
namespace detail {
constexpr bool has_facts_in_order() {
    for (std::size_t k = 0; k < finding_facts.size(); ++k)
        if (finding_facts[k].kind != static_cast<FindingKind>(k)) return false;
    return static_cast<std::size_t>(FindingKind::memory_leak) + 1 == finding_facts.size();
}
static_assert(has_facts_in_order(), "each kind has its facts, in the order of the kinds");
}  // namespace detail
/// @endcond

/// Up to three lengths: of a grid in blocks, or of a block in threads. What is left out is 1.
struct Dim3 {
    std::int64_t x = 1, y = 1, z = 1;

    Dim3() = default;
    template <std::integral X, std::integral Y = int, std::integral Z = int>
    constexpr Dim3(X x_, Y y_ = 1, Z z_ = 1) noexcept  // NOLINT(google-explicit-constructor): .block = 256
        : x(static_cast<std::int64_t>(x_)), y(static_cast<std::int64_t>(y_)), z(static_cast<std::int64_t>(z_)) {}

    friend bool operator==(const Dim3&, const Dim3&) = default;
};

/// Work that libgpu has counted in this process, on all devices and threads.
struct Counts {
    std::uint64_t copies_to_device = 0;  ///< host to device
    std::uint64_t copies_to_host = 0;    ///< device to host
    std::uint64_t copies_on_device = 0;  ///< device to device, between two devices as well
    std::uint64_t bytes_to_device = 0;
    std::uint64_t bytes_to_host = 0;
    std::uint64_t bytes_on_device = 0;
    std::uint64_t allocations = 0;  ///< buffers of arrays
    std::uint64_t bytes_allocated = 0;
    std::uint64_t synchronizations = 0;  ///< waits of the host for a device, blocking copies included
    std::uint64_t launches = 0;          ///< kernels started
    std::uint64_t barriers = 0;          ///< __syncthreads() passed, one per block; host backend only
    std::uint64_t atomics = 0;           ///< atomic operations of kernels; host backend only
    std::uint64_t prints = 0;            ///< arrays printed; what that copies and launches is in no other count
    std::uint64_t copies_between_devices = 0;  ///< those of the copies on a device that come from another one
    std::uint64_t bytes_between_devices = 0;
    /// Asynchronous copies from or to host memory that isn't page-locked: on a GPU the host waits for them.
    std::uint64_t pageable_async_copies = 0;
    /// The most streams whose work may run at the same time on a GPU; of CheckReport::host only.
    std::uint64_t streams_at_once = 0;
    /// Asynchronous copies to the host for which the host never waited; of CheckReport::host only.
    std::uint64_t copies_not_awaited = 0;
};

/// On which backends a member of Counts is counted.
enum class CountedOn : std::uint8_t {
    every_device,
    host_backend,  ///< on a GPU it stays 0
    checks         ///< of CheckReport::host alone
};

/// A member of Counts and its name.
struct CountFacts {
    std::string_view name;
    std::uint64_t Counts::*value;
    CountedOn on;
};

/// @cond internal
#define GPU_COUNT(member, on) \
    CountFacts { #member, &Counts::member, CountedOn::on }
/// @endcond
/// All members, in their order.
inline constexpr std::array count_facts = {
    GPU_COUNT(copies_to_device, every_device),
    GPU_COUNT(copies_to_host, every_device),
    GPU_COUNT(copies_on_device, every_device),
    GPU_COUNT(bytes_to_device, every_device),
    GPU_COUNT(bytes_to_host, every_device),
    GPU_COUNT(bytes_on_device, every_device),
    GPU_COUNT(allocations, every_device),
    GPU_COUNT(bytes_allocated, every_device),
    GPU_COUNT(synchronizations, every_device),
    GPU_COUNT(launches, every_device),
    GPU_COUNT(barriers, host_backend),
    GPU_COUNT(atomics, host_backend),
    GPU_COUNT(prints, every_device),
    GPU_COUNT(copies_between_devices, every_device),
    GPU_COUNT(bytes_between_devices, every_device),
    GPU_COUNT(pageable_async_copies, every_device),
    GPU_COUNT(streams_at_once, checks),
    GPU_COUNT(copies_not_awaited, checks),
};
#undef GPU_COUNT
static_assert(sizeof(Counts) == count_facts.size() * sizeof(std::uint64_t), "each count has its name");

/// The work between two readings.
[[nodiscard]] constexpr Counts operator-(Counts later, const Counts& earlier) noexcept {
    for (const CountFacts& facts : count_facts)
        later.*facts.value = facts.on == CountedOn::checks ? 0 : later.*facts.value - earlier.*facts.value;
    return later;
}

/// Work that a kernel did, counted for each thread's access and for each warp's request.
///
/// A request is one instruction of one warp: the k-th execution of one access by all of its threads. Sectors are 32
/// bytes and segments 128 bytes of global memory, see "Device Memory Accesses" in the CUDA C++ Best Practices Guide. A
/// shared request takes as many wavefronts as it wants words from the busiest of 32 banks; where threads access 8 or 16
/// bytes, each half or quarter of the warp is a request. Atomic operations are requests too; what they change counts as
/// bytes written. Those of a warp on the same element take turns: a request as many as its busiest element has lanes.
///
/// Reads and writes are counted in elements of the array: a float4 that is stored into an array of float writes four.
struct WorkCounts {
    std::uint64_t global_reads = 0, global_writes = 0;  ///< of threads, in elements
    std::uint64_t global_bytes_read = 0, global_bytes_written = 0;
    std::uint64_t global_bytes_used = 0;  ///< of each request what threads asked for, at most what its sectors hold
    std::uint64_t global_requests = 0, global_sectors = 0, global_segments = 0;
    std::uint64_t shared_reads = 0, shared_writes = 0;  ///< of threads, in elements
    std::uint64_t shared_bytes_read = 0, shared_bytes_written = 0;
    std::uint64_t shared_requests = 0, shared_wavefronts = 0;
    std::uint64_t atomics = 0;             ///< of threads, global and shared
    std::uint64_t global_atomics = 0;      ///< those of them on global memory
    std::uint64_t atomic_requests = 0, atomic_turns = 0;  ///< of warps
    std::uint64_t barriers = 0;            ///< __syncthreads() and its forms, one per block
    std::uint64_t warp_operations = 0;     ///< shuffles, votes, __syncwarp(), one per warp
    std::uint64_t divergent_requests = 0;  ///< requests that some of the warp's running threads took no part in
    std::uint64_t double_operations = 0;   ///< places in the text that compute in double precision, however often

    /// Adds it; what would overflow stays at the largest number.
    constexpr WorkCounts& operator+=(const WorkCounts& more) noexcept;
    friend bool operator==(const WorkCounts&, const WorkCounts&) = default;
};

/// A member of WorkCounts and its name.
struct WorkFacts {
    std::string_view name;
    std::uint64_t WorkCounts::*value;
};

/// @cond internal
#define GPU_WORK_COUNT(member) \
    WorkFacts { #member, &WorkCounts::member }
/// @endcond
/// All members, in their order.
inline constexpr std::array work_facts = {
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
static_assert(sizeof(WorkCounts) == work_facts.size() * sizeof(std::uint64_t), "each count has its name");

constexpr WorkCounts& WorkCounts::operator+=(const WorkCounts& more) noexcept {
    for (const auto& [name, value] : work_facts) {
        const std::uint64_t sum = this->*value + more.*value;
        this->*value = sum < more.*value ? std::numeric_limits<std::uint64_t>::max() : sum;
    }
    return *this;
}

/// The work of one line of a kernel.
struct LineCounts {
    std::string file = {};
    int line = 0;
    WorkCounts work = {};
};

/// Launches of a kernel with one shape.
struct LaunchCounts {
    Dim3 grid = {}, block = {};
    std::uint64_t launches = 0;
    friend bool operator==(const LaunchCounts&, const LaunchCounts&) = default;
};

/// How one kind of accesses is spread over the threads, warps and blocks of a launch; counted in elements.
struct WorkSpread {
    std::uint64_t total = 0;
    std::uint64_t busiest_thread = 0, busiest_warp = 0, busiest_block = 0;        ///< what the one with the most did
    std::uint64_t working_threads = 0, working_warps = 0, working_blocks = 0;     ///< that did any of it
    Dim3 grid = {}, block = {};                                                   ///< the launch's
};

/// The work of all launches of one kernel.
struct KernelCounts {
    std::string name = {}, file = {};
    /// Of elementwise and reduction kernels the C++ file that made it; empty: libgpu itself.
    std::string made_in = {};
    std::string source = {};   ///< the learner's text; an elementwise kernel's body; empty for reductions
    int first_line = 1;        ///< the number of its first line in `file`
    std::uint64_t launches = 0, blocks = 0, threads = 0;
    std::vector<LaunchCounts> shapes = {};  ///< of the launches, in the order of the first ones; 64 at most
    WorkCounts work = {};
    /// Accesses to global and shared memory, atomic ones too. Each of the launch that has the most.
    WorkSpread global_spread = {}, shared_spread = {};
    WorkSpread atomic_spread = {};  ///< atomic operations alone
    /// All accesses, and the longest chain of them: in a block, from barrier to barrier the busiest thread's; of blocks
    /// the longest; of launches the sum. Work and span as in Cormen et al., Introduction to Algorithms, chapter 26.
    std::uint64_t accesses = 0, span = 0;
    bool approximate = false;  ///< too many irregular accesses to keep: requests, sectors and wavefronts are too high
    std::vector<LineCounts> lines = {};  ///< by file and line; only lines that did something
    /// The first element that two threads have written with one value, and which; or empty.
    std::string rewritten = {};
};

/// An allocation, a copy, a launch or a wait, in numbers.
struct LedgerWork {
    enum class Kind : std::uint8_t {
        allocation,
        free,  ///< memory of an array that is gone
        copy_to_device,
        copy_to_host,
        copy_on_device,
        launch,
        linear_algebra,  ///< a call of a library that gpu::counts() doesn't take for a launch: svd, solve and so on
        wait,            ///< of the host; one that belongs to a copy is a part of the copy's entry
        print            ///< of an array; the copies and launches that it takes aren't listed
    };

    Kind kind = Kind::launch;
    std::size_t bytes = 0;         ///< allocated, freed, copied, in matrices
    std::int64_t elements = 0;     ///< of the array; of a generated kernel's index space; 0: not known
    Dim3 grid = {}, block = {};    ///< of a raw kernel
    bool waits = false;            ///< a copy for which the host waited
    bool pooled = false;           ///< memory that came from the pool, or went back to it, without asking the device
    bool pageable_async = false;   ///< an asynchronous copy of memory that isn't page-locked: a GPU's host waits for it
    bool between_devices = false;  ///< a copy from another device

    friend bool operator==(const LedgerWork&, const LedgerWork&) = default;
};

/// The names of the kinds, in their order.
inline constexpr std::array<std::string_view, 9> ledger_kinds = {
    "allocation", "free",           "copy to device", "copy to host", "copy on device",
    "launch",     "linear algebra", "wait",           "print"};
static_assert(static_cast<std::size_t>(LedgerWork::Kind::print) + 1 == ledger_kinds.size(), "each kind has its name");

/// The same with the line of the program that asked for it.
struct LedgerLine : LedgerWork {
    std::string file = {};  ///< of the program's own source, without its folders; empty: not known
    int line = 0;
    std::string type = {};  ///< of the elements, "float32"; empty: not known
    std::string name = {};  ///< a kernel's, "add<float>"; a function's, with its sizes; what was waited for, "an event"

    friend bool operator==(const LedgerLine&, const LedgerLine&) = default;
};

/// @cond internal
namespace detail {
/// Calls `add(member of Counts, number)` for each count to which this work belongs: counters and ledgers agree.
template <class Work, class Add>
constexpr void each_count(const Work& work, Add add) {
    using Kind = LedgerWork::Kind;
    switch (work.kind) {
        case Kind::allocation:
            add(&Counts::allocations, 1);
            add(&Counts::bytes_allocated, work.bytes);
            break;
        case Kind::copy_to_device:
            add(&Counts::copies_to_device, 1);
            add(&Counts::bytes_to_device, work.bytes);
            break;
        case Kind::copy_to_host:
            add(&Counts::copies_to_host, 1);
            add(&Counts::bytes_to_host, work.bytes);
            break;
        case Kind::copy_on_device:
            add(&Counts::copies_on_device, 1);
            add(&Counts::bytes_on_device, work.bytes);
            if (!work.between_devices) break;
            add(&Counts::copies_between_devices, 1);
            add(&Counts::bytes_between_devices, work.bytes);
            break;
        case Kind::launch: add(&Counts::launches, 1); break;
        case Kind::wait: add(&Counts::synchronizations, 1); break;
        case Kind::print: add(&Counts::prints, 1); break;
        case Kind::free:
        case Kind::linear_algebra: break;
    }
    if (work.waits) add(&Counts::synchronizations, 1);
    if (work.pageable_async) add(&Counts::pageable_async_copies, 1);
}

/// Adds this work to what was counted before.
constexpr void add_work(Counts& counts, const LedgerWork& work) noexcept {
    each_count(work, [&](std::uint64_t Counts::*count, std::uint64_t more) { counts.*count += more; });
}
}  // namespace detail
/// @endcond

}  // namespace gpu
