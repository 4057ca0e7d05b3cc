// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "classroom/batch/plan.hpp"

namespace course {

/// "3 min", "40 s", "2 h 5 min": a waiting time. Pure.
std::string waiting_time(double seconds);

/// The estimated remaining time from the answers so far: ", 3 min left". It counts down until the next answer is
/// finished; empty once an answer takes longer than the whole estimate. Pure.
/// @param until_last seconds until the last finished one
/// @param since_last seconds since then
std::string time_left(std::size_t done, std::size_t all, double until_last, double since_last);

/// A finished answer of a submission.
struct GradedAnswer {
    int number = 0;
    JobOutcome outcome;
};

/// "ada-1   1 passed, 2 wrong   1 of 3 points   4.1 s". Pure.
/// @param unchanged how many of its answers were graded before
std::string submission_line(const std::string& submission, std::vector<GradedAnswer> answers, int unchanged,
                            std::size_t width);

/// Shows a batch's progress: on a terminal a bar with the remaining time; everywhere one line per submission.
class GradeDisplay {
public:
    /// @param name gives the displayed name of a submission by its id
    GradeDisplay(const GradePlan& plan, bool terminal, std::function<std::string(const std::string&)> name);
    ~GradeDisplay();
    GradeDisplay(const GradeDisplay&) = delete;
    GradeDisplay& operator=(const GradeDisplay&) = delete;

    void done(std::size_t job, const JobOutcome& outcome);
    /// Prints a separate line.
    void say(const std::string& line);
    void tick();
    /// Removes the bar.
    void clear();

private:
    void draw();

    const GradePlan& plan_;
    std::unordered_map<std::string, std::size_t> left_;  ///< remaining jobs per submission
    std::unordered_map<std::string, std::vector<GradedAnswer>> finished_;
    std::function<std::string(const std::string&)> name_;
    std::size_t done_ = 0, width_ = 0;
    bool terminal_, drawn_ = false;
    std::chrono::steady_clock::time_point start_, last_draw_{}, last_done_{};
};

}  // namespace course
