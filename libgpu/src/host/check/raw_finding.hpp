// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gpu/check.hpp>

#include "backend/kernel_fault.hpp"
#include "host/base/abi.hpp"
#include "host/base/debugger.hpp"
#include "host/check/checked_memory.hpp"
#include "host/check/work_counter.hpp"

// What check mode shows a debugger, see base/debugger.hpp: the running launch, and each finding when it is made.
namespace gpu::detail::host {

class Worker;
struct LaunchFacts;
struct RawFinding;

void show_to_debugger(const LaunchFacts& launch);

/// Stops a debugger at a finding about the running block: called when it is found, on the kernel's stack.
void tell_debugger(const RawFinding& finding);
/// The same for a fault that a worker can't continue from.
void tell_debugger_of_fault(Worker& worker) noexcept;

class CheckedModule;

/// What a thread did, and where.
struct Action {
    uint3 block{}, thread{};
    std::string verb;      ///< "reads", "writes", "updates"
    std::size_t site = 0;  ///< the instruction's offset; its line is looked up after the launch
    SourcePlace place;     ///< known immediately if there is no site
    int record = -1;       ///< the recorded access, in a trace
};

/// An array far from an access that belongs to none: the element that the address would be.
struct FarArray {
    std::string name;
    long index = 0, length = 0;
    std::size_t element = 0;  ///< bytes
};

/// A finding before its lines are known.
struct RawFinding {
    FindingKind kind{};
    Space space = Space::global;
    std::string variable;  ///< "x"
    std::string element;   ///< "x[1000]"
    std::string extent;    ///< "x (1000 elements of 4 bytes)"
    long beyond = 0;       ///< elements past the end, from 1, or before the start, from -1
    long length = 0;       ///< out of bounds: the array's elements, if these are what is accessed
    std::int64_t blocks = 0;                                      ///< likewise: of the launch, along x
    std::vector<std::pair<std::string, std::int64_t>> integers;   ///< likewise: the integers among its arguments
    std::vector<FarArray> far_arrays;  ///< likewise: the launch's, if the address belongs to none
    bool has_own_element = false;  ///< out of bounds: the thread's position in the grid has an element in this array
    Action action, other;  ///< races: `other` came before `action`
    std::string advice;    ///< if it isn't the kind's own
    std::string detail;    ///< for deadlocks, assertions and the like
    std::uint64_t times = 1;
    std::string work, stream;  ///< missing events: "kernel sum" or "a copy", "stream 2"
    std::string other_work, other_stream;
    std::shared_ptr<CheckedModule> other_module;  ///< the other kernel's
    bool several_write = false;    ///< races: two threads write the element non-atomically, with different values
    bool one_line_writes = false;  ///< likewise, by one instruction
    bool behind_flag = false;      ///< races: the reader has seen a flag that the writer set
    bool others_may_write = false; ///< uninitialised: a thread's own array, in a kernel with barriers
    bool polls = false;            ///< deadlocks: the thread reads the element until another one changes it
    bool waits_for_later_block = false;  ///< likewise, and `other` is a block that had not begun
    bool is_left_out = false;      ///< skipped barriers: nobody asked for those that only an early return skips
    std::string call;              ///< "block_reduce, which reduce.cu:31 calls": if the line is in a function
    std::string atomic;            ///< lost updates: the one-step replacement, "atomicAdd()"
    std::string one_array;         ///< races: the parameters that are one array, "x and y"
    bool in_place = false;         ///< races: a neighbour's element is read, and the array is written
    bool round_loop = false;       ///< races: in their loop, a barrier is between the two lines but none after them
    bool second_call = false;      ///< races: the same in a function, without a loop
    std::string counted_by{};      ///< races: the atomic that counts finished blocks, without a fence: "atomicInc"
    int counted_at = 0;            ///< likewise: its line
    bool first_guess = false;      ///< races: a plain read of what a loop around atomicCAS() changes
    bool copy_under_way = false;   ///< races: `other` is an asynchronous copy that nobody has waited for
    int branched_barrier = 0;      ///< races: the line of a barrier between the two that is in a branch
    std::uintptr_t volatile_address = 0;   ///< races between volatile accesses: the place, possibly a flag
    bool volatile_update = false;  ///< a volatile read and a volatile write: on one line, a lost update
};

/// True if one of a race's two accesses is a read.
inline bool one_reads(const RawFinding& race) { return race.action.verb == "reads" || race.other.verb == "reads"; }

/// When something was found in the course of a launch: the same for any number of workers.
struct FoundAt {
    std::uint64_t block = 0, step = 0;
    friend auto operator<=>(const FoundAt&, const FoundAt&) = default;
};

/// The findings of a launch's workers, each once. Thread-safe.
class FindingLog {
public:
    struct Key {
        FindingKind kind{};
        const void* array = nullptr;
        std::string variable;
        std::size_t site = 0;  ///< 0: the array alone identifies it, as for races
        friend auto operator<=>(const Key&, const Key&) = default;
    };

    /// Calls make() for the RawFinding if it is the first one with its key, or earlier than the known one.
    template <class F>
    void add(const Key& key, FoundAt at, F&& make, bool several_write = false, bool one_line_writes = false) {
        const std::lock_guard lock(mutex_);
        auto [found, is_new] = entries_.try_emplace(key);
        Entry& entry = found->second;
        const std::uint64_t times = is_new ? 1 : entry.finding.times + 1;
        several_write = several_write || entry.finding.several_write;
        one_line_writes = one_line_writes || entry.finding.one_line_writes;
        if (is_new || at < entry.at) {
            entry.finding = make();
            entry.at = at;
        }
        entry.finding.times = times;
        entry.finding.several_write = several_write;
        entry.finding.one_line_writes = one_line_writes;
        if (is_new && kernels_are_debugged() && !entry.finding.is_left_out) tell_debugger(entry.finding);
    }

    /// Two threads wrote the same value to one element: no mistake, but perhaps duplicate work. The earliest is kept.
    template <class F>
    void add_rewrite(FoundAt at, F&& make) {
        const std::lock_guard lock(mutex_);
        if (rewrite_ && !(at < rewrite_->at)) return;
        rewrite_ = Entry{at, make()};
    }
    [[nodiscard]] std::optional<RawFinding> rewrite() const {
        const std::lock_guard lock(mutex_);
        return rewrite_ ? std::optional(rewrite_->finding) : std::nullopt;
    }

    /// The launch ends at this block: findings in later ones don't count.
    void add_fatal(FoundAt at, RawFinding finding);
    [[nodiscard]] bool has_fatal() const;
    [[nodiscard]] std::optional<RawFinding> fatal() const;

    /// After the launch: all in order of discovery.
    [[nodiscard]] std::vector<RawFinding> all() const;

private:
    struct Entry {
        FoundAt at;
        RawFinding finding;
    };
    mutable std::mutex mutex_;
    std::map<Key, Entry> entries_;
    std::optional<Entry> rewrite_;
    bool has_fatal_ = false;
    Entry fatal_;
};

/// One finding per mistake: joins races that one barrier would cure, and drops consequences of races. Pure; needs the
/// places.
std::vector<RawFinding> without_consequences(std::vector<RawFinding> findings);

/// "test.cu:4 writes z[3] in block (0,0,0) thread (3,0,0) and in block (1,0,0) thread (3,0,0)". Pure; needs the places.
std::string rewritten_text(const RawFinding& rewrite, const std::string& kernel);

/// What a GPU would do about a mistake that a checked kernel didn't continue from; nothing: it would go on.
[[nodiscard]] std::optional<KernelEnd> end_of(const RawFinding& finding);

/// The three lines of a finding. Pure.
Finding format_finding(const RawFinding& finding, const std::string& kernel);

}  // namespace gpu::detail::host
