// SPDX-License-Identifier: MIT
// Counts that decide are those of the replay, and a replay that doesn't give the answer leaves the verdict open.
#include <doctest/doctest.h>

#include <set>
#include <string>

#include "judge/checks.hpp"

using namespace course;
using namespace course::testing;

namespace {

CallResult right_sum(std::span<const Value> arguments) {
    return returned({value_of(sum_of(arguments), arguments[0].shape)});
}

CallResult with_launches(CallResult reply, std::uint64_t launches, std::uint64_t reads = 0) {
    reply.counts.launches = launches;
    reply.check.emplace();
    WorkCounts work{};
    work.global_reads = reads;
    reply.check->kernels.push_back(
        {.name = "add", .file = "", .launches = launches, .blocks = 1, .threads = 1, .work = work, .lines = {}});
    return reply;
}

using Replay = std::function<CallResult(std::span<const Value> arguments)>;

/// Right in the usual run. In check mode it says that it took one launch; its recorded work does what `replay` does.
class RecordedCaller : public ScriptedCaller {
public:
    explicit RecordedCaller(Replay replay)
        : ScriptedCaller([](const std::string&, std::span<const Value> arguments) {
              CallResult reply = right_sum(arguments);
              reply.counts.launches = 1;
              return reply;
          }),
          replay_(std::move(replay)) {
        in_check_mode([this](const std::string&, std::span<const Value> arguments) {
            CallResult reply = with_launches(right_sum(arguments), 1, 1);
            reply.recording = Bytes(8);
            reply.replay = std::make_shared<const CallResult>(replay_(arguments));
            return reply;
        });
    }
    CallResult check_call(const std::string& function, std::span<const Value> arguments,
                         std::span<const ValueType> results, const CheckLimits& limits) override {
        CallResult reply = ScriptedCaller::check_call(function, arguments, results, limits);
        recorded += limits.replays ? 1 : 0;
        if (!limits.replays || !why_not.empty()) reply.replay.reset();
        if (!reply.replay) reply.recording = {};
        if (limits.replays) reply.not_recorded = why_not;
        return reply;
    }
    std::optional<CallResult> replay_call(const Bytes&, std::span<const Value> arguments, std::span<const ValueType>,
                                         const CheckLimits& limits) override {
        ++replays;
        if (!limits.left_out.empty()) return without(limits.left_out, arguments);
        return on_others ? on_others(arguments) : replay_(arguments);
    }
    /// What its recorded work gives when a kernel isn't launched; without it nothing is there.
    std::function<CallResult(const std::string& kernel, std::span<const Value> arguments)> without =
        [](const std::string&, std::span<const Value>) { return failed(Outcome::exception); };
    Replay on_others;   ///< what a recording does with others' arguments; none: what it does with its own
    std::string why_not;   ///< what keeps its calls from being recorded; empty: nothing
    int recorded = 0, replays = 0;

private:
    Replay replay_;
};

Manifest one_launch() {
    Manifest manifest = sample_manifest();
    manifest.tasks[0].budgets.push_back({.counter = "launches", .at_most = Limit{.plus = 1}});
    return manifest;
}

template <class Body>
Result judged_in_class(const Manifest& manifest, Caller& caller, Body body, JudgeOptions options = {},
                       DrawnAnew anew = DrawnAnew::no) {
    options.replays = true;
    return judged(manifest, caller, body, std::move(options), anew);
}

const CaseResult& first_in_review(const TaskResult& task) {
    for (const CaseResult& one : task.cases)
        if (one.verdict == Verdict::review) return one;
    FAIL("no case is left to an instructor");
    std::abort();
}

}  // namespace

TEST_CASE("a right answer whose work gives it again passes, with the replay's counts") {
    RecordedCaller caller([](std::span<const Value> arguments) { return with_launches(right_sum(arguments), 1, 5); });
    const Result result = judged_in_class(one_launch(), caller, AddCheck());
    CHECK(result.verdict == Verdict::passed);
    CHECK(result.points() == 2);
    const CheckResult& check = *result.tasks[0].check;
    CHECK(check.counted == 9);
    CHECK(check.replayed == 9);
    CHECK(check.not_replayed == "");
    CHECK(check.kernels.at(0).work.global_reads == 5);
}

TEST_CASE("the answer's process says one launch, its recorded work takes two: over budget") {
    RecordedCaller caller([](std::span<const Value> arguments) { return with_launches(right_sum(arguments), 2); });
    const Result result = judged_in_class(one_launch(), caller, AddCheck());
    CHECK(result.verdict == Verdict::over_budget);
    CHECK(result.points() == 0);
    CHECK(result.tasks[0].message.find("launches: 2 counted") != std::string::npos);
}

TEST_CASE("recorded work that gives other values leaves the verdict to an instructor") {
    RecordedCaller caller([](std::span<const Value> arguments) {
        CallResult reply = with_launches(right_sum(arguments), 1);
        if (!reply.results[0].bytes.empty()) reply.results[0].bytes[0] ^= std::byte{0x40};
        return reply;
    });
    const Result result = judged_in_class(one_launch(), caller, AddCheck());
    CHECK(result.verdict == Verdict::review);
    CHECK(result.points() == 0);
    CHECK(first_in_review(result.tasks[0]).message.find("gives other values when it is done again") !=
          std::string::npos);
}

TEST_CASE("recorded work that can't be done leaves the verdict to an instructor") {
    for (const Outcome outcome : {Outcome::exception, Outcome::crashed, Outcome::bad_reply, Outcome::kernel_fault}) {
        RecordedCaller caller([&](std::span<const Value>) { return failed(outcome, "the recording is too short"); });
        const Result result = judged_in_class(one_launch(), caller, AddCheck());
        CHECK(result.verdict == Verdict::review);
        CHECK(result.points() == 0);
        CHECK(first_in_review(result.tasks[0]).message.find("couldn't be done again: the recording is too short") !=
              std::string::npos);
    }
    RecordedCaller late([&](std::span<const Value>) { return failed(Outcome::timed_out); });
    CHECK(judged_in_class(one_launch(), late, AddCheck()).verdict == Verdict::timed_out);
}

TEST_CASE("what the replay finds counts, too") {
    RecordedCaller caller([](std::span<const Value> arguments) {
        CallResult reply = with_launches(right_sum(arguments), 1);
        reply.check->findings.push_back({.kind = FindingKind::out_of_bounds, .kernel = "add", .file = "add.cu",
                                         .line = 3, .variable = "x", .what = "add.cu:3 reads past x", .who = "",
                                         .advice = ""});
        return reply;
    });
    const Result result = judged_in_class(one_launch(), caller, AddCheck());
    CHECK(result.verdict == Verdict::crashed);
    CHECK(result.points() == 0);
    CHECK(result.tasks[0].check->found.at(0).finding.what == "add.cu:3 reads past x");
}

TEST_CASE("a student's own run records nothing: its process counts, and the result says so") {
    RecordedCaller caller([](std::span<const Value> arguments) { return with_launches(right_sum(arguments), 2); });
    const Result result = judged(one_launch(), caller, AddCheck());
    CHECK(result.verdict == Verdict::passed);
    CHECK(caller.recorded == 0);
    const CheckResult& check = *result.tasks[0].check;
    CHECK(check.counted == 0);
    CHECK(check.replayed == 0);
    CHECK(check.not_replayed == "");
}

TEST_CASE("an answer whose calls can't be replayed is left to an instructor, once") {
    for (const std::string why : {"streams", ""}) {
        RecordedCaller caller([](std::span<const Value> arguments) { return with_launches(right_sum(arguments), 1); });
        caller.why_not = why;
        if (why.empty()) caller.in_check_mode([](const std::string&, std::span<const Value> arguments) {
            return with_launches(right_sum(arguments), 1);   // no recording, and no word on it
        });
        const Result result = judged_in_class(one_launch(), caller, AddCheck());
        CHECK(result.verdict == Verdict::review);
        CHECK(result.points() == 0);
        CHECK(caller.recorded == 1);
        CHECK(first_in_review(result.tasks[0])
                  .message.find(why.empty() ? "can't be done again\n" : "can't be done again, because of streams\n") !=
              std::string::npos);
        const CheckResult& check = *result.tasks[0].check;
        CHECK(check.counted == 9);
        CHECK(check.replayed == 0);
        CHECK(check.not_replayed == why);
    }
}

TEST_CASE("an answer that can't be replayed is over budget all the same, if its own process says so") {
    RecordedCaller caller([](std::span<const Value> arguments) { return right_sum(arguments); });
    caller.in_check_mode([](const std::string&, std::span<const Value> arguments) {
        return with_launches(right_sum(arguments), 2);
    });
    caller.why_not = "streams";
    const Result result = judged_in_class(one_launch(), caller, AddCheck());
    CHECK(result.points() == 0);
    CHECK(result.tasks[0].message.find("launches: 2 counted") != std::string::npos);
}

TEST_CASE("what right answers of a task need keeps nobody from passing, and no other excuse is taken") {
    Manifest manifest = one_launch();
    manifest.tasks[0].not_replayed = {"events", "streams"};
    RecordedCaller caller([](std::span<const Value> arguments) { return with_launches(right_sum(arguments), 1); });
    caller.why_not = "streams";
    const Result result = judged_in_class(manifest, caller, AddCheck());
    CHECK(result.verdict == Verdict::passed);
    CHECK(result.points() == 2);
    CHECK(result.tasks[0].check->replayed == 0);
    CHECK(result.tasks[0].check->not_replayed == "streams");
    caller.why_not = "several devices";
    CHECK(judged_in_class(manifest, caller, AddCheck()).verdict == Verdict::review);
}

TEST_CASE("where no count decides, nothing is recorded") {
    RecordedCaller caller([](std::span<const Value> arguments) { return with_launches(right_sum(arguments), 1); });
    CHECK(judged_in_class(sample_manifest(), caller, AddCheck()).verdict == Verdict::passed);
    CHECK(caller.recorded == 0);
}

TEST_CASE("a recording that is right for its own values alone is found when cases are drawn anew") {
    int found = 0, asked = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        RecordedCaller honest([](std::span<const Value> a) { return with_launches(right_sum(a), 1); });
        RecordedCaller forger([](std::span<const Value> a) { return with_launches(right_sum(a), 1); });
        forger.on_others = [](std::span<const Value> a) {
            return with_launches(returned({value_of(elements_of<float>(a[0]), a[0].shape)}), 1);
        };
        JudgeOptions options;
        options.seed = seed;
        CHECK(judged_in_class(one_launch(), honest, AddCheck(), options, DrawnAnew::yes).verdict == Verdict::passed);
        const Result result = judged_in_class(one_launch(), forger, AddCheck(), options, DrawnAnew::yes);
        asked += honest.replays > 0 ? 1 : 0;
        found += result.verdict == Verdict::review ? 1 : 0;
        if (result.verdict == Verdict::review)
            CHECK(first_in_review(result.tasks[0]).message.find("is right for the values that it was recorded with") !=
                  std::string::npos);
    }
    CHECK(asked == 10);
    CHECK(found == 10);
}

TEST_CASE("where the host has seen values, a recording is only good for these") {
    RecordedCaller caller([](std::span<const Value> arguments) {
        CallResult reply = with_launches(right_sum(arguments), 1);
        reply.counts.copies_to_host = 1;
        return reply;
    });
    caller.on_others = [](std::span<const Value>) { return failed(Outcome::exception); };
    CHECK(judged_in_class(one_launch(), caller, AddCheck(), {}, DrawnAnew::yes).verdict == Verdict::passed);
    CHECK(caller.replays == 0);
}

namespace {

Manifest needs_launch() {
    Manifest manifest = sample_manifest();
    manifest.tasks[0].budgets.push_back({.counter = "launches", .at_least = Limit{.plus = 1}});
    return manifest;
}

/// What is judged of work whose results were sent up where `is_sent` says so.
Result judged_sent(const Manifest& manifest, const std::function<bool(std::size_t elements)>& is_sent) {
    RecordedCaller caller([&](std::span<const Value> arguments) {
        CallResult reply = with_launches(right_sum(arguments), 1);
        reply.sent = is_sent(reply.results[0].bytes.size() / sizeof(float)) ? 1 : 0;
        return reply;
    });
    return judged_in_class(manifest, caller, AddCheck());
}

}  // namespace

TEST_CASE("a result that host code has sent up in all cases isn't a kernel's") {
    const Result result = judged_sent(needs_launch(), [](std::size_t) { return true; });
    CHECK(result.verdict == Verdict::not_as_asked);
    CHECK(result.points() == 0);
    std::string said;
    for (const CaseResult& one : result.tasks[0].cases) said += one.message;
    CHECK(said.find("the result doesn't come from what a kernel computed") != std::string::npos);
}

TEST_CASE("a result that was sent up in some cases passes: a mask may be empty, and a maximum may be what was there") {
    CHECK(judged_sent(needs_launch(), [](std::size_t elements) { return elements != 33; }).verdict == Verdict::passed);
    CHECK(judged_sent(needs_launch(), [](std::size_t elements) { return elements < 2; }).verdict == Verdict::passed);
    // Nothing says of an empty result where it comes from.
    CHECK(judged_sent(needs_launch(), [](std::size_t elements) { return elements == 0; }).verdict == Verdict::passed);
}

TEST_CASE("a task that asks for no launch takes results from wherever they are") {
    CHECK(judged_sent(one_launch(), [](std::size_t) { return true; }).verdict == Verdict::passed);
}

namespace {

/// What is judged of results that host code makes of what is copied to it: `pretends` says for how many elements it
/// doesn't look at that. A failure is one that spoiled copies bring about.
Result judged_spoiled(Manifest manifest, const std::function<bool(std::size_t elements)>& pretends,
                      Outcome spoiled = Outcome::returned, std::uint64_t copies = 1) {
    class HostCode : public ScriptedCaller {
    public:
        using ScriptedCaller::ScriptedCaller;
        CallResult check_call(const std::string& function, std::span<const Value> arguments,
                             std::span<const ValueType> results, const CheckLimits& limits) override {
            spoiled_copies = limits.spoiled_copies;
            return ScriptedCaller::check_call(function, arguments, results, limits);
        }
        bool spoiled_copies = false;
    };
    const auto right = [copies](std::span<const Value> arguments) {
        CallResult reply = with_launches(right_sum(arguments), 1);
        reply.counts.copies_to_host = copies;
        return reply;
    };
    HostCode caller([&](const std::string&, std::span<const Value> arguments) { return right(arguments); });
    caller.in_check_mode([&](const std::string&, std::span<const Value> arguments) {
        if (!caller.spoiled_copies || pretends(elements_of<float>(arguments[0]).size())) return right(arguments);
        if (spoiled != Outcome::returned) return failed(spoiled);
        CallResult reply = right(arguments);
        const std::vector<float> others(elements_of<float>(arguments[0]).size(), 1.5F);
        reply.results = {value_of(others, arguments[0].shape)};
        return reply;
    });
    manifest.functions[0].returns = {{protocol::Place::host_vector, protocol::Type::float32}};
    return judged(manifest, caller, AddCheck());
}

Manifest computed_by_host_code() {
    Manifest manifest = needs_launch();
    manifest.tasks[0].not_replayed = {"results that host code computes"};
    return manifest;
}

}  // namespace

TEST_CASE("a result of host code that is the same when copies bring other numbers isn't a kernel's") {
    const Result result = judged_spoiled(computed_by_host_code(), [](std::size_t) { return true; });
    CHECK(result.verdict == Verdict::not_as_asked);
    CHECK(result.points() == 0);
    std::string said;
    for (const CaseResult& one : result.tasks[0].cases) said += one.message;
    CHECK(said.find("it is the same when the copies to the host bring other numbers") != std::string::npos);
}

TEST_CASE("a result of host code that follows what was copied passes, whatever becomes of it") {
    const auto honest = [](std::size_t) { return false; };
    for (const Outcome spoiled : {Outcome::returned, Outcome::crashed, Outcome::timed_out, Outcome::exception})
        CHECK(judged_spoiled(computed_by_host_code(), honest, spoiled).verdict == Verdict::passed);
    // The same by chance, once; and a task that asks for no launch, or whose results the replay can tell.
    CHECK(judged_spoiled(computed_by_host_code(), [](std::size_t elements) { return elements == 5003; }).verdict ==
          Verdict::passed);
    const auto all = [](std::size_t) { return true; };
    CHECK(judged_spoiled(needs_launch(), all).verdict == Verdict::passed);
    CHECK(judged_spoiled(computed_by_host_code(), all, Outcome::returned, 0).verdict == Verdict::passed);
}

TEST_CASE("a required kernel without which the result is the same was launched for the count alone") {
    Manifest manifest = sample_manifest();
    manifest.tasks[0].kernels.push_back({.name = "add", .file = ""});
    const auto zeros = [](std::span<const Value> arguments) {
        return returned({value_of(std::vector<float>(elements_of<float>(arguments[0]).size()), arguments[0].shape)});
    };
    std::set<std::string> left_out;
    const auto judged_where = [&](const std::function<bool(std::size_t elements)>& is_idle) {
        RecordedCaller caller([](std::span<const Value> arguments) { return with_launches(right_sum(arguments), 1); });
        caller.without = [&](const std::string& kernel, std::span<const Value> arguments) {
            left_out.insert(kernel);
            return is_idle(elements_of<float>(arguments[0]).size()) ? right_sum(arguments) : zeros(arguments);
        };
        return judged_in_class(manifest, caller, AddCheck());
    };
    const Result idle = judged_where([](std::size_t) { return true; });
    CHECK(idle.verdict == Verdict::not_as_asked);
    CHECK(idle.points() == 0);
    std::string said;
    for (const CaseResult& one : idle.tasks[0].cases) said += one.message;
    CHECK(said.find("it is the same when that isn't launched") != std::string::npos);
    CHECK(left_out == std::set<std::string>{"add"});
    CHECK(judged_where([](std::size_t) { return false; }).verdict == Verdict::passed);
    CHECK(judged_where([](std::size_t elements) { return elements == 5003; }).verdict == Verdict::passed);
}
