// SPDX-License-Identifier: MIT

// Speed as the judge measures it, with calls whose times are scripted and baselines that wait. No test here depends on
// how long the machine takes: the ratios are far from the lines.

#include <chrono>
#include <set>
#include <thread>

#include <doctest/doctest.h>

#include "judge/checks.hpp"
#include "support/limits.hpp"
#include "support/folder.hpp"

using namespace course;
using namespace course::testing;

namespace {

Manifest with_speed(double at_least, std::int64_t elements = 1000) {
    Manifest manifest = sample_manifest();
    manifest.tasks[0].speed = SpeedLine{at_least, elements};
    return manifest;
}

int baselines_computed = 0;

struct TimedCheck {
    void operator()(OpenCheck& use) const {
        auto a = use.draw.uniform(10), b = use.draw.uniform(10);
        use.call("add", a, b).returns(a.cast<double>() + b.cast<double>(), ulps(1));
        use.speed([&] {
            const std::int64_t n = use.speed_elements();
            auto x = use.draw.uniform(n), y = use.draw.uniform(n);
            const auto baseline = [&] {
                ++baselines_computed;
                std::this_thread::sleep_for(std::chrono::milliseconds(2));
                return x + y;
            };
            use.timed(12.0 * static_cast<double>(n), baseline, "add", x, y)
                .returns(x.cast<double>() + y.cast<double>(), ulps(1));
        });
    }
};

CallResult right(std::span<const Value> arguments) {
    return returned({value_of(sum_of(arguments), arguments[0].shape)});
}

}  // namespace

TEST_CASE("without a GPU speed isn't measured, and the note says what decides") {
    ScriptedCaller caller([](const std::string&, auto arguments) { return right(arguments); });
    const Result result = judged(with_speed(20), caller, TimedCheck());
    CHECK(result.verdict == Verdict::passed);
    CHECK(caller.timed_calls == 0);
    const SpeedResult& speed = result.tasks.at(0).speed.value();
    CHECK_FALSE(speed.graded);
    CHECK(speed.note == "no GPU. Counted work decides here.");
}

TEST_CASE("a fast answer passes after one warm-up and three pairs, each checked, with fresh inputs") {
    std::set<float> first;
    ScriptedCaller caller([&](const std::string&, std::span<const Value> arguments) {
        first.insert(elements_of<float>(arguments[0])[0]);
        return right(arguments);
    });
    caller.seconds = 1e-6;
    const Result result = judged(with_speed(20), caller, TimedCheck(), {.on_gpu = true});
    CHECK(result.verdict == Verdict::passed);
    CHECK(result.points() == 2);
    CHECK(caller.timed_calls == 4);
    CHECK(first.size() == 5);
    const SpeedResult& speed = result.tasks.at(0).speed.value();
    CHECK(speed.graded);
    CHECK(speed.pairs == 3);
    CHECK(speed.speedup > 20);
    CHECK(speed.bytes == 12'000);
    CHECK(speed.seconds == doctest::Approx(1e-6));
    CHECK(result.tasks[0].cases.size() == 2);
    CHECK(result.tasks[0].cases[1].name == "timed, n = 1000");
}

TEST_CASE(
    "a baseline that was measured within the last day isn't computed again, but for answers near the line or below") {
    const ::test::Folder folder;
    Baselines baselines(folder.path() / "baselines", "here");
    const JudgeOptions options{.on_gpu = true, .baselines = &baselines};
    ScriptedCaller caller([](const std::string&, auto arguments) { return right(arguments); });
    struct Ran {
        Verdict verdict;
        bool kept;
        int baselines, timed_calls;
    };
    const auto judge_at = [&](double seconds) {
        baselines_computed = caller.timed_calls = 0;
        caller.seconds = seconds;
        const Result result = judged(with_speed(20), caller, TimedCheck(), options);
        return Ran{result.verdict, result.tasks.at(0).speed->kept_baseline, baselines_computed, caller.timed_calls};
    };
    const Ran first = judge_at(1e-6);
    CHECK(first.verdict == Verdict::passed);
    CHECK_FALSE(first.kept);
    CHECK(first.baselines == 4);
    const double kept = baselines.find("add add 1000").value();
    CHECK(kept >= 2e-3);
    const Ran second = judge_at(1e-6);
    CHECK(second.verdict == Verdict::passed);
    CHECK(second.kept);
    CHECK(second.baselines == 0);
    CHECK(second.timed_calls == 4);
    const Ran slow = judge_at(1e3);
    CHECK(slow.verdict == Verdict::too_slow);
    CHECK_FALSE(slow.kept);
    CHECK(slow.baselines == 3);
    CHECK(slow.timed_calls == 7);
    baselines.keep("add add 1000", 1e-9);  // of a machine far faster than this one: an answer isn't judged by it
    const Ran measured_anew = judge_at(1e-6);
    CHECK(measured_anew.verdict == Verdict::passed);
    CHECK_FALSE(measured_anew.kept);
    CHECK(measured_anew.baselines == 3);
    CHECK(baselines.find("add add 1000").value() >= 2e-3);
}

TEST_CASE("on the host speed can be shown, and is graded nowhere") {
    ScriptedCaller caller([](const std::string&, auto arguments) { return right(arguments); });
    caller.seconds = 1e3;
    const Result result = judged(with_speed(20), caller, TimedCheck(), {.measure_speed = MeasureSpeed::everywhere});
    CHECK(result.verdict == Verdict::passed);
    CHECK(caller.timed_calls == 4);
    const SpeedResult& speed = result.tasks.at(0).speed.value();
    CHECK_FALSE(speed.graded);
    CHECK(speed.pairs == 3);
    CHECK(speed.note == "on the host backend: shown, not graded");
}

TEST_CASE("large arguments are lent for the call alone") {
    std::vector<const std::byte*> addresses;
    ScriptedCaller caller([&](const std::string&, std::span<const Value> arguments) {
        if (!arguments[0].lent.empty()) {
            CHECK(arguments[0].bytes.empty());
            CHECK(arguments[0].lent.size() == 4 * static_cast<std::size_t>(arguments[0].shape[0]));
            addresses.push_back(arguments[0].lent.data());
        }
        std::vector<float> sum(static_cast<std::size_t>(arguments[0].shape[0]));
        const Elements x(arguments[0]), y(arguments[1]);
        for (std::size_t i = 0; i < sum.size(); ++i)
            sum[i] = x.as<float>(static_cast<std::int64_t>(i)) + y.as<float>(static_cast<std::int64_t>(i));
        return returned({array(sum)});
    });
    caller.seconds = 1e-6;
    const Result result = judged(with_speed(20, max_analysed + 1), caller, TimedCheck(), {.on_gpu = true});
    CHECK(result.verdict == Verdict::passed);
    CHECK(addresses.size() == 4);
    REQUIRE(result.tasks[0].cases.size() == 2);
    CHECK(result.tasks[0].cases[1].elements == max_analysed + 1);
}

TEST_CASE("a slow answer is too slow and has no points") {
    ScriptedCaller caller([](const std::string&, auto arguments) { return right(arguments); });
    caller.seconds = 1e3;
    const Result result = judged(with_speed(20), caller, TimedCheck(), {.on_gpu = true});
    CHECK(result.verdict == Verdict::too_slow);
    CHECK(result.points() == 0);
    CHECK(result.tasks[0].message.ends_with("times the baseline's speed; 20 is the least"));
}

TEST_CASE("a share of the copy bandwidth is a line of its own, where the bandwidth is known") {
    ScriptedCaller caller([](const std::string&, auto arguments) { return right(arguments); });
    caller.seconds = 1e-6;   // 12 kB in it: 12 GB/s
    Manifest manifest = with_speed(20);
    manifest.tasks.at(0).speed->copy_percent = 40;
    const auto judge_at = [&](double bandwidth) {
        return judged(manifest, caller, TimedCheck(), {.on_gpu = true, .bandwidth = bandwidth});
    };
    const Result fast = judge_at(24e9);
    CHECK(fast.verdict == Verdict::passed);
    CHECK(fast.tasks[0].speed->copy_percent == doctest::Approx(50));
    CHECK(fast.tasks[0].speed->at_least_percent == 40);
    const Result slow = judge_at(48e9);
    CHECK(slow.verdict == Verdict::too_slow);
    CHECK(slow.points() == 0);
    CHECK(slow.tasks[0].message == "25% of this device's copy bandwidth; 40% is the least");
    const Result unknown = judge_at(0);
    CHECK(unknown.verdict == Verdict::passed);
    CHECK(unknown.tasks[0].speed->at_least_percent == 0);
}

TEST_CASE("times on both sides of the line are noisy: passed and marked") {
    int call = 0;
    ScriptedCaller caller([&](const std::string&, auto arguments) {
        caller.seconds = ++call % 2 == 0 ? 1e-6 : 1e3;
        return right(arguments);
    });
    const Result result = judged(with_speed(20), caller, TimedCheck(), {.on_gpu = true});
    CHECK(result.verdict == Verdict::noisy);
    CHECK(result.points() == 2);
    CHECK(caller.timed_calls == 28);   // the warm-up, nine pairs, and these twice again
    CHECK(result.tasks[0].speed->retries == 2);
    CHECK(exit_code(result.verdict) == 0);
}

TEST_CASE("noise that passes is no verdict: the second attempt is clear") {
    for (const double seconds : {1e-6, 1e3}) {
        int call = 0;
        ScriptedCaller caller([&](const std::string&, auto arguments) {
            caller.seconds = ++call > 11 ? seconds : call % 2 == 0 ? 1e-6 : 1e3;
            return right(arguments);
        });
        const Result result = judged(with_speed(20), caller, TimedCheck(), {.on_gpu = true});
        CHECK(result.verdict == (seconds < 1 ? Verdict::passed : Verdict::too_slow));
        CHECK(result.tasks[0].speed->retries == 1);
        CHECK(result.tasks[0].speed->pairs < 9);
    }
}

TEST_CASE("an answer that is faster than the device has no points until an instructor has looked") {
    ScriptedCaller caller([](const std::string&, auto arguments) { return right(arguments); });
    caller.seconds = 1e-6;   // 12 kB in it: 12 GB/s
    const auto judge_at = [&](double bandwidth, bool on_gpu = true, double at_least = 20) {
        return judged(with_speed(at_least), caller, TimedCheck(),
                      {.on_gpu = on_gpu, .measure_speed = MeasureSpeed::everywhere, .bandwidth = bandwidth});
    };
    const Result review = judge_at(4e9);
    CHECK(review.verdict == Verdict::review);
    CHECK(review.points() == 0);
    CHECK(exit_code(review.verdict) == 1);
    CHECK_FALSE(is_passed(review.tasks[0]));
    CHECK(review.tasks[0].message.starts_with("one call took 1 us: the bytes that it has to move, at 300% of this "
                                              "device's copy bandwidth; more than 125% can't be\n"
                                              "This isn't an accusation"));
    CHECK(judge_at(10e9).verdict == Verdict::passed);          // a fifth above what copies reach
    CHECK(judge_at(0).verdict == Verdict::passed);             // unknown
    CHECK(judge_at(4e9, false).verdict == Verdict::passed);    // on the host speed isn't graded
    CHECK(judge_at(4e9, true, 1e9).verdict == Verdict::too_slow);   // which is worse
}

TEST_CASE("an answer that says `done` early and works afterwards is as slow as it is") {
    std::vector<ReferenceWork> works;
    ScriptedCaller caller([](const std::string&, auto arguments) { return right(arguments); });
    caller.with_reference([&](const ReferenceWork& work) {
        works.push_back(work);
        CallResult reply;
        reply.seconds = 4e-3;
        reply.delivery_seconds = 2e-4;
        return reply;
    });
    caller.seconds = 1e-6;
    const auto judge_with = [&](double delivery_seconds) {
        works.clear();
        caller.delivery_seconds = delivery_seconds;
        return judged(with_speed(20), caller, TimedCheck(), {.on_gpu = true});
    };
    const Result honest = judge_with(2.5e-4);
    CHECK(honest.verdict == Verdict::passed);
    CHECK(honest.tasks[0].speed->late_seconds == 0);
    CHECK(honest.tasks[0].speed->reference_seconds == doctest::Approx(4e-3));
    REQUIRE(works.size() == 1 + 10 + 4);   // to find its length, itself against itself, beside each timed call
    CHECK(works.back().bytes == 12'000);
    REQUIRE(works.back().results.size() == 1);
    CHECK(works.back().results[0].shape == std::vector<std::int64_t>{1000});
    CHECK(works.back().results[0].type == float_array);
    const Result liar = judge_with(1e3);
    CHECK(liar.verdict == Verdict::too_slow);
    CHECK(liar.points() == 0);
    CHECK(liar.tasks[0].speed->late_seconds == doctest::Approx(1e3));
}

TEST_CASE("where the reference isn't steady, or fails, speed is noisy and says why, whatever was measured") {
    ScriptedCaller caller([](const std::string&, auto arguments) { return right(arguments); });
    const auto speed_at = [&](double seconds) {
        caller.seconds = seconds;
        const Result result = judged(with_speed(20), caller, TimedCheck(), {.on_gpu = true});
        CHECK(result.verdict == Verdict::noisy);
        CHECK(result.points() == 2);
        return *result.tasks[0].speed;
    };
    int call = 0;
    caller.with_reference([&](const ReferenceWork&) {
        CallResult reply;
        const int k = call++ % 11 - 1;   // the first one finds its length; of the others one half is slow
        reply.seconds = k >= 0 && (k % 4 == 0 || k % 4 == 3) ? 8e-3 : 4e-3;
        return reply;
    });
    for (const double seconds : {1e-6, 1e3}) {
        CHECK(speed_at(seconds).note.starts_with("this machine can't time at the moment: the grader's own work took "));
        CHECK(call == 3 * 11);   // three tries, and no word beside the calls
        call = 0;
    }
    const Result shown = judged(with_speed(20), caller, TimedCheck(), {.measure_speed = MeasureSpeed::everywhere});
    CHECK(shown.verdict == Verdict::passed);   // on the host nothing is graded
    CHECK_FALSE(shown.tasks[0].speed->noisy);
    CHECK(shown.tasks[0].speed->note.starts_with("on the host backend: shown, not graded; this machine can't time"));
    caller.with_reference([](const ReferenceWork&) { return failed(Outcome::exception, "no memory"); });
    CHECK(speed_at(1e-6).note == "the grader's reference can't run here: no memory");
    caller.with_reference([](const ReferenceWork& work) {
        CallResult reply = work.results.empty() ? CallResult() : failed(Outcome::exception, "no memory");
        reply.seconds = 4e-3;
        return reply;
    });
    CHECK(speed_at(1e3).note == "the grader's reference can't run beside it: no memory");
}

TEST_CASE("a clock that an answer has found steady is taken to be so by the next ones, for a minute") {
    ScriptedCaller caller([](const std::string&, auto arguments) { return right(arguments); });
    caller.seconds = 1e-6;
    int calls = 0;
    caller.with_reference([&](const ReferenceWork&) {
        ++calls;
        CallResult reply;
        reply.seconds = 4e-3;
        return reply;
    });
    ReferenceClock::TimePoint steady_until{};
    const auto calls_of_one = [&] {
        calls = 0;
        JudgeOptions options{.on_gpu = true};
        options.steady_until = &steady_until;
        CHECK(judged(with_speed(20), caller, TimedCheck(), options).verdict == Verdict::passed);
        return calls;
    };
    const int looked_at = calls_of_one(), believed = calls_of_one();
    CHECK(looked_at == believed + 11);
    CHECK(believed > 0);   // beside each timed call
    CHECK(steady_until > std::chrono::steady_clock::now() + std::chrono::seconds(30));
    steady_until = std::chrono::steady_clock::now();
    CHECK(calls_of_one() == looked_at);
}

TEST_CASE("noise on the implausible side of a device's bandwidth is for review as well") {
    int call = 0;
    ScriptedCaller caller([&](const std::string&, auto arguments) {
        caller.seconds = ++call % 2 == 0 ? 1e-6 : 1e-9;
        return right(arguments);
    });
    const Result result = judged(with_speed(1e5), caller, TimedCheck(), {.on_gpu = true, .bandwidth = 1e9});
    CHECK(result.tasks[0].speed->noisy);
    CHECK(result.verdict == Verdict::review);
    CHECK(result.points() == 0);
}

TEST_CASE("an answer that is fast is too slow if check mode counts too much, and one that is slow as well says both") {
    for (const double seconds : {1e-6, 1e3}) {
        ScriptedCaller caller([](const std::string&, auto arguments) { return right(arguments); });
        caller.in_check_mode([](const std::string&, auto arguments) {
            CallResult reply = right(arguments);
            reply.counts.atomics = 9;
            return reply;
        });
        caller.seconds = seconds;
        Manifest manifest = with_speed(20);
        manifest.tasks[0].budgets = {test::at_most("atomics", {.plus = 8})};
        const Result result = judged(manifest, caller, TimedCheck(), {.on_gpu = true});
        CHECK(result.verdict == Verdict::over_budget);
        CHECK(result.points() == 0);
        CHECK(result.tasks[0].message.starts_with("atomics: 9 counted, at most 8 (n = 10)"));
        CHECK(result.tasks[0].message.ends_with("20 is the least") == (seconds > 1));
    }
}

TEST_CASE("a noisy answer is checked too") {
    int call = 0;
    ScriptedCaller caller([&](const std::string&, auto arguments) {
        caller.seconds = ++call % 2 == 0 ? 1e-6 : 1e3;
        return right(arguments);
    });
    caller.in_check_mode([](const std::string&, auto arguments) {
        CallResult reply = right(arguments);
        reply.check.emplace();
        reply.check->findings.emplace_back();
        reply.check->findings[0].kind = FindingKind::missing_barrier;
        return reply;
    });
    const Result result = judged(with_speed(20), caller, TimedCheck(), {.on_gpu = true});
    CHECK(result.verdict == Verdict::wrong);
    CHECK(result.points() == 0);
}

TEST_CASE("a timed call with a wrong result is wrong, whatever its speed") {
    ScriptedCaller caller([&](const std::string&, auto arguments) {
        std::vector<float> sum = sum_of(arguments);
        if (caller.timed_calls == 3 && sum.size() > 17) sum[17] = 9;  // the check call after it is shorter
        return returned({array(sum)});
    });
    caller.seconds = 1e-6;
    const Result result = judged(with_speed(20), caller, TimedCheck(), {.on_gpu = true});
    CHECK(result.verdict == Verdict::wrong);
    CHECK(result.tasks[0].cases.at(1).difference->where == "result[17]");
    CHECK_FALSE(result.tasks[0].speed->graded);
}

TEST_CASE("of a large timed result secret positions are compared, and one call in full") {
    int wrong_calls = 0;
    const auto timed_wrong = [&](std::size_t wrong_element, int wrong_call) {
        ScriptedCaller caller([&](const std::string&, auto arguments) {
            std::vector<float> sum = sum_of(arguments);
            if (sum.size() > 10 && (wrong_call == 0 || caller.timed_calls == wrong_call)) sum[wrong_element] = 9;
            return returned({array(sum)});
        });
        caller.seconds = 1e-6;
        const Result result = judged(with_speed(20, 600'000), caller, TimedCheck(), {.on_gpu = true});
        wrong_calls += caller.timed_calls;
        return result.verdict;
    };
    CHECK(timed_wrong(123'456, 0) == Verdict::wrong);   // one element of 600,000, in every call: the full one finds it
    CHECK(wrong_calls <= 4);
}

TEST_CASE("of a large timed result those elements are always compared that had other values before the clock") {
    ScriptedCaller caller([&](const std::string&, auto arguments) {
        std::vector<float> sum = sum_of(arguments);
        const bool large = sum.size() > 10;
        if (large) sum[123'456] = 9;
        CallResult reply = returned({array(sum)});
        if (large) reply.canaries = {7, 123'456, 599'999, 600'000};   // the last one is of a longer argument
        return reply;
    });
    caller.seconds = 1e-6;
    const Result result = judged(with_speed(20, 600'000), caller, TimedCheck(), {.on_gpu = true});
    CHECK(result.verdict == Verdict::wrong);
    CHECK(caller.timed_calls == 1);
}

TEST_CASE("an eighth of a large timed result left out is found at once") {
    ScriptedCaller caller([&](const std::string&, auto arguments) {
        std::vector<float> sum = sum_of(arguments);
        if (sum.size() > 10) std::fill(sum.begin(), sum.begin() + 75'000, 9.F);
        return returned({array(sum)});
    });
    caller.seconds = 1e-6;
    const Result result = judged(with_speed(20, 600'000), caller, TimedCheck(), {.on_gpu = true});
    CHECK(result.verdict == Verdict::wrong);
    CHECK(caller.timed_calls == 1);
    CHECK(result.tasks[0].cases.at(1).difference->wrong == 75'000);
}

TEST_CASE("speed isn't measured once a case has failed") {
    ScriptedCaller caller([](const std::string&, auto arguments) {
        return returned({array(std::vector<float>(sum_of(arguments).size()))});
    });
    const Result result = judged(with_speed(20), caller, TimedCheck(), {.on_gpu = true});
    CHECK(result.verdict == Verdict::wrong);
    CHECK(caller.timed_calls == 0);
    CHECK(result.tasks[0].speed->note == "a case failed");
}

TEST_CASE("a check that never measures the speed that its manifest asks for is reported") {
    ScriptedCaller caller([](const std::string&, auto arguments) { return right(arguments); });
    const Result result = judged(with_speed(20), caller, AddCheck(), {.on_gpu = true});
    CHECK(result.verdict == Verdict::environment);
    CHECK(result.message.ends_with("exercise.toml has a speed line, but the check never calls speed()"));
}

TEST_CASE("a crash in a timed call ends the task") {
    ScriptedCaller caller([&](const std::string&, auto arguments) {
        return caller.timed_calls == 2 ? failed(Outcome::crashed, "crashed") : right(arguments);
    });
    caller.seconds = 1e-6;
    const Result result = judged(with_speed(20), caller, TimedCheck(), {.on_gpu = true});
    CHECK(result.verdict == Verdict::crashed);
    CHECK(result.points() == 0);
}
