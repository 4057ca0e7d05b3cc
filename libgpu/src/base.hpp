// SPDX-License-Identifier: MIT
#pragma once

#include <unistd.h>

#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

// Of plain C++ alone: the grader, which includes nothing of libgpu's, stands on it as well.
namespace gpu::detail {

/// Owns an open file descriptor; a negative one is none.
class UniqueFd {
public:
    explicit UniqueFd(int number = -1) noexcept : number_(number) {}
    UniqueFd(UniqueFd&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    UniqueFd& operator=(UniqueFd&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~UniqueFd() { reset(); }

    [[nodiscard]] int get() const noexcept { return number_; }
    explicit operator bool() const noexcept { return number_ >= 0; }
    void reset() noexcept {
        if (number_ >= 0) ::close(std::exchange(number_, -1));
    }

private:
    int number_;
};

/// "1 file", "2 files"; "1 match", "2 matches" where `more` says so.
std::string plural(std::integral auto count, std::string_view one, std::string_view more = {}) {
    std::string text = std::to_string(count) + ' ';
    return text.append(count == 1 || more.empty() ? one : more).append(count == 1 || !more.empty() ? "" : "s");
}

/// "a, b, c".
inline std::string joined(const std::vector<std::string>& texts, std::string_view between = ", ") {
    std::string all;
    for (const std::string& text : texts) (all += &text == texts.data() ? "" : between) += text;
    return all;
}

/// "1,048,576".
inline std::string thousands(std::uint64_t number) {
    std::string text = std::to_string(number);
    for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, 1, ',');
    return text;
}

/// "12 B", "1.5 kB", "2.0 GB".
inline std::string bytes_text(std::uint64_t bytes) {
    constexpr const char* units[] = {" B", " kB", " MB", " GB", " TB"};
    double value = static_cast<double>(bytes);
    std::size_t unit = 0;
    for (; value >= 999.95 && unit + 1 < std::size(units); ++unit) value /= 1000;
    char text[32];
    const auto end = std::to_chars(text, std::end(text), value, std::chars_format::fixed, unit > 0).ptr;
    return std::string(text, end) + units[unit];
}

/// "1000000", "64K", "512M", "8G": a number of bytes, with units of 1024; nothing for any other text. Pure.
inline std::optional<std::uint64_t> parsed_bytes(std::string_view text) {
    std::uint64_t number = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
    const int shift = unit.empty() ? 0 : unit == "K" ? 10 : unit == "M" ? 20 : unit == "G" ? 30 : -1;
    if (failure != std::errc{} || shift < 0 || number > UINT64_MAX >> shift) return std::nullopt;
    return number << shift;
}

/// One code point of UTF-8.
struct Utf8Character {
    char32_t point;
    std::size_t bytes;  ///< that it takes, at least 1
    bool valid;         ///< overlong forms, surrogates and points above U+10FFFF aren't
};

/// The character that a text begins with, which isn't empty. Pure.
inline Utf8Character first_character(std::string_view text) {
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
    const unsigned char first = byte(0);
    if (first < 0x80) return {first, 1, true};
    const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
    if (length == 0 || first > 0xf4) return {0, 1, false};
    char32_t point = first & (0x7fu >> length);
    for (std::size_t k = 1; k < length; ++k) {
        if (k >= text.size() || (byte(k) & 0xc0) != 0x80) return {0, k, false};
        point = (point << 6) | (byte(k) & 0x3fu);
    }
    const bool overlong = (length == 3 && point < 0x800) || (length == 4 && point < 0x10000);
    const bool surrogate = point >= 0xd800 && point <= 0xdfff;
    return {point, length, !overlong && !surrogate && point <= 0x10ffff};
}

}  // namespace gpu::detail
