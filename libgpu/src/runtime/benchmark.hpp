// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <gpu/profiler.hpp>

namespace gpu::detail {

/// Median, extremes, mean and standard deviation of at least one sample. Pure.
Timings summarised(std::vector<double> samples_us);

}  // namespace gpu::detail
