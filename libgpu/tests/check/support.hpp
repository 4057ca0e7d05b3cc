// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <gpu/check.hpp>
#include <gpu/gpu.hpp>

#include "support/environment_guard.hpp"
#include "support/messages.hpp"
#include "support/wanted_compiler.hpp"

namespace support {

/// All that a report says about mistakes: three lines each.
inline std::string told(const gpu::CheckReport& report) {
    std::string text;
    for (const gpu::Finding& finding : report.findings)
        text += finding.what + '\n' + finding.who + '\n' + finding.advice + '\n';
    return text;
}

inline gpu::Source cu(const std::string& text) { return gpu::Source(text, "test.cu", 1); }

}  // namespace support
