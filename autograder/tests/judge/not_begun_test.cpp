// SPDX-License-Identifier: MIT
#include "judge/not_begun.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "judge/checks.hpp"

using namespace course;
using namespace course::testing;

namespace {

/// Tasks a, b, c with a function each, of which some are begun and some failed.
struct Sample {
    Manifest manifest = sample_manifest({"a", "b", "c"});
    std::vector<TaskResult> results;
    std::map<std::string, bool> begun = {{"a", true}, {"b", false}, {"c", false}};

    Sample() {
        for (const Task& task : manifest.tasks) {
            TaskResult result;
            result.id = task.id;
            result.verdict = task.id == "a" ? Verdict::passed : Verdict::wrong;
            CaseResult one;
            one.function = task.id;
            result.cases.push_back(one);
            results.push_back(result);
        }
    }

    /// "b c": the tasks that aren't begun.
    [[nodiscard]] std::string not_begun() const {
        std::string names;
        for (const NotBegun& one : tasks_not_begun(manifest, begun, results))
            names += (names.empty() ? "" : " ") + results[one.task].id;
        return names;
    }
};

}  // namespace

TEST_CASE("a task that failed with the stub's function isn't begun") {
    Sample sample;
    CHECK(sample.not_begun() == "b c");
    CHECK(tasks_not_begun(sample.manifest, sample.begun, sample.results)[0].functions == std::vector<std::string>{"b"});
    sample.begun["c"] = true;
    CHECK(sample.not_begun() == "b");
    sample.begun.erase("b");  // it has no part for the student: nobody knows
    CHECK(sample.not_begun().empty());
}

TEST_CASE("where nothing is begun, the answer differs from the stub elsewhere, and is judged as it is") {
    Sample sample;
    sample.begun["a"] = false;
    sample.results[0].verdict = Verdict::crashed;
    CHECK(sample.not_begun().empty());
    sample.results[0].verdict = Verdict::passed;  // by what stands elsewhere
    CHECK(sample.not_begun().empty());
}

TEST_CASE("a verdict that says something of the stub stays") {
    Sample sample;
    for (const Verdict verdict : {Verdict::over_budget, Verdict::not_as_asked, Verdict::too_slow, Verdict::review,
                                  Verdict::passed, Verdict::environment}) {
        sample.results[1].verdict = verdict;
        CHECK(sample.not_begun() == "c");
    }
    sample.results[1].verdict = Verdict::crashed;
    CHECK(sample.not_begun() == "b c");
    sample.results[1].check = CheckResult();
    CHECK(sample.not_begun() == "b c");
    sample.results[1].check->found.emplace_back();
    CHECK(sample.not_begun() == "c");
    sample.manifest.tasks[2].changes = ChangeLimit();
    CHECK(sample.not_begun().empty());
}

TEST_CASE("of a kernel that two tasks launch the function of each decides; without one, the kernel") {
    Sample sample;
    RequiredKernel kernel;
    kernel.name = "tile";
    sample.manifest.tasks[0].kernels = sample.manifest.tasks[1].kernels = {kernel};
    sample.begun["tile"] = true;
    CHECK(sample.not_begun() == "b c");
    sample.begun.erase("b");
    CHECK(sample.not_begun() == "c");
    sample.begun["tile"] = false;
    CHECK(sample.not_begun() == "b c");
}

TEST_CASE("a task that isn't begun is not started in the end, and the exercise's verdict is as it was") {
    const Manifest manifest = sample_manifest({"one", "two"});
    int calls = 0;
    const int calls_of_a_task = static_cast<int>(std::size(sizes::edges));
    ScriptedCaller caller([&](const std::string&, std::span<const Value> arguments) {
        std::vector<float> sums = sum_of(arguments);
        if (calls++ >= calls_of_a_task) std::fill(sums.begin(), sums.end(), -1.0f);
        return returned({value_of(sums, arguments[0].shape)});
    });
    caller.in_check_mode([](const std::string&, std::span<const Value> arguments) {
        return returned({value_of(std::vector<float>(sum_of(arguments).size(), -1.0f), arguments[0].shape)});
    });
    Manifest with_kernels = manifest;
    for (Task& task : with_kernels.tasks) {
        RequiredKernel kernel;
        kernel.name = task.id;
        task.kernels = {kernel};
    }
    JudgeOptions options;
    options.functions_begun = {{"one", true}, {"two", false}};
    std::string seen;
    options.after_tasks = [&](std::span<const JudgedTask> judged) {
        for (const JudgedTask& one : judged)
            seen += fmt::format("{} {} {}; ", one.task.id, one.begun ? "begun" : "not begun", one.result.cases.size());
    };
    const Result result = judged(with_kernels, caller, AddCheck(), options);
    CHECK(result.tasks.at(1).verdict == Verdict::not_started);
    CHECK(result.tasks[1].message == "two is as given");
    CHECK(result.tasks[1].cases.empty());
    CHECK(result.tasks[1].tags.empty());
    CHECK(result.tasks[1].max_points == 2);
    CHECK(exit_code(result.verdict) == 1);
    CHECK(seen.find("two not begun " + std::to_string(calls_of_a_task)) != std::string::npos);
}
