// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace course {

/// A time on a clock on the wall.
struct LocalTime {
    int year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0;
    friend bool operator==(const LocalTime&, const LocalTime&) = default;
};

/// A zone of the machine's time zone database, by its name: "Europe/Berlin".
class TimeZone {
public:
    /// @throws std::invalid_argument if the machine doesn't know it.
    explicit TimeZone(std::string name);
    TimeZone() : name_("UTC") {}

    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    /// Nothing if no clock of the zone ever shows it: an hour that is left out in spring, the 31st of June. Of the two
    /// that an autumn's hour can mean the later one, in favour of the student.
    [[nodiscard]] std::optional<std::chrono::sys_seconds> to_utc(const LocalTime& local) const;
    [[nodiscard]] LocalTime to_local(std::chrono::sys_seconds time) const;
    /// "2026-12-01 23:59 Europe/Berlin"; seconds only if there are any.
    [[nodiscard]] std::string text(std::chrono::sys_seconds time) const;

private:
    std::string name_;
};

/// "2026-12-01T22:59:00Z".
std::string utc_text(std::chrono::sys_seconds time);

}  // namespace course
