// SPDX-License-Identifier: MIT
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include <gpu/device.hpp>

// True, and says why, if LIBGPU_DEVICE names a GPU and none can be used: the program's exit code is then 77, a skip.
inline bool wanted_gpu_is_missing() {
    const char* wanted = std::getenv("LIBGPU_DEVICE");
    if (wanted == nullptr || !std::string_view(wanted).starts_with("cuda")) return false;
    const std::string reason = gpu::why_no_gpu();
    if (!reason.empty()) std::printf("SKIP: %s\n", reason.c_str());
    return !reason.empty();
}
