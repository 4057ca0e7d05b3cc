// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "build/scratch.hpp"
#include "judge/baselines.hpp"
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

/// Compiled kernels of the course's own answers to one exercise, for answers with the same kernels: most of the planted
/// ones differ from the solution in one kernel of many. A student's answer gives none, for whoever does decides what
/// runs.
class SharedKernels {
public:
    /// Who wrote the answer that they are brought to.
    enum class Author { course, student };

    /// In a folder that is the grader's alone.
    SharedKernels(std::filesystem::path folder, Author author) : folder_(std::move(folder)), author_(author) {}

    /// Copies all that is here into a runner's cache, before it starts.
    void bring_to(const std::filesystem::path& cache) const;
    /// Takes what is new in a runner's cache, after its end; of a student's answer nothing.
    void take_from(const std::filesystem::path& cache) const;

private:
    std::filesystem::path folder_;
    Author author_;
};

}  // namespace course
