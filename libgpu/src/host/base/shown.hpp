// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

#include "host/base/abi.hpp"

// How messages name the subject of a fault or a finding.
namespace gpu::detail::host {

inline std::string shown(uint3 index) {
    return '(' + std::to_string(index.x) + ',' + std::to_string(index.y) + ',' + std::to_string(index.z) + ')';
}

inline std::string hexadecimal(std::uintptr_t value) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "0x%llx", static_cast<unsigned long long>(value));
    return digits;
}

}  // namespace gpu::detail::host
