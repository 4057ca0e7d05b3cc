// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "backend/backend.hpp"

namespace gpu::detail {

/// How a GPU's threads best walk through a reduction whose widest input has elements of so many bytes: along the axis
/// where memory is contiguous.
[[nodiscard]] ReductionWalk walk_of(const ReductionSpace& space, const std::vector<Argument>& arguments,
                                    std::size_t widest);

/// True if in the space's walk every input's packs are whole and contiguous at multiples of 16 bytes, or one element
/// that is repeated.
[[nodiscard]] bool fits_packs(const ReductionSpace& space, const std::vector<Argument>& arguments);

/// True if in the space's walk an output's elements are so few, and in packs, that other lanes would only wait.
[[nodiscard]] bool has_short_rows(const ReductionSpace& space) noexcept;

/// How many elements of an output lie in a row, where the next output's row follows it in memory; 0 if the inputs lie
/// otherwise.
[[nodiscard]] std::int64_t row_of(const ReductionSpace& space, const std::vector<Argument>& arguments);

}  // namespace gpu::detail
