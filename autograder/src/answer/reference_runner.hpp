// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "build/scratch.hpp"
#include "judge/baselines.hpp"
#include "run/session.hpp"

namespace course {

/// The grader's own runner that answers' times are compared with. It never contains a student's code, so one serves all
/// answers of a class in turn: a GPU's context is created once.
class ReferenceRunner {
public:
    /// The runner beside a student's; the previous call's if its device is the same.
    /// @param beside the student's options: same device and sandbox, and a separate user if that one has its own
    /// @throws BuildFault, std::runtime_error
    Session& runner(const SessionOptions& beside, const std::filesystem::path& build_dir);

    /// Session::end() for the current runner.
    void end() noexcept;

    /// Until when its device's clock counts as steady, for JudgeOptions.
    ReferenceClock::TimePoint steady_until{};

private:
    std::optional<Scratch> scratch_;
    std::string place_;   ///< the device and its name
    std::optional<Session> session_;
};

/// Compiled kernels of the course's own answers to one exercise, for answers with the same kernels: most of the planted
/// ones differ from the solution in one kernel of many. Students' answers contribute none, since whoever does decides
/// what runs.
class SharedKernels {
public:
    /// The author of the answer that receives them.
    enum class Author { course, student };

    /// In a folder that only the grader uses.
    SharedKernels(std::filesystem::path folder, Author author) : folder_(std::move(folder)), author_(author) {}

    /// Copies everything into a runner's cache before it starts.
    void bring_to(const std::filesystem::path& cache) const;
    /// Takes what is new in a runner's cache after its end; nothing from a student's answer.
    void take_from(const std::filesystem::path& cache) const;

private:
    std::filesystem::path folder_;
    Author author_;
};

}  // namespace course
