// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace gpu::detail::host {

/// An access outside of an array, with what is known of its launch.
struct OutsideAccess {
    std::int64_t index = 0, length = 0;    ///< of the access, and of the array: elements
    std::int64_t x = 0, y = 0;             ///< the thread's place in the grid
    std::int64_t width = 0, height = 0;    ///< of the grid, in threads
    std::vector<std::pair<std::int64_t, std::int64_t>> shapes = {};  ///< rows and columns that the array may have
    std::string array = {};
    bool is_flat = true;                   ///< the grid has no third axis
};

/// True if a guard on the thread's place in the grid wouldn't leave this access out.
bool has_own_element(const OutsideAccess& access);

/// What looks wrong with the index or the launch, as advice; empty: nothing that the numbers tell.
std::string likely_mistake(const OutsideAccess& access);

/// Advice for two threads with one element, if one of them is beside the matrix, in the next row; else empty.
std::string beside_matrix(const OutsideAccess& one, const OutsideAccess& other);

}  // namespace gpu::detail::host
