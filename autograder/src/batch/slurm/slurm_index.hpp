// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "kit/kit.hpp"

namespace course {

/// What the batch's script tells a node.
struct IndexOptions {
    std::string area;  ///< the batch's work area
    int index = 0;
};

/// `course grade-index`: grades the jobs of one index on this node, and reports what became of them.
/// @throws UsageError, BatchStopped: the index is lost, and another node may try it
int grade_index_command(const Kit& kit, const IndexOptions& options);

}  // namespace course
