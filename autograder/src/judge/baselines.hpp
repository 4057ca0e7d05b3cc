// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "run/caller.hpp"

namespace course {

/// What the baselines of an exercise's speed lines took on this machine, kept in a file for a day: a verdict needn't
/// wait for them each time. The file is the grader's own as its check plug-in is: the runner doesn't know of it, and
/// one that others than this user may read or write, or that holds anything odd, isn't believed.
class Baselines {
public:
    /// @param circumstances what else a baseline's time depends on: the processor, the compiler, its flags, the check
    Baselines(std::filesystem::path file, std::string circumstances);

    /// Seconds of the baseline of this call; none if it wasn't measured under these circumstances within the last day.
    [[nodiscard]] std::optional<double> find(const std::string& call) const;

    /// Notes what was measured just now. A file that can't be written is none: it will be measured again.
    void keep(const std::string& call, double seconds);

private:
    struct Measured {
        double seconds = 0;
        long long at = 0;  // since 1970
    };
    [[nodiscard]] std::map<std::string, Measured> read() const;

    std::filesystem::path file_;
    std::string circumstances_;
};

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
