// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace gpu {

/// What happens to an index outside of its axis.
enum class IndexMode : std::uint8_t {
    raise,  ///< an IndexError at the next call that waits; negative indices count from the end
    wrap,   ///< the index modulo the axis's length
    clip    ///< clamped to the axis; negative indices become 0
};

/// One axis, or none: then the array is treated as flat, in row-major order.
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
