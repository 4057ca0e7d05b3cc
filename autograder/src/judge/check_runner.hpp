// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <course/check_host.hpp>

#include "judge/baselines.hpp"
#include "judge/check_mode.hpp"
#include "judge/judge.hpp"
#include "judge/reseeded_cases.hpp"
#include "judge/values/random_inputs.hpp"
#include "support/progress.hpp"
#include "verdict/verdict.hpp"

namespace course {

/// The machine can't make calls: no runner, no memory. Not the fault of the student or of the check.
class CallFault : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The sources of a run's inputs, and its deadline.
struct RunFrame {
    std::uint64_t seed = 0;
    std::uint64_t secret = 0;         ///< for what the inputs must not reveal: which elements are compared
    std::uint32_t task_index = 0;
    std::set<std::string> image_names;   ///< used by earlier tasks
    std::chrono::steady_clock::time_point deadline;
    ReferenceClock* reference = nullptr;   ///< null: no time is compared with a reference's
};

/// The grader's side of one task's check: makes its calls, judges the replies, and records the cases.
class CheckRunner final : public CheckHost {
public:
    CheckRunner(const Manifest& manifest, const Task& task, Caller& caller, const JudgeOptions& options,
                const RunFrame& frame);

    /// Runs the check; the verdict is the worst of the cases' and of speed. @throws CheckError, CallFault.
    TaskResult run(void (*check)(CheckHost&));

    /// Draws the inputs of the check's small cases, up to the first large one, with the expected results, and makes no
    /// call. @throws CheckError, CallFault.
    [[nodiscard]] std::vector<DrawnCase> draw(void (*check)(CheckHost&));

    /// The small cases of that run, for calling them again in check mode.
    [[nodiscard]] std::vector<ReplayableCase> take_kept() { return std::move(kept_); }

    void uniform(ElementType type, std::span<const std::int64_t> shape, double low, double high,
                 std::span<std::byte> out) override;
    void integers(ElementType type, std::span<const std::int64_t> shape, std::int64_t low, std::int64_t high,
                  std::span<std::byte> out) override;
    void next_case(std::string name) override;
    std::size_t call(std::string_view function, std::vector<CheckValue> arguments) override;
    void expect_count(std::size_t call, int results) override;
    void expect(std::size_t call, int result, const Expected& expected) override;
    const CheckValue* result(std::size_t call, int result, ElementType type, int rank) override;
    void claim(std::size_t call, std::string_view statement, double measured, double bound) override;
    void counts(std::size_t call, std::string_view kernel, std::string_view counter, const CountBound& bound,
                std::string_view cure, int tag) override;
    std::vector<CheckValue> given(std::string_view function, std::vector<CheckValue> arguments,
                                  std::span<const ElementType> types, std::span<const int> ranks) override;
    void predictions(int at_least) override;
    void predicts(std::size_t call, std::vector<Shown> shown) override;
    void image(const Image& image) override;
    [[nodiscard]] bool has_expected_shapes(std::size_t call) override;
    [[nodiscard]] bool measures_speed() const override;
    [[nodiscard]] std::int64_t speed_elements() const override;
    void speed(const std::function<void()>& round) override;
    std::size_t timed_call(std::string_view function, std::vector<CheckValue> arguments, double bytes,
                           const std::function<void()>& baseline) override;

private:
    // The rest of the task is pointless: thrown through the check.
    struct EndOfTask {};

    struct CurrentCall {
        const Function* function = nullptr;
        std::vector<Value> arguments;
        std::vector<bool> in_place;
        CallResult reply;
        std::size_t case_index = 0;
        bool failed = false, sampled = false, misshapen = false;
        std::vector<bool> judged;            // one per result
        std::vector<CheckValue> looked_at;
    };

    struct Timing {
        bool in_round = false, may_keep = false;
        int round = 0, full_round = 0, calls = 0;
        std::string call;                      // "add add 67108864", the key for baselines
        std::optional<double> kept_baseline;   // from an earlier run, in place of new ones
        double bytes = 0;
        TimedPair last;
        std::optional<ReferenceWork> reference;   // once the shape of the results is known
        std::string no_clock;                  // why no time can be measured at the moment
        std::optional<std::size_t> case_index;
    };

    const Function& find_function(std::string_view name, bool given) const;
    CurrentCall prepare(std::string_view function, std::vector<CheckValue> arguments);
    enum class Use { judged, timed, given };
    CallResult make_call(const CurrentCall& call, Use use);
    std::size_t add_case(const CurrentCall& call, std::string default_prefix);
    void take(CurrentCall call);
    std::size_t take_drawn(CurrentCall call);
    void end_drawing_at(std::span<const std::int64_t> shape) const;
    void announce_check(const CurrentCall& call);
    void keep_case(const CurrentCall& call);
    void compare_inputs();
    void finish_call();
    CurrentCall& current(std::size_t call);
    CaseResult& current_case() { return result_.cases[current_->case_index]; }
    void record_wrong(std::string message);
    void note_property(MeasuredProperty property);
    [[nodiscard]] std::string result_name(int result) const;
    [[nodiscard]] std::vector<std::int64_t> sampled(std::int64_t size, std::span<const std::int64_t> canaries);
    void check_result_index(int result) const;
    void time_reference();
    void note_results(const CurrentCall& call);
    void measure_pairs(const std::function<void()>& round);
    [[nodiscard]] bool is_clear(const TimedPairs& pairs) const;
    [[nodiscard]] Verdict worst_case() const;
    void judge_speed();

    const Manifest& manifest_;
    const Task& task_;
    Caller& caller_;
    const JudgeOptions& options_;
    RunFrame frame_;
    RandomInputs inputs_;
    RandomBits secret_bits_;
    TaskResult result_;
    std::string next_name_;
    std::optional<CurrentCall> current_;
    std::vector<ReplayableCase> kept_;
    std::set<const Function*> announced_;   // functions whose kernels the caller was told to prepare for check mode
    std::size_t calls_ = 0;
    bool only_draws_ = false;
    Predictions predictions_;
    Timing timing_;
};

}  // namespace course
