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

#include "host/base/abi.hpp"
#include "host/base/debugger.hpp"
#include "host/check/checked_memory.hpp"
#include "host/check/work_counter.hpp"

// What check mode tells a debugger, see base/debugger.hpp: the launch that runs, and each finding when it is made.
namespace gpu::detail::host {

class Worker;
struct LaunchFacts;
struct RawFinding;

void show_to_debugger(const LaunchFacts& launch);

/// Stops a debugger at a finding of the running block: called when it is found, on the kernel's stack.
void tell_debugger(const RawFinding& finding);
/// The same for what a worker can't go on from.
void tell_debugger_of_fault(Worker& worker) noexcept;

class CheckedModule;

/// What a thread did, and where.
struct Action {
    uint3 block{}, thread{};
    std::string verb;      ///< "reads", "writes", "updates"
    std::size_t site = 0;  ///< the instruction's offset; its line is looked up when the launch has ended
    SourcePlace place;     ///< known at once where there is no site
    int record = -1;       ///< the access itself, if a trace recorded it
};

/// An array far from an access that belongs to none: which element of it the address would be.
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
    long length = 0;       ///< out of bounds: the array's elements, where they are what is accessed
    std::int64_t blocks = 0;                                      ///< the same: of the launch, along x
    std::vector<std::pair<std::string, std::int64_t>> integers;   ///< the same: its arguments, if they are integers
    std::vector<FarArray> far_arrays;  ///< the same: the launch's, where the address belongs to none
    bool has_own_element = false;  ///< out of bounds: the thread's place in the grid has an element in this array
    Action action, other;  ///< races: `other` came before `action`
    std::string advice;    ///< where it isn't the kind's own
    std::string detail;    ///< of deadlocks, assertions and the like
    std::uint64_t times = 1;
    std::string work, stream;  ///< missing events: "kernel sum" or "a copy", "stream 2"
    std::string other_work, other_stream;
    std::shared_ptr<CheckedModule> other_module;  ///< the other kernel's
    bool several_write = false;    ///< races: two threads write the element, none by an atomic, each its own value
    bool one_line_writes = false;  ///< the same, by one instruction
    bool behind_flag = false;      ///< races: the reader has seen a flag that the writer has set
    bool others_may_write = false; ///< uninitialised: a thread's own array, in a kernel with barriers
    bool polls = false;            ///< deadlocks: the thread reads the element until another one changes it
    bool waits_for_later_block = false;  ///< the same, and `other` is a block that had not begun
    bool is_left_out = false;      ///< skipped barriers: nobody asked for those that only an early return skips
    std::string call;              ///< "block_reduce, which reduce.cu:31 calls": where the line is a function's
    std::string atomic;            ///< lost updates: what does it in one step, "atomicAdd()"
    std::string one_array;         ///< races: the parameters that are one array, "x and y"
    bool in_place = false;         ///< races: a neighbour's element is read, and the array is written
    bool round_loop = false;       ///< races: a barrier stands between the two lines, and none behind, in their loop
    bool second_call = false;      ///< races: the same in a function, without a loop
    std::string counted_by{};      ///< races: what counts the blocks that have come, without a fence: "atomicInc"
    int counted_at = 0;            ///< the same: its line
    bool first_guess = false;      ///< races: a plain read of what a loop around atomicCAS() changes
    bool copy_under_way = false;   ///< races: `other` is an asynchronous copy that nobody has waited for
    int branched_barrier = 0;      ///< races: the line of a barrier between the two that stands in a branch
    std::uintptr_t volatile_address = 0;   ///< races between volatile accesses: where, which may be a flag
    bool volatile_update = false;  ///< a volatile read and a volatile write, if they stand in one line: a lost update
};

/// Whether one of a race's two accesses is a read.
inline bool one_reads(const RawFinding& race) { return race.action.verb == "reads" || race.other.verb == "reads"; }

/// Where in the run of a launch something was found: the same for any number of workers.
struct FoundAt {
    std::uint64_t block = 0, step = 0;
    friend auto operator<=>(const FoundAt&, const FoundAt&) = default;
};

/// What a launch's workers have found, each thing once. Thread-safe.
class FindingLog {
public:
    struct Key {
        FindingKind kind{};
        const void* array = nullptr;
        std::string variable;
        std::size_t site = 0;  ///< 0: the array alone tells, as for races
        friend auto operator<=>(const Key&, const Key&) = default;
    };

    /// Calls make() for the RawFinding if it is the first one of its key, or earlier than the one that is known.
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

    /// Two threads wrote the same value to one element: no mistake, and perhaps work done twice. The earliest is kept.
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

    /// The launch ends at this block: what was found in later ones doesn't count.
    void add_fatal(FoundAt at, RawFinding finding);
    [[nodiscard]] bool has_fatal() const;

    /// After the launch: in the order of discovery.
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

/// One finding a mistake: races that one barrier would cure become one, and what only follows from a race is left out.
/// Pure; needs the places.
std::vector<RawFinding> without_consequences(std::vector<RawFinding> findings);

/// "test.cu:4 writes z[3] in block (0,0,0) thread (3,0,0) and in block (1,0,0) thread (3,0,0)". Pure; needs the places.
std::string rewritten_text(const RawFinding& rewrite, const std::string& kernel);

/// The three lines. Pure.
Finding compose(const RawFinding& finding, const std::string& kernel);

}  // namespace gpu::detail::host
