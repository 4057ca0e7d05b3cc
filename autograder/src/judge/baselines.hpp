// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "run/caller.hpp"

namespace course {

/// The times that the baselines of an exercise's speed lines took on this machine, stored in a file for a day, so that
/// a verdict needn't measure them each time. The file belongs to the grader, as its check plug-in does: the runner
/// doesn't know of it, and one that other users may read or write, or that holds anything unexpected, is ignored.
class Baselines {
public:
    /// @param circumstances everything else that affects a baseline's time: the processor, the compiler, its flags, the
    /// check
    Baselines(std::filesystem::path file, std::string circumstances);

    /// Seconds of this call's baseline; none unless it was measured under these circumstances within the last day.
    [[nodiscard]] std::optional<double> find(const std::string& call) const;

    /// Stores a new measurement. If the file can't be written, the baseline will be measured again.
    void keep(const std::string& call, double seconds);

private:
    struct Measured {
        double seconds = 0;
        long long at = 0;  // seconds since 1970
    };
    [[nodiscard]] std::map<std::string, Measured> read() const;

    std::filesystem::path file_;
    std::string circumstances_;
};

/// The grader's reference runs beside a student's timed calls: they show whether the clock is repeatable, and how long
/// results take that are ready when they should be.
class ReferenceClock {
public:
    using TimePoint = std::chrono::steady_clock::time_point;

    /// @param steady_until until when the clock counts as steady because an earlier answer found it so; null: nothing
    /// is remembered
    explicit ReferenceClock(Caller& caller, TimePoint* steady_until = nullptr)
        : caller_(caller), steady_until_(steady_until) {}

    /// Measures the reference against itself, once for all tasks of a run or for a minute, with up to three tries.
    /// Empty: its two medians agree, or there is no reference here; otherwise why times can't be measured at the
    /// moment.
    const std::string& why_not();

    /// A call of the reference; none if there is no reference. @throws CallFault if it fails: that is the kit's fault
    [[nodiscard]] std::optional<CallResult> call(const ReferenceWork& work);

private:
    std::string try_itself();

    Caller& caller_;
    TimePoint* steady_until_;
    std::optional<std::string> why_not_;
};

}  // namespace course
