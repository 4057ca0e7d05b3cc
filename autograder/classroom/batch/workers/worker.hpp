// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "classroom/batch/results/results_folder.hpp"
#include "command_line.hpp"

namespace course {

/// The settings that `course grade` passes to its workers.
struct WorkerOptions {
    std::string results = {};   ///< the folder
    std::string hidden = {};   ///< more of what no answer may see: the folder of hidden cases; empty: none
    std::vector<std::string> unseen = {};   ///< and more: what was handed in, the roster
    std::string device = {};   ///< "host", "cuda:0"; empty: libgpu's own choice
    std::string header = {};   ///< Toolchain::student_header
    std::string kernels = {};   ///< what the solutions' kernels compile to, a folder for each exercise's
    std::string all_gpus = {};   ///< CUDA_VISIBLE_DEVICES of an exercise for several; empty: as it is
    std::string gpus = {};   ///< a file: of each GPU what course-probe says, so that it is asked once; empty: none
    std::string answers = {};   ///< a folder for each submission
    std::string unfinished = {};   ///< where half-written results lie
    double call_seconds = 0;   ///< limit of one call; 0: the manifest's
};

/// `course grade-worker SETTINGS`: grades the jobs that come on standard input, a line each, and writes each result's
/// file.
AddCommand add_grade_worker;

// The messages between the coordinator and a worker: one line of JSON each.

std::string worker_settings(const WorkerOptions& options);

/// What a worker answers: that it is ready, what became of its job, or why the batch can't go on.
struct WorkerAnswer {
    bool ready = false;
    std::optional<JobOutcome> outcome = {};
    std::string stop = {};
};

std::string job_line(const GradeJob& job);
/// Nothing for a line that is no job.
std::optional<GradeJob> parse_job(std::string_view line);

std::string answer_line(const WorkerAnswer& answer);
/// Nothing for a line that is no answer: such a worker is broken.
std::optional<WorkerAnswer> parse_answer(std::string_view line);

}  // namespace course
