// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace course {

/// Compiled kernels of the course's own answers to one exercise, for answers with the same kernels: most of the planted
/// ones differ from the solution in one kernel of many. A student's answer gives none, for whoever does decides what runs.
class SharedKernels {
public:
    /// In a folder that is the grader's alone.
    explicit SharedKernels(std::filesystem::path folder) : folder_(std::move(folder)) {}

    /// Copies all that is here into a runner's cache, before it starts.
    void bring_to(const std::filesystem::path& cache) const;
    /// Takes what is new in a runner's cache, after its end.
    void take_from(const std::filesystem::path& cache) const;

private:
    std::filesystem::path folder_;
};

}  // namespace course
