// SPDX-License-Identifier: MIT
#pragma once

#include <cstdio>

#include <gpu/device.hpp>

/// True if the active backend has two devices; says which test is skipped otherwise.
inline bool two_devices(const char* test) {
    if (gpu::Device::count() >= 2) return true;
    std::printf("SKIP: %s: there is one device only\n", test);
    return false;
}
