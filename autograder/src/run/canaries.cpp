// SPDX-License-Identifier: MIT
#include "run/canaries.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include <sys/random.h>

#include "support/process.hpp"

namespace course {

namespace {

using protocol::CanaryRecord;
using protocol::ValueRecord;

struct Draw {
    std::uint64_t place, from;
};
using Draws = std::array<Draw, protocol::canaries_per_argument>;

Draws secret_draws() {
    Draws draws;
    while (::getrandom(draws.data(), sizeof draws, 0) != static_cast<ssize_t>(sizeof draws))
        if (errno != EINTR) throw_errno("getrandom");
    return draws;
}

bool takes_decoys(const ValueRecord& argument, std::uint64_t elements) noexcept {
    const bool numbers = argument.place != protocol::Place::scalar && argument.type != protocol::Type::boolean;
    return numbers && elements >= protocol::least_elements_for_canaries;
}

}  // namespace

std::vector<CanaryRecord> place_decoys(std::span<std::byte> input, std::span<const ValueRecord> arguments) {
    std::vector<CanaryRecord> canaries;
    for (std::size_t k = 0; k < arguments.size(); ++k) {
        const ValueRecord& argument = arguments[k];
        const std::size_t bytes = protocol::element_bytes(argument.type);
        const std::uint64_t elements = bytes > 0 ? argument.bytes / bytes : 0;
        if (!takes_decoys(argument, elements)) continue;
        const auto first = canaries.size();
        std::byte* const values = input.data() + argument.offset;
        for (const Draw& draw : secret_draws()) {
            const std::uint64_t place = draw.place % elements;
            std::byte* const here = values + place * bytes;
            const std::byte* const other = values + draw.from % elements * bytes;
            const bool again = std::any_of(canaries.begin() + static_cast<std::ptrdiff_t>(first), canaries.end(),
                                           [&](const CanaryRecord& one) { return one.element == place; });
            if (again || std::memcmp(here, other, bytes) == 0) continue;
            CanaryRecord& one = canaries.emplace_back();
            one = {.argument = static_cast<std::uint32_t>(k), .reserved = 0, .element = place, .value = {}};
            std::memcpy(one.value, here, bytes);
            std::memcpy(here, other, bytes);
        }
    }
    return canaries;
}

}  // namespace course
