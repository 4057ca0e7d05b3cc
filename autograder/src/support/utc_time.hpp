// SPDX-License-Identifier: MIT
#pragma once

#include <ctime>
#include <string>

namespace course {

/// The time now: "2026-11-23T01:02:03Z".
inline std::string utc_time() {
    const std::time_t seconds = std::time(nullptr);
    std::tm parts{};
    ::gmtime_r(&seconds, &parts);
    char text[32];
    return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

}  // namespace course
