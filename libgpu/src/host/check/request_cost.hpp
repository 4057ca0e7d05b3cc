// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

// What one request of a warp costs on a GPU. Pure. `addresses[lane]` counts for the lanes in `lanes` alone; each
// accesses `size` bytes, 1 to 16.
namespace gpu::detail::host {

struct GlobalCost {
    unsigned sectors, segments;  // different pieces of 32 and of 128 bytes
};
GlobalCost global_cost(const std::uint64_t* addresses, std::uint32_t lanes, unsigned size) noexcept;

struct SharedCost {
    // 8 bytes a lane are fetched by half warps and 16 bytes by quarter warps, each a request of its own.
    unsigned requests;
    // For each request the most different 4-byte words in one of the 32 banks: lanes that read the same word share it.
    // Atomic operations on one word come one after the other, so that there each lane counts.
    unsigned wavefronts;
};
SharedCost shared_cost(const std::uint64_t* addresses, std::uint32_t lanes, unsigned size, bool atomic) noexcept;

/// How many of the lanes have the busiest address: atomic operations on one element take turns.
unsigned most_on_one_address(const std::uint64_t* addresses, std::uint32_t lanes) noexcept;

/// After how many steps a request whose addresses all move on by `stride` costs the same again.
std::uint64_t global_period(std::uint64_t stride) noexcept;
std::uint64_t shared_period(std::uint64_t stride) noexcept;

}  // namespace gpu::detail::host
