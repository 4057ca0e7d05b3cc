// SPDX-License-Identifier: MIT
#include "classroom/batch/grade_display.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "report/terminal.hpp"
#include "support/progress.hpp"

namespace course {

std::string waiting_time(double seconds) {
    const auto whole = static_cast<long>(seconds + 0.5);
    if (whole < 90) return fmt::format("{} s", whole);
    const long minutes = (whole + 30) / 60;
    return minutes < 60 ? fmt::format("{} min", minutes) : fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

std::string submission_line(const std::string& submission, std::vector<GradedAnswer> answers, int unchanged,
                            std::size_t width) {
    std::sort(answers.begin(), answers.end(),
              [](const GradedAnswer& a, const GradedAnswer& b) { return a.number < b.number; });
    std::string verdicts;
    int points = 0, max_points = 0;
    double seconds = 0;
    for (const GradedAnswer& one : answers) {
        const JobOutcome& outcome = one.outcome;
        verdicts += fmt::format("{}{} {}", verdicts.empty() ? "" : ", ", one.number,
                                outcome.fault.empty() ? outcome.status : "grader's fault");
        points += outcome.points;
        max_points += outcome.max_points;
        seconds += outcome.seconds;
    }
    if (unchanged > 0) verdicts += fmt::format(" (and {} as before)", unchanged);
    return fmt::format("{:<{}}  {}   {} of {} points   {:.1f} s\n", submission, width, verdicts, points, max_points,
                       seconds);
}

std::string time_left(std::size_t done, std::size_t all, double until_last, double since_last) {
    if (done == 0 || done >= all) return "";
    const double left = until_last / static_cast<double>(done) * static_cast<double>(all - done) - since_last;
    return left < 0.5 ? "" : fmt::format(", {} left", waiting_time(left));
}

GradeDisplay::GradeDisplay(const GradePlan& plan, bool terminal, std::function<std::string(const std::string&)> name)
    : plan_(plan), name_(std::move(name)), terminal_(terminal), start_(std::chrono::steady_clock::now()) {
    for (const PlannedJob& one : plan.jobs) {
        ++left_[one.job.submission];
        width_ = std::max(width_, name_(one.job.submission).size());
    }
}

GradeDisplay::~GradeDisplay() { clear(); }

void GradeDisplay::done(std::size_t job, const JobOutcome& outcome) {
    const GradeJob& one = plan_.jobs[job].job;
    ++done_;
    last_done_ = std::chrono::steady_clock::now();
    std::vector<GradedAnswer>& finished = finished_[one.submission];
    finished.push_back({one.number, outcome});
    if (--left_[one.submission] == 0) {
        const auto before = plan_.unchanged.find(one.submission);
        const int unchanged = before != plan_.unchanged.end() ? before->second : 0;
        say(submission_line(name_(one.submission), std::move(finished), unchanged, width_));
        finished_.erase(one.submission);
    }
    tick();
}

void GradeDisplay::say(const std::string& line) {
    clear();
    print(line);
    if (terminal_) draw();
}

void GradeDisplay::tick() {
    const auto now = std::chrono::steady_clock::now();
    if (!terminal_ || now - last_draw_ < std::chrono::milliseconds(200)) return;
    draw();
}

void GradeDisplay::draw() {
    constexpr std::size_t cells = 24;
    const auto now = std::chrono::steady_clock::now();
    last_draw_ = now;
    const std::size_t all = std::max<std::size_t>(1, plan_.jobs.size()), full = cells * done_ / all;
    const std::chrono::duration<double> until_last = last_done_ - start_, since_last = now - last_done_;
    const std::string left = time_left(done_, all, until_last.count(), since_last.count());
    print_error(fmt::format("\r\x1b[K[{}{}] {} of {} answers{}", std::string(full, '='),
                            std::string(cells - full, ' '), done_, plan_.jobs.size(), left));
    drawn_ = true;
}

void GradeDisplay::clear() {
    if (drawn_) print_error("\r\x1b[K");
    drawn_ = false;
}

}  // namespace course
