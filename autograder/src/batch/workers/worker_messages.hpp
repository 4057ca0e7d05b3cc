// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "batch/results/executor.hpp"

namespace course {

// What the coordinator and a worker say to each other: a line of JSON each.

/// What a worker answers: that it is ready, what became of its job, or why the batch can't go on.
struct WorkerAnswer {
    bool ready = false;
    std::optional<JobOutcome> outcome = {};
    std::string stop = {};
};

std::string job_line(const GradeJob& job);
/// None for a line that is no job.
std::optional<GradeJob> parse_job(std::string_view line);

std::string answer_line(const WorkerAnswer& answer);
/// None for a line that is no answer: a worker that says such a thing is ill.
std::optional<WorkerAnswer> parse_answer(std::string_view line);

}  // namespace course
