// SPDX-License-Identifier: MIT
#include "grades/time_zone.hpp"

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <mutex>
#include <stdexcept>

#include <fmt/format.h>

namespace course {

namespace {

/// The C library knows one zone at a time, which is the process's own: it is changed for a few lines only.
class ZoneInForce {
public:
    explicit ZoneInForce(const std::string& name) : lock_(mutex()) {
        if (const char* before = std::getenv("TZ")) before_ = before;
        ::setenv("TZ", (":" + name).c_str(), 1);
        ::tzset();
    }
    ~ZoneInForce() {
        if (before_)
            ::setenv("TZ", before_->c_str(), 1);
        else
            ::unsetenv("TZ");
        ::tzset();
    }
    ZoneInForce(const ZoneInForce&) = delete;
    ZoneInForce& operator=(const ZoneInForce&) = delete;

private:
    static std::mutex& mutex() {
        static std::mutex one;
        return one;
    }
    std::lock_guard<std::mutex> lock_;
    std::optional<std::string> before_;
};

LocalTime of(const std::tm& parts) {
    return {parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec};
}

bool is_known(const std::string& name) {
    if (name == "UTC") return true;
    const bool plain =
        !name.empty() && name.find("..") == name.npos && name[0] != '/' &&
        name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+-/") == name.npos;
    return plain && std::filesystem::is_regular_file(std::filesystem::path("/usr/share/zoneinfo") / name);
}

}  // namespace

TimeZone::TimeZone(std::string name) : name_(std::move(name)) {
    if (!is_known(name_))
        throw std::invalid_argument(fmt::format(
            "\"{}\" isn't a time zone of this machine; expected one such as \"Europe/Berlin\" "
            "(Debian's package tzdata)",
            name_));
}

std::optional<std::chrono::sys_seconds> TimeZone::to_utc(const LocalTime& local) const {
    const ZoneInForce zone(name_);
    for (const int summer : {0, 1}) {  // 0 is winter time, the later of two
        std::tm parts{};
        parts.tm_year = local.year - 1900;
        parts.tm_mon = local.month - 1;
        parts.tm_mday = local.day;
        parts.tm_hour = local.hour;
        parts.tm_min = local.minute;
        parts.tm_sec = local.second;
        parts.tm_isdst = summer;
        const std::time_t time = std::mktime(&parts);
        std::tm back{};
        ::localtime_r(&time, &back);
        if (of(back) == local) return std::chrono::sys_seconds(std::chrono::seconds(time));
    }
    return {};
}

LocalTime TimeZone::to_local(std::chrono::sys_seconds time) const {
    const ZoneInForce zone(name_);
    const std::time_t seconds = time.time_since_epoch().count();
    std::tm parts{};
    ::localtime_r(&seconds, &parts);
    return of(parts);
}

std::string TimeZone::text(std::chrono::sys_seconds time) const {
    const LocalTime local = to_local(time);
    std::string text =
        fmt::format("{:04}-{:02}-{:02} {:02}:{:02}", local.year, local.month, local.day, local.hour, local.minute);
    if (local.second != 0) text += fmt::format(":{:02}", local.second);
    return text + " " + name_;
}

std::string utc_text(std::chrono::sys_seconds time) {
    const std::time_t seconds = time.time_since_epoch().count();
    std::tm parts{};
    ::gmtime_r(&seconds, &parts);
    char text[32];
    return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

}  // namespace course
