// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <utility>

#include "host/memory/fault.hpp"

namespace gpu::detail::host {

/// Among the faults of a launch's workers, the one of the lowest block or element: so the message doesn't depend on who
/// was faster. Work is handed out in increasing order, so nothing lower is left out.
class FirstFault {
public:
    [[nodiscard]] bool any() const noexcept { return any_.load(std::memory_order_relaxed); }

    void add(std::uint64_t place, FaultReport report) {
        const std::lock_guard lock(mutex_);
        if (any() && place >= place_) return;
        place_ = place;
        report_ = std::move(report);
        any_.store(true, std::memory_order_relaxed);
    }

    /// After all workers are done.
    [[nodiscard]] FaultReport& report() noexcept { return report_; }

private:
    std::atomic<bool> any_{false};
    std::mutex mutex_;
    std::uint64_t place_ = 0;
    FaultReport report_;
};

}  // namespace gpu::detail::host
