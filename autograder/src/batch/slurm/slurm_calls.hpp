// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "batch/slurm/slurm_text.hpp"

namespace course {

// Slurm's commands. The environment that jobs take with them has this program's, without what is this machine's own.

/// The most indexes that an array may have here. @throws BatchStopped
int most_indexes();

/// @return the array's number. @throws BatchStopped with sbatch's own words
long submit_array(const std::vector<std::string>& arguments);

/// The queue's entries of this name; none if Slurm doesn't answer, and then `why` is what it says.
std::optional<std::vector<QueueEntry>> look_at_queue(const std::string& name, std::string& why);

/// Takes all jobs of this name out of the queue, and ends those that run. @return what went wrong; empty: nothing
std::string cancel_jobs(const std::string& name);

}  // namespace course
