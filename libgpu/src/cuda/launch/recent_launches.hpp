// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <mutex>
#include <string>

namespace gpu::detail::cuda {

/// The names of the last kernels launched by this process, for the message of an error that surfaces later.
class RecentLaunches {
public:
    void add(const std::string& kernel);
    /// "add, fill, sum": newest first; empty if nothing was launched.
    [[nodiscard]] std::string to_string() const;

private:
    static constexpr std::size_t kept = 8;
    mutable std::mutex mutex_;
    std::array<std::string, kept> names_;
    std::size_t count_ = 0;
};

RecentLaunches& recent_launches();

}  // namespace gpu::detail::cuda
