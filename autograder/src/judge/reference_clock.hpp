// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "run/caller.hpp"

namespace course {

/// The grader's reference beside a student's timed calls: does the clock tell the same twice, and how long do results
/// take that are ready when they should be?
class ReferenceClock {
public:
    using TimePoint = std::chrono::steady_clock::time_point;

    /// @param steady_until until when the clock, which an answer before this one has found steady, is taken to be so;
    ///     null: nothing is kept
    explicit ReferenceClock(Caller& caller, TimePoint* steady_until = nullptr)
        : caller_(caller), steady_until_(steady_until) {}

    /// The reference against itself, once for all tasks of a run or a minute, with up to three tries. Empty: its two
    /// medians agree, or there is no reference here; else why no time can be measured at the moment.
    const std::string& why_not();

    /// The reference's call; none where there is no reference. @throws CallFault if it fails: it is the kit's own
    [[nodiscard]] std::optional<CallReply> call(const ReferenceWork& work);

private:
    std::string try_itself();

    Caller& caller_;
    TimePoint* steady_until_;
    std::optional<std::string> why_not_;
};

}  // namespace course
