// SPDX-License-Identifier: MIT
#include "runtime/memory/memory_account.hpp"

#include <charconv>
#include <cstdint>

#include <gpu/error.hpp>

namespace gpu::detail {

namespace {

// The digits at the text's start; how many there are is 0 if it doesn't start with a number.
std::uint64_t leading_number(const std::string& text, std::size_t& digits) {
    std::uint64_t number = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    digits = failure == std::errc{} ? static_cast<std::size_t>(end - text.data()) : 0;
    return number;
}

}  // namespace

std::size_t parse_memory_limit(const std::string& text, std::size_t total) {
    std::size_t digits = 0;
    const std::uint64_t number = leading_number(text, digits);
    const std::string unit = text.substr(digits);
    if (digits > 0 && number > 0) {
        if (unit == "%" && number <= 100) return total / 100 * number + total % 100 * number / 100;
        const int shift = unit.empty() ? 0 : unit == "K" ? 10 : unit == "M" ? 20 : unit == "G" ? 30 : -1;
        if (shift >= 0 && number <= (UINT64_MAX >> shift)) return static_cast<std::size_t>(number << shift);
    }
    throw Error("LIBGPU_MEMORY_LIMIT is \"" + text +
                "\"; it must be a number of bytes such as 1000000, 512M or 8G, or a part of the device's memory such "
                "as 50%");
}

}  // namespace gpu::detail
