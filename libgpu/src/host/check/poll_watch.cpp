// SPDX-License-Identifier: MIT
#include "host/check/poll_watch.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "host/check/block_turns.hpp"
#include "host/check/fault_findings.hpp"

namespace gpu::detail::host {

namespace {

constexpr unsigned polls_before_waiting = 4;  // the same value so often
constexpr unsigned rounds_before_deadlock = 256;

}  // namespace

void PollWatch::begin_block(std::uint64_t block) {
    block_ = block;
    idle_ = 0;
    waits_ = false;
    if (polls_ != nullptr) std::fill_n(polls_.get(), max_block_threads, Poll{});
}

void PollWatch::go_on() noexcept {
    idle_ = 0;
    if (waits_) facts_.turns->set_waiting(false);
    waits_ = false;
}

PollWatch::Outcome PollWatch::polled(unsigned thread, std::uintptr_t address, std::uint64_t value, std::size_t size,
                                     std::size_t site, bool alone) {
    if (polls_ == nullptr) polls_.reset(new Poll[max_block_threads]);
    Poll& poll = polls_[thread];
    if (poll.address != address || poll.value != value) {
        const bool has_waited = poll.address == address && poll.has_waited;
        poll = {address, value, size, site, 0, has_waited, poll.begun};
        facts_.turns->progress();
        go_on();
        return Outcome::go_on;
    }
    if (!alone) {
        facts_.turns->progress();
        go_on();
    }
    if (poll.repeats == 0) facts_.add_flag(address, LaunchFacts::polled);
    if (++poll.repeats < polls_before_waiting) return Outcome::go_on;
    return let_others_run(poll);
}

PollWatch::Outcome PollWatch::let_others_run(Poll& poll) {
    BlockTurns& turns = *facts_.turns;
    const auto runnable = static_cast<unsigned>(scheduler_.runnable());
    if (const std::uint64_t progress = turns.progress_so_far(); progress != seen_progress_) {
        seen_progress_ = progress;
        go_on();
    }
    // Each of the block's threads has had its turn, and polls.
    if (++idle_ >= 2 * runnable && idle_ % runnable == 0) {
        if (!waits_) turns.set_waiting(true);
        waits_ = true;
        if (!poll.has_waited) poll.begun = facts_.begun();
        poll.has_waited = true;
        turns.pass();
        if (facts_.log.has_fatal()) return Outcome::given_up;
        if (idle_ / runnable > rounds_before_deadlock && turns.all_wait()) return Outcome::deadlock;
    }
    scheduler_.let_others_run();
    return Outcome::go_on;
}

RawFinding PollWatch::describe(unsigned thread) const {
    const Poll& poll = polls_[thread];
    std::uintptr_t counted = 0;
    RawFinding finding;
    if (CheckedArray* const array = arrays_.find(poll.address, counted))
        finding = arrays_.describe(FindingKind::deadlock, *array, poll.address - array->start, poll.size);
    else
        finding.element = "memory";
    finding.kind = FindingKind::deadlock;
    finding.action.block = facts_.block_index(block_);
    finding.action.thread = facts_.thread_index(thread);
    finding.action.verb = "reads";
    finding.action.site = poll.site;
    return finding;
}

void PollWatch::deadlock(RawFinding& finding) const {
    finding = describe(static_cast<unsigned>(scheduler_.current()));
    finding.polls = true;
    std::map<std::uintptr_t, std::pair<int, unsigned>> readers;
    for (unsigned thread = 0; thread < max_block_threads; ++thread)
        if (polls_[thread].repeats >= polls_before_waiting) {
            auto& [count, first] = readers[polls_[thread].address];
            if (count++ == 0) first = thread;
        }
    for (const auto& [address, who] : readers)
        finding.detail += (finding.detail.empty() ? "" : ", ") + counted_threads(who.first) +
                          (who.first == 1 ? " waits for " : " wait for ") + describe(who.second).element;
    for (const Arrivals& place : scheduler_.arrivals()) finding.detail += ", " + waiting_text(place);
    if (scheduler_.ended() > 0) finding.detail += ", " + counted_threads(scheduler_.ended()) + " ended";
}

std::optional<RawFinding> PollWatch::waited_for_later_block(unsigned thread, Stamp writer) {
    Poll& poll = polls_[thread];
    poll.has_waited = false;
    if (serial_of(writer) < facts_.first_serial || facts_.cooperative) return std::nullopt;
    const std::uint64_t other = facts_.block_of(serial_of(writer));
    if (other <= block_ || facts_.turn_of(other) < poll.begun) return std::nullopt;
    RawFinding finding = describe(thread);
    finding.waits_for_later_block = true;
    finding.other.block = facts_.block_index(other);
    return finding;
}

}  // namespace gpu::detail::host
