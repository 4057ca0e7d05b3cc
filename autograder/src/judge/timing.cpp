// SPDX-License-Identifier: MIT
#include "judge/timing.hpp"

#include <algorithm>

namespace course {

namespace {

// A clock that didn't advance isn't infinite speed: a nanosecond is less than any call takes.
constexpr double min_time = 1e-9;

double ratio(const TimedPair& pair) {
    return std::max(pair.baseline_seconds, min_time) / std::max(pair.seconds, min_time);
}

std::vector<double> each(std::span<const TimedPair> pairs, double TimedPair::*member) {
    std::vector<double> values;
    for (const TimedPair& pair : pairs) values.push_back(pair.*member);
    return values;
}

}  // namespace

double median_of(std::span<const double> values) {
    std::vector<double> sorted(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end());
    const std::size_t n = sorted.size();
    return n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

double late_seconds(std::span<const TimedPair> pairs) {
    const std::vector<double> reference = each(pairs, &TimedPair::reference_delivery_seconds);
    if (pairs.empty() || !(*std::min_element(reference.begin(), reference.end()) > 0)) return 0;
    const double allowed = *std::max_element(reference.begin(), reference.end()) + median_of(reference) / 10 + 1e-4;
    return std::max(median_of(each(pairs, &TimedPair::delivery_seconds)) - allowed, 0.0);
}

std::vector<TimedPair> with_late_seconds(std::span<const TimedPair> pairs) {
    const double late = late_seconds(pairs);
    std::vector<TimedPair> longer(pairs.begin(), pairs.end());
    for (TimedPair& pair : longer) pair.seconds += late;
    return longer;
}

bool is_steady(std::span<const double> a, std::span<const double> b) {
    constexpr double max_share = 0.02;
    if (a.empty() || b.empty()) return false;
    const double one = median_of(a), other = median_of(b);
    return std::max(one, other) <= (1 + max_share) * std::min(one, other);
}

SpeedEstimate estimate_speedup(std::span<const TimedPair> pairs) {
    if (pairs.empty()) return {};
    std::vector<double> ratios;
    for (const TimedPair& pair : pairs) ratios.push_back(ratio(pair));
    std::sort(ratios.begin(), ratios.end());
    const std::size_t left_out = ratios.size() < 9 ? 0 : 1;
    return {median_of(ratios), ratios[left_out], ratios[ratios.size() - 1 - left_out]};
}

namespace {

SpeedDecision decide_speedup(std::span<const TimedPair> pairs, double line, double elapsed_seconds,
                             const TimingRules& rules) {
    const auto count = static_cast<int>(pairs.size());
    const bool out_of_time = elapsed_seconds >= rules.max_seconds;
    if (count == 0 || (count < rules.min_pairs && !out_of_time)) return SpeedDecision::measure_more;
    const SpeedEstimate estimate = estimate_speedup(pairs);
    if (estimate.low >= line) return SpeedDecision::pass;
    if (estimate.high < line) return SpeedDecision::too_slow;
    return count < rules.max_pairs && !out_of_time ? SpeedDecision::measure_more : SpeedDecision::noisy;
}

}  // namespace

SpeedDecision decide_speed(std::span<const TimedPair> pairs, const SpeedLines& lines, double elapsed_seconds,
                           const TimingRules& rules) {
    const SpeedDecision speedup = decide_speedup(pairs, lines.speedup, elapsed_seconds, rules);
    if (!(lines.max_seconds > 0)) return speedup;
    std::vector<TimedPair> limits(pairs.begin(), pairs.end());   // with the limit in place of the baseline
    for (TimedPair& pair : limits) pair.baseline_seconds = lines.max_seconds;
    const SpeedDecision time = decide_speedup(limits, 1, elapsed_seconds, rules);
    for (const SpeedDecision worse :
         {SpeedDecision::too_slow, SpeedDecision::measure_more, SpeedDecision::noisy})
        if (speedup == worse || time == worse) return worse;
    return SpeedDecision::pass;
}

SpeedDecision TimedPairs::decide(const SpeedLines& lines, double now) {
    const SpeedDecision decision = decide_speed(with_late_seconds(pairs_), lines, now - began_, rules_);
    if (decision != SpeedDecision::noisy || retries_ >= rules_.max_retries) return decision;
    ++retries_;
    begin_anew(now);
    return SpeedDecision::measure_more;
}

void TimedPairs::begin_anew(double now) {
    pairs_.clear();
    began_ = now;
}

bool is_clearly_above(std::span<const TimedPair> pairs, double line) noexcept {
    constexpr double margin = 2;
    return !pairs.empty() && estimate_speedup(pairs).low >= margin * line;
}

bool is_implausible(double bytes, double seconds, double bandwidth) noexcept {
    return bandwidth > 0 && bytes > max_of_copies * bandwidth * std::max(seconds, min_time);
}

SpeedResult summarise_speed(std::span<const TimedPair> pairs, double line, double bytes, double bandwidth,
                            SpeedDecision decision) {
    SpeedResult result;
    result.at_least = line;
    result.bytes = bytes;
    result.pairs = static_cast<int>(pairs.size());
    if (pairs.empty()) {
        result.note = "no pair of calls was completed";
        return result;
    }
    const std::vector<TimedPair> longer = with_late_seconds(pairs);
    const SpeedEstimate estimate = estimate_speedup(longer);
    result.speedup = estimate.median;
    result.low = estimate.low;
    result.high = estimate.high;
    result.seconds = median_of(each(longer, &TimedPair::seconds));
    result.baseline_seconds = median_of(each(pairs, &TimedPair::baseline_seconds));
    result.reference_seconds = median_of(each(pairs, &TimedPair::reference_seconds));
    result.late_seconds = late_seconds(pairs);
    if (bandwidth > 0) result.copy_percent = 100 * bytes / std::max(result.seconds, min_time) / bandwidth;
    result.graded = line > 0;
    result.noisy = decision == SpeedDecision::noisy;
    result.implausible = is_implausible(bytes, result.seconds, bandwidth);
    return result;
}

}  // namespace course
