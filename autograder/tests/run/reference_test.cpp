// SPDX-License-Identifier: MIT
// The grader's reference: a runner without an object, held against the clock of a student's timed calls.

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>

#include "answer/reference_runner.hpp"
#include "judge/checks.hpp"
#include "judge/timing.hpp"
#include "run/session_pair.hpp"
#include "session_fixture.hpp"

using namespace course;
using namespace course::test;

namespace {

using protocol::Place;
using protocol::Type;

SessionOptions without_object(const Folder& scratch) {
    SessionOptions options = options_for("attacks", scratch);
    options.object.clear();
    return options;
}

/// A pair whose reference takes the same time on any machine, and isn't late itself.
class SteadyPair : public SessionPair {
public:
    using SessionPair::SessionPair;
    std::optional<CallResult> reference_call(const ReferenceWork& work) override {
        std::optional<CallResult> reply = SessionPair::reference_call(work);
        if (!reply) return reply;
        reply->seconds = 4e-3;
        reply->delivery_seconds = std::min(reply->delivery_seconds, 0.02);
        return reply;
    }
};

struct DoubleCheck {
    static inline std::string function;   // the judge makes checks of its own
    void operator()(course::testing::OpenCheck& use) const {
        auto a = use.draw.uniform(10);
        use.call(function, a).returns(2 * a.cast<double>(), ulps(1));
        use.speed([&] {
            auto b = use.draw.uniform(1000);
            const auto baseline = [&] {
                std::this_thread::sleep_for(std::chrono::milliseconds(100));
                return b;
            };
            use.timed(8000, baseline, function, b).returns(2 * b.cast<double>(), ulps(1));
        });
    }
};

}  // namespace

TEST_CASE("the reference copies, more often for more bytes, and delivers results of any shape") {
    const Folder scratch;
    Session session(without_object(scratch));
    const ReferenceWork work{.bytes = 1 << 20,
                             .results = {{float_array, {30, 40}},
                                         {{Place::host_vector, Type::int64}, {100}},
                                         {{Place::scalar, Type::float64}, {}},
                                         {{Place::device_array, Type::uint8}, {0}}}};
    for (int repeat = 0; repeat < 2; ++repeat) {
        const CallResult reply = call_reference(session, work);
        CAPTURE(reply.message);
        REQUIRE(reply.outcome == Outcome::returned);
        REQUIRE(reply.results.size() == 4);
        for (std::size_t k = 0; k < 4; ++k) CHECK(reply.results[k].shape == work.results[k].shape);
        CHECK(reply.seconds > 0);
        CHECK(reply.delivery_seconds > 0);
    }
    // Copies are kernels; none is of more than 256 MiB.
    for (const double bytes : {8.0, 4096.0, 1.5 * (1 << 30)})
        CHECK(call_reference(session, {.bytes = bytes, .results = {}}).counts.launches == (bytes > 1e9 ? 3 : 1));
}

TEST_CASE("results that are larger than the grader keeps of an answer don't end the reference") {
    const Folder scratch;
    Session session(without_object(scratch));
    const ReferenceWork work{.bytes = 1 << 20, .results = {{float_array, {std::int64_t{24} << 20}}}};   // 96 MiB
    CHECK(call_reference(session, work).outcome == Outcome::returned);
    std::array<pid_t, 64> first, second;
    const std::size_t before = find_processes({.children = true}, first);
    CHECK(call_reference(session, work).outcome == Outcome::returned);
    CHECK(find_processes({.children = true}, second) == before);
    CHECK(std::equal(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(before), second.begin()));
}

TEST_CASE("an object that says `done` at once and works afterwards delivers late, and by as much") {
    const Folder scratch, other, own;
    Session reference(without_object(own));
    SessionPair pair(options_for("attacks", scratch), options_for("attacks", other), &reference);
    const Value argument = floats(x);
    const auto pairs_with = [&](const std::string& function) {
        std::vector<TimedPair> pairs;
        for (int round = 0; round < 4; ++round) {
            const CallResult reply = pair.timed_call(function, {&argument, 1}, {&float_array, 1});
            REQUIRE(reply.outcome == Outcome::returned);
            CHECK(elements(reply.results.at(0)) == twice);
            const std::optional<CallResult> beside =
                pair.reference_call({.bytes = 40, .results = {{float_array, {5}}}});
            REQUIRE(beside);
            REQUIRE(beside->outcome == Outcome::returned);
            if (round > 0)
                pairs.push_back({.seconds = reply.seconds,
                                 .baseline_seconds = 1,
                                 .delivery_seconds = reply.delivery_seconds,
                                 .reference_seconds = beside->seconds,
                                 .reference_delivery_seconds = beside->delivery_seconds});
        }
        return pairs;
    };
    for (const TimedPair& one : pairs_with("sleeps_50_ms")) CHECK(one.seconds >= 0.05);
    for (const char* const function : {"done_before_the_work", "stops_the_clock_for_ever"}) {
        CAPTURE(function);
        const std::vector<TimedPair> liar = pairs_with(function);
        for (const TimedPair& one : liar) CHECK(one.seconds + one.delivery_seconds >= 0.15);
        const auto of_reference = [](const TimedPair& a, const TimedPair& b) {
            return a.reference_delivery_seconds < b.reference_delivery_seconds;
        };
        const double longest = std::max_element(liar.begin(), liar.end(), of_reference)->reference_delivery_seconds;
        if (longest > 0.1) return;   // a busy machine: the reference was late as well, and nobody is accused
        CHECK(late_seconds(liar) > 0.03);
        for (const TimedPair& one : with_late_seconds(liar)) CHECK(one.seconds > 0.03);
    }
}

TEST_CASE("who stops the clock and works then is found out by the reference, and has no points") {
    const Folder scratch, other, own;
    const SessionOptions options = options_for("attacks", scratch), checked = options_for("attacks", other);
    Manifest manifest = course::testing::sample_manifest();
    SUBCASE("once") { DoubleCheck::function = "done_before_the_work"; }
    SUBCASE("for ever") { DoubleCheck::function = "stops_the_clock_for_ever"; }
    manifest.functions = {{DoubleCheck::function, {float_array}, {float_array}}};
    manifest.check_elements = 0;
    manifest.tasks[0].speed = SpeedLine{20, 1000};
    const auto judge_by = [&](Caller& caller) {
        return course::testing::judged(manifest, caller, DoubleCheck(),
                                       {.on_gpu = true, .measure_speed = MeasureSpeed::everywhere});
    };
    Session reference(without_object(own));
    SteadyPair pair(options, checked, &reference);
    const Result found_out = judge_by(pair);
    CAPTURE(found_out.message);
    CHECK(found_out.verdict == Verdict::too_slow);
    CHECK(found_out.points() == 0);
    CHECK(found_out.tasks[0].speed.value().late_seconds > 0.1);
    SessionPair without(options, checked);
    CHECK(judge_by(without).tasks[0].speed.value().seconds < 0.1);   // what it would have gained
}

TEST_CASE("two runners without a third: there is no reference") {
    const Folder scratch, other;
    SessionPair pair(options_for("attacks", scratch), options_for("attacks", other));
    CHECK_FALSE(pair.reference_call({.bytes = 40, .results = {}}));
}

TEST_CASE("a call shares its device, a runner starts without it, and who holds it alone makes calls there") {
    const Folder scratch, locks;
    SessionOptions options = options_for("attacks", scratch);
    options.lock = std::make_shared<DeviceLock>("", locks.path(), std::chrono::seconds(20));
    const UniqueFd file(::open((locks.path() / "course-gpu.lock").c_str(), O_RDONLY | O_CLOEXEC));
    REQUIRE(file);
    REQUIRE(::flock(file.get(), LOCK_EX | LOCK_NB) == 0);   // another grader measures
    Session session(options);
    session.begin();
    const Value argument = floats(x);
    const auto call = [&] { return session.call("correct", {&argument, 1}, {&float_array, 1}).outcome; };
    auto called = std::async(std::launch::async, call);
    CHECK(called.wait_for(std::chrono::milliseconds(300)) == std::future_status::timeout);
    CHECK(::flock(file.get(), LOCK_UN) == 0);
    CHECK(called.get() == Outcome::returned);
    CHECK(::flock(file.get(), LOCK_EX | LOCK_NB) == 0);   // it holds nothing now
    CHECK(::flock(file.get(), LOCK_UN) == 0);
    const DeviceLock::Held alone(options.lock.get(), DeviceLock::Use::alone);
    CHECK(call() == Outcome::returned);
    CHECK(::flock(file.get(), LOCK_SH | LOCK_NB) != 0);   // still held
}

TEST_CASE("a reference that is kept for many answers is one runner, and waits for no answer's lock") {
    const Folder scratch, locks;
    const auto answer = [&] {
        SessionOptions options = options_for("attacks", scratch);
        options.lock = std::make_shared<DeviceLock>("", locks.path(), std::chrono::seconds(20));
        return options;
    };
    ReferenceRunner kept;
    std::array<pid_t, 64> first, second;
    std::size_t runners = 0;
    for (std::array<pid_t, 64>* const found : {&first, &second}) {
        const SessionOptions options = answer();
        const DeviceLock::Held alone(options.lock.get(), DeviceLock::Use::alone);
        const auto start = std::chrono::steady_clock::now();
        CHECK(call_reference(kept.runner(options, scratch.path()), {.bytes = 40, .results = {}}).outcome ==
              Outcome::returned);
        CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(15));
        runners = find_processes({.children = true}, *found);
    }
    REQUIRE(runners > 0);
    CHECK(std::equal(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(runners), second.begin()));
    SessionOptions elsewhere = answer();
    elsewhere.device = "host:0";
    static_cast<void>(call_reference(kept.runner(elsewhere, scratch.path()), {.bytes = 40, .results = {}}));
    CHECK(find_processes({.children = true}, second) == runners);
    CHECK_FALSE(std::equal(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(runners), second.begin()));
}
