// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "batch/machine_grading.hpp"
#include "batch/slurm/work_area.hpp"

namespace course {

/// A job of this batch in a work area's index.
struct PlacedJob {
    std::size_t job;      ///< its number in this batch
    std::size_t ordinal;  ///< and in the index
};

/// What an earlier call has left, to be gone on with.
struct EarlierBatch {
    WorkArea area;
    std::vector<std::vector<PlacedJob>> indexes;
};

/// None if there is none, or if it doesn't have all of these jobs as they are now, or would grade others.
std::optional<EarlierBatch> find_earlier_batch(const GradingSetup& setup, std::span<const GradeJob> jobs);

/// To be called before anything is graded: an array that an earlier call has left, and that isn't at work any more or
/// isn't about just these jobs, goes; its Slurm jobs are cancelled, and what they still write can't become a result.
/// @return true if there was one: results may have come since they were looked at
bool cancel_unless_wanted(const GradingSetup& setup, std::span<const GradeJob> jobs,
                          const std::function<void(const std::string& line)>& say);

}  // namespace course
