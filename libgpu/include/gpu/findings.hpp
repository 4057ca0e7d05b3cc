// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

/// @file
/// Everything that check mode can find, as words and numbers: for libgpu, which finds it, and for graders.

namespace gpu {

/// The kinds of mistakes that check mode finds in kernels and in host code that uses arrays.
enum class FindingKind : std::uint8_t {
    out_of_bounds,       ///< an access outside a global, shared or local array
    missing_barrier,     ///< two threads of a block race; a __syncthreads() would order them
    missing_syncwarp,    ///< two threads of a warp race; a __syncwarp() would order them
    inter_block_race,    ///< threads of two blocks race on global memory
    uninitialized_read,  ///< a value that was never written is read
    divergent_barrier,   ///< threads of a block wait at different barriers, or some never arrive
    deadlock,            ///< threads wait for each other, or for threads that have ended
    misaligned_access,   ///< an address that isn't a multiple of the type's alignment
    division_by_zero,    ///< with integers
    endless_loop,        ///< a block that doesn't terminate
    stack_overflow,      ///< too much recursion, or local arrays that are too large
    failed_assertion,    ///< assert() or __trap()
    host_access,         ///< host code reads or writes an array's memory on the device
    host_pointer,        ///< a kernel follows a pointer to host memory
    inactive_lane,       ///< a shuffle reads from a lane that doesn't take part in it
    wide_shift,          ///< a shift by at least the width of the type, or by a negative number
    skipped_barrier,     ///< threads end before a barrier that others wait at, see CheckOptions::strict_barriers
    missing_event,       ///< work in two streams accesses one element, and nothing orders the streams
    constant_write,      ///< a kernel writes a __constant__ variable
    host_buffer_in_use,  ///< host memory is used while an asynchronous copy may still read or write it
    memory_leak          ///< memory that kernels allocate by malloc() or new is never freed
};

/// The rules of the course's notional machine (lessons/notional-machine.md); every mistake breaks one of them.
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

/// How a kernel with a mistake ends outside check mode.
enum class Ends : std::uint8_t {
    goes_on,  ///< with wrong values, or correct ones by chance
    stops,    ///< at the mistake, on the host backend; a GPU may let it run into the next array
    hangs
};

/// Facts about a kind of mistake.
struct FindingFacts {
    FindingKind kind;
    std::string_view name;
    Rule rule;          ///< the one it breaks, unless the finding gives another
    Ends ends;
    int misconception;  ///< in the course's list, lessons/misconceptions.toml; 0: none
};

inline constexpr std::array<FindingFacts, 21> finding_facts{{
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
}};

/// The facts of the kind with this number; null if there is no such kind.
/// @snippet report/report_test.cpp facts
[[nodiscard]] constexpr const FindingFacts* find_facts(std::uint64_t kind) noexcept {
    return kind < finding_facts.size() ? &finding_facts[kind] : nullptr;
}
/// The facts of a kind.
/// @snippet report/report_test.cpp facts
[[nodiscard]] constexpr const FindingFacts& facts_of(FindingKind kind) noexcept {
    return finding_facts[static_cast<std::size_t>(kind)];
}

/// "out of bounds", "missing barrier", ...
[[nodiscard]] constexpr std::string_view to_string(FindingKind kind) noexcept {
    const FindingFacts* const facts = find_facts(static_cast<std::uint64_t>(kind));
    return facts != nullptr ? facts->name : "unknown";
}

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

}  // namespace gpu
