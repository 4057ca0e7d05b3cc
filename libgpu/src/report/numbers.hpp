// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// Numbers as people read them. None depends on the program's locale.
namespace gpu::detail::report {

/// "1,048,576".
std::string thousands(std::uint64_t number);

/// "12", "65,536", "1.05 M": at most seven characters up to 10^14.
std::string short_number(std::uint64_t number);

/// "12 B", "4.0 KiB".
std::string bytes(std::uint64_t number);

/// "12.5": a / b with one digit after the point; "" if b is 0.
std::string ratio(std::uint64_t a, std::uint64_t b);

/// "13%": rounded, at most 100; but neither 0% nor 100% unless it is exactly that. "" if b is 0.
std::string percent(std::uint64_t a, std::uint64_t b);

/// "1 launch", "2,000 launches".
std::string counted(std::uint64_t number, std::string_view one, std::string_view more);

}  // namespace gpu::detail::report
