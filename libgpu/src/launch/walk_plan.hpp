// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "array/iteration.hpp"
#include "backend/backend.hpp"
#include "codegen/kernel_text.hpp"

namespace gpu::detail {

/// An array of an elementwise call, in the order of the iteration's strides.
struct WalkedArray {
    std::uintptr_t address = 0;  ///< of its first element
    std::size_t item = 4;        ///< bytes of an element
    bool is_output = false;      ///< outputs come first
};

/// What determines, besides the arrays, how threads divide an elementwise kernel's elements.
struct WalkNeeds {
    bool keeps_axes = false;  ///< the body sees the index along each axis
    bool uses_index = false;  ///< the body uses `i`: the iteration's last strides are the index's own
    int block = 256;          ///< threads per block
};

/// The plan by which a GPU's threads iterate over an elementwise call.
struct WalkPlan {
    Iteration iteration;              ///< one strides per array; axes may be in a different order than in the call
    ElementWalk walk = ElementWalk::packs;
    int width = 4;                    ///< elements per pack or tile
    int across_log2 = 0;              ///< of a tile's length along the axis before the last
    int deep_log2 = 0;                ///< of its length along the axis before that: 0 if it has two axes
    int near_axes = 0;                ///< see ElementwiseText
    std::vector<bool> is_linear;      ///< arrays whose elements are contiguous in iteration order
    std::vector<Along> along;         ///< the layouts of the others
    Strides index_steps = {};         ///< of the body's index, if they aren't the iteration's own
};

/// Examines strides and addresses. Reorders axes so that the first output's neighbours are neighbours in the walk.
[[nodiscard]] WalkPlan plan_walk(Iteration iteration, const std::vector<WalkedArray>& arrays, const WalkNeeds& needs);

/// How a GPU's threads best walk through a reduction whose widest input has elements of this size: along the axis where
/// memory is contiguous.
[[nodiscard]] ReductionWalk walk_of(const ReductionSpace& space, const std::vector<Argument>& arguments,
                                    std::size_t widest);

/// True if in the space's walk every input's packs are complete and contiguous at multiples of 16 bytes, or one
/// repeated element.
[[nodiscard]] bool fits_packs(const ReductionSpace& space, const std::vector<Argument>& arguments);

/// True if in the space's walk an output has so few elements, in packs, that other lanes would only wait.
[[nodiscard]] bool has_short_rows(const ReductionSpace& space) noexcept;

/// The number of an output's elements in a row that is followed in memory by the next output's row; 0 for other
/// layouts.
[[nodiscard]] std::int64_t row_of(const ReductionSpace& space, const std::vector<Argument>& arguments);

}  // namespace gpu::detail
