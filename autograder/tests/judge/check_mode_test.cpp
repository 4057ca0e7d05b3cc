// SPDX-License-Identifier: MIT
// The second run of a verdict: which cases are called in check mode, and what comes of what is found there.
#include "judge/check_mode.hpp"

#include <doctest/doctest.h>

#include "judge/checks.hpp"
#include "support/limits.hpp"

using namespace course;
using namespace course::testing;

namespace {

CallResult right_sum(std::span<const Value> arguments) {
    return returned({value_of(sum_of(arguments), arguments[0].shape)});
}

Finding a_race(std::string what = "sum.cu:7: missing barrier") {
    return {.kind = FindingKind::missing_barrier,
            .kernel = "sum",
            .file = "sum.cu",
            .line = 7,
            .variable = "part",
            .what = std::move(what),
            .who = "threads (0,0,0) and (32,0,0)",
            .advice = "write __syncthreads()"};
}

CallResult with(CallResult reply, std::vector<Finding> findings, std::uint64_t more = 0) {
    reply.check.emplace();
    reply.check->findings = std::move(findings);
    reply.check->more_findings = more;
    reply.check->kernels.push_back(
        {.name = "add", .file = "", .launches = 1, .blocks = 1, .threads = 1, .work = {}, .lines = {}});
    return reply;
}

std::int64_t size_of(std::span<const Value> arguments) { return arguments[0].shape[0]; }

/// A caller whose answers are right in the usual run; `check` answers in check mode.
ScriptedCaller right_caller(const ScriptedCaller::Answer& check) {
    ScriptedCaller caller([](const std::string&, std::span<const Value> arguments) { return right_sum(arguments); });
    caller.in_check_mode(check);
    return caller;
}

}  // namespace

TEST_CASE("right values and clean kernels pass, and the verdict says what was checked") {
    ScriptedCaller caller = right_caller(
        [](const std::string&, std::span<const Value> arguments) { return with(right_sum(arguments), {}); });
    const Result result = judged(sample_manifest(), caller, AddCheck());
    CHECK(result.verdict == Verdict::passed);
    CHECK(result.points() == 2);
    REQUIRE(result.tasks[0].check);
    CHECK(result.tasks[0].check->cases == 9);  // 100003 elements are too many
    CHECK(result.tasks[0].check->largest == "n = 5003");
    CHECK(caller.checked_calls == 9);
}

TEST_CASE("cases that run no kernel aren't counted as checked") {
    ScriptedCaller caller([](const std::string&, std::span<const Value> arguments) { return right_sum(arguments); });
    const Result result = judged(sample_manifest(), caller, AddCheck());
    CHECK(result.verdict == Verdict::passed);
    CHECK(caller.checked_calls == 9);
    CHECK(result.tasks[0].check->cases == 0);
}

TEST_CASE("right values from a kernel with a race are wrong all the same") {
    ScriptedCaller caller = right_caller([](const std::string&, std::span<const Value> arguments) {
        return with(right_sum(arguments), size_of(arguments) < 33 ? std::vector<Finding>{} : std::vector{a_race()});
    });
    const Result result = judged(sample_manifest({"first", "second"}), caller, AddCheck());
    CHECK(result.verdict == Verdict::wrong);
    CHECK(result.points() == 0);
    const TaskResult& task = result.tasks[0];
    CHECK(task.verdict == Verdict::wrong);
    REQUIRE(task.check);
    REQUIRE(task.check->found.size() == 1);
    CHECK(task.check->found[0].case_name == "n = 33");
    CHECK(task.check->found[0].finding.what == "sum.cu:7: missing barrier");
    CHECK(task.cases[4].name == "n = 33");
    CHECK(task.cases[4].verdict == Verdict::wrong);
    CHECK(task.cases[3].verdict == Verdict::passed);
    CHECK(caller.checked_calls == 2 * 5);  // the smallest case tells most; the others aren't run
}

TEST_CASE("a wrong answer is searched for its cause where the student looks: in the case that is shown") {
    ScriptedCaller caller([](const std::string&, std::span<const Value> arguments) {
        return returned({value_of(std::vector<float>(sum_of(arguments).size()), arguments[0].shape)});
    });
    std::vector<std::int64_t> checked;
    caller.in_check_mode([&](const std::string&, std::span<const Value> arguments) {
        checked.push_back(size_of(arguments));
        return with(right_sum(arguments), {});
    });
    const Result result = judged(sample_manifest(), caller, AddCheck());
    REQUIRE(checked.size() == 3);
    CHECK(telling_case(result.tasks[0])->name == "n = 31");
    CHECK(checked[0] == 31);
    CHECK(checked[1] == 1);
}

TEST_CASE("a wrong answer is searched for its cause, in its smallest failed case first") {
    ScriptedCaller caller([](const std::string&, std::span<const Value> arguments) {
        CallResult reply = right_sum(arguments);
        if (size_of(arguments) > 255) reply.results[0].bytes[0] ^= std::byte{0x40};
        return reply;
    });
    std::vector<std::int64_t> checked;
    caller.in_check_mode([&](const std::string&, std::span<const Value> arguments) {
        checked.push_back(size_of(arguments));
        return with(right_sum(arguments), size_of(arguments) > 256 ? std::vector{a_race()} : std::vector<Finding>{});
    });
    const Result result = judged(sample_manifest(), caller, AddCheck());
    CHECK(result.verdict == Verdict::wrong);
    CHECK(checked == std::vector<std::int64_t>{256, 257});  // clean there, so on to the next that failed
    CHECK(result.tasks[0].check->found.at(0).case_name == "n = 257");
    CHECK(result.tasks[0].cases[6].difference);
}

TEST_CASE("what check mode doesn't find makes nothing better") {
    ScriptedCaller caller([](const std::string&, std::span<const Value> arguments) {
        return returned({value_of(std::vector<float>(sum_of(arguments).size()), arguments[0].shape)});
    });
    caller.in_check_mode(  // there, all is well
        [](const std::string&, std::span<const Value> arguments) { return with(right_sum(arguments), {}); });
    const Result result = judged(sample_manifest(), caller, AddCheck());
    CHECK(result.verdict == Verdict::wrong);
    CHECK(result.points() == 0);
    CHECK(caller.checked_calls == 3);
    CHECK(result.tasks[0].check->found.empty());
    CHECK(result.tasks[0].cases[1].verdict == Verdict::wrong);
}

TEST_CASE("a crash keeps its verdict and gets its cause") {
    ScriptedCaller caller([](const std::string&, std::span<const Value> arguments) {
        if (size_of(arguments) == 1) return failed(Outcome::kernel_fault, "reads just past the end of x");
        return right_sum(arguments);
    });
    caller.in_check_mode([](const std::string&, std::span<const Value> arguments) {
        CHECK(size_of(arguments) == 1);
        return with(failed(Outcome::exception, "x"), {a_race()});  // whatever else happens there
    });
    const Result result = judged(sample_manifest(), caller, AddCheck());
    CHECK(result.verdict == Verdict::crashed);
    CHECK(result.tasks[0].cases[1].message == "reads just past the end of x");
    CHECK(result.tasks[0].check->found.at(0).case_name == "n = 1");
}

TEST_CASE("where only a large case fails, the largest small one is searched") {
    ScriptedCaller caller([](const std::string&, std::span<const Value> arguments) {
        CallResult reply = right_sum(arguments);
        if (size_of(arguments) == 100'003) reply.results[0].bytes[0] ^= std::byte{0x40};
        return reply;
    });
    caller.in_check_mode([](const std::string&, std::span<const Value> arguments) {
        CHECK(size_of(arguments) == 5003);
        return with(right_sum(arguments), {a_race()});
    });
    const Result result = judged(sample_manifest(), caller, AddCheck());
    CHECK(result.verdict == Verdict::wrong);
    CHECK(result.tasks[0].check->found.size() == 1);
    CHECK(caller.checked_calls == 1);
}

TEST_CASE("a copy to the host that nobody waits for is a mistake, whether the values came in time or not") {
    for (const bool in_time : {true, false}) {
        ScriptedCaller caller([&](const std::string&, std::span<const Value> arguments) {
            CallResult reply = right_sum(arguments);
            if (!in_time && size_of(arguments) == 257) reply.results[0].bytes[0] ^= std::byte{0x40};
            return reply;
        });
        caller.in_check_mode([](const std::string&, std::span<const Value> arguments) {
            CallResult reply = with(right_sum(arguments), {});
            reply.counts.copies_not_awaited = 2;
            return reply;
        });
        Manifest manifest = sample_manifest();
        manifest.tasks[0].budgets = {{.counter = "copies_not_awaited", .at_most = Limit{.plus = 0}}};
        const Result result = judged(manifest, caller, AddCheck());
        CHECK(result.verdict == Verdict::wrong);
        CHECK(result.tasks[0].message.starts_with("copies_not_awaited: 2 counted, at most 0 ("));
        CHECK(result.tasks[0].message.find("may still be on its way when the function returns") != std::string::npos);
        CHECK(result.points() == 0);
    }
}

TEST_CASE("values that are wrong in check mode alone are wrong") {
    ScriptedCaller caller = right_caller([](const std::string&, std::span<const Value> arguments) {
        std::vector<float> sum = sum_of(arguments);
        if (sum.size() == 257) sum[256] += 1;
        return with(returned({value_of(sum, arguments[0].shape)}), {});
    });
    const Result result = judged(sample_manifest(), caller, AddCheck());
    CHECK(result.verdict == Verdict::wrong);
    const CaseResult& one = result.tasks[0].cases.at(7);
    CHECK(one.message.starts_with("right in the usual run, and wrong in check mode"));
    REQUIRE(one.difference);
    CHECK(one.difference->where == "result[256]");
    CHECK(result.points() == 0);
}

TEST_CASE("a call that ends otherwise in check mode has that verdict") {
    const std::pair<Outcome, Verdict> rows[] = {{Outcome::crashed, Verdict::crashed},
                                                {Outcome::exited, Verdict::crashed},
                                                {Outcome::bad_reply, Verdict::crashed},
                                                {Outcome::exception, Verdict::crashed},
                                                {Outcome::kernel_does_not_compile, Verdict::does_not_compile},
                                                {Outcome::no_check, Verdict::crashed}};
    for (const auto& [outcome, verdict] : rows) {
        ScriptedCaller caller = right_caller(
            [outcome = outcome](const std::string&, std::span<const Value>) { return failed(outcome, "so it said"); });
        const Result result = judged(sample_manifest({"first", "second"}), caller, AddCheck());
        CHECK(result.verdict == verdict);
        CHECK(result.points() == 0);
        CHECK(result.tasks[0].cases[0].message == "in check mode: so it said");
        CHECK(caller.checked_calls == 2);
    }
}

TEST_CASE("a runner that can't be started for check mode is the machine's fault") {
    ScriptedCaller caller = right_caller([](const std::string&, std::span<const Value>) -> CallResult {
        throw std::runtime_error("cannot start course-runner");
    });
    const Result result = judged(sample_manifest(), caller, AddCheck());
    CHECK(result.verdict == Verdict::environment);
    CHECK(result.message == "cannot start course-runner");
}

TEST_CASE("a right answer that check mode can't finish hasn't passed: a loop may be endless there alone") {
    const Finding endless{.kind = FindingKind::endless_loop,
                          .kernel = "sum",
                          .file = "",
                          .variable = "",
                          .what = "",
                          .who = "",
                          .advice = ""};
    for (const bool found : {false, true}) {
        ScriptedCaller caller = right_caller([&](const std::string&, std::span<const Value> arguments) {
            if (size_of(arguments) < 257) return with(right_sum(arguments), {});
            if (found) return with(right_sum(arguments), {endless});
            return failed(Outcome::timed_out, "no answer within 30 s");
        });
        const Result result = judged(sample_manifest(), caller, AddCheck());
        CHECK(result.verdict == Verdict::timed_out);
        CHECK(result.points() == 0);
        CHECK(result.tasks[0].check->found.empty());
        const CaseResult& one = result.tasks[0].cases.at(7);
        CHECK(one.name == "n = 257");
        CHECK(one.verdict == Verdict::timed_out);
        CHECK(one.message.starts_with("right in the usual run, but check mode, which watches each access, could not "));
        CHECK(result.tasks[0].check->note == "n = 257 and larger cases take too much time or memory for check mode");
        CHECK(caller.checked_calls == 8);
    }
}

TEST_CASE("an answer that takes too much memory in check mode hasn't passed, and one over its budget is that") {
    ScriptedCaller caller = right_caller([](const std::string&, std::span<const Value> arguments) {
        if (size_of(arguments) < 257) return with(right_sum(arguments), {});
        return failed(Outcome::out_of_memory);
    });
    CHECK(judged(sample_manifest(), caller, AddCheck()).verdict == Verdict::out_of_memory);
    caller.in_check_mode([](const std::string&, std::span<const Value> arguments) {
        if (size_of(arguments) >= 257) return failed(Outcome::timed_out);
        CallResult reply = with(right_sum(arguments), {});
        reply.counts.launches = 2;
        return reply;
    });
    Manifest manifest = sample_manifest();
    manifest.tasks[0].budgets = {{.counter = "launches", .at_least = {}, .at_most = Limit{.plus = 1}}};
    const Result result = judged(manifest, caller, AddCheck());
    CHECK(result.verdict == Verdict::over_budget);   // which tells more
    CHECK(result.points() == 0);
}

TEST_CASE("an endless loop that made the usual run time out is named") {
    ScriptedCaller caller([](const std::string&, std::span<const Value>) { return failed(Outcome::timed_out); });
    caller.in_check_mode([](const std::string&, std::span<const Value> arguments) {
        Finding finding = a_race("sum.cu:9: endless loop");
        finding.kind = FindingKind::endless_loop;
        return with(right_sum(arguments), {finding});
    });
    const Result result = judged(sample_manifest(), caller, AddCheck());
    CHECK(result.verdict == Verdict::timed_out);
    CHECK(result.tasks[0].check->found.size() == 1);
}

TEST_CASE("a GPU that hangs where the host backend refuses to go on gives the same verdict as that") {
    ScriptedCaller caller([](const std::string&, std::span<const Value>) { return failed(Outcome::timed_out); });
    for (const auto& [kind, verdict] : {std::pair{FindingKind::divergent_barrier, Verdict::crashed},
                                        {FindingKind::deadlock, Verdict::crashed},
                                        {FindingKind::missing_barrier, Verdict::timed_out}}) {
        caller.in_check_mode([&](const std::string&, std::span<const Value> arguments) {
            Finding finding = a_race();
            finding.kind = kind;
            return with(right_sum(arguments), {finding});
        });
        CHECK(judged(sample_manifest(), caller, AddCheck(), {.on_gpu = true}).verdict == verdict);
    }
}

TEST_CASE("values from a GPU that are right are checked on the host all the same") {
    const auto answer = [](const std::string&, std::span<const Value> arguments) {
        return with(right_sum(arguments), {a_race()});
    };
    ScriptedCaller caller = right_caller(answer);
    const Result on_gpu = judged(sample_manifest(), caller, AddCheck(), {.on_gpu = true});
    CHECK(on_gpu.verdict == Verdict::wrong);
    REQUIRE(on_gpu.tasks[0].check);
    CHECK(on_gpu.tasks[0].check->found.size() == 1);
    const Result on_host = judged(sample_manifest(), caller, AddCheck());
    CHECK(on_host.verdict == on_gpu.verdict);
    CHECK(on_host.tasks[0].check->found[0].case_name == on_gpu.tasks[0].check->found[0].case_name);
}

TEST_CASE("budgets are judged by what check mode counts, wherever the values come from") {
    for (const bool on_gpu : {false, true}) {
        for (const std::uint64_t launches : {1, 2}) {
            ScriptedCaller caller([](const std::string&, std::span<const Value> arguments) {
                CallResult reply = right_sum(arguments);
                reply.counts.launches = size_of(arguments) > 2000 ? 1 : 5;  // those of large cases alone are judged
                return reply;
            });
            caller.in_check_mode([&](const std::string&, std::span<const Value> arguments) {
                CallResult reply = with(right_sum(arguments), {});
                reply.counts.launches = launches;
                reply.counts.atomics = 3;
                return reply;
            });
            Manifest manifest = sample_manifest();
            manifest.tasks[0].budgets = {test::at_most("launches", {.plus = 1}), test::at_most("atomics", {.plus = 3})};
            const Result result = judged(manifest, caller, AddCheck(), {.on_gpu = on_gpu});
            const TaskResult& task = result.tasks[0];
            REQUIRE(task.budgets.size() == 2);
            CHECK(task.budgets[0].counted == static_cast<double>(launches));
            CHECK(task.budgets[1].counted == 3);
            CHECK(result.verdict == (launches == 1 ? Verdict::passed : Verdict::over_budget));
            CHECK(result.points() == (launches == 1 ? 2 : 0));
            CHECK(task.message.empty() == (launches == 1));
            if (launches == 2)
                CHECK(task.message.starts_with("launches: 2 counted, at most 1 (n = 31)\none expression"));
        }
    }
}

TEST_CASE("what an answer lacks is reported beside the mistake that made it wrong") {
    ScriptedCaller caller = right_caller([](const std::string&, std::span<const Value> arguments) {
        return with(right_sum(arguments), size_of(arguments) > 0 ? std::vector{a_race()} : std::vector<Finding>{});
    });
    Manifest manifest = sample_manifest();
    manifest.tasks[0].budgets = {test::exactly("launches", {.plus = 1}), test::at_most("allocations", {.plus = 0}),
                                 test::at_least("global_reads", {.each = 2})};
    const Result result = judged(manifest, caller, AddCheck());
    CHECK(result.verdict == Verdict::wrong);
    CHECK(result.tasks[0].check->found.size() == 1);
    CHECK(result.tasks[0].message ==
          "launches: 0 counted, exactly 1 (n = 31)\n"
          "compute on the device: an expression of gpu arrays becomes a kernel, and so does a gpu::RawKernel");
}

TEST_CASE("a kernel that leaves its arrays has crashed, also where a device let it run on") {
    Finding outside = a_race("sum.cu:7: out of bounds");
    outside.kind = FindingKind::out_of_bounds;
    const auto check = [&](const std::string&, std::span<const Value> arguments) {
        return with(right_sum(arguments), size_of(arguments) < 33 ? std::vector<Finding>{} : std::vector{outside});
    };
    ScriptedCaller right = right_caller(check);
    CHECK(judged(sample_manifest(), right, AddCheck(), {.on_gpu = true}).verdict == Verdict::crashed);
    ScriptedCaller wrong([](const std::string&, std::span<const Value> arguments) {
        CallResult reply = right_sum(arguments);
        if (size_of(arguments) > 31) reply.results[0].bytes[0] ^= std::byte{0x40};
        return reply;
    });
    wrong.in_check_mode(check);
    const Result result = judged(sample_manifest(), wrong, AddCheck(), {.on_gpu = true});
    CHECK(result.verdict == Verdict::crashed);
    CHECK(result.tasks[0].verdict == Verdict::crashed);
    CHECK(result.tasks[0].cases[3].verdict == Verdict::wrong);  // n = 32, where nothing is found
    CHECK(result.tasks[0].cases[4].verdict == Verdict::crashed);
    CHECK(result.tasks[0].cases[4].difference);
    CHECK(result.points() == 0);
}

TEST_CASE("nothing runs in check mode for an exercise that wants none, nor without a verdict to check") {
    const auto answer = [](const std::string&, std::span<const Value> arguments) {
        return with(right_sum(arguments), {a_race()});
    };
    ScriptedCaller caller = right_caller(answer);
    Manifest manifest = sample_manifest();
    manifest.check_elements = 0;
    Result result = judged(manifest, caller, AddCheck());
    CHECK(result.verdict == Verdict::passed);
    CHECK_FALSE(result.tasks[0].check);
    CHECK(caller.checked_calls == 0);
    ScriptedCaller broken([](const std::string&, auto) { return failed(Outcome::kernel_does_not_compile); });
    broken.in_check_mode(answer);
    CHECK(judged(sample_manifest(), broken, AddCheck()).verdict == Verdict::does_not_compile);
    CHECK(broken.checked_calls == 0);
}

TEST_CASE("an exercise says how large a checked case may be") {
    ScriptedCaller caller = right_caller(
        [](const std::string&, std::span<const Value> arguments) { return with(right_sum(arguments), {}); });
    Manifest manifest = sample_manifest();
    manifest.check_elements = 3 * 33;  // two arguments and a result
    CHECK(judged(manifest, caller, AddCheck()).tasks[0].check->largest == "n = 33");
}

namespace {

/// 40 cases of add, and 3 of split, which has two results.
struct ManyCases {
    void operator()(OpenCheck& use) const {
        for (int n = 40; n > 0; --n) {
            auto x = use.draw.uniform(n), y = use.draw.uniform(n);
            use.call("add", x, y).returns(x + y, ulps(1));
        }
        for (int n : {2, 4, 6}) {
            auto x = use.draw.uniform(n);
            Vector<float> even(n / 2), odd(n / 2);
            for (int k = 0; k < n / 2; ++k) even[k] = x[2 * k], odd[k] = x[2 * k + 1];
            use.call("split", x).returns(even, odd);
        }
    }
};

CallResult many_cases_answer(const std::string& function, std::span<const Value> arguments) {
    if (function == "add") return right_sum(arguments);
    const std::vector<float> x = elements_of<float>(arguments[0]);
    std::vector<float> even, odd;
    for (std::size_t k = 0; k < x.size(); ++k) (k % 2 == 0 ? even : odd).push_back(x[k]);
    return returned({array(even), array(odd)});
}

}  // namespace

TEST_CASE("of many cases some are checked, spread over the sizes, of each function") {
    ScriptedCaller caller(many_cases_answer);
    std::vector<std::int64_t> adds, splits;
    caller.in_check_mode([&](const std::string& function, std::span<const Value> arguments) {
        (function == "add" ? adds : splits).push_back(size_of(arguments));
        return many_cases_answer(function, arguments);
    });
    CHECK(judged(sample_manifest(), caller, ManyCases()).verdict == Verdict::passed);
    CHECK(adds == std::vector<std::int64_t>{2, 5, 7, 10, 12, 15, 17, 20, 22, 25, 27, 30, 32, 35, 37, 40});
    CHECK(splits == std::vector<std::int64_t>{2, 4, 6});
}

TEST_CASE("the bounds of an expectation outlive the check") {
    Expected kept;
    {
        std::vector<double> want{1, 2, 3}, bound{0.1, 0.2, 0.3};
        const Expected expected{.shape = {3},
                                .at = [&](std::int64_t i) { return want[static_cast<std::size_t>(i)]; },
                                .bound = [&](std::int64_t i) { return bound[static_cast<std::size_t>(i)]; },
                                .absolute = 0.5,
                                .relative = 0.25};
        kept = keep(expected);
        want.assign(3, 0);
        bound.assign(3, 0);
    }
    CHECK(kept.shape == std::vector<std::int64_t>{3});
    CHECK(kept.at(2) == 3);
    CHECK(kept.bound(1) == 0.2);
    CHECK(kept.absolute == 0.5);
    CHECK(kept.relative == 0.25);
}

TEST_CASE("an unset value that a kernel read isn't an element that was never written") {
    const auto all_unset = [](std::span<const Value> arguments) {
        const std::vector<float> unset(sum_of(arguments).size(), unwritten_float());
        return returned({value_of(unset, arguments[0].shape)});
    };
    ScriptedCaller caller([&](const std::string&, std::span<const Value> arguments) { return all_unset(arguments); });
    FindingKind kind = FindingKind::uninitialized_read;
    gpu::Rule rule = gpu::Rule::host_only_queues;
    caller.in_check_mode([&](const std::string&, std::span<const Value> arguments) {
        Finding finding = a_race();
        finding.kind = kind;
        finding.rule = rule;
        return with(all_unset(arguments), {finding});
    });
    const auto shown = [&] {
        const Result result = judged(sample_manifest(), caller, AddCheck());
        return telling_case(result.tasks[0])->difference.value();
    };
    CHECK(shown().got == "NaN (from an unset value)");
    CHECK(shown().pattern == "from a value that was read before anything was written there");
    rule = gpu::Rule::shared_memory;   // a block's shared memory: the result's own element may well be untouched
    CHECK(shown().got == "NaN (never written)");
    rule = gpu::Rule::host_only_queues;
    kind = FindingKind::missing_barrier;
    CHECK(shown().got == "NaN (never written)");
}
