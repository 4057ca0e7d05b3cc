// SPDX-License-Identifier: MIT
#include "classroom/submissions/formats/names.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include "support/files.hpp"
#include "support/text.hpp"

namespace course {

namespace {

/// The letters U+00C0 to U+017F without their accents; a dot for what isn't a letter.
const std::string& letters_without_accents() {
    static const std::string letters = [] {
        std::string all = "aaaaaaaceeeeiiiidnooooo.ouuuuytsaaaaaaaceeeeiiiidnooooo.ouuuuyty";
        constexpr std::pair<std::size_t, char> runs[] = {
            {6, 'a'}, {8, 'c'}, {4, 'd'}, {10, 'e'}, {8, 'g'}, {4, 'h'},  {12, 'i'}, {2, 'j'}, {3, 'k'}, {10, 'l'},
            {9, 'n'}, {8, 'o'}, {6, 'r'}, {8, 's'},  {6, 't'}, {12, 'u'}, {2, 'w'},  {3, 'y'}, {6, 'z'}, {1, 's'}};
        for (const auto& [count, letter] : runs) all.append(count, letter);
        return all;
    }();
    return letters;
}

/// Removes a copy's number from the end of a name without its ending; 0 if there is none.
std::int64_t take_copy_number(std::string_view& stem) {
    std::string_view rest = stem;
    const bool in_brackets = rest.ends_with(')');
    if (in_brackets) rest.remove_suffix(1);
    const std::size_t begin = rest.find_last_not_of("0123456789") + 1;
    const std::string_view digits = rest.substr(begin);
    rest.remove_suffix(digits.size());
    if (digits.empty() || digits.size() > 4 || rest.empty()) return 0;
    const char mark = rest.back();
    rest.remove_suffix(1);
    if (in_brackets ? mark != '(' : mark != '-' && mark != ' ') return 0;
    if (in_brackets && rest.ends_with(' ')) rest.remove_suffix(1);
    const int number = std::stoi(std::string(digits));
    if (rest.empty() || number == 0) return 0;
    stem = rest;
    return number;
}

constexpr std::int64_t copies_of_copy = 10'000;  // larger than any copy's number
constexpr int max_copies_of_copies = 3;

bool is_ascii_letter_or_digit(char32_t point) {
    return (point >= 'a' && point <= 'z') || (point >= 'A' && point <= 'Z') || (point >= '0' && point <= '9');
}

}  // namespace

IntakeError::IntakeError(const std::string& text) : std::runtime_error(plain_text(text, 8192, 20)) {}

std::string shown_name(std::string_view bytes) {
    std::string shown;
    while (!bytes.empty()) {
        const auto [point, length, valid] = first_character(bytes);
        if (!valid || point < 0x20 || point == 0x7F) {
            shown += fmt::format("\\x{:02X}", static_cast<unsigned>(static_cast<unsigned char>(bytes[0])));
            bytes.remove_prefix(1);
        } else {
            shown += bytes.substr(0, length);
            bytes.remove_prefix(length);
        }
        if (shown.size() > 300) return plain_line(shown) + "...";
    }
    return plain_line(shown);
}

bool is_part_of_file_name(std::string_view text) {
    while (!text.empty()) {
        const auto [point, length, valid] = first_character(text);
        if (!valid || point < 0x20 || (point >= 0x7F && point < 0xA0) || point == U'/' || point == U'\\')
            return false;
        text.remove_prefix(length);
    }
    return true;
}

std::string lower_ascii(std::string_view text) {
    std::string low(text);
    for (char& c : low)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return low;
}

std::string folded_name(std::string_view text) {
    std::string folded;
    while (!text.empty()) {
        auto [point, length, valid] = first_character(text);
        if (!valid) length = 1, point = 0x10FFFF;  // unchanged
        const std::string_view bytes = text.substr(0, length);
        text.remove_prefix(length);
        if (point < 0x80) {
            if (is_ascii_letter_or_digit(point)) folded += lower_ascii(bytes);
        } else if (point >= 0xC0 && point < 0x180) {
            if (const char letter = letters_without_accents()[point - 0xC0]; letter != '.') folded += letter;
        } else if (point < 0xC0 || (point >= 0x300 && point < 0x370) || (point >= 0x2000 && point < 0x2070)) {
            continue;  // signs, combining accents, punctuation
        } else if ((point >= 0x391 && point <= 0x3A9) || (point >= 0x410 && point <= 0x42F)) {  // Greek, Cyrillic
            const char32_t low = point + 32;
            folded += static_cast<char>(0xC0 | (low >> 6));
            folded += static_cast<char>(0x80 | (low & 0x3F));
        } else {
            folded += bytes;
        }
    }
    return folded;
}

std::string safe_file_name(std::string_view id) {
    constexpr std::size_t max_length = 60;
    std::string safe, spaced(id);
    // "Participant 101" becomes Participant_101: names with blanks get an underscore only if they have none.
    if (id.find('_') == id.npos) std::replace(spaced.begin(), spaced.end(), ' ', '_');
    for (const char c : std::string_view(spaced).substr(0, max_length)) {
        const bool fine = is_ascii_letter_or_digit(static_cast<unsigned char>(c)) ||
                          (std::string_view("._@+-").find(c) != std::string_view::npos);
        safe += fine ? c : '-';
    }
    if (!safe.empty() && (safe[0] == '.' || safe[0] == '-')) safe[0] = '_';
    return safe == spaced && !safe.empty() ? safe : fmt::format("{}~{}", safe, digest(id).substr(0, 8));
}

std::vector<std::string> path_parts(std::string_view path) {
    std::vector<std::string> parts;
    while (!path.empty()) {
        const std::size_t end = std::min(path.find_first_of("/\\"), path.size());
        const std::string_view part = path.substr(0, end);
        if (!part.empty() && part != ".") parts.emplace_back(part);
        path.remove_prefix(std::min(end + 1, path.size()));
    }
    return parts;
}

bool is_number(std::string_view text) { return !text.empty() && text.find_first_not_of("0123456789") == text.npos; }

std::vector<NumberedCopy> possible_originals(const std::string& file_name) {
    std::vector<NumberedCopy> all = {{file_name, 0}};
    const std::size_t dot = file_name.rfind('.');
    if (dot == file_name.npos) return all;
    std::string_view stem = std::string_view(file_name).substr(0, dot);
    for (int k = 0; k < max_copies_of_copies; ++k) {
        const std::int64_t number = take_copy_number(stem);
        if (number == 0) break;
        all.push_back({std::string(stem) + file_name.substr(dot), all.back().number * copies_of_copy + number});
    }
    return all;
}

std::string_view without_copy_number(std::string_view stem) {
    take_copy_number(stem);
    return stem;
}

std::int64_t copy_number_of_archive(std::string_view file_name) {
    std::string_view stem = without_archive_ending(file_name);
    return take_copy_number(stem);
}

std::string_view without_archive_ending(std::string_view name) {
    static constexpr std::array<std::string_view, 14> endings = {".zip",  ".tar",     ".tar.gz", ".tgz",     ".tar.xz",
                                                                 ".txz",  ".tar.zst", ".tzst",   ".tar.bz2", ".tbz",
                                                                 ".tbz2", ".rar",     ".7z",     ".tar.lz4"};
    const std::string low = lower_ascii(name);
    for (const std::string_view ending : endings)
        if (low.size() > ending.size() && low.ends_with(ending)) return name.substr(0, name.size() - ending.size());
    return name;
}

bool is_litter(std::string_view name) {
    const std::string low = lower_ascii(name);
    return low.starts_with("._") || low == ".ds_store" || low == "__macosx" || low == "thumbs.db" ||
           low == "desktop.ini";
}

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

/// The words and numbers in a text: "10", "June", "2026", "2", "14", "PM".
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

/// Moodle's format: optionally a day's name, then day and month in either order, year, hour, minute, optionally AM or
/// PM.
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

/// "2022-06-25 13:16:26.087 -0600", with a T for the blank, Z or UTC for the zone; seconds and zone are optional.
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

bool is_time_zone(const std::string& name) {
    if (name == "UTC") return true;
    const bool plain =
        !name.empty() && name.find("..") == name.npos && name[0] != '/' &&
        name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+-/") == name.npos;
    return plain && std::filesystem::is_regular_file(std::filesystem::path("/usr/share/zoneinfo") / name);
}

std::string zone_of_environment() {
    const char* const value = std::getenv("TZ");
    if (!value || !*value) return {};
    const std::string zone = *value == ':' ? value + 1 : value;
    const std::size_t letters = zone.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
    const bool has_offset = letters != zone.npos && letters >= 3 &&
                            (zone[letters] == '+' || zone[letters] == '-' || is_number(zone.substr(letters, 1)));
    const bool is_file = zone[0] == '/' && std::filesystem::is_regular_file(zone);
    if (is_time_zone(zone) || has_offset || zone[0] == '<' || is_file) return zone;
    throw IntakeError(fmt::format("TZ={}: this machine knows no such time zone, and would read times as UTC; write one "
                                  "such as TZ=Europe/Berlin (Debian's package tzdata has them)",
                                  plain_line(zone)));
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
