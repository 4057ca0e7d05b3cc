// SPDX-License-Identifier: MIT
#include "judge/speed_meter.hpp"

#include <chrono>
#include <iterator>
#include <random>
#include <utility>

#include <fmt/format.h>

#include "support/progress.hpp"

namespace course {

bool measures_speed(const Task& task, const JudgeOptions& options) {
    const bool here = options.measure_speed == MeasureSpeed::everywhere ||
                      (options.measure_speed == MeasureSpeed::on_gpu && options.on_gpu);
    return here && task.speed.has_value();
}

// With a baseline from an earlier run, only a clear result counts. Near the line and below it, the clock decides as
// without one: pairs are measured again, each with a baseline.
bool SpeedMeter::is_clear(const TimedPairs& pairs) const {
    return !kept_baseline_ || is_clearly_above(with_late_seconds(pairs.pairs()), task_.speed->at_least);
}

// Round 0 warms up (kernels are compiled, memory is allocated); it is checked like the others, but not timed.
SpeedResult SpeedMeter::measure(const std::function<bool()>& round) {
    const DeviceLock::Held alone(options_.device, DeviceLock::Use::alone);
    if (reference_ != nullptr) {
        const ScopedTimer spent(spent_.reference);
        no_clock_ = reference_->why_not();
    }
    const auto start = std::chrono::steady_clock::now();
    const double line = task_.speed->at_least;
    const double min_rate = task_.speed->copy_percent / 100 * options_.bandwidth;
    TimedPairs pairs(options_.timing);
    in_round_ = true;
    full_round_ = std::uniform_int_distribution<int>(0, options_.timing.min_pairs)(secret_);
    SpeedDecision decision = SpeedDecision::measure_more;
    for (; decision == SpeedDecision::measure_more; ++round_) {
        calls_ = 0;
        const bool is_right = round();
        if (calls_ != 1) throw CheckError("a round of speed() makes exactly one timed() call");
        if (!is_right) {
            in_round_ = false;
            return {.at_least = line, .note = "the timed call's result is wrong"};
        }
        if (round_ > 0) pairs.add(last_);
        const SpeedLines lines{.speedup = line, .max_seconds = min_rate > 0 ? bytes_ / min_rate : 0};
        decision = pairs.decide(lines, seconds_since(start));
        if (decision == SpeedDecision::measure_more || is_clear(pairs)) continue;
        kept_baseline_.reset();
        may_keep_ = true;
        pairs.begin_anew(seconds_since(start));
        decision = SpeedDecision::measure_more;
    }
    in_round_ = false;
    return result_of(pairs, decision);
}

SpeedResult SpeedMeter::result_of(const TimedPairs& pairs, SpeedDecision decision) const {
    SpeedResult result = summarise_speed(pairs.pairs(), task_.speed->at_least, bytes_, options_.bandwidth, decision);
    result.at_least_percent = task_.speed->copy_percent * options_.bandwidth > 0 ? task_.speed->copy_percent : 0;
    result.retries = pairs.retries();
    result.kept_baseline = kept_baseline_.has_value();
    if (may_keep_ && std::ssize(pairs.pairs()) >= options_.timing.min_pairs)
        options_.baselines->keep(call_, result.baseline_seconds);
    result.note = no_clock_;
    if (options_.on_gpu) {
        result.noisy |= !no_clock_.empty();
        return result;
    }
    result.graded = false;
    result.note = "on the host backend: shown, not graded" + (no_clock_.empty() ? "" : "; " + no_clock_);
    return result;
}

CallResult SpeedMeter::time(std::string_view function, double bytes, const std::function<void()>& baseline,
                            const std::function<CallResult()>& make) {
    ++calls_;
    bytes_ = bytes;
    if (options_.baselines && call_.empty()) {
        call_ = fmt::format("{} {} {}", task_.id, function, task_.speed->elements);
        kept_baseline_ = options_.baselines->find(call_);
        may_keep_ = !kept_baseline_;
    }
    const bool baseline_first = round_ % 2 == 0;   // so that neither always runs on the warmer machine
    const bool reference_first = !baseline_first && work_;
    if (baseline_first) run_baseline(baseline);
    if (reference_first) time_reference();
    CallResult reply = make();
    last_.seconds = reply.seconds;
    last_.delivery_seconds = reply.delivery_seconds;
    note_results(reply);
    if (!reference_first) time_reference();
    if (!baseline_first) run_baseline(baseline);
    return reply;
}

void SpeedMeter::run_baseline(const std::function<void()>& baseline) {
    const auto start = std::chrono::steady_clock::now();
    if (!kept_baseline_) baseline();
    last_.baseline_seconds = kept_baseline_.value_or(seconds_since(start));
    spent_.baselines += seconds_since(start);
}

// The reference delivers results like this call's.
void SpeedMeter::note_results(const CallResult& reply) {
    if (!reference_ || reply.outcome != Outcome::returned) return;
    ReferenceWork work{.bytes = bytes_, .results = {}};
    for (const Value& one : reply.results) work.results.push_back({{one.place, one.type}, one.shape});
    work_ = std::move(work);
}

void SpeedMeter::time_reference() {
    last_.reference_seconds = last_.reference_delivery_seconds = 0;
    if (!work_ || !no_clock_.empty()) return;
    const ScopedTimer spent(spent_.reference);
    const std::optional<CallResult> reply = reference_->call(*work_);
    if (!reply) return;
    if (reply->outcome != Outcome::returned) {
        no_clock_ = "the grader's reference can't run beside it: " + reply->message;
        return;
    }
    last_.reference_seconds = reply->seconds;
    last_.reference_delivery_seconds = reply->delivery_seconds;
}

void judge_speed(const Task& task, bool on_gpu, TaskResult& result) {
    if (!result.speed && task.speed && !on_gpu)
        result.speed = SpeedResult{.at_least = task.speed->at_least,
                                    .note = "no GPU. Counted work decides here."};
    if (!result.speed || !result.speed->graded || result.verdict != Verdict::passed) return;
    const SpeedResult& speed = *result.speed;
    if (!speed.noisy && !(speed.speedup >= speed.at_least)) {
        result.verdict = Verdict::too_slow;
        result.message =
            fmt::format("{:.3g} times the baseline's speed; {:.3g} is the least", speed.speedup, speed.at_least);
    } else if (!speed.noisy && !(speed.copy_percent >= speed.at_least_percent)) {
        result.verdict = Verdict::too_slow;
        result.message = fmt::format("{:.3g}% of this device's copy bandwidth; {:.3g}% is the least",
                                      speed.copy_percent, speed.at_least_percent);
    } else if (speed.implausible) {
        result.verdict = Verdict::review;
        result.message = fmt::format(
            "one call took {:.3g} us: the bytes that it has to move, at {:.3g}% of this device's copy bandwidth; more "
            "than {:.3g}% can't be\n"
            "This isn't an accusation: a clock, a number of bytes or the bandwidth may be wrong. Show it to your "
            "instructor, who looks whether all work is done when the function returns, and can give the points.",
            1e6 * speed.seconds, speed.copy_percent, 100 * max_of_copies);
    } else if (speed.noisy) {
        result.verdict = Verdict::noisy;
    }
}

}  // namespace course
