// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "build/scratch.hpp"
#include "judge/reference_clock.hpp"
#include "run/session.hpp"

namespace course {

/// The grader's own runner that answers' times are held against. No student's code is ever in it, so one serves the
/// answers of a class one after the other: a GPU's context is made once.
class ReferenceRunner {
public:
    /// The runner beside a student's; the one of the call before if its device is the same.
    /// @param beside the student's: of its device, in the same sandbox, and a user of its own if that is one
    /// @throws BuildFault, std::runtime_error
    Session& runner(const SessionOptions& beside, const std::filesystem::path& build_dir);

    /// As Session::end(), of the one there is.
    void end() noexcept;

    /// Until when its device's clock is taken to be steady, for JudgeOptions.
    ReferenceClock::TimePoint steady_until{};

private:
    std::optional<Scratch> scratch_;
    std::string place_;   ///< the device, and what it is called by
    std::optional<Session> session_;
};

}  // namespace course
