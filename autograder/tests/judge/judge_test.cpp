// SPDX-License-Identifier: MIT
#include <array>
#include <chrono>
#include <limits>
#include <thread>

#include <doctest/doctest.h>

#include "judge/checks.hpp"
#include "support/limits.hpp"

using namespace course;
using namespace course::testing;
using test::at_least, test::at_most, test::exactly;

namespace {

using Answer = std::function<std::vector<float>(std::span<const Value>)>;

Result judged_add(const Answer& answer, const Manifest& manifest = sample_manifest(),
                  const JudgeOptions& options = {}) {
    ScriptedCaller caller([&](const std::string&, std::span<const Value> arguments) {
        return returned({value_of(answer(arguments), arguments[0].shape)});
    });
    return judged(manifest, caller, AddCheck(), options);
}

const CaseResult& first_failed(const Result& result) {
    for (const CaseResult& one : result.tasks.at(0).cases)
        if (one.verdict != Verdict::passed) return one;
    FAIL("all cases passed");
    return result.tasks[0].cases[0];
}

// 11 bits of significand, as a half has; no subnormals or infinities among the samples.
float rounded_to_half(float value) {
    const float scale = value * 8193.F;  // Dekker's splitting: 2^13 + 1 leaves 24 - 13 bits
    return scale - (scale - value);
}

}  // namespace

TEST_CASE("a right answer passes every case and has all points") {
    const Result result = judged_add(sum_of);
    CHECK(result.verdict == Verdict::passed);
    CHECK(result.points() == 2);
    CHECK(result.max_points() == 2);
    CHECK(result.number == 99);
    CHECK(result.seed == 20240229);
    const TaskResult& task = result.tasks.at(0);
    REQUIRE(task.cases.size() == std::size(sizes::edges));
    CHECK(task.cases[0].name == "n = 0");
    CHECK(task.cases[7].name == "n = 257");
    CHECK(task.cases[7].function == "add");
    CHECK(task.cases[7].elements == 257);
    CHECK(task.cases[7].worst_error > 0);
    CHECK(task.cases[7].worst_error <= 1);
}

TEST_CASE("all zeros fail") {
    const Result result = judged_add([](auto arguments) { return std::vector<float>(sum_of(arguments).size()); });
    CHECK(result.verdict == Verdict::wrong);
    CHECK(result.points() == 0);
    CHECK(first_failed(result).difference->pattern == "zero");
    CHECK(result.tasks[0].cases[2].difference->pattern == "all zero");
    CHECK(result.tasks[0].cases[0].verdict == Verdict::passed);  // n = 0
}

TEST_CASE("NaN fails") {
    const Result result = judged_add([](auto arguments) {
        return std::vector<float>(sum_of(arguments).size(), std::numeric_limits<float>::quiet_NaN());
    });
    CHECK(result.verdict == Verdict::wrong);
    CHECK(first_failed(result).difference->got == "NaN");
}

TEST_CASE("a copy of an input fails") {
    const Result result = judged_add([](auto arguments) { return elements_of<float>(arguments[1]); });
    CHECK(result.verdict == Verdict::wrong);
    CHECK(result.tasks[0].cases[2].difference->pattern == "argument 2 returned unchanged");
}

TEST_CASE("a result rounded to half precision fails") {
    const Result result = judged_add([](auto arguments) {
        std::vector<float> sum = sum_of(arguments);
        for (float& value : sum) value = rounded_to_half(value);
        return sum;
    });
    CHECK(result.verdict == Verdict::wrong);
}

TEST_CASE("the previous call's result fails") {
    std::vector<float> previous;
    const Result result = judged_add([&](auto arguments) {
        std::vector<float> sum = sum_of(arguments), answer = previous;
        answer.resize(sum.size());
        previous = sum;
        return answer;
    });
    CHECK(result.verdict == Verdict::wrong);
}

TEST_CASE("one wrong element of 100003 fails") {
    const Result result = judged_add([&](auto arguments) {
        std::vector<float> sum = sum_of(arguments);
        if (sum.size() == 100'003) sum[77'777] += 1e-3F;
        return sum;
    });
    CHECK(result.verdict == Verdict::wrong);
    const CaseResult& one = first_failed(result);
    CHECK(one.name == "n = 100003");
    CHECK(one.difference->where == "result[77777]");
    CHECK(one.difference->wrong == 1);
    CHECK(one.difference->total == 100'003);
}

TEST_CASE("a missing guard's last block is named") {
    const Result result = judged_add([](auto arguments) {
        std::vector<float> sum = sum_of(arguments);
        for (std::size_t i = sum.size() / 256 * 256; i < sum.size(); ++i) sum[i] = unwritten_float();
        return sum;
    });
    const CaseResult& one = result.tasks.at(0).cases.at(8);
    CHECK(one.name == "n = 5003");
    CHECK(one.difference->where == "result[4864]");
    CHECK(one.difference->got == "NaN (never written)");
    CHECK(one.difference->pattern == "never written, all in the last block of 256");
}

TEST_CASE("where nothing was launched, that is the cause, and the kernels are compiled all the same") {
    ScriptedCaller caller([&](const std::string&, std::span<const Value> arguments) {
        const std::vector<float> unwritten(sum_of(arguments).size(), unwritten_float());
        return returned({value_of(unwritten, arguments[0].shape)});
    });
    Manifest manifest = sample_manifest();
    manifest.tasks[0].kernels = {{.name = "add", .file = "add.cu"}};
    JudgeOptions options;
    options.files_as_given = {"add.cpp"};
    options.kernel_texts = {{"add.cu", "__global__ void add("}};
    std::vector<std::string> compiled;
    const auto with_outcome = [&](Outcome outcome, const std::string& message) {
        caller.with_compiler([&compiled, outcome, message](const std::string& kernel, std::string_view text) {
            compiled.push_back(kernel + ": " + std::string(text));
            CallResult reply;
            reply.outcome = outcome;
            reply.message = message;
            return reply;
        });
        return first_failed(judged(manifest, caller, AddCheck(), options));
    };
    const CaseResult compiles = with_outcome(Outcome::returned, "");
    CHECK(compiles.difference->pattern == "never written: no kernel was launched, add.cpp is as given");
    CHECK(compiles.message == "");
    CHECK(compiled == std::vector<std::string>{"add.cu add: __global__ void add("});
    const CaseResult broken = with_outcome(Outcome::kernel_does_not_compile, "kernel add does not compile");
    CHECK(broken.message == "no kernel was launched, add.cpp is as given; and kernel add does not compile");
    // The text of a template says little without its arguments.
    options.kernel_texts["add.cu"] = "template <class T> __global__ void add(";
    CHECK(with_outcome(Outcome::kernel_does_not_compile, "no such kernel").message == "");
    CHECK(compiled.size() == 2);
}

TEST_CASE("a wrong shape is wrong, and says so") {
    ScriptedCaller caller([](const std::string&, std::span<const Value> arguments) {
        std::vector<float> sum = sum_of(arguments);
        sum.push_back(0);
        return returned({array(sum)});
    });
    const Result result = judged(sample_manifest(), caller, AddCheck());
    CHECK(result.verdict == Verdict::wrong);
    CHECK(result.tasks[0].cases[0].message == "result has shape (1), want (0): one element too many");
}

TEST_CASE("a crash ends its task, and the next task is judged all the same") {
    int call = 0;
    ScriptedCaller caller([&](const std::string&, std::span<const Value> arguments) {
        if (++call == 2) return failed(Outcome::crashed, "the program crashed (segmentation fault)");
        return returned({value_of(sum_of(arguments), arguments[0].shape)});
    });
    const Result result = judged(sample_manifest({"first", "second"}), caller, AddCheck());
    REQUIRE(result.tasks.size() == 2);
    CHECK(result.tasks[0].verdict == Verdict::crashed);
    CHECK(result.tasks[0].cases.size() == 2);
    CHECK(result.tasks[0].cases[1].name == "n = 1");
    CHECK(result.tasks[0].cases[1].message == "the program crashed (segmentation fault)");
    CHECK(result.tasks[1].verdict == Verdict::passed);
    CHECK(result.verdict == Verdict::crashed);
    CHECK(result.points() == 2);
    CHECK(result.max_points() == 4);
}

TEST_CASE("each way that a call can end has its verdict") {
    const std::pair<Outcome, Verdict> rows[] = {{Outcome::kernel_does_not_compile, Verdict::does_not_compile},
                                                {Outcome::kernel_fault, Verdict::crashed},
                                                {Outcome::exception, Verdict::crashed},
                                                {Outcome::missing_function, Verdict::does_not_compile},
                                                {Outcome::bad_reply, Verdict::crashed},
                                                {Outcome::crashed, Verdict::crashed},
                                                {Outcome::exited, Verdict::crashed},
                                                {Outcome::timed_out, Verdict::timed_out},
                                                {Outcome::out_of_memory, Verdict::out_of_memory},
                                                {Outcome::no_device, Verdict::environment},
                                                {Outcome::cannot_load, Verdict::does_not_compile}};
    for (const auto& [outcome, verdict] : rows) {
        ScriptedCaller caller([outcome = outcome](const std::string&, auto) { return failed(outcome); });
        const Result result = judged(sample_manifest(), caller, AddCheck());
        CHECK(result.verdict == verdict);
        CHECK(result.points() == 0);
        CHECK_FALSE(result.tasks[0].cases.at(0).message.empty());
        CHECK((caller.calls == 1) == (outcome != Outcome::exception));
    }
}

TEST_CASE("after an exception the other cases are still tried") {
    ScriptedCaller caller([](const std::string&, std::span<const Value> arguments) {
        if (arguments[0].shape[0] == 0) return failed(Outcome::exception, "gpu::LaunchError: a grid of 0 blocks");
        return returned({value_of(sum_of(arguments), arguments[0].shape)});
    });
    const Result result = judged(sample_manifest(), caller, AddCheck());
    CHECK(result.verdict == Verdict::crashed);
    CHECK(result.tasks[0].cases.size() == std::size(sizes::edges));
    CHECK(result.tasks[0].cases[0].message == "gpu::LaunchError: a grid of 0 blocks");
    CHECK(result.tasks[0].cases[1].verdict == Verdict::passed);
}

TEST_CASE("a machine without the device is the environment's fault, for all tasks") {
    ScriptedCaller caller([](const std::string&, auto) { return failed(Outcome::no_device, "no CUDA device"); });
    const Result result = judged(sample_manifest({"first", "second"}), caller, AddCheck());
    CHECK(result.verdict == Verdict::environment);
    CHECK(result.message == "no CUDA device");
    CHECK(caller.calls == 1);
    CHECK(result.tasks.at(1).verdict == Verdict::environment);
    CHECK(exit_code(result.verdict) == 4);
}

TEST_CASE("a machine that can't start the runner is not the check's fault") {
    ScriptedCaller caller([](const std::string&, auto) -> CallResult {
        throw std::runtime_error("cannot start course-runner: no such file");
    });
    const Result result = judged(sample_manifest({"first", "second"}), caller, AddCheck());
    CHECK(result.verdict == Verdict::environment);
    CHECK(result.message == "cannot start course-runner: no such file");
    CHECK(caller.calls == 1);
}

TEST_CASE("a reply with too few results is a bad one") {
    ScriptedCaller caller([](const std::string&, auto) { return returned({}); });
    const Result result = judged(sample_manifest(), caller, AddCheck());
    CHECK(result.verdict == Verdict::crashed);
    CHECK(result.tasks[0].cases.at(0).message == "0 results came back, 1 expected");
}

TEST_CASE("a function that changes its input is wrong even if its result is right") {
    ScriptedCaller caller([](const std::string&, std::span<const Value> arguments) {
        CallResult reply = returned({value_of(sum_of(arguments), arguments[0].shape)});
        std::vector<float> x = elements_of<float>(arguments[0]);
        if (!x.empty()) x[0] = 7;
        reply.inputs_after = {value_of(x, arguments[0].shape), arguments[1]};
        return reply;
    });
    const Result result = judged(sample_manifest(), caller, AddCheck());
    CHECK(result.verdict == Verdict::wrong);
    const std::string head = "the function changed its input: argument 1, 1 of 1 elements; [0] was ";
    CHECK(first_failed(result).message.starts_with(head));
    CHECK_FALSE(first_failed(result).difference);
}

TEST_CASE("inputs that don't come back are not taken for unchanged ones") {
    ScriptedCaller caller([](const std::string&, std::span<const Value> arguments) {
        CallResult reply = returned({value_of(sum_of(arguments), arguments[0].shape)});
        reply.inputs_after = {Value{}, arguments[1]};
        return reply;
    });
    const Result result = judged(sample_manifest(), caller, AddCheck());
    CHECK(result.verdict == Verdict::wrong);
    CHECK(first_failed(result).message == "argument 1 came back as a result: the function must not change it");
}

TEST_CASE("an answer over its budget of counted work is over budget and has no points") {
    Manifest manifest = sample_manifest();
    manifest.tasks[0].budgets = {at_most("copies_to_device", {.plus = 2}), at_most("launches", {.plus = 1})};
    ScriptedCaller caller([](const std::string&, std::span<const Value> arguments) {
        CallResult reply = returned({value_of(sum_of(arguments), arguments[0].shape)});
        reply.counts.copies_to_device = arguments[0].shape[0] == 257 ? 3 : 2;
        reply.counts.launches = 2;
        return reply;
    });
    const Result result = judged(manifest, caller, AddCheck());
    CHECK(result.verdict == Verdict::over_budget);
    CHECK(result.points() == 0);
    CHECK(
        result.tasks[0].message ==
        "copies_to_device: 3 counted, at most 2 (n = 257)\ncopy once and keep the gpu::Array; what an expression, "
        "gpu::arange or gpu::zeros can make there needs no copy\n"
        "launches: 2 counted, at most 1 (n = 31)\none expression, or one kernel with its grid, is one launch over all "
        "elements: not one for each part, nor each element");
    CHECK(result.tasks[0].budgets.at(0).counted == 3);
}

TEST_CASE("an answer below a floor is not as asked, which is worse than over budget") {
    Manifest manifest = sample_manifest();
    manifest.tasks[0].budgets = {at_most("copies_to_device", {.plus = 2}), exactly("launches", {.plus = 1})};
    ScriptedCaller caller([](const std::string&, std::span<const Value> arguments) {
        CallResult reply = returned({value_of(sum_of(arguments), arguments[0].shape)});
        reply.counts.copies_to_device = 3;
        return reply;
    });
    const Result result = judged(manifest, caller, AddCheck());
    CHECK(result.verdict == Verdict::not_as_asked);
    CHECK(exit_code(result.verdict) == 1);
    CHECK(result.points() == 0);
    CHECK(result.tasks[0].message.find("launches: 0 counted, exactly 1 (n = 31)\ncompute on the device") !=
          std::string::npos);
    manifest.tasks[0].budgets[0] = at_least("copies_to_device", {.plus = 4});   // that nothing ran comes first
    CHECK(judged(manifest, caller, AddCheck()).tasks[0].message.starts_with("launches: 0 counted"));
    CHECK(result.tasks[0].cases.at(0).empty);  // n = 0
    CHECK_FALSE(result.tasks[0].cases.at(1).empty);
    CHECK(result.tasks[0].cases[1].arguments == std::vector<double>{1, 1});
}

TEST_CASE("a limit that grows with an argument that isn't there is the kit's fault") {
    Manifest manifest = sample_manifest();
    manifest.tasks[0].budgets = {at_least("launches", {.each = 1, .of = 3})};
    ScriptedCaller caller([](const std::string&, std::span<const Value> arguments) {
        return returned({value_of(sum_of(arguments), arguments[0].shape)});
    });
    const Result result = judged(manifest, caller, AddCheck());
    CHECK(result.verdict == Verdict::environment);
    CHECK(result.message.find("grows with argument 3, and the call has 2") != std::string::npos);
    manifest.tasks[0].budgets = {at_least("global_reads", {.each = 1, .of = 3})};  // the same in check mode
    CHECK(judged(manifest, caller, AddCheck()).verdict == Verdict::environment);
}

TEST_CASE("a wrong answer is wrong, not over budget") {
    Manifest manifest = sample_manifest();
    manifest.tasks[0].budgets = {at_most("launches", {.plus = 0})};
    ScriptedCaller caller([](const std::string&, std::span<const Value> arguments) {
        CallResult reply = returned({value_of(std::vector<float>(sum_of(arguments).size()), arguments[0].shape)});
        reply.counts.launches = 1;
        return reply;
    });
    const Result result = judged(manifest, caller, AddCheck());
    CHECK(result.verdict == Verdict::wrong);
    CHECK_FALSE(result.tasks[0].budgets.at(0).kept());
}

TEST_CASE("of the cases that fail, one without infinities is shown") {
    const auto check = [](OpenCheck& use) {
        for (const bool plain : {false, true}) {
            auto x = use.draw.uniform(33);
            if (!plain) x[7] = std::numeric_limits<float>::infinity();
            use.next_case(plain ? "plain" : "infinities");
            use.call("add", x, x).returns(x.cast<double>() + x.cast<double>(), ulps(1));
        }
    };
    ScriptedCaller caller([](const std::string&, std::span<const Value> arguments) {
        return returned({value_of(std::vector<float>(33), arguments[0].shape)});
    });
    const Result result = judged(sample_manifest(), caller, check);
    CHECK(telling_case(result.tasks[0])->name == "plain");
    CHECK(result.tasks[0].cases.at(0).has_nonfinite);
}

TEST_CASE("the same seed draws the same inputs, another seed others, no seed secret ones") {
    const auto inputs = [](std::optional<std::uint64_t> seed) {
        std::vector<float> drawn;
        ScriptedCaller caller([&](const std::string&, std::span<const Value> arguments) {
            for (float value : elements_of<float>(arguments[0])) drawn.push_back(value);
            return returned({value_of(sum_of(arguments), arguments[0].shape)});
        });
        const Manifest manifest = sample_manifest();
        const CheckRegistration* const none = nullptr;
        CheckRegistration one("sample", "add", [](CheckHost& host) {
            OpenCheck use(host);
            AddCheck()(use);
        });
        one.next = none;
        const Result result = judge(manifest, CheckPlugin(&one, manifest), caller, {.seed = seed});
        CHECK(result.verdict == Verdict::passed);
        if (seed) CHECK(result.seed == *seed);
        return drawn;
    };
    CHECK(inputs(1) == inputs(1));
    CHECK(inputs(1) != inputs(2));
    CHECK(inputs({}) != inputs({}));
}

TEST_CASE("tasks draw different inputs from one seed") {
    std::vector<float> first;
    ScriptedCaller caller([&](const std::string&, std::span<const Value> arguments) {
        if (arguments[0].shape[0] == 33) first.push_back(elements_of<float>(arguments[0])[0]);
        return returned({value_of(sum_of(arguments), arguments[0].shape)});
    });
    caller.in_check_mode([](const std::string&, std::span<const Value> arguments) {
        return returned({value_of(sum_of(arguments), arguments[0].shape)});
    });
    CHECK(judged(sample_manifest({"one", "two"}), caller, AddCheck()).verdict == Verdict::passed);
    REQUIRE(first.size() == 2);
    CHECK(first[0] != first[1]);
}

TEST_CASE("a judgement that takes too long ends as timed out") {
    ScriptedCaller caller([](const std::string&, std::span<const Value> arguments) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        return returned({value_of(sum_of(arguments), arguments[0].shape)});
    });
    const Result result = judged(sample_manifest({"one", "two"}), caller, AddCheck(), {.seconds = 0.03});
    CHECK(result.verdict == Verdict::timed_out);
    CHECK(result.tasks.at(1).message == "not finished: all tasks together may take 0.03 s");
    CHECK(caller.calls < 2 * static_cast<int>(std::size(sizes::edges)));
    CHECK(result.points() == 0);
}

TEST_CASE("progress is reported after each case") {
    std::vector<std::string> names;
    JudgeOptions options;
    options.progress = [&](const Task& task, const CaseResult& one) { names.push_back(task.id + ": " + one.name); };
    judged_add(sum_of, sample_manifest(), options);
    REQUIRE(names.size() == std::size(sizes::edges));
    CHECK(names[1] == "add: n = 1");
}
