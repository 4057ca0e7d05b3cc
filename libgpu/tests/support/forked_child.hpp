// SPDX-License-Identifier: MIT
#pragma once

#include <cstdio>

#include "host/base/machine.hpp"

/// False, and says so, under ThreadSanitizer: it goes on counting the parent's threads in a forked child, so it ends
/// the child ("dup thread with used id") when that starts a thread where the parent had one.
[[nodiscard]] inline bool child_can_start_threads([[maybe_unused]] const char* test) {
#if defined(GPU_HOST_TSAN)
    std::printf("SKIP: %s: ThreadSanitizer ends a forked child that starts threads\n", test);
    return false;
#else
    return true;
#endif
}
