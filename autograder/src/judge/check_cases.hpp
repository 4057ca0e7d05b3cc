// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
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

/// The elements of all arrays.
std::int64_t all_elements(std::span<const Value> values);

/// The cases of one task's check: draws their inputs, prepares their calls, judges the replies, and records them with
/// what the check states. Whether calls are made is up to those that inherit it.
class CheckCases : public CheckHost {
public:
    /// The small cases, for calling them again in check mode.
    [[nodiscard]] std::vector<ReplayableCase> take_kept() { return std::move(kept_); }

    void uniform(ElementType type, std::span<const std::int64_t> shape, double low, double high,
                 std::span<std::byte> out) override;
    void integers(ElementType type, std::span<const std::int64_t> shape, std::int64_t low, std::int64_t high,
                  std::span<std::byte> out) override;
    void next_case(std::string name) override;
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
    [[nodiscard]] bool has_expected_shapes(std::size_t call) override;
    [[nodiscard]] std::int64_t speed_elements() const override;

protected:
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

    CheckCases(const Manifest& manifest, const Task& task, Caller& caller, const JudgeOptions& options,
               const RunFrame& frame);

    /// Nothing more is stated of this case's call.
    virtual void case_ends(const CaseResult& one) = 0;

    CurrentCall prepare(std::string_view function, std::vector<CheckValue> arguments);
    enum class Use { judged, timed, given };
    CallResult make_call(const CurrentCall& call, Use use);
    std::size_t add_case(const CurrentCall& call, std::string default_prefix);
    void keep_case(const CurrentCall& call);
    void take(CurrentCall call);
    void compare_inputs();
    void finish_call();
    [[nodiscard]] Verdict worst_case() const;

    const Manifest& manifest_;
    const Task& task_;
    Caller& caller_;
    const JudgeOptions& options_;
    RunFrame frame_;
    RandomBits secret_bits_;
    TaskResult result_;
    std::optional<CurrentCall> current_;
    std::vector<ReplayableCase> kept_;
    std::size_t calls_ = 0;
    Predictions predictions_;

private:
    const Function& find_function(std::string_view name, bool given) const;
    CurrentCall& current(std::size_t call);
    CaseResult& current_case() { return result_.cases[current_->case_index]; }
    void record_wrong(std::string message);
    void note_property(MeasuredProperty property);
    [[nodiscard]] std::string result_name(int result) const;
    [[nodiscard]] std::vector<std::int64_t> sampled(std::int64_t size, std::span<const std::int64_t> canaries);
    void check_result_index(int result) const;

    RandomInputs inputs_;
    std::string next_name_;
};

}  // namespace course
