// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <string_view>

namespace gpu::detail {

/// True if each launch is to wait for its end and to tell its own errors: LIBGPU_LAUNCH_BLOCKING=1.
inline bool launch_blocking_wanted() {
    const char* const value = std::getenv("LIBGPU_LAUNCH_BLOCKING");
    return value != nullptr && std::string_view(value) == "1";
}

}  // namespace gpu::detail
