// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "verdict/verdict.hpp"

namespace course {

/// One interleaved pair: the student's call and the baseline on equal inputs. Beside them, if available, the reference:
/// a copy by the grader's own runner that delivers results like the student's.
struct TimedPair {
    double seconds = 0, baseline_seconds = 0;
    double delivery_seconds = 0;             ///< from when the call reported its end until its results arrived
    double reference_seconds = 0, reference_delivery_seconds = 0;   ///< 0: none
};

struct TimingRules {
    int min_pairs = 3, max_pairs = 9;
    double max_seconds = 10;       ///< for the pairs of one attempt, from the first one
    int max_retries = 2;           ///< further attempts after a noisy one
};

/// The median of the pair ratios and an interval that covers the true median: the extremes of up to 8 pairs (75 % of
/// the time for 3, 94 % for 5, 99 % for 8), for 9 the second and the eighth (96 %).
struct SpeedEstimate {
    double median = 0, low = 0, high = 0;
};
SpeedEstimate estimate_speedup(std::span<const TimedPair> pairs);

enum class SpeedDecision { measure_more, pass, too_slow, noisy };

/// The required speed of an answer; a line of 0 is always reached.
struct SpeedLines {
    double speedup = 0;        ///< minimum, over the baseline
    double max_seconds = 0;   ///< of one call
};

/// Decides whether the pairs so far show on which side of both lines the speed lies. When the time is up, fewer pairs
/// than the minimum must do: an answer too slow to be measured often isn't a noisy one.
SpeedDecision decide_speed(std::span<const TimedPair> pairs, const SpeedLines& lines, double elapsed_seconds,
                           const TimingRules& rules = {});

/// How much later the student's results arrive after `done` than the reference's, in the median, if that is more than a
/// tenth of the reference's median and 0.1 ms after its longest delivery; otherwise, or if a pair has no reference, 0.
double late_seconds(std::span<const TimedPair> pairs);

/// The pairs with the student's calls longer by late_seconds(): deferred work is part of the call.
std::vector<TimedPair> with_late_seconds(std::span<const TimedPair> pairs);

/// True if the medians of two measurements of the same work differ by at most 2 %.
bool is_steady(std::span<const double> a, std::span<const double> b);

/// The median of one value or more.
double median_of(std::span<const double> values);

/// The pairs of a task. If they are inconclusive, they are discarded and measured again, up to TimingRules::max_retries
/// times: disturbances of a machine often pass. A clear decision ends the measurement.
class TimedPairs {
public:
    explicit TimedPairs(const TimingRules& rules = {}) : rules_(rules) {}

    void add(const TimedPair& pair) { pairs_.push_back(pair); }

    /// Returns noisy only after the last attempt. @param now seconds since any time before the first pair
    SpeedDecision decide(const SpeedLines& lines, double now);

    /// Discards the pairs without counting a retry: they were measured by another rule.
    void begin_anew(double now);

    /// The pairs of the current attempt, as measured.
    [[nodiscard]] std::span<const TimedPair> pairs() const noexcept { return pairs_; }
    [[nodiscard]] int retries() const noexcept { return retries_; }

private:
    TimingRules rules_;
    std::vector<TimedPair> pairs_;
    double began_ = 0;
    int retries_ = 0;
};

/// True if the pairs are so far above the line that a baseline measured at another time is good enough.
bool is_clearly_above(std::span<const TimedPair> pairs, double line) noexcept;

/// The maximum throughput of a device as a multiple of its copies' bandwidth: reading alone is faster than copying, and
/// a cache may hold a part. Answers above it get no points until a person has looked, so it is generous.
constexpr double max_of_copies = 1.25;

/// True if a device whose copies have this bandwidth (bytes per second; 0: unknown) can't move `bytes` in `seconds`.
bool is_implausible(double bytes, double seconds, double bandwidth) noexcept;

/// The reported numbers for the pairs as they were measured.
SpeedResult summarise_speed(std::span<const TimedPair> pairs, double line, double bytes, double bandwidth,
                            SpeedDecision decision);

}  // namespace course
