// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "generator.hpp"
#include "graphs.hpp"

namespace irregular {

/// What the vertices hold: small numbers, so that sums are exact in every type and order.
[[nodiscard]] std::vector<int> values_of(const Graph& graph);

/// What a pattern gives, computed one vertex after the other: values by vertex, one number, a sorted list, or the
/// smallest vertex of each vertex's component.
[[nodiscard]] std::vector<int> reference(Pattern pattern, const Graph& graph);

}  // namespace irregular
