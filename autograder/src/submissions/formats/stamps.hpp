// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace course {

/// The moment that an LMS writes: "2026-11-23T18:00:00Z", "2022-06-25 13:16:26 -0600", or Moodle's "Wednesday, 10 June
/// 2026, 2:14 PM" with English months. One that names no time zone is of this machine's (TZ). Nothing if it is none.
std::optional<std::chrono::sys_seconds> parse_stamp(std::string_view text);

/// True if such a text names its time zone. Pure.
bool names_zone(std::string_view stamp);

/// This machine's time zone, as its clock shows it now: "CET".
std::string zone_of_machine();

/// "2026-11-23T18:00:00Z". Pure.
std::string stamp_text(std::chrono::sys_seconds time);

}  // namespace course
