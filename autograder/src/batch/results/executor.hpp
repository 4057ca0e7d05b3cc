// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>

namespace course {

/// One answer to grade: an exercise of a submission.
struct GradeJob {
    std::string submission = {};  ///< "ada-1"
    std::string folder = {};      ///< "08-raw-add"
    int number = 0;
    std::string key = {};                     ///< of what the result depends on (batch/grade_key.hpp)
    int graded = 0;                           ///< how often just this has been graded to the end before
    std::filesystem::path hidden_check = {};  ///< a plug-in; empty: none
    int attempt = 1;                          ///< 2: the first worker died of it, or took too long
};

/// What became of a job.
struct JobOutcome {
    std::string status = {};  ///< a verdict; empty: none was found
    bool passed = false;
    int points = 0, max_points = 0;
    double seconds = 0;
    std::string fault = {};  ///< of the grader, never the student's; empty: it is graded
    std::string sick_gpu =
        {};                    ///< what was wrong with the worker's GPU after a runner was killed on it; empty: nothing
    std::string backend = {};  ///< "host", "cuda"; empty: it didn't come to that
};

/// The batch can't go on: no worker can be started, the results can't be written.
class BatchStopped : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Grades a list of jobs.
class Executor {
public:
    using Done = std::function<void(std::size_t job, const JobOutcome& outcome)>;

    Executor() = default;
    virtual ~Executor() = default;
    Executor(const Executor&) = delete;
    Executor& operator=(const Executor&) = delete;

    /// Returns when each job has its result's file. `done` is called once for each, in any order, by the caller's own
    /// thread. @throws BatchStopped
    virtual void run(std::span<const GradeJob> jobs, const Done& done) = 0;
};

}  // namespace course
