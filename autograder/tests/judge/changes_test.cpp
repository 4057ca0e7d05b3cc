// SPDX-License-Identifier: MIT
#include <limits>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "judge/checks.hpp"
#include "judge/judge.hpp"
#include "judge/work/changed_lines.hpp"

// How many lines of the stub an answer may change, and what is said of more.
using namespace course;

namespace {

Task task(int at_most, std::string cure = {}) {
    Task task{.id = "fade", .title = "repair it", .points = 1, .budgets = {}, .speed = {}};
    task.changes = ChangeLimit{.files = {"fade.cu", "fade.cpp"}, .at_most = at_most, .cure = std::move(cure)};
    return task;
}

TaskResult judged(const Task& task, std::map<std::string, ChangedLines> changes, Verdict before = Verdict::passed) {
    TaskResult result;
    result.points = result.max_points = 1;
    result.verdict = before;
    judge_changes(task, changes, result);
    return result;
}

const std::map<std::string, ChangedLines> five = {{"fade.cu", {4, {9, 9, 10, 12}, 0}}, {"fade.cpp", {1, {}, 1}},
                                                  {"other.cu", {100, {1}, 99}}};

}  // namespace

TEST_CASE("as many lines as allowed, in all files together, change no verdict and are shown") {
    const TaskResult result = judged(task(5), five);
    CHECK(result.verdict == Verdict::passed);
    CHECK(result.points == 1);
    CHECK(result.message == "");
    REQUIRE(result.budgets.size() == 1);
    CHECK(result.budgets[0].counter == "changed_lines");
    CHECK(result.budgets[0].counted == 5);
    CHECK(result.budgets[0].at_most == 5);
    CHECK_FALSE(result.budgets[0].decides);
}

TEST_CASE("with one more the answer is not as asked, and the message says where") {
    const TaskResult result = judged(task(4), five);
    CHECK(result.verdict == Verdict::not_as_asked);
    CHECK(result.points == 0);
    CHECK(result.budgets.at(0).decides);
    CHECK(result.message ==
          "5 lines of fade.cu and fade.cpp are changed, at most 4 may be: repair what was given, and leave the rest of "
          "it as it was\n"
          "  fade.cu: lines 9-10, 12\n"
          "  fade.cpp: 1 line removed\n"
          "  (a statement counts as a line; comments and white space don't count)");
    CHECK(judged(task(4, "keep the tile"), five).message.starts_with(
        "5 lines of fade.cu and fade.cpp are changed, at most 4 may be: keep the tile\n"));
    CHECK(judged(task(4), {{"fade.cu", {7, {3}, 6}}}).message.find("  fade.cu: line 3, and 6 lines removed\n") !=
          std::string::npos);
}

TEST_CASE("a wrong answer stays wrong, and nothing is said of its lines; a task without a limit isn't looked at") {
    for (const Verdict verdict : {Verdict::wrong, Verdict::crashed, Verdict::environment}) {
        const TaskResult result = judged(task(4), five, verdict);
        CHECK(result.verdict == verdict);
        CHECK(result.message == "");
    }
    Task without = task(4);
    without.changes.reset();
    CHECK(judged(without, five).budgets.empty());
    CHECK(judged(without, five).verdict == Verdict::passed);
}

TEST_CASE("an answer that is over budget as well is not as asked, and both are said") {
    TaskResult result;
    result.verdict = Verdict::over_budget;
    result.message = "barriers: 9 counted, at most 2 (n = 33)";
    judge_changes(task(4), five, result);
    CHECK(result.verdict == Verdict::not_as_asked);
    CHECK(result.message.ends_with("don't count)\nbarriers: 9 counted, at most 2 (n = 33)"));
}

// What counts as a changed line: statements, not what they look like.
using course::changed_lines, course::ChangedLines;

namespace {

const std::string stub =
    "__global__ void add(float* z, int n) {\n"
    "    // TODO: one mistake\n"
    "    const int i = threadIdx.x;\n"
    "    for (int k = 0; k < n; ++k) {\n"
    "        z[i] = k;\n"
    "        z[k] = i;\n"
    "    }\n"
    "}\n";

std::string with(const std::string& old, const std::string& now) {
    std::string text = stub;
    return text.replace(text.find(old), old.size(), now);
}

using Lines = std::vector<int>;

}  // namespace

TEST_CASE("an answer that equals its stub but for comments, white space and lone braces changes nothing") {
    CHECK(changed_lines(stub, stub).count == 0);
    CHECK(changed_lines(stub, with("    // TODO: one mistake\n", "")).count == 0);
    CHECK(changed_lines(stub, with("z[i] = k;", "z[i]=k; // why; not { really")).count == 0);
    CHECK(changed_lines(stub, with("z[i] = k;", "/* a = b;\n c */ z[i] =\n    k\n;")).count == 0);
    CHECK(changed_lines(stub, with("z[i] = k;", "{ z[i] = k; }")).count == 0);
    CHECK(changed_lines(stub, with("z[i] = k;\n        z", "z[i] = k; z")).count == 0);
    CHECK(changed_lines("", "").count == 0);
}

TEST_CASE("a line that is replaced, added or removed is one") {
    const ChangedLines replaced = changed_lines(stub, with("z[i] = k;", "z[i] = k + 1;"));
    CHECK(replaced.count == 1);
    CHECK(replaced.changed == Lines{5});
    CHECK(replaced.removed == 0);

    const ChangedLines added = changed_lines(stub, with("z[k] = i;\n", "z[k] = i;\n        __syncthreads();\n"));
    CHECK(added.count == 1);
    CHECK(added.changed == Lines{7});

    const ChangedLines removed = changed_lines(stub, with("        z[k] = i;\n", ""));
    CHECK(removed.count == 1);
    CHECK(removed.changed.empty());
    CHECK(removed.removed == 1);

    CHECK(changed_lines(stub, with("const int i", "int const i")).count == 1);
    CHECK(changed_lines(stub, with("k < n", "k <= n")).changed == Lines{4});
}

TEST_CASE("a statement that moves is removed here and added there") {
    const ChangedLines moved = changed_lines("a();\nb();\nc();\nd();\n", "b();\nc();\nd();\na();\n");
    CHECK(moved.count == 2);
    CHECK(moved.changed == Lines{4});
    CHECK(moved.removed == 1);
}

TEST_CASE("several statements on one line count each, one over several lines counts once") {
    CHECK(changed_lines(stub, with("z[i] = k;", "int a = 1; int b = 2; z[i] = a + b;")).count == 3);
    CHECK(changed_lines(stub, with("z[i] = k;", "if (a) { b(); c(); } else { d(); }")).count == 5);
    CHECK(changed_lines(stub, with("z[i] = k;", "z[i] = k +\n  1 +\n  2;")).count == 1);
    CHECK(changed_lines(stub, with("z[i] = k;", "for (int a = 0; a < 2; ++a) z[i] = k;")).count == 1);
    CHECK(changed_lines(stub, with("z[i] = k;", "run([&] { a(); b(); });")).count == 3);
}

TEST_CASE("braces of values, strings, and directives belong to one line") {
    CHECK(changed_lines(stub, with("z[i] = k;", "int a[] = {1, 2, 3};")).count == 1);
    CHECK(changed_lines(stub, with("z[i] = k;", "add({.grid = {1, 2}, .block = Dim3{3, 4}}, z);")).count == 1);
    CHECK(changed_lines(stub, with("z[i] = k;", "print(\"a; b; { // \\\" ;\", ';', '{');")).count == 1);
    CHECK(changed_lines(stub, with("z[i] = k;", "print(R\"(a;\nb; \" { ;)\");")).count == 1);
    CHECK(changed_lines(stub, with("z[i] = k;", "z[i] = 1'000'000;")).count == 1);
    CHECK(changed_lines(stub, "#define N 3  // how many\n#define M 4\n" + stub).changed == Lines{1, 2});
    CHECK(changed_lines("#define  N 3\n" + stub, "#define N 3 // more\n" + stub).count == 0);
}

TEST_CASE("the fewest lines are counted, and words stay apart") {
    CHECK(changed_lines("a;b;c;d;e;", "a;x;c;y;e;").count == 2);
    CHECK(changed_lines("a;b;c;d;e;", "b;c;d;").count == 2);
    CHECK(changed_lines("a;b;", "c;d;e;f;g;").count == 5);
    CHECK(changed_lines("int a;", "inta;").count == 1);
    CHECK(changed_lines(stub, "").count == 5);
    CHECK(changed_lines(stub, "").removed == 5);
    CHECK(changed_lines("", stub).count == 5);
}

TEST_CASE("text that is cut off, or very long, is counted all the same") {
    CHECK(changed_lines(stub, stub + "/* never closed").count == 0);
    CHECK(changed_lines(stub, stub + "\"never closed").count == 1);
    CHECK(changed_lines(stub, stub + "R\"(never closed").count == 1);
    CHECK(changed_lines(stub, stub + "}}})))").count == 0);
    std::string many, others;
    for (int k = 0; k < 6000; ++k) many += "a;", others += "b;";
    CHECK(changed_lines(many, others).count == 6000);
    CHECK(changed_lines(stub, stub + many).count == 6000);
    std::string digits = "a = 0";
    for (int k = 0; k < 500'000; ++k) digits += "'0";   // each mark is looked at once
    CHECK(changed_lines(stub, stub + digits + ";").count == 1);
}

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

// Predictions, and what a run shows of them.
using namespace course;
using namespace course::testing;

namespace {

constexpr double no_prediction = std::numeric_limits<double>::quiet_NaN();

constexpr ValueType numbers{protocol::Place::host_vector, protocol::Type::float64};

// predict(n, block) -> 3 numbers; threads(n) -> what each thread wrote, the exercise's own.
Manifest predicting() {
    Manifest manifest = sample_manifest();
    manifest.functions.push_back({"predict", {int_scalar, int_scalar}, {numbers}});
    manifest.functions.push_back({"threads", {int_scalar}, {float_array}, true});
    return manifest;
}

template <class Body>
TaskResult asked(std::vector<double> predicted, Body body) {
    ScriptedCaller caller([&](const std::string& function, std::span<const Value> arguments) {
        if (function == "predict") return returned({value_of(predicted, {std::ssize(predicted)})});
        return returned(
            {array<float>(std::vector<float>(static_cast<std::size_t>(elements_of<int>(arguments[0])[0])))});
    });
    return judged(predicting(), caller, body).tasks.at(0);
}

}  // namespace

TEST_CASE("predictions are compared with what a given function's run shows; enough must be right") {
    const auto body = [](OpenCheck& use) {
        use.predictions(2);
        const auto [threads] = use.given<Vector<float>>("threads", 1024);
        use.next_case("n = 1000, block = 256");
        use.call("predict", 1000, 256).predicts({{"blocks", threads.size() / 256.0},
                                                 {"idle threads", static_cast<double>(threads.size() - 1000)},
                                                 {"place", 1, {"host", "device"}}});
    };
    const TaskResult all = asked({4, 24, 1}, body);
    CHECK(all.verdict == Verdict::passed);
    CHECK(all.points == 2);
    CHECK(all.cases.size() == 1);   // what is given is no case
    REQUIRE(all.predictions);
    CHECK(all.predictions->right == 3);

    const TaskResult most = asked({4, 24, 0}, body);
    CHECK(most.verdict == Verdict::passed);
    REQUIRE(most.predictions->wrong.size() == 1);
    CHECK(most.predictions->wrong[0].predicted == "host");
    CHECK(most.predictions->wrong[0].shown == "device");

    const TaskResult few = asked({3.5, 24, no_prediction}, body);
    CHECK(few.verdict == Verdict::wrong);
    CHECK(few.points == 0);
    CHECK(few.predictions->right == 1);
    REQUIRE(few.predictions->wrong.size() == 2);
    CHECK(few.predictions->wrong[0].number == 1);
    CHECK(few.predictions->wrong[0].predicted == "3.5");
    CHECK(few.predictions->wrong[0].case_name == "n = 1000, block = 256");
    CHECK(few.predictions->wrong[1].what == "place");
    CHECK(few.predictions->wrong[1].predicted.empty());
}

TEST_CASE("a prediction that is asked for again must be right each time") {
    const TaskResult task = asked({4, 1, 2}, [](OpenCheck& use) {
        for (int blocks : {4, 4, 5, 6}) {
            use.next_case("variant " + std::to_string(blocks));
            use.call("predict", blocks, 256).predicts({{"blocks", 1.0 * blocks}, {"one", 1}, {"two", 2}});
        }
    });
    CHECK(task.verdict == Verdict::wrong);
    CHECK(task.predictions->total == 3);
    CHECK(task.predictions->at_least == 3);   // all, where the check says nothing
    REQUIRE(task.predictions->wrong.size() == 1);
    CHECK(task.predictions->wrong[0].case_name == "variant 5");
}

TEST_CASE("too few numbers are no predictions") {
    const TaskResult task = asked({4}, [](OpenCheck& use) {
        use.call("predict", 1, 2).predicts({{"a", 4}, {"b", 5}});
    });
    CHECK(task.verdict == Verdict::wrong);
    CHECK(task.cases.at(0).message == "1 prediction came back, 2 expected");
}

TEST_CASE("a given function that fails ends the task") {
    ScriptedCaller caller([](const std::string&, auto) { return failed(Outcome::cannot_load, "undefined symbol"); });
    const TaskResult task = judged(predicting(), caller, [](OpenCheck& use) {
        use.given<Vector<float>>("threads", 3);
        use.call("predict", 1, 2).predicts({{"a", 4}});
    }).tasks.at(0);
    CHECK(task.verdict == Verdict::does_not_compile);
    CHECK(task.message == "in threads, which the check runs itself: undefined symbol");
    CHECK(caller.calls == 1);
}

TEST_CASE("predictions of a call that failed are asked, and not made") {
    ScriptedCaller caller([](const std::string&, auto) { return failed(Outcome::exception, "not here"); });
    const TaskResult task = judged(predicting(), caller, [](OpenCheck& use) {
        use.predictions(2);
        use.call("predict", 1, 2).predicts({{"a", 4}, {"b", 5}});
    }).tasks.at(0);
    CHECK(task.verdict == Verdict::crashed);
    REQUIRE(task.predictions);
    CHECK(task.predictions->right == 0);
    CHECK(task.predictions->total == 2);
}

TEST_CASE("mistakes of a check that predicts are reported as the check's") {
    const auto message = [](auto body) { return asked({1, 2, 3}, body).message; };
    const auto says = [](const std::string& text, std::string_view part) { return text.find(part) != text.npos; };
    CHECK(says(message([](OpenCheck& use) { use.given<Vector<float>>("add", 1); }),
               "given(\"add\"): exercise.toml lists no such function with given = true"));
    CHECK(says(message([](OpenCheck& use) { use.call("threads", 1); }),
               "call(\"threads\"): exercise.toml lists no such function"));
    CHECK(says(message([](OpenCheck& use) { use.given<Vector<int>>("threads", 1); }),
               "result 1 is array<float32> of shape (1), and the check takes it for something else"));
    CHECK(says(message([](OpenCheck& use) { use.given<Matrix<float>>("threads", 1); }), "of shape (1)"));
    CHECK(says(message([](OpenCheck& use) { use.given<Vector<float>, int>("threads", 1); }),
               "the check takes 2 results; exercise.toml lists 1"));
    CHECK(says(message([](OpenCheck& use) {
              use.predictions(4);
              use.call("predict", 1, 2).predicts({{"a", 1}, {"b", 2}, {"c", 3}});
          }), "4 predictions must be right, and the check asks for 3"));
}
