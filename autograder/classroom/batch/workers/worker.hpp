// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "classroom/batch/results/results_folder.hpp"
#include "kit/kit.hpp"

namespace course {

/// The settings that `course grade` passes to its workers.
struct WorkerOptions {
    std::string results;      ///< the folder
    std::string hidden;       ///< also hidden from answers: the folder of hidden cases; empty: none
    std::vector<std::string> unseen;   ///< further hidden paths: the submissions, the roster
    std::string device;       ///< "host", "cuda:0"; empty: libgpu's own choice
    std::string header;       ///< Toolchain::student_header
    std::string kernels;      ///< what the solutions' kernels compile to, one folder per exercise
    std::string all_gpus;     ///< CUDA_VISIBLE_DEVICES for an exercise with several; empty: unchanged
    std::string gpus;         ///< a file: of each GPU what course-probe says, so that it is asked once; empty: none
    std::string answers;      ///< one folder per submission
    std::string unfinished;   ///< for half-written results
    double call_seconds = 0;  ///< limit per call; 0: the manifest's
};

/// `course grade-worker`: grades the jobs from standard input, one per line, and writes each result's file.
int grade_worker_command(const Kit& kit, const WorkerOptions& options);

// The messages between the coordinator and a worker: one line of JSON each.

/// A worker's message: that it is ready, what became of its job, or why the batch can't continue.
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
