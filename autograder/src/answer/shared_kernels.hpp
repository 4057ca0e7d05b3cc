// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace course {

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
