// SPDX-License-Identifier: MIT
#include "submissions/formats/stamps.hpp"

#include <array>
#include <ctime>
#include <vector>

#include <fmt/format.h>

#include "submissions/formats/names.hpp"
#include "support/text.hpp"

namespace course {

namespace {

using std::chrono::sys_seconds;

struct CivilTime {
    int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;

    [[nodiscard]] bool is_valid() const {
        const std::chrono::year_month_day date{std::chrono::year(year),
                                               std::chrono::month(static_cast<unsigned>(month)),
                                               std::chrono::day(static_cast<unsigned>(day))};
        return date.ok() && year >= 1970 && year < 10000 && hour >= 0 && hour < 24 && minute >= 0 && minute < 60 &&
               second >= 0 && second <= 60;
    }
    [[nodiscard]] sys_seconds as_utc() const {
        const std::chrono::sys_days date = std::chrono::year(year) / month / day;
        return date + std::chrono::hours(hour) + std::chrono::minutes(minute) + std::chrono::seconds(second);
    }
    [[nodiscard]] std::optional<sys_seconds> as_local() const {
        std::tm parts{};
        parts.tm_year = year - 1900;
        parts.tm_mon = month - 1;
        parts.tm_mday = day;
        parts.tm_hour = hour;
        parts.tm_min = minute;
        parts.tm_sec = second;
        parts.tm_isdst = -1;
        const std::time_t seconds = std::mktime(&parts);
        if (seconds == static_cast<std::time_t>(-1)) return std::nullopt;
        return sys_seconds(std::chrono::seconds(seconds));
    }
};

/// Words and numbers of a text: "10", "June", "2026", "2", "14", "PM".
std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words;
    const auto kind = [](char c) {
        if (c >= '0' && c <= '9') return 1;
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
        return letter ? 2 : 0;
    };
    int last = 0;
    for (const char c : text) {
        const int now = kind(c);
        if (now != 0 && now == last)
            words.back() += c;
        else if (now != 0)
            words.emplace_back(1, c);
        last = now;
    }
    return words;
}

int small_number(const std::string& word) { return is_number(word) && word.size() <= 4 ? std::stoi(word) : -1; }

int month_of(const std::string& word) {
    static constexpr std::array<std::string_view, 12> months = {"january",   "february", "march",    "april",
                                                                "may",       "june",     "july",     "august",
                                                                "september", "october",  "november", "december"};
    const std::string low = lower_ascii(word);
    for (std::size_t k = 0; k < months.size(); ++k)
        if (low.size() >= 3 && months[k].starts_with(low)) return static_cast<int>(k) + 1;
    return 0;
}

/// Moodle's: a day's name perhaps, then day and month in either order, year, hour, minute, AM or PM perhaps.
std::optional<CivilTime> parse_in_words(std::string_view text) {
    CivilTime time;
    std::vector<int> numbers;
    int half = 0;
    for (const std::string& word : words_of(text)) {
        const std::string low = lower_ascii(word);
        if (is_number(word))
            numbers.push_back(small_number(word));
        else if (low == "am" || low == "pm")
            half = low == "am" ? 1 : 2;
        else if (const int month = month_of(word); month != 0 && time.month == 0)
            time.month = month;
        else if (!low.ends_with("day"))
            return std::nullopt;
    }
    if (time.month == 0 || numbers.size() < 4 || numbers.size() > 5) return std::nullopt;
    time.day = numbers[0];
    time.year = numbers[1];
    time.hour = numbers[2];
    time.minute = numbers[3];
    if (numbers.size() == 5) time.second = numbers[4];
    if (half != 0 && (time.hour < 1 || time.hour > 12)) return std::nullopt;
    if (half == 1 && time.hour == 12) time.hour = 0;
    if (half == 2 && time.hour < 12) time.hour += 12;
    return time;
}

/// "2022-06-25 13:16:26.087 -0600", with a T for the blank, Z or UTC for the zone; seconds and zone may be missing.
std::optional<sys_seconds> parse_iso(std::string_view text) {
    const auto take = [&](std::size_t digits) -> int {
        if (text.size() < digits || !is_number(text.substr(0, digits))) return -1;
        const int value = std::stoi(std::string(text.substr(0, digits)));
        text.remove_prefix(digits);
        return value;
    };
    const auto skip = [&](std::string_view any) {
        if (text.empty() || any.find(text[0]) == any.npos) return false;
        text.remove_prefix(1);
        return true;
    };
    CivilTime time;
    time.year = take(4);
    if (!skip("-")) return std::nullopt;
    time.month = take(2);
    if (!skip("-")) return std::nullopt;
    time.day = take(2);
    if (!skip("T ")) return std::nullopt;
    time.hour = take(2);
    if (!skip(":")) return std::nullopt;
    time.minute = take(2);
    if (skip(":")) time.second = take(2);
    if (skip(".,"))
        while (skip("0123456789")) {}
    while (skip(" ")) {}
    if (!time.is_valid()) return std::nullopt;
    if (text.empty()) return time.as_local();
    if (text == "Z" || text == "UTC") return time.as_utc();
    const bool east = text[0] == '+';
    if (!skip("+-")) return std::nullopt;
    const int hours = take(2);
    skip(":");
    const int minutes = text.empty() ? 0 : take(2);
    if (hours < 0 || hours > 15 || minutes < 0 || minutes > 59 || !text.empty()) return std::nullopt;
    const auto offset = std::chrono::hours(hours) + std::chrono::minutes(minutes);
    return east ? time.as_utc() - offset : time.as_utc() + offset;
}

}  // namespace

std::optional<std::chrono::sys_seconds> parse_stamp(std::string_view text) {
    text = trimmed(text);
    if (text.size() > 100) return std::nullopt;
    if (text.size() > 4 && is_number(text.substr(0, 4)) && text[4] == '-') return parse_iso(text);
    const std::optional<CivilTime> time = parse_in_words(text);
    return time && time->is_valid() ? time->as_local() : std::nullopt;
}

bool names_zone(std::string_view stamp) {
    stamp = trimmed(stamp);
    const bool is_iso = stamp.size() > 10 && is_number(stamp.substr(0, 4)) && stamp[4] == '-';
    return is_iso && (stamp.ends_with('Z') || stamp.ends_with("UTC") || stamp.find_first_of("+-", 10) != stamp.npos);
}

std::string zone_of_machine() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    return ::localtime_r(&now, &parts) && parts.tm_zone ? plain_line(parts.tm_zone) : "UTC";
}

std::string stamp_text(std::chrono::sys_seconds time) {
    const auto day = std::chrono::floor<std::chrono::days>(time);
    const std::chrono::year_month_day date{day};
    const auto rest = time - day;
    const auto hours = std::chrono::duration_cast<std::chrono::hours>(rest);
    const auto minutes = std::chrono::duration_cast<std::chrono::minutes>(rest - hours);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(date.year()),
                       static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), hours.count(),
                       minutes.count(), (rest - hours - minutes).count());
}

}  // namespace course
