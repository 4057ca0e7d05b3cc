// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

namespace gpu::detail::host {

/// From now on a kernel that runs for longer than this says how far it is, in a line on stderr that is rewritten, and
/// gone when the kernel is. Does nothing unless stderr is a terminal.
void show_progress(std::chrono::duration<double> after);

/// A launch that is under way, for that line: as long as nobody has asked for it, no more than a look at a variable.
class LaunchProgress {
public:
    LaunchProgress(const std::string& kernel, std::uint64_t blocks);
    ~LaunchProgress();
    LaunchProgress(const LaunchProgress&) = delete;
    LaunchProgress& operator=(const LaunchProgress&) = delete;

    /// So many more blocks have ended.
    void done(std::uint64_t blocks) noexcept {
        if (is_shown_) done_.fetch_add(blocks, std::memory_order_relaxed);
    }

    /// "kernel matmul: 120 of 4096 blocks done", in at most so many characters if that is more than 0.
    [[nodiscard]] std::string text(std::size_t columns) const;
    [[nodiscard]] std::chrono::steady_clock::time_point start() const noexcept { return start_; }

private:
    const std::string& kernel_;
    const std::uint64_t blocks_;
    std::atomic<std::uint64_t> done_{0};
    bool is_shown_ = false;
    std::chrono::steady_clock::time_point start_;
};

}  // namespace gpu::detail::host
