// SPDX-License-Identifier: MIT
// Which misconceptions a verdict shows.
#include "verdict/verdict.hpp"

#include <doctest/doctest.h>

#include "judge/checks.hpp"
#include "judge/work/budgets.hpp"
#include "support/limits.hpp"

using namespace course;
using namespace course::testing;

namespace {

using Tags = std::vector<int>;

const Task plain{.id = "add", .title = "add", .points = 1, .budgets = {}, .speed = {}};

/// A task that failed in its second case, of 257 elements.
TaskResult failed_in(Verdict verdict, const std::string& pattern, const std::string& message = "") {
    TaskResult task;
    task.verdict = verdict;
    task.cases.resize(2);
    task.cases[0].name = "n = 1";
    task.cases[1].name = "n = 257";
    task.cases[1].elements = 257;
    task.cases[1].verdict = Verdict::wrong;
    task.cases[1].message = message;
    if (!pattern.empty()) {
        task.cases[1].difference.emplace();
        task.cases[1].difference->pattern = pattern;
    }
    return task;
}

Finding of_kind(FindingKind kind, gpu::Rule rule = gpu::Rule::many_threads) {
    Finding finding;
    finding.kind = kind;
    finding.rule = rule;
    return finding;
}

Tags tags_after(const Task& task, TaskResult result) {
    note_tags(task, result);
    return result.tags;
}

BudgetResult compared(std::string_view counter, std::optional<Limit> least, std::optional<Limit> most, double counted) {
    const Budget budget{.counter = std::string(counter), .at_least = least, .at_most = most, .tag = 4};
    return compare_with(budget, "n = 257", {.elements = 257}, counted);
}

}  // namespace

TEST_CASE("some findings show a misconception by their kind alone, most don't") {
    CHECK(tag_of(of_kind(FindingKind::missing_barrier)) == 5);
    CHECK(tag_of(of_kind(FindingKind::skipped_barrier)) == 5);
    CHECK(tag_of(of_kind(FindingKind::divergent_barrier)) == 5);
    CHECK(tag_of(of_kind(FindingKind::uninitialized_read, gpu::Rule::shared_memory)) == 7);
    CHECK(tag_of(of_kind(FindingKind::uninitialized_read, gpu::Rule::host_only_queues)) == 0);  // of global memory
    CHECK(tag_of(of_kind(FindingKind::host_access)) == 11);
    CHECK(tag_of(of_kind(FindingKind::host_pointer)) == 11);
    CHECK(tag_of(of_kind(FindingKind::missing_event)) == 15);
    CHECK(tag_of(of_kind(FindingKind::host_buffer_in_use)) == 15);
    CHECK(tag_of(of_kind(FindingKind::out_of_bounds)) == 0);
    CHECK(tag_of(of_kind(FindingKind::inter_block_race)) == 0);
}

TEST_CASE("a task's signs are looked for in the case that is shown, and in no other text") {
    Task task = plain;
    task.signs = {{"never written", 8}, {"must hold, and doesn't: the median", 3}, {"transposed", 6}};
    TaskResult result = failed_in(Verdict::wrong, "never written, all in the last block of 256");
    note_tags(task, result);
    CHECK(result.tags == Tags{8});
    CHECK(result.cases[1].tags == Tags{8});
    CHECK(result.cases[0].tags.empty());
    const std::string untrue = "must hold, and doesn't: the median is one of the times";
    CHECK(tags_after(task, failed_in(Verdict::wrong, "transposed", untrue)) == Tags{3, 6});
    CHECK(tags_after(task, failed_in(Verdict::wrong, "")).empty());
    CHECK(tags_after(plain, failed_in(Verdict::wrong, "never written")).empty());
    result = failed_in(Verdict::passed, "never written");  // as it can't be: a verdict that passed shows nothing
    CHECK(tags_after(task, result).empty());
    CHECK(tags_after(task, failed_in(Verdict::environment, "never written")).empty());
}

TEST_CASE("what a verdict quotes of the student's code shows no misconception") {
    Task task = plain;
    task.signs = {{"past the end", 8}, {"last block", 8}, {"transposed", 6}};
    const auto tags_of = [&](const std::string& message) {
        TaskResult result = failed_in(Verdict::does_not_compile, "", message);
        result.cases[1].verdict = Verdict::does_not_compile;
        note_tags(task, result);
        CHECK(result.cases[1].tags == result.tags);
        return result.tags;
    };
    const std::string missing =
        "kernel add does not compile\nraw_add.cu:11:34: error: a ; is missing\n"
        "  10 |     const int i = blockIdx.x;  // past the end\n"
        "  11 |     if (i < n) z[i] = x[i] + y[i]  // the last block\n"
        "     |                                  ^\n"
        "  12 |     // ---- end ---- transposed";
    CHECK(tags_of(missing).empty());
    CHECK(tags_of(missing + "\nhelp: nothing is past the end").empty());  // it may be the student's: it is quoted above
    CHECK(tags_of("kernel add does not compile\nraw_add.cu:1: error: nothing is past the end") == Tags{8});
    CHECK(tags_of("raw_add.cu(11): error: expected a \";\"\n      z[i] = 1  // the last block\n      ^")
              .empty());  // NVRTC's
    CHECK(tags_of("a.cu:3:2: error: #error the last block").empty());
    CHECK(tags_of("a.cu:3:2: error: the last block\n  3 | #error the last block").empty());  // clang's
    CHECK(tags_of("a.cu:3:2: error: static assertion failed: the last block").empty());
    CHECK(tags_of("no kernel named \"the last block\"; the source defines: add").empty());
    CHECK(tags_of("your code threw std::runtime_error: past the end").empty());
    CHECK(tags_of("your code threw (anonymous namespace)::Mine: past the end").empty());
    CHECK(tags_of("your code threw gpu::IndexError: x[7] is past the end") == Tags{8});
    CHECK(tags_of("your code threw gpu::Error: file \"past the end\": there is none").empty());
    CHECK(tags_of("must hold, and doesn't: |a - b| is at most 1, all there is in the last block") == Tags{8});

    const auto tags_found = [&](const Finding& finding) {
        TaskResult result = failed_in(Verdict::wrong, "");
        result.check.emplace();
        result.check->found = {{"n = 257", finding}};
        return tags_after(task, result);
    };
    Finding finding = of_kind(FindingKind::out_of_bounds);
    finding.variable = "transposed_x";
    finding.kernel = "transposed_add";
    finding.what = "out of bounds: a.cu:5 reads transposed_x[257] in transposed_add";
    CHECK(tags_found(finding).empty());  // names of the student's
    finding.advice = "it looks transposed";
    CHECK(tags_found(finding) == Tags{6});
    finding = of_kind(FindingKind::failed_assertion);
    finding.what = "failed: a.cu:5: i < n && \"past the end\", the last block";
    CHECK(tags_found(finding).empty());
}

TEST_CASE("a finding shows the task's sign if one fits, else what its kind shows") {
    Task task = plain;
    task.signs = {{"out of bounds", 8}, {"race on row[", 7}};
    TaskResult result = failed_in(Verdict::wrong, "");
    result.check.emplace();
    const auto found = [&](Finding finding, std::string what) {
        finding.what = std::move(what);
        result.check->found = {{"n = 257", finding}};
        return tags_after(task, result);
    };
    CHECK(found(of_kind(FindingKind::out_of_bounds), "add.cu:5 reads x[257]") == Tags{8});
    CHECK(found(of_kind(FindingKind::missing_barrier), "race on row[3]: ...") == Tags{7});
    CHECK(found(of_kind(FindingKind::missing_barrier), "race on part[3]: ...") == Tags{5});
    CHECK(found(of_kind(FindingKind::deadlock), "").empty());
    Finding unguarded = of_kind(FindingKind::deadlock);
    unguarded.advice = "keep clear of what is out of bounds";
    CHECK(found(unguarded, "") == Tags{8});  // the advice counts as well
    result.check->found = {{"n = 257", of_kind(FindingKind::missing_barrier)},
                           {"n = 1", of_kind(FindingKind::host_access)}};
    note_tags(task, result);
    CHECK(result.tags == Tags{5, 11});
    CHECK(result.cases[1].tags == Tags{5});
}

TEST_CASE("a refuted prediction shows its sign, one that isn't made yet does not; enough right ones show nothing") {
    Task task = plain;
    task.signs = {{"idle threads", 8}, {"value of total", 11}};
    TaskResult result;
    result.verdict = Verdict::wrong;
    result.predictions = {.right = 1, .total = 3, .at_least = 3, .wrong = {}};
    result.predictions->wrong = {{1, "idle threads", "0", "24", "n = 9"}, {2, "value of total", "", "the host", ""}};
    CHECK(tags_after(task, result) == Tags{8});
    result.predictions->at_least = 1;
    CHECK(tags_after(task, result).empty());
}

TEST_CASE("a budget's tag shows in what is too much, and in what is too little where only that is asked") {
    const Limit one{.plus = 1};
    CHECK(compared("launches", {}, one, 2).tag == 4);
    CHECK(compared("launches", {}, one, 1).tag == 0);
    CHECK(compared("launches", one, one, 2).tag == 4);
    CHECK(compared("launches", one, one, 0).tag == 0);  // left out
    CHECK(compared("launches", one, {}, 0).tag == 4);
    CHECK(compared("bytes_used_percent", Limit{.plus = 80}, {}, 12).tag == 4);
    const Limit block{.plus = 256};
    for (const double threads : {1., 512.}) CHECK(compared("block", block, block, threads).tag == 4);
}

TEST_CASE("of the budgets that aren't kept those count that decide the verdict") {
    Manifest manifest = sample_manifest();
    manifest.tasks[0].budgets = {test::at_most("launches", {.plus = 1}), test::at_most("allocations", {.plus = 9})};
    manifest.tasks[0].budgets[0].tag = 11;
    manifest.tasks[0].budgets[1].tag = 12;
    const auto with_launches = [&](int launches, bool right) {
        ScriptedCaller caller([=](const std::string&, std::span<const Value> arguments) {
            std::vector<float> sum = sum_of(arguments);
            if (!right)
                for (float& element : sum) element += 1;
            CallResult reply = returned({value_of(sum, arguments[0].shape)});
            reply.counts.launches = static_cast<std::uint64_t>(launches);
            return reply;
        });
        return judged(manifest, caller, AddCheck()).tasks[0];
    };
    CHECK(with_launches(1, true).tags.empty());
    const TaskResult over = with_launches(2, true);
    CHECK(over.verdict == Verdict::over_budget);
    CHECK(over.tags == Tags{11});
    CHECK(with_launches(2, false).tags.empty());  // wrong values: the launches aren't reported
}
