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

/// "3 min", "40 s", "2 h 5 min": a time to wait. Pure.
std::string waiting_time(double seconds);

/// How long the rest takes, as far as the answers so far tell: ", 3 min left". It counts down until the next answer is
/// finished; once one takes longer than all of the rest should, nothing is said. Pure.
/// @param until_last seconds until the last one that is finished
/// @param since_last seconds since
std::string time_left(std::size_t done, std::size_t all, double until_last, double since_last);

/// What is finished of a submission.
struct GradedAnswer {
    int number = 0;
    JobOutcome outcome;
};

/// "ada-1   1 passed, 2 wrong   1 of 3 points   4.1 s". Pure.
/// @param unchanged how many more of its answers were graded before
std::string submission_line(const std::string& submission, std::vector<GradedAnswer> answers, int unchanged,
                            std::size_t width);

/// Says how a batch gets on: on a terminal a bar with the time that is left; everywhere a line for each submission.
class GradeDisplay {
public:
    /// @param name what a submission is called, by its id
    GradeDisplay(const GradePlan& plan, bool terminal, std::function<std::string(const std::string&)> name);
    ~GradeDisplay();
    GradeDisplay(const GradeDisplay&) = delete;
    GradeDisplay& operator=(const GradeDisplay&) = delete;

    void done(std::size_t job, const JobOutcome& outcome);
    /// A line of its own.
    void say(const std::string& line);
    void tick();
    /// Takes the bar away.
    void clear();

private:
    void draw();

    const GradePlan& plan_;
    std::unordered_map<std::string, std::size_t> left_;  ///< of each submission's jobs
    std::unordered_map<std::string, std::vector<GradedAnswer>> finished_;
    std::function<std::string(const std::string&)> name_;
    std::size_t done_ = 0, width_ = 0;
    bool terminal_, drawn_ = false;
    std::chrono::steady_clock::time_point start_, last_draw_{}, last_done_{};
};

}  // namespace course
