// SPDX-License-Identifier: MIT

// The part of CheckRunner that judges how long the work took, and keeps what check mode needs to count it.

#include <random>
#include <utility>

#include <fmt/format.h>

#include "judge/check_runner.hpp"
#include "judge/values/elements.hpp"

namespace course {

namespace {

std::int64_t all_elements(std::span<const Value> values) {
    std::int64_t elements = 0;
    for (const Value& value : values)
        if (value.place != protocol::Place::scalar) elements += size_of(value.shape);
    return elements;
}

}  // namespace

// While the usual run goes on, the kernels of each function are compiled for check mode: with its first small case that
// has something in it.
void CheckRunner::announce_check(const CurrentCall& call) {
    const bool first = !announced_.contains(call.function) && all_elements(call.arguments) > 0;
    if (!first || all_elements(call.arguments) > manifest_.check_elements) return;
    announced_.insert(call.function);
    caller_.expect_check(call.function->name, call.arguments, call.function->returns);
}

// What is expected of it is added when the check says it.
void CheckRunner::keep_case(const CurrentCall& call) {
    const std::int64_t elements = all_elements(call.arguments) + all_elements(call.reply.results);
    if (manifest_.check_elements == 0 || elements > manifest_.check_elements) return;
    KeptCase one{.index = call.case_index, .elements = elements, .function = call.function, .arguments = {},
                 .expected = {}};
    one.arguments = call.arguments;
    one.expected.resize(call.function->returns.size());
    kept_.push_back(std::move(one));
}

std::vector<DrawnCase> CheckRunner::draw(void (*check)(CheckHost&)) {
    only_draws_ = true;
    try {
        check(*this);
        finish_call();
    } catch (const EndOfTask&) {   // the first large case
    }
    std::vector<DrawnCase> drawn;
    for (KeptCase& one : kept_) drawn.push_back({std::move(result_.cases[one.index]), std::move(one)});
    return drawn;
}

void CheckRunner::end_drawing_at(std::span<const std::int64_t> shape) const {
    if (only_draws_ && size_of({shape.begin(), shape.end()}) > manifest_.check_elements) throw EndOfTask();
}

// To the check it is a call that failed: it goes on, and nothing is compared.
std::size_t CheckRunner::take_drawn(CurrentCall call) {
    keep_case(call);
    if (kept_.empty() || kept_.back().index != call.case_index) throw EndOfTask();
    call.failed = true;
    current_ = std::move(call);
    return ++calls_;
}

bool CheckRunner::measures_speed() const {
    if (only_draws_) return false;
    const bool here = options_.measure_speed == MeasureSpeed::everywhere ||
                      (options_.measure_speed == MeasureSpeed::on_gpu && options_.on_gpu);
    return here && task_.speed.has_value();
}

std::int64_t CheckRunner::speed_elements() const {
    if (!task_.speed) throw CheckError("speed_elements(): exercise.toml has no speed line for this task");
    return task_.speed->elements;
}

void CheckRunner::speed(const std::function<void()>& round) {
    if (!measures_speed()) return;
    if (result_.speed) throw CheckError("a task measures its speed once");
    finish_call();
    if (worst_case() != Verdict::passed) {
        result_.speed = SpeedResult{.at_least = task_.speed->at_least, .note = "a case failed"};
        return;
    }
    measure_pairs(round);
    timing_.in_round = false;
}

// A baseline of an earlier run decides what is clear. Near the line and below it the clock decides, as without one:
// pairs are measured anew, with a baseline each.
bool CheckRunner::is_clear(const TimedPairs& pairs) const {
    return !timing_.kept_baseline || is_clearly_above(with_late_seconds(pairs.pairs()), task_.speed->at_least);
}

// Round 0 warms up (kernels are compiled, memory is allocated); it is checked as all are, but not clocked.
void CheckRunner::measure_pairs(const std::function<void()>& round) {
    const DeviceLock::Held alone(options_.device, DeviceLock::Use::alone);
    std::string no_clock;
    if (frame_.reference != nullptr) {
        const AddedSeconds spent(result_.spent.reference);
        no_clock = frame_.reference->why_not();
    }
    const auto start = std::chrono::steady_clock::now();
    const double line = task_.speed->at_least;
    const double least_rate = task_.speed->copy_percent / 100 * options_.bandwidth;
    TimedPairs pairs(options_.timing);
    timing_ = Timing();
    timing_.in_round = true;
    timing_.no_clock = std::move(no_clock);
    timing_.full_round = std::uniform_int_distribution<int>(0, options_.timing.least_pairs)(secret_bits_);
    SpeedDecision decision = SpeedDecision::measure_more;
    for (; decision == SpeedDecision::measure_more; ++timing_.round) {
        timing_.calls = 0;
        round();
        finish_call();
        if (timing_.calls != 1) throw CheckError("a round of speed() makes exactly one timed() call");
        if (worst_case() != Verdict::passed) {
            result_.speed = SpeedResult{.at_least = line, .note = "the timed call's result is wrong"};
            return;
        }
        if (timing_.round > 0) pairs.add(timing_.last);
        const SpeedLines lines{.speedup = line, .most_seconds = least_rate > 0 ? timing_.bytes / least_rate : 0};
        decision = pairs.decide(lines, seconds_since(start));
        if (decision == SpeedDecision::measure_more || is_clear(pairs)) continue;
        timing_.kept_baseline.reset();
        timing_.may_keep = true;
        pairs.begin_anew(seconds_since(start));
        decision = SpeedDecision::measure_more;
    }
    result_.speed = summarise_speed(pairs.pairs(), line, timing_.bytes, options_.bandwidth, decision);
    result_.speed->at_least_percent = least_rate > 0 ? task_.speed->copy_percent : 0;
    result_.speed->retries = pairs.retries();
    result_.speed->kept_baseline = timing_.kept_baseline.has_value();
    if (timing_.may_keep && std::ssize(pairs.pairs()) >= options_.timing.least_pairs)
        options_.baselines->keep(timing_.call, result_.speed->baseline_seconds);
    result_.speed->note = timing_.no_clock;
    if (options_.on_gpu) {
        result_.speed->noisy |= !timing_.no_clock.empty();
        return;
    }
    result_.speed->graded = false;
    result_.speed->note = "on the host backend: shown, not graded" +
                          (timing_.no_clock.empty() ? "" : "; " + timing_.no_clock);
}

std::size_t CheckRunner::timed_call(std::string_view function, std::vector<CheckValue> arguments, double bytes,
                                    const std::function<void()>& baseline) {
    if (!timing_.in_round) throw CheckError("timed() belongs in a round of speed()");
    CurrentCall call = prepare(function, std::move(arguments));
    if (!timing_.case_index) timing_.case_index = add_case(call, "timed, ");   // one case for all rounds
    call.case_index = *timing_.case_index;
    call.sampled = timing_.round != timing_.full_round;
    ++timing_.calls;
    timing_.bytes = bytes;
    if (options_.baselines && timing_.call.empty()) {
        timing_.call = fmt::format("{} {} {}", task_.id, function, task_.speed->elements);
        timing_.kept_baseline = options_.baselines->find(timing_.call);
        timing_.may_keep = !timing_.kept_baseline;
    }
    const auto run_baseline = [&] {
        const auto start = std::chrono::steady_clock::now();
        if (!timing_.kept_baseline) baseline();
        timing_.last.baseline_seconds = timing_.kept_baseline.value_or(seconds_since(start));
        result_.spent.baselines += seconds_since(start);
    };
    const bool baseline_first = timing_.round % 2 == 0;   // neither is always the one with the warmer machine
    const bool reference_first = !baseline_first && timing_.reference;
    if (baseline_first) run_baseline();
    if (reference_first) time_reference();
    call.reply = make_call(call, Use::timed);
    timing_.last.seconds = call.reply.seconds;
    timing_.last.delivery_seconds = call.reply.delivery_seconds;
    note_results(call);
    if (!reference_first) time_reference();
    if (!baseline_first) run_baseline();
    for (Value& argument : call.arguments) argument.lent = {};  // it was for that call alone
    take(std::move(call));
    return calls_;
}

// The reference delivers what this call has delivered.
void CheckRunner::note_results(const CurrentCall& call) {
    if (!frame_.reference || call.reply.outcome != Outcome::returned) return;
    ReferenceWork work{.bytes = timing_.bytes, .results = {}};
    for (const Value& one : call.reply.results) work.results.push_back({{one.place, one.type}, one.shape});
    timing_.reference = std::move(work);
}

void CheckRunner::time_reference() {
    timing_.last.reference_seconds = timing_.last.reference_delivery_seconds = 0;
    if (!timing_.reference || !timing_.no_clock.empty()) return;
    const AddedSeconds spent(result_.spent.reference);
    const std::optional<CallReply> reply = frame_.reference->call(*timing_.reference);
    if (!reply) return;
    if (reply->outcome != Outcome::returned) {
        timing_.no_clock = "the grader's reference can't run beside it: " + reply->message;
        return;
    }
    timing_.last.reference_seconds = reply->seconds;
    timing_.last.reference_delivery_seconds = reply->delivery_seconds;
}

Verdict CheckRunner::worst_case() const {
    Verdict verdict = Verdict::passed;
    for (const CaseResult& one : result_.cases) verdict = worst(verdict, one.verdict);
    return verdict;
}

// The verdict of the usual run: the cases first, then time. Counted work is judged after the second run.
void CheckRunner::judge_speed() {
    result_.verdict = worst(result_.verdict, worst_case());
    if (!result_.speed && task_.speed && !options_.on_gpu)
        result_.speed = SpeedResult{.at_least = task_.speed->at_least,
                                    .note = "no GPU. Counted work decides here."};
    if (!result_.speed || !result_.speed->graded || result_.verdict != Verdict::passed) return;
    const SpeedResult& speed = *result_.speed;
    if (!speed.noisy && !(speed.speedup >= speed.at_least)) {
        result_.verdict = Verdict::too_slow;
        result_.message =
            fmt::format("{:.3g} times the baseline's speed; {:.3g} is the least", speed.speedup, speed.at_least);
    } else if (!speed.noisy && !(speed.copy_percent >= speed.at_least_percent)) {
        result_.verdict = Verdict::too_slow;
        result_.message = fmt::format("{:.3g}% of this device's copy bandwidth; {:.3g}% is the least",
                                      speed.copy_percent, speed.at_least_percent);
    } else if (speed.implausible) {
        result_.verdict = Verdict::review;
        result_.message = fmt::format(
            "one call took {:.3g} us: the bytes that it has to move, at {:.3g}% of this device's copy bandwidth; more "
            "than {:.3g}% can't be\n"
            "This isn't an accusation: a clock, a number of bytes or the bandwidth may be wrong. Show it to your "
            "instructor, who looks whether all work is done when the function returns, and can give the points.",
            1e6 * speed.seconds, speed.copy_percent, 100 * most_of_copies);
    } else if (speed.noisy) {
        result_.verdict = Verdict::noisy;
    }
}

}  // namespace course
