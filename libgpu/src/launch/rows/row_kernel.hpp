// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>

#include "launch/rows/row_fusion.hpp"

namespace gpu::detail {

/// The value of an expression over reductions of its rows, by one kernel called `name`; nothing if there is no such
/// kernel, or if it isn't worth it. `fixed` is the layout for any backend, or null.
std::optional<ArrayCore> launch_rows(const char* name, const NodePointer& root,
                                     std::span<const WaitingReduction> waiting, const RowLayout* fixed);

/// The place of the array among the results of those that wait; their number if it isn't one.
std::size_t place_among(std::span<const WaitingReduction> waiting, const ArrayCore& array);

}  // namespace gpu::detail
