// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace course {

/// Compiled kernels that the course's own answers to one exercise share: most of its planted ones differ from the
/// solution in one kernel of many. A student's answer shares none, for whoever writes there decides what runs.
class SharedKernels {
public:
    /// In a folder that is the grader's alone, on the file system of the runners' caches.
    explicit SharedKernels(std::filesystem::path folder) : folder_(std::move(folder)) {}

    /// Puts all that is here into a runner's cache, before it starts: as links, whose files the runner can't write.
    void bring_to(const std::filesystem::path& cache) const;
    /// Takes what is new in a runner's cache, after its end.
    void take_from(const std::filesystem::path& cache) const;

private:
    std::filesystem::path folder_;
};

}  // namespace course
