// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "verdict/verdict.hpp"

namespace course {

/// One interleaved pair: the student's call and the baseline on equal inputs. Beside them, where there is one, the
/// reference: a copy by the grader's own runner that delivers results like the student's.
struct TimedPair {
    double seconds = 0, baseline_seconds = 0;
    double delivery_seconds = 0;             ///< from when the call was said to be done until its results were there
    double reference_seconds = 0, reference_delivery_seconds = 0;   ///< 0: none
};

struct TimingRules {
    int min_pairs = 3, max_pairs = 9;
    double max_seconds = 10;       ///< for the pairs of one attempt, from the first on
    int max_retries = 2;           ///< further attempts where one ends noisy
};

/// The median of pair ratios and an interval that covers the true median: the extremes of up to 8 pairs (75 % of the
/// time for 3, 94 % for 5, 99 % for 8), of 9 the second and the last but one (96 %).
struct SpeedEstimate {
    double median = 0, low = 0, high = 0;
};
SpeedEstimate estimate_speedup(std::span<const TimedPair> pairs);

enum class SpeedDecision { measure_more, pass, too_slow, noisy };

/// What an answer's speed must reach; a line of 0 is always reached.
struct SpeedLines {
    double speedup = 0;        ///< the least, over the baseline
    double max_seconds = 0;   ///< of one call
};

/// Whether the pairs so far tell on which side of both lines the speed lies. When the time is over, fewer pairs than
/// the least must do: an answer too slow to be measured often isn't a noisy one.
SpeedDecision decide_speed(std::span<const TimedPair> pairs, const SpeedLines& lines, double elapsed_seconds,
                           const TimingRules& rules = {});

/// How much later the student's results come after `done` than the reference's, in the median: by more than a tenth of
/// the reference's median and 0.1 ms after its longest delivery. 0 if they don't, or a pair has no reference.
double late_seconds(std::span<const TimedPair> pairs);

/// The pairs with the student's calls longer by late_seconds(): work that was left for later is work of the call.
std::vector<TimedPair> with_late_seconds(std::span<const TimedPair> pairs);

/// True if the medians of two measurements of the same work differ by 2 % at the most.
bool is_steady(std::span<const double> a, std::span<const double> b);

/// The median of one value or more.
double median_of(std::span<const double> values);

/// The pairs of a task. Where they can't tell, they are thrown away and measured again, up to TimingRules::max_retries
/// times: what disturbs a machine often passes. A clear decision ends it.
class TimedPairs {
public:
    explicit TimedPairs(const TimingRules& rules = {}) : rules_(rules) {}

    void add(const TimedPair& pair) { pairs_.push_back(pair); }

    /// Noisy after the last attempt only. @param now seconds since any moment before the first pair
    SpeedDecision decide(const SpeedLines& lines, double now);

    /// Throws the pairs away, which is no retry: they were measured by another rule.
    void begin_anew(double now);

    /// Those of the present attempt, as they were measured.
    [[nodiscard]] std::span<const TimedPair> pairs() const noexcept { return pairs_; }
    [[nodiscard]] int retries() const noexcept { return retries_; }

private:
    TimingRules rules_;
    std::vector<TimedPair> pairs_;
    double began_ = 0;
    int retries_ = 0;
};

/// True if the pairs are so far above the line that a baseline which was measured at another time may decide.
bool is_clearly_above(std::span<const TimedPair> pairs, double line) noexcept;

/// What a device moves at the most, as a multiple of its copies' bandwidth: reading alone is faster than copying, and a
/// cache may hold a part. Whoever is above it has no points until a person has looked, so it errs on the large side.
constexpr double max_of_copies = 1.25;

/// True if `bytes` in `seconds` is more than a device whose copies have this bandwidth (bytes a second; 0: unknown) can
/// move.
bool is_implausible(double bytes, double seconds, double bandwidth) noexcept;

/// Everything that is reported of the pairs as they were measured.
SpeedResult summarise_speed(std::span<const TimedPair> pairs, double line, double bytes, double bandwidth,
                            SpeedDecision decision);

}  // namespace course
