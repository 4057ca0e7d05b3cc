// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>

#include <gpu/array_core.hpp>

namespace gpu {

/// Stands for a whole axis in `a(1, gpu::all)`.
struct All {};
inline constexpr All all;

/// Every `step`-th position from `start` up to `stop`, which is left out; negative numbers count from the end.
[[nodiscard]] constexpr detail::Index slice(std::int64_t start, std::int64_t stop, std::int64_t step = 1) noexcept {
    return {.start = start, .stop = stop, .step = step};
}

namespace detail {

constexpr Index to_index(All) noexcept { return {.open_start = true, .open_stop = true}; }
constexpr Index to_index(Index index) noexcept { return index; }
constexpr Index to_index(std::integral auto position) noexcept {
    return {.start = static_cast<std::int64_t>(position), .single = true};
}

}  // namespace detail
}  // namespace gpu
