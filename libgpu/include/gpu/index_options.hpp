// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace gpu {

/// What an integer index outside of its axis does.
enum class IndexMode : std::uint8_t {
    raise,  ///< an IndexError at the next call that waits; negative indices count from the end
    wrap,   ///< the index modulo the axis' length
    clip    ///< the nearest index that there is: 0 for negative ones
};

/// One axis, or none: then the array counts as if it were flat, in row-major order.
class OptionalAxis {
public:
    constexpr OptionalAxis() = default;
    constexpr OptionalAxis(int axis) noexcept : axis_(axis), given_(true) {}  // NOLINT: {.axis = 0}

    [[nodiscard]] constexpr bool given() const noexcept { return given_; }
    [[nodiscard]] constexpr int value() const noexcept { return axis_; }

private:
    int axis_ = 0;
    bool given_ = false;
};

/// How take() and put() index: `x.take(index, {.axis = 1, .mode = gpu::IndexMode::wrap})`.
struct IndexOptions {
    OptionalAxis axis = {};
    IndexMode mode = IndexMode::raise;
};

}  // namespace gpu
