// SPDX-License-Identifier: MIT
#include "judge/work/work_budgets.hpp"

#include <limits>

#include <doctest/doctest.h>

#include "judge/checks.hpp"
#include "judge/work/budgets.hpp"
#include "manifest/names.hpp"
#include "support/limits.hpp"

using namespace course;
using namespace course::testing;
using test::at_least, test::at_most;

namespace {

/// `requests` of whole warps that read floats, each in so many sectors.
Work reads(std::uint64_t requests, std::uint64_t sectors) {
    Work work{};
    work.global_reads = 32 * requests;
    work.global_bytes_read = work.global_bytes_used = 128 * requests;
    work.global_requests = requests;
    work.global_sectors = sectors * requests;
    work.global_segments = requests;
    return work;
}

Work shared(std::uint64_t requests, std::uint64_t ways) {
    Work work{};
    work.shared_reads = 32 * requests;
    work.shared_bytes_read = 128 * requests;
    work.shared_requests = requests;
    work.shared_wavefronts = ways * requests;
    return work;
}

KernelWork kernel(std::string name, std::vector<LineWork> lines) {
    KernelWork made{.name = std::move(name),
                    .file = "add.cu",
                    .launches = 1,
                    .blocks = 1,
                    .threads = 32,
                    .work = {},
                    .lines = std::move(lines)};
    for (const LineWork& line : made.lines) made.work = made.work + line.work;
    return made;
}

BudgetResult judged_budget(const Budget& budget, std::vector<KernelWork> kernels, std::int64_t elements = 32) {
    const CheckedWork one{.case_name = "n = 32", .size = {.elements = elements}, .kernels = std::move(kernels)};
    const std::vector<BudgetResult> results = check_work_budgets({&budget, 1}, {&one, 1});
    REQUIRE(results.size() == 1);
    return results[0];
}

}  // namespace

TEST_CASE("every counter of kernels' work is counted, by its name") {
    Work work{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22};
    const double want[] = {1, 2, 3 + 4, 6, 7, 8, 9, 10, 11 + 12, 13, 14, 20, 21, 16, 22};
    static_assert(std::size(want) + 1 == work_counter_names.size());
    for (std::size_t k = 0; k < std::size(want); ++k) CHECK(counted(work, work_counter_names[k]) == want[k]);
    CHECK(counted(work, "sectors_per_request") == 7. / 6);
    CHECK(counted(work, "bank_conflict_ways") == 14. / 13);
    CHECK(counted(work, "atomic_turns") == 18. / 17);
    CHECK(counted(Work{}, "sectors_per_request") == 0);
    CHECK(counted(reads(8, 4), "bytes_used_percent") == 100);
    CHECK(counted(reads(8, 5), "bytes_used_percent") == 80);
    CHECK(counted(reads(8, 32), "bytes_used_percent") == 12.5);
    CHECK(counted(reads(7, 32), "bytes_used_percent") == 100);  // less than 1 KiB
    CHECK_THROWS_AS(static_cast<void>(counted(work, "launches")), ManifestError);
    for (const std::string_view name : ratio_names) CHECK(is_ratio(name));
    for (const std::string_view name : counter_names) CHECK_FALSE(is_counted_in_check_mode(name));
}

TEST_CASE("the work of kernels adds up; a ratio is that of the worst kernel") {
    const std::vector<KernelWork> kernels = {kernel("fill", {{"fill.cu", 1, reads(10, 4)}}),
                                             kernel("add", {{"add.cu", 7, reads(2, 32)}})};
    CHECK(counted(kernels, "global_reads") == 12 * 32);
    CHECK(counted(kernels, "sectors_per_request") == 32);
    CHECK(counted(kernels, "threads_started") == 64);
    Work large{};
    large.global_reads = std::numeric_limits<std::uint64_t>::max() - 1;
    CHECK((large + reads(1, 4)).global_reads == std::numeric_limits<std::uint64_t>::max());  // a liar's
}

TEST_CASE("a budget of reads grows with the elements") {
    const Budget budget = at_most("global_reads", {.each = 2});
    CHECK(judged_budget(budget, {kernel("add", {{"add.cu", 7, reads(2, 4)}})}).kept());
    const BudgetResult over =
        judged_budget(budget, {kernel("add", {{"add.cu", 7, reads(2, 4)}, {"add.cu", 9, reads(3, 4)}})});
    CHECK_FALSE(over.kept());
    CHECK(describe(over) ==
          "global_reads: 160 counted, at most 64 (n = 32)\n"
          "add.cu:9 has 96 of these 160: what is needed twice can stay in a variable or in shared memory");
    // A line that reads and writes: a sum in an array if it writes often, else an element of the result.
    KernelWork sums = kernel("sum", {{"sum.cu", 7, reads(4, 4)}});
    const auto with_writes = [&](std::uint64_t writes) {
        sums.lines[0].work.global_writes = sums.work.global_writes = writes;
        return judged_budget(budget, {sums}).cause;
    };
    CHECK(with_writes(32) ==
          "sum.cu:7 has all of them: what is needed twice can stay in a variable or in shared memory");
    CHECK(with_writes(128) ==
          "sum.cu:7 has all of them: it reads and writes an array each time it runs; add up in a variable, and write "
          "that once");
}

TEST_CASE("work that is spread over launches asks for fewer of them") {
    const Budget budget = at_most("global_reads", {.each = 2});
    std::vector<KernelWork> kernels = {kernel("expression", {{"expression", 1, reads(2, 4)}}),
                                       kernel("expression", {{"expression", 1, reads(1, 4)}})};
    kernels[0].launches = kernels[1].launches = 1;
    CHECK(judged_budget(budget, kernels).cause ==
          "2 launches of expression share them; what one launch writes and the next one reads needs no array if one "
          "expression or one kernel does both");
    CHECK(judged_budget(budget, kernels).ledger_shows_it);
    kernels[1].name = "sum";
    kernels[1].launches = 3;
    CHECK(judged_budget(budget, kernels)
              .cause.starts_with(
                  "4 launches share them: expression has 64 in 1 launch, sum has 32 in 3 launches; what one"));
    kernels[1].work = {};   // launches that have none of the reads share nothing
    kernels[1].lines.clear();
    kernels[0].lines[0] = {"add.cu", 9, kernels[0].work = reads(3, 4)};
    const BudgetResult one_has_all = judged_budget(budget, kernels);
    CHECK_FALSE(one_has_all.ledger_shows_it);
    CHECK(one_has_all.cause.starts_with("add.cu:9 has all of them: what is needed twice"));
    kernels[0].lines = {{"add.cu", 9, reads(2, 4)}, {"add.cu", 10, reads(1, 4)}};
    CHECK(judged_budget(budget, kernels).cause.starts_with("add.cu:9 has 64 of these 96: what is needed twice"));
    kernels[0].lines = {{"add.cu", 9, kernels[0].work}};
    kernels[0].lines[0].file = "expression";   // which no file of the student's is
    CHECK(judged_budget(budget, kernels).cause.starts_with("libgpu's kernel expression has all of them"));
}

TEST_CASE("requests that are spread over memory name their line and what would do") {
    const BudgetResult over = judged_budget(at_most("sectors_per_request", {.plus = 4.5}),
                                            {kernel("add", {{"a.cu", 6, reads(50, 4)}, {"add.cu", 7, reads(30, 32)}})});
    CHECK_FALSE(over.kept());
    CHECK(describe(over) ==
          "sectors_per_request: 14.50 counted, at most 4.5 (n = 32)\n"
          "add.cu:7 takes 32.0 sectors of 32 bytes per request where 4.0 would do: let neighbouring threads read and "
          "write neighbouring elements");
    CHECK(judged_budget(at_most("sectors_per_request", {.plus = 4.5}), {kernel("add", {{"add.cu", 6, reads(5, 4)}})})
              .kept());
    const BudgetResult sectors =
        judged_budget(at_most("global_sectors", {.plus = 100}), {kernel("add", {{"add.cu", 6, reads(50, 4)}})});
    CHECK(sectors.cause ==
          "add.cu:6 has all of them: what is needed twice can stay in a variable or in shared memory");
    Work alone{};   // a single thread: 100 requests of one float each
    alone.global_reads = alone.global_requests = alone.global_sectors = alone.global_segments = 100;
    alone.global_bytes_read = alone.global_bytes_used = 400;
    CHECK(judged_budget(at_most("global_sectors", {.plus = 99}), {kernel("add", {{"add.cu", 6, alone}})}).cause ==
          "add.cu:6 uses 12% of the bytes that it moves (a request has few threads, and moves whole sectors of 32 "
          "bytes): let neighbouring threads read and write neighbouring elements");
}

TEST_CASE("bank conflicts name their line and what would do") {
    const BudgetResult over = judged_budget(at_most("bank_conflict_ways", {.plus = 1.5}),
                                            {kernel("add", {{"a.cu", 6, shared(5, 1)}, {"add.cu", 7, shared(5, 32)}})});
    CHECK(describe(over) ==
          "bank_conflict_ways: 16.50 counted, at most 1.5 (n = 32)\n"
          "add.cu:7 takes 32.0 turns at the banks per request where 1.0 would do: let neighbouring threads use "
          "neighbouring words of shared memory, or pad its rows by one");
}

TEST_CASE("atomics on global memory name their line and what would do") {
    Work adds{};
    adds.atomics = adds.global_atomics = 96;
    const BudgetResult over =
        judged_budget(at_most("global_atomics", {.plus = 64}),
                      {kernel("add", {{"a.cu", 6, reads(9, 4)}, {"a.cu", 7, adds}})});
    CHECK(describe(over) ==
          "global_atomics: 96 counted, at most 64 (n = 32)\n"
          "a.cu:7 has all of them\n"
          "let the threads of a block add up in shared memory first: only what comes of it goes to global memory");
}

TEST_CASE("threads of all launches are counted together") {
    const std::vector<KernelWork> steps(3, kernel("step", {{"a.cu", 6, reads(1, 4)}}));
    const BudgetResult over = judged_budget(at_most("threads_started", {.each = 2}), steps);
    CHECK(describe(over) == "threads_started: 96 counted, at most 64 (n = 32)");
}

TEST_CASE("what is moved in vain is over budget, however many sectors a request may have") {
    const Budget budget = at_least("bytes_used_percent", {.plus = 80});
    Work wide = reads(16, 16);  // 16 bytes a thread: 512 bytes in 16 sectors
    wide.global_bytes_read = wide.global_bytes_used *= 4;
    CHECK(judged_budget(budget, {kernel("add", {{"add.cu", 7, wide}})}).kept());
    const BudgetResult spread =
        judged_budget(budget, {kernel("add", {{"add.cu", 7, wide}}), kernel("mul", {{"add.cu", 9, reads(16, 16)}})});
    CHECK_FALSE(spread.kept());
    CHECK(verdict_of(spread) == Verdict::over_budget);
    CHECK(describe(spread) ==
          "bytes_used_percent: 25 counted, at least 80 (n = 32)\n"
          "add.cu:9 uses 25% of the bytes that it moves (16.0 sectors of 32 bytes per request where 4.0 would do): let "
          "neighbouring threads read and write neighbouring elements");
    Work lonely = reads(1000, 1);  // one thread of each warp
    lonely.global_reads = 1000;
    lonely.global_bytes_read = lonely.global_bytes_used = 4000;
    CHECK(describe(judged_budget(budget, {kernel("add", {{"add.cu", 3, wide}, {"add.cu", 7, lonely}})})) ==
          "bytes_used_percent: 30 counted, at least 80 (n = 32)\n"
          "add.cu:7 uses 12% of the bytes that it moves (a request has few threads, and moves whole sectors of 32 "
          "bytes): let neighbouring threads read and write neighbouring elements");
}

TEST_CASE("a floor of kernels' work says that there was too little, and blames no line") {
    const BudgetResult idle =
        judged_budget(at_least("global_reads", {.each = 2}), {kernel("add", {{"add.cu", 7, reads(1, 4)}})});
    CHECK(verdict_of(idle) == Verdict::not_as_asked);
    CHECK(describe(idle) == "global_reads: 32 counted, at least 64 (n = 32)");
}

TEST_CASE("a kernel without lines is named itself") {
    KernelWork made = kernel("elementwise_add", {});
    made.work = reads(4, 4);
    CHECK(judged_budget(at_most("global_reads", {.plus = 1}), {made})
              .cause.starts_with("kernel elementwise_add has all of them"));
}

TEST_CASE("of cases the first that exceeds a budget is reported, else the one that comes nearest") {
    const Budget budget = at_most("global_reads", {.each = 1});
    const std::vector<CheckedWork> cases = {{"a", {64}, {kernel("k", {{"k.cu", 1, reads(1, 4)}})}},
                                            {"b", {33}, {kernel("k", {{"k.cu", 1, reads(1, 4)}})}},
                                            {"c", {1000}, {kernel("k", {{"k.cu", 1, reads(1, 4)}})}}};
    CHECK(check_work_budgets({&budget, 1}, cases).at(0).case_name == "b");
    const Budget tight = at_most("global_reads", {.plus = 31});
    CHECK(check_work_budgets({&tight, 1}, cases).at(0).case_name == "a");
    CHECK(check_work_budgets({&tight, 1}, {}).empty());
    const Budget ratio = at_most("sectors_per_request", {.plus = 3});
    const std::vector<CheckedWork> spread = {{"a", {1}, {kernel("k", {{"k.cu", 1, reads(1, 8)}})}},
                                             {"b", {1}, {kernel("k", {{"k.cu", 1, reads(1, 16)}})}},
                                             {"c", {1}, {kernel("k", {{"k.cu", 1, reads(1, 4)}})}}};
    CHECK(check_work_budgets({&ratio, 1}, spread).at(0).case_name == "b");
    CHECK(check_work_budgets({&ratio, 1}, spread)[0].cause.starts_with("k.cu:1 takes 16.0 sectors"));
    const std::vector<CheckedWork> sizes = {{"n = 1", {1}, {kernel("k", {{"k.cu", 1, reads(1, 32)}})}},
                                            {"n = 33", {33}, {kernel("k", {{"k.cu", 1, reads(1, 8)}})}},
                                            {"n = 257", {257}, {kernel("k", {{"k.cu", 1, reads(1, 16)}})}}};
    CHECK(check_work_budgets({&ratio, 1}, sizes).at(0).case_name == "n = 257");   // the worst that isn't tiny
    CHECK(check_work_budgets({&tight, 1}, sizes).at(0).case_name == "n = 33");
    const Budget calls = at_most("launches", {.plus = 0});
    CHECK(check_work_budgets({&calls, 1}, cases).empty());
}

TEST_CASE("a right answer over a budget of kernels' work is over budget") {
    ScriptedCaller caller([](const std::string&, std::span<const Value> arguments) {
        return returned({value_of(sum_of(arguments), arguments[0].shape)});
    });
    std::uint64_t sectors = 32;
    caller.in_check_mode([&](const std::string&, std::span<const Value> arguments) {
        CallReply reply = returned({value_of(sum_of(arguments), arguments[0].shape)});
        reply.check.emplace();
        reply.check->kernels = {kernel("add", {{"add.cu", 7, reads(2, sectors)}})};
        return reply;
    });
    Manifest manifest = sample_manifest();
    manifest.tasks[0].budgets = {at_most("sectors_per_request", {.plus = 4.5}), at_most("launches", {.plus = 1})};
    Result result = judged(manifest, caller, AddCheck());
    CHECK(result.verdict == Verdict::over_budget);
    CHECK(result.points() == 0);
    CHECK(result.tasks[0].message.find("add.cu:7 takes 32.0 sectors") != std::string::npos);
    CHECK(result.tasks[0].budgets.size() == 2);
    CHECK(result.tasks[0].check->work_case == "n = 5003");  // of equal ratios the last
    REQUIRE(result.tasks[0].cases[1].work);
    CHECK(result.tasks[0].cases[1].work->global_reads == 64);
    CHECK_FALSE(result.tasks[0].cases[9].work);  // too large for check mode

    sectors = 4;
    result = judged(manifest, caller, AddCheck());
    CHECK(result.verdict == Verdict::passed);
    CHECK(result.points() == 2);
}

TEST_CASE("work over the limit because two threads have one element is reported with both threads") {
    KernelWork made = kernel("mul", {{"mul.cu", 4, reads(2, 4)}});
    const Budget budget{.counter = "global_reads", .at_most = Limit{.each = 1}};
    CHECK(judged_budget(budget, {made}, 32).cause.starts_with("mul.cu:4 has all of them"));
    made.rewritten = "mul.cu:4 writes y[32] in block (0,0,0) thread (0,0,0) and in block (1,0,0) thread (0,0,0)";
    CHECK(judged_budget(budget, {made}, 32).cause ==
          made.rewritten + ": each element needs one thread; check the index and the stride");
}

TEST_CASE("a wrong index comes before the sectors that it costs, is said once, and has no cure for sectors") {
    const Budget sectors{.counter = "global_sectors", .at_most = Limit{.plus = 8}, .cure = "neighbouring elements"};
    KernelWork made = kernel("mul", {{"mul.cu", 4, reads(2, 5)}});   // beginning in the middle of a sector
    made.file = "mul.cu";
    CHECK(judged_budget(sectors, {made}).cause.ends_with("neighbouring elements\nneighbouring elements"));
    made.rewritten = "mul.cu:4 writes y[32] in block (0,0,0) thread (0,0,0) and in block (1,0,0) thread (0,0,0)";
    const std::string cause = made.rewritten + ": each element needs one thread; check the index and the stride";
    CHECK(judged_budget(sectors, {made}).cause == cause);
    CHECK(judged_budget(sectors, {made}).index_is_wrong);
    KernelWork spread = made;
    spread.lines[0].work = spread.work = reads(2, 32);
    CHECK(judged_budget(sectors, {spread}).cause.starts_with("mul.cu:4 takes 32.0 sectors"));   // a cause of its own

    ScriptedCaller caller([](const std::string&, std::span<const Value> arguments) {
        return returned({value_of(sum_of(arguments), arguments[0].shape)});
    });
    caller.in_check_mode([&](const std::string&, std::span<const Value> arguments) {
        CallReply reply = returned({value_of(sum_of(arguments), arguments[0].shape)});
        reply.check.emplace();
        reply.check->kernels = {made};
        return reply;
    });
    Manifest manifest = sample_manifest();
    manifest.tasks[0].kernels = {
        {.name = "", .file = "mul.cu", .budgets = {at_most("barriers_per_block", {.plus = -1}), sectors}}};
    manifest.tasks[0].budgets = {at_most("global_reads", {.plus = 2})};
    const std::string message = judged(manifest, caller, AddCheck()).tasks[0].message;
    CAPTURE(message);
    const std::size_t said = message.find(cause), reads_at = message.find("global_reads: 64 counted, at most 2"),
                      barriers = message.find("barriers_per_block");
    REQUIRE(barriers != message.npos);
    CHECK(message.starts_with(cause));
    CHECK(said < reads_at);
    CHECK(reads_at < barriers);
    CHECK(message.find(cause, said + 1) == message.npos);
}
