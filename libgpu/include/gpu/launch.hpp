// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

#include <gpu/stream.hpp>

namespace gpu {

/// Up to three lengths: of a grid in blocks, or of a block in threads. What is left out is 1.
struct Dim3 {
    std::int64_t x = 1, y = 1, z = 1;

    Dim3() = default;
    template <std::integral X, std::integral Y = int, std::integral Z = int>
    constexpr Dim3(X x_, Y y_ = 1, Z z_ = 1) noexcept  // NOLINT(google-explicit-constructor): .block = 256
        : x(static_cast<std::int64_t>(x_)), y(static_cast<std::int64_t>(y_)), z(static_cast<std::int64_t>(z_)) {}

    friend bool operator==(const Dim3&, const Dim3&) = default;
};

/// How a raw kernel is launched: `{.grid = blocks, .block = 256}`.
struct LaunchConfig {
    Dim3 grid = {};          ///< blocks
    Dim3 block = {};         ///< threads per block
    std::size_t shared = 0;  ///< bytes of dynamic shared memory
    StreamRef stream = {};   ///< the current stream unless named
    bool cooperative = false;  ///< all blocks run at once, so that they may wait for each other: grid.sync()
};

}  // namespace gpu
