// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "launch/rows/row_fusion.hpp"

namespace gpu::detail {

/// An expression over reductions of rows, and where its value goes: into a new array if that is null.
struct RowTarget {
    NodePointer value;
    const ArrayCore* to = nullptr;
};

/// The values of all of them, by one kernel called `name`; nothing if there is no such kernel, or if it isn't worth it.
/// `fixed` is the layout for any backend, or null.
std::optional<std::vector<ArrayCore>> launch_rows(const char* name, std::span<const RowTarget> targets,
                                                  std::span<const WaitingReduction> waiting, const RowLayout* fixed);

/// The place of the array among the results of those that wait; their number if it isn't one.
std::size_t place_among(std::span<const WaitingReduction> waiting, const ArrayCore& array);

}  // namespace gpu::detail
