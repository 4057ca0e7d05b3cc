// SPDX-License-Identifier: MIT
#include "judge/timing.hpp"

#include <doctest/doctest.h>

using namespace course;

namespace {

// Pairs with these speed-ups; a baseline of 1 s.
std::vector<TimedPair> pairs_of(const std::vector<double>& speedups) {
    std::vector<TimedPair> pairs;
    for (double speedup : speedups) pairs.push_back({1 / speedup, 1});
    return pairs;
}

// How many pairs are measured, and what is decided then, if the script goes on for ever.
std::pair<int, SpeedDecision> play(const std::vector<double>& script, double line, double seconds_a_pair = 0.1) {
    std::vector<double> speedups;
    for (int k = 0;; ++k) {
        const SpeedDecision decision = decide_speed(pairs_of(speedups), {.speedup = line}, seconds_a_pair * k);
        if (decision != SpeedDecision::measure_more) return {k, decision};
        speedups.push_back(script[static_cast<std::size_t>(k) % script.size()]);
    }
}

}  // namespace

TEST_CASE("the estimate is the median, between the extremes or what covers it of nine") {
    const SpeedEstimate three = estimate_speedup(pairs_of({4, 2, 8}));
    CHECK(three.median == doctest::Approx(4));
    CHECK(three.low == doctest::Approx(2));
    CHECK(three.high == doctest::Approx(8));
    const SpeedEstimate nine = estimate_speedup(pairs_of({9, 1, 8, 2, 7, 3, 6, 4, 5}));
    CHECK(nine.median == doctest::Approx(5));
    CHECK(nine.low == doctest::Approx(2));
    CHECK(nine.high == doctest::Approx(8));
    CHECK(estimate_speedup(pairs_of({2, 4})).median == doctest::Approx(3));
    CHECK(estimate_speedup({}).median == 0);
}

TEST_CASE("three clear pairs are enough, on either side of the line") {
    CHECK(play({30}, 20) == std::pair{3, SpeedDecision::pass});
    CHECK(play({10}, 20) == std::pair{3, SpeedDecision::too_slow});
    CHECK(play({20}, 20) == std::pair{3, SpeedDecision::pass});   // on the line
}

TEST_CASE("one outlier in nine doesn't decide") {
    CHECK(play({5, 30, 30, 30, 30, 30, 30, 30, 30}, 20) == std::pair{9, SpeedDecision::pass});
    CHECK(play({10, 10, 30, 10, 10, 10, 10, 10, 10}, 20) == std::pair{9, SpeedDecision::too_slow});
}

TEST_CASE("pairs on both sides of the line are noisy after nine") {
    CHECK(play({15, 25}, 20) == std::pair{9, SpeedDecision::noisy});
}

TEST_CASE("measuring stops when the time is over") {
    CHECK(play({15, 25}, 20, 2.0) == std::pair{5, SpeedDecision::noisy});
    CHECK(play({30}, 20, 4.0) == std::pair{3, SpeedDecision::pass});
}

TEST_CASE("an answer that is too slow to be measured three times is too slow, not noisy") {
    CHECK(play({0.1}, 20, 11.0) == std::pair{1, SpeedDecision::too_slow});
    CHECK(decide_speed({}, {.speedup = 20}, 100) == SpeedDecision::measure_more);
}

TEST_CASE("noisy pairs are measured again, twice at the most, and a clear attempt ends it") {
    // What is decided in the end, after how many pairs and retries, if the attempts go like this.
    struct Played {
        SpeedDecision decision;
        int pairs, retries;
        bool operator==(const Played&) const = default;
    };
    const auto play_attempts = [](const std::vector<std::vector<double>>& attempts, const TimingRules& rules = {}) {
        TimedPairs pairs(rules);
        std::size_t measured = 0;
        for (int k = 1;; ++k) {
            const std::vector<double>& script = attempts.at(static_cast<std::size_t>(pairs.retries()));
            pairs.add(pairs_of({script[measured++ % script.size()]}).front());
            const int retries = pairs.retries();
            const SpeedDecision decision = pairs.decide({.speedup = 20}, 0.1 * k);
            if (decision != SpeedDecision::measure_more) return Played{decision, k, pairs.retries()};
            if (pairs.retries() != retries) {
                CHECK(pairs.pairs().empty());
                measured = 0;
            }
        }
    };
    const std::vector<double> noise{15, 25}, fast{30}, slow{10};
    CHECK(play_attempts({noise, noise, noise}) == Played{SpeedDecision::noisy, 27, 2});
    CHECK(play_attempts({noise, fast}) == Played{SpeedDecision::pass, 12, 1});
    CHECK(play_attempts({noise, noise, slow}) == Played{SpeedDecision::too_slow, 21, 2});
    CHECK(play_attempts({fast}) == Played{SpeedDecision::pass, 3, 0});
    CHECK(play_attempts({slow}) == Played{SpeedDecision::too_slow, 3, 0});
    CHECK(play_attempts({noise}, {.max_retries = 0}) == Played{SpeedDecision::noisy, 9, 0});
}

TEST_CASE("each attempt has its own time, and what begins anew isn't a retry") {
    TimedPairs pairs;
    const auto add = [&](double speedup) { pairs.add(pairs_of({speedup}).front()); };
    for (const double speedup : {15, 25, 15}) add(speedup);
    CHECK(pairs.decide({.speedup = 20}, 11) == SpeedDecision::measure_more);   // out of time: a retry
    CHECK(pairs.retries() == 1);
    for (const double speedup : {15, 25, 15}) add(speedup);
    CHECK(pairs.decide({.speedup = 20}, 20) == SpeedDecision::measure_more);   // 9 s of its own
    CHECK(pairs.pairs().size() == 3);
    pairs.begin_anew(20);
    CHECK(pairs.pairs().empty());
    CHECK(pairs.retries() == 1);
}

TEST_CASE("late results count as time of the call, above what the reference's deliveries take") {
    const auto pairs_with = [](const std::vector<double>& deliveries, const std::vector<double>& references) {
        std::vector<TimedPair> pairs;
        for (std::size_t k = 0; k < deliveries.size(); ++k)
            pairs.push_back({.seconds = 1e-3,
                             .baseline_seconds = 20e-3,
                             .delivery_seconds = deliveries[k],
                             .reference_seconds = 1e-3,
                             .reference_delivery_seconds = references[k]});
        return pairs;
    };
    const auto late = [&](const std::vector<double>& deliveries, const std::vector<double>& references) {
        return late_seconds(pairs_with(deliveries, references));
    };
    const std::vector<double> reference{10e-3, 11e-3, 10e-3};
    CHECK(late({10e-3, 10e-3, 11e-3}, reference) == 0);   // honest
    CHECK(late({12e-3, 12e-3, 12e-3}, reference) == 0);   // within a tenth and the longest
    CHECK(late({15e-3, 15e-3, 15e-3}, reference) == doctest::Approx(2.9e-3));   // 11 + 1 + 0.1 ms are allowed
    CHECK(late({10e-3, 90e-3, 10e-3}, reference) == 0);   // noise of one
    CHECK(late({90e-3, 90e-3, 10e-3}, reference) == doctest::Approx(77.9e-3));
    CHECK(late({15e-3, 15e-3, 15e-3}, {10e-3, 40e-3, 10e-3}) == 0);   // a noisy reference accuses nobody
    CHECK(late({15e-3, 15e-3, 15e-3}, {10e-3, 0, 10e-3}) == 0);   // or none
    CHECK(late({5e-5, 5e-5, 5e-5}, {1e-6, 1e-6, 1e-6}) == 0);   // too short to tell
    CHECK(late_seconds({}) == 0);

    const std::vector<TimedPair> liar = pairs_with({15e-3, 15e-3, 15e-3}, reference);
    const std::vector<TimedPair> longer = with_late_seconds(liar);
    REQUIRE(longer.size() == 3);
    CHECK(longer[1].seconds == doctest::Approx(3.9e-3));
    CHECK(longer[1].baseline_seconds == doctest::Approx(20e-3));
    TimedPairs pairs;
    for (const TimedPair& pair : liar) pairs.add(pair);
    CHECK(pairs.decide({.speedup = 10}, 1) == SpeedDecision::too_slow);   // 20 times as it says, 5 in truth
    const SpeedResult result = summarise_speed(liar, 10, 1e6, 0, SpeedDecision::too_slow);
    CHECK(result.seconds == doctest::Approx(3.9e-3));
    CHECK(result.speedup == doctest::Approx(20 / 3.9));
    CHECK(result.late_seconds == doctest::Approx(2.9e-3));
    CHECK(result.reference_seconds == doctest::Approx(1e-3));
}

TEST_CASE("a clock is steady if it says the same of the same work, within 2 % in the median") {
    const std::vector<double> one{1, 1, 1.5, 0.9, 1};
    CHECK(is_steady(one, std::vector<double>{1.02, 1.02, 1, 1.02, 1.03}));
    CHECK_FALSE(is_steady(one, std::vector<double>{1.03, 1.03, 1, 1.03, 1.03}));
    CHECK_FALSE(is_steady(one, std::vector<double>{0.97, 0.97, 1, 0.97, 0.9}));
    CHECK_FALSE(is_steady(one, {}));
}

TEST_CASE("a limit in seconds is a line of its own: both must be kept") {
    const std::vector<TimedPair> pairs = pairs_of({30, 30, 30});   // 1/30 s each
    CHECK(decide_speed(pairs, {.speedup = 20, .max_seconds = 0.05}, 1) == SpeedDecision::pass);
    CHECK(decide_speed(pairs, {.speedup = 20, .max_seconds = 0.02}, 1) == SpeedDecision::too_slow);
    CHECK(decide_speed(pairs, {.speedup = 40, .max_seconds = 0.05}, 1) == SpeedDecision::too_slow);
    const std::vector<TimedPair> around = pairs_of({15, 25, 25});
    CHECK(decide_speed(around, {.speedup = 1, .max_seconds = 0.05}, 1) == SpeedDecision::measure_more);
    CHECK(decide_speed(around, {.speedup = 1, .max_seconds = 0.05}, 100) == SpeedDecision::noisy);
    CHECK(decide_speed(around, {.speedup = 40, .max_seconds = 0.05}, 1) == SpeedDecision::too_slow);
}

TEST_CASE("a line of zero is always passed") { CHECK(play({0.01}, 0) == std::pair{3, SpeedDecision::pass}); }

TEST_CASE("faster than the device's memory is implausible") {
    CHECK(is_implausible(1e9, 1e-4, 4e12));
    CHECK_FALSE(is_implausible(1e9, 1e-3, 4e12));
    CHECK_FALSE(is_implausible(4e9, 1e-3, 4e12));
    CHECK_FALSE(is_implausible(1.2 * 4e9, 1e-3, 4e12));   // reading alone, with a part in the cache
    CHECK(is_implausible(1.3 * 4e9, 1e-3, 4e12));
    CHECK_FALSE(is_implausible(1e9, 1e-9, 0));   // unknown bandwidth
    CHECK(is_implausible(1e9, 0, 4e12));         // a clock that didn't move
}

TEST_CASE("the summary has the medians, the interval and what to say of it") {
    const SpeedResult result = summarise_speed(pairs_of({20, 40, 30}), 10, 12e6, 4e12, SpeedDecision::pass);
    CHECK(result.graded);
    CHECK(result.speedup == doctest::Approx(30));
    CHECK(result.seconds == doctest::Approx(1.0 / 30));
    CHECK(result.baseline_seconds == doctest::Approx(1));
    CHECK(result.pairs == 3);
    CHECK_FALSE(result.noisy);
    CHECK(result.note.empty());
}

TEST_CASE("pairs are clearly above a line if each of them is, by a factor of two") {
    CHECK(is_clearly_above(pairs_of({20, 21, 40}), 10));
    CHECK_FALSE(is_clearly_above(pairs_of({19, 40, 40}), 10));
    CHECK_FALSE(is_clearly_above(pairs_of({5, 5, 5}), 10));
    CHECK(is_clearly_above(pairs_of({0.1, 0.1, 0.1}), 0));
    CHECK_FALSE(is_clearly_above({}, 0));
}

TEST_CASE("a noisy or an implausible summary is marked") {
    CHECK(summarise_speed(pairs_of({15, 25, 16}), 20, 0, 0, SpeedDecision::noisy).noisy);
    CHECK(summarise_speed(pairs_of({1000, 1000, 1000}), 20, 8e9, 4e12, SpeedDecision::pass).implausible);
    CHECK_FALSE(summarise_speed(pairs_of({100, 100, 100}), 20, 8e9, 4e12, SpeedDecision::pass).implausible);
}

TEST_CASE("without a line the speed is shown and not graded") {
    CHECK_FALSE(summarise_speed(pairs_of({2, 2, 2}), 0, 0, 0, SpeedDecision::pass).graded);
}
