// SPDX-License-Identifier: MIT
#include "report/numbers.hpp"

#include <algorithm>
#include <array>

namespace gpu::detail::report {

namespace {

// number / unit with `digits` digits after the point, rounded.
std::string fraction(std::uint64_t number, std::uint64_t unit, int digits) {
    std::uint64_t scale = 1;
    for (int k = 0; k < digits; ++k) scale *= 10;
    // Counts are far below 2^64 / 1000, but nothing here shall wrap around.
    const std::uint64_t whole = number / unit, rest = number % unit;
    const auto part = static_cast<std::uint64_t>(
        static_cast<long double>(rest) / static_cast<long double>(unit) * static_cast<long double>(scale) + 0.5L);
    if (digits == 0) return thousands(whole + part);
    std::string tail = std::to_string(part % scale);
    tail.insert(0, static_cast<std::size_t>(digits) - tail.size(), '0');
    return thousands(whole + part / scale) + '.' + tail;
}

}  // namespace

std::string thousands(std::uint64_t number) {
    std::string text = std::to_string(number);
    for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, 1, ',');
    return text;
}

std::string short_number(std::uint64_t number) {
    if (number < 100'000) return thousands(number);
    static constexpr std::array<char, 6> names = {'k', 'M', 'G', 'T', 'P', 'E'};
    std::uint64_t unit = 1000;
    std::size_t name = 0;
    // 999.5 of a unit would be shown as 1,000 of it.
    while (name + 1 < names.size() && number / unit + (number % unit >= unit / 2 ? 1 : 0) >= 1000) {
        unit *= 1000;
        ++name;
    }
    return fraction(number, unit, number / unit < 10 ? 2 : number / unit < 100 ? 1 : 0) + ' ' + names[name];
}

std::string bytes(std::uint64_t number) {
    if (number < 1024) return std::to_string(number) + " B";
    static constexpr std::array<const char*, 6> names = {" KiB", " MiB", " GiB", " TiB", " PiB", " EiB"};
    std::uint64_t unit = 1024;
    std::size_t name = 0;
    while (name + 1 < names.size() && number / unit >= 1024) {
        unit *= 1024;
        ++name;
    }
    return fraction(number, unit, 1) + names[name];
}

std::string ratio(std::uint64_t a, std::uint64_t b) { return b == 0 ? std::string() : fraction(a, b, 1); }

std::string percent(std::uint64_t a, std::uint64_t b) {
    if (b == 0) return {};
    if (a >= b) return "100%";
    const double exact = 100.0 * static_cast<double>(a) / static_cast<double>(b);
    int shown = static_cast<int>(exact + 0.5);
    if (a > 0) shown = std::clamp(shown, 1, 99);
    return std::to_string(shown) + '%';
}

std::string counted(std::uint64_t number, std::string_view one, std::string_view more) {
    return thousands(number) + ' ' + std::string(number == 1 ? one : more);
}

}  // namespace gpu::detail::report
