// SPDX-License-Identifier: MIT
#pragma once

// The inputs of a timed call are on the device before the clock starts. So that no work can begin early, a few secret
// elements hold other values of the same array until then; the true ones are sent with `go`.

#include "protocol/protocol.hpp"

namespace course::protocol {

inline constexpr int canaries_per_argument = 16;
inline constexpr std::uint64_t min_elements_for_canaries = 32;
inline constexpr std::uint64_t max_canaries = std::uint64_t{max_values} * canaries_per_argument;

/// The true value of one element of an argument.
struct CanaryRecord {
    std::uint32_t argument, reserved;
    std::uint64_t element;
    unsigned char value[8];   ///< the first bytes, as many as the element's size
};

/// Written by the grader right before it sets ClockPage::go.
struct CanaryPage {
    std::uint64_t count;
    CanaryRecord records[max_canaries];
};
static_assert(canary_offset + sizeof(CanaryPage) <= clock_offset);

/// Bytes per element; 0 for a type that isn't in the list.
constexpr std::size_t element_bytes(Type type) noexcept {
    switch (type) {
        case Type::boolean:
        case Type::int8:
        case Type::uint8: return 1;
        case Type::int16:
        case Type::uint16: return 2;
        case Type::int32:
        case Type::uint32:
        case Type::float32: return 4;
        case Type::int64:
        case Type::uint64:
        case Type::float64: return 8;
    }
    return 0;
}

/// True if the record refers to an element of an argument of this request.
constexpr bool fits(const CanaryRecord& record, const Request& request) noexcept {
    if (record.argument >= request.argument_count || record.argument >= max_values) return false;
    const ValueRecord& argument = request.arguments[record.argument];
    const std::size_t bytes = element_bytes(argument.type);
    return argument.place != Place::scalar && bytes > 0 && record.element < argument.bytes / bytes;
}

}  // namespace course::protocol
