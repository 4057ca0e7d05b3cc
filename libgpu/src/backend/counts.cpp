// SPDX-License-Identifier: MIT
#include "counts.hpp"

namespace gpu {

namespace detail {

namespace {

// Leaked: buffers of static arrays are counted at exit too.
Counters& counted_work() noexcept {
    static auto* const instance = new Counters;
    return *instance;
}
Counters& uncounted_work() noexcept {
    static auto* const instance = new Counters;
    return *instance;
}

}  // namespace

int& printing_depth() noexcept {
    thread_local int depth = 0;
    return depth;
}

Counters& counters() noexcept { return is_printing() ? uncounted_work() : counted_work(); }

bool is_printing() noexcept { return printing_depth() > 0; }

std::atomic<WorkListener*> open_logs{nullptr};

}  // namespace detail

Counts counts() noexcept { return detail::counted_work().read(); }

}  // namespace gpu
