// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "judge/check_cases.hpp"
#include "judge/speed_meter.hpp"

namespace course {

/// The grader's side of one task's check: makes its calls, and measures their speed.
class CheckRunner final : public CheckCases {
public:
    CheckRunner(const Manifest& manifest, const Task& task, Caller& caller, const JudgeOptions& options,
                const RunFrame& frame)
        : CheckCases(manifest, task, caller, options, frame),
          speed_(task, options, frame.reference, secret_bits_, result_.spent) {}

    /// Runs the check; the verdict is the worst of the cases' and of speed. @throws CheckError, CallFault.
    TaskResult run(void (*check)(CheckHost&));

    std::size_t call(std::string_view function, std::vector<CheckValue> arguments) override;
    void image(const Image& image) override;
    [[nodiscard]] bool measures_speed() const override { return course::measures_speed(task_, options_); }
    void speed(const std::function<void()>& round) override;
    std::size_t timed_call(std::string_view function, std::vector<CheckValue> arguments, double bytes,
                           const std::function<void()>& baseline) override;

private:
    void case_ends(const CaseResult& one) override;
    void announce_check(const CurrentCall& call);

    std::set<const Function*> announced_;   // functions whose kernels the caller was told to prepare for check mode
    SpeedMeter speed_;
    std::optional<std::size_t> timed_case_;   // one for all rounds
};

}  // namespace course
