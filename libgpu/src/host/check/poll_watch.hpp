// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "host/check/launch_facts.hpp"
#include "host/check/reachable_arrays.hpp"
#include "host/fibers/block_scheduler.hpp"

namespace gpu::detail::host {

/// Notices threads that read one place again and again until another thread changes it, and lets that one run.
///
/// A GPU runs all threads of a block that has begun, whatever others wait for (since compute capability 7.0). Here a
/// thread runs until it waits: so one that polls must hand over. Only volatile reads and atomics can poll.
class PollWatch {
public:
    PollWatch(LaunchFacts& facts, BlockScheduler& scheduler, ReachableArrays& arrays)
        : facts_(facts), scheduler_(scheduler), arrays_(arrays) {}

    void begin_block(std::uint64_t block);
    void end_block() { go_on(); }

    enum class Outcome { go_on, deadlock, given_up };
    /// A thread has read a place. `alone`: it has accessed nothing else since it last did. Lets others run if it polls.
    [[nodiscard]] Outcome polled(unsigned thread, std::uintptr_t address, std::uint64_t value, std::size_t size,
                                 std::size_t site, bool alone);
    /// After Outcome::deadlock: who waits for what, into a finding.
    void deadlock(RawFinding& finding) const;
    /// After a wait has ended because a block wrote: a finding if that one had not begun, and a GPU need not begin it.
    [[nodiscard]] std::optional<RawFinding> waited_for_later_block(unsigned thread, Stamp writer);
    /// Where a thread has last read so; 0: nowhere.
    [[nodiscard]] std::uintptr_t last_place(unsigned thread) const noexcept {
        return polls_ != nullptr ? polls_[thread].address : 0;
    }
    [[nodiscard]] bool has_waited(unsigned thread) const noexcept {
        return polls_ != nullptr && polls_[thread].has_waited && polls_[thread].repeats == 0;
    }

private:
    struct Poll {
        std::uintptr_t address = 0;
        std::uint64_t value = 0;
        std::size_t size = 0, site = 0;
        unsigned repeats = 0;
        bool has_waited = false;
        std::uint64_t begun = 0;  // how many blocks had, when it began to wait
    };

    Outcome let_others_run(Poll& poll);
    void go_on() noexcept;
    /// A finding about the place that a thread reads.
    [[nodiscard]] RawFinding describe(unsigned thread) const;

    LaunchFacts& facts_;
    BlockScheduler& scheduler_;
    ReachableArrays& arrays_;
    std::unique_ptr<Poll[]> polls_;
    std::uint64_t block_ = 0, seen_progress_ = 0;
    unsigned idle_ = 0;
    bool waits_ = false;
};

}  // namespace gpu::detail::host
