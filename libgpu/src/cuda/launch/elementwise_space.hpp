// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "backend/backend.hpp"
#include "cuda/launch/kernel_space.hpp"

namespace gpu::detail::cuda {

// What a generated elementwise kernel gets before its parameters. The kernel's text declares the same structs with as
// many axes as it has; CUDA copies as many bytes as a kernel declares, so a prefix of these is what arrives.

/// One axis of a launch, with the constants that replace a division by its length.
struct ExtentArgument {
    std::int64_t start = 0;  ///< of the launch's part along the axis
    std::int64_t step = 0;   ///< what the body's index grows by
    std::uint32_t length = 1, magic = 0, shift = 0, spare = 0;
};

/// The part of an index space that one launch computes.
struct SpaceArgument {
    std::int64_t size = 0;    ///< of the whole space
    std::int64_t begin = 0;   ///< the part's first element in row-major order
    std::int64_t first = 0;   ///< the body's index there
    std::uint32_t count = 0;  ///< elements of the part
    std::uint32_t group_log2 = 0;  ///< tiles of a group
    ExtentArgument tiles[3];  ///< tiles along the last axis; groups of tiles along the one before; tiles along a third
    ExtentArgument axes[max_rank];
};

/// Kernels count in 32 bits: a part has no more elements than this, a multiple of every pack and warp.
inline constexpr std::int64_t largest_part = 0x7fff0000;

/// Cuts an index space into the parts of its launches. Nearly all have one part.
class ElementwiseParts {
public:
    ElementwiseParts(const ElementwiseSpace& space, const ThreadWork& work, std::int64_t most = largest_part);

    /// Goes to the next part, at first to the first one; false if there is none left.
    bool next();

    [[nodiscard]] const SpaceArgument& argument() const noexcept { return argument_; }
    [[nodiscard]] std::int64_t blocks() const noexcept { return blocks_; }
    /// Strided arrays as they begin in this part; a kernel finds the others' elements by `begin`.
    [[nodiscard]] std::vector<Argument> arguments(const std::vector<Argument>& whole) const;
    [[nodiscard]] bool is_whole() const noexcept { return argument_.count == space_.size; }

private:
    void take(std::int64_t length);

    const ElementwiseSpace& space_;
    ThreadWork work_;
    Strides steps_;
    int cut_ = 0;              // the axis that is cut into chunks; those before are walked through one by one
    std::int64_t chunk_ = 0;
    bool is_begun_ = false;
    SpaceArgument argument_;
    std::int64_t blocks_ = 0;
};

}  // namespace gpu::detail::cuda
