// SPDX-License-Identifier: MIT
#include <cstring>
#include <limits>

#include <doctest/doctest.h>

#include "judge/checks.hpp"
#include "judge/work/budgets.hpp"
#include "manifest/names.hpp"
#include "support/limits.hpp"

using namespace course;
using test::at_least, test::at_most, test::exactly;

namespace {

CaseResult one_case(std::string name, std::int64_t elements, std::uint64_t copies, std::uint64_t atomics = 0) {
    CaseResult result;
    result.name = std::move(name);
    result.elements = elements;
    result.counts.copies_to_device = copies;
    result.checked_counts = result.counts;
    result.checked_counts->atomics = atomics;
    return result;
}

}  // namespace

TEST_CASE("every counter's name reads its own member") {
    gpu::Counts counts{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0, 13, 14, 15, 16, 17};
    double want = 1;
    for (std::string_view name : counter_names) CHECK(counted(counts, name) == want++);
    CHECK(counted(counts, "copies_to_device") == static_cast<double>(counts.copies_to_device));
    CHECK(counted(counts, "synchronizations") == static_cast<double>(counts.synchronizations));
    CHECK(counted(counts, "atomics") == static_cast<double>(counts.atomics));
}

TEST_CASE("a name that is no counter is the manifest's error") {
    CHECK_THROWS_WITH_AS(counted(gpu::Counts{}, "copies"), "\"copies\" is not a valid counter", ManifestError);
}

TEST_CASE("a budget is kept up to its limit") {
    const Budget budget = at_most("copies_to_device", {.plus = 2});
    const std::vector<CaseResult> kept{one_case("n = 1", 1, 2)}, exceeded{one_case("n = 1", 1, 3)};
    CHECK(check_budgets(std::span(&budget, 1), kept).at(0).kept());
    CHECK_FALSE(check_budgets(std::span(&budget, 1), exceeded).at(0).kept());
}

TEST_CASE("the first case that exceeds a budget is reported, in a sentence") {
    const Budget budget = at_most("copies_to_device", {.plus = 2});
    const std::vector<CaseResult> cases{one_case("n = 1", 1, 2), one_case("n = 257", 257, 3), one_case("n = 9", 9, 5)};
    const std::vector<BudgetResult> results = check_budgets(std::span(&budget, 1), cases);
    REQUIRE(results.size() == 1);
    CHECK(describe(results[0]) ==
          "copies_to_device: 3 counted, at most 2 (n = 257)\n"
          "copy once and keep the gpu::Array; what an expression, gpu::arange or gpu::zeros can make there needs no "
          "copy");
}

TEST_CASE("a case of few elements isn't reported if a larger one breaks the budget, too") {
    const Budget budget = at_most("copies_to_device", {.plus = 2});
    std::vector<CaseResult> cases{one_case("n = 0", 0, 4), one_case("n = 1", 1, 3), one_case("n = 31", 31, 3),
                                  one_case("n = 257", 257, 9)};
    CHECK(check_budgets(std::span(&budget, 1), cases).at(0).case_name == "n = 31");
    CHECK(check_budgets(std::span(&budget, 1), cases).at(0).broken.size() == 4);
    cases.resize(2);
    CHECK(check_budgets(std::span(&budget, 1), cases).at(0).case_name == "n = 0");
    cases.push_back(one_case("n = 257", 257, 2));
    CHECK(check_budgets(std::span(&budget, 1), cases).at(0).case_name == "n = 0");   // the large one keeps it
}

TEST_CASE("a budget grows with the elements, in whole blocks") {
    const Budget budget = at_most("atomics", {.plus = 1, .each = 1, .per = 256});
    const std::vector<CaseResult> cases{one_case("n = 257", 257, 0, 3), one_case("n = 1009", 1009, 0, 2)};
    const std::vector<BudgetResult> results = check_budgets(std::span(&budget, 1), cases);
    CHECK(results.at(0).kept());
    CHECK(results[0].case_name == "n = 257");  // 3 of 3, nearer than 2 of 5
    CHECK(results[0].at_most == 3);
}

TEST_CASE("of cases that come equally near the last is reported") {
    const Budget budget = at_most("atomics", {.plus = 0, .each = 1});
    const std::vector<CaseResult> cases{one_case("n = 0", 0, 0, 0), one_case("n = 1", 1, 0, 1),
                                        one_case("n = 257", 257, 0, 257)};
    CHECK(check_budgets(std::span(&budget, 1), cases).at(0).case_name == "n = 257");
}

TEST_CASE("an allowance of nothing is exceeded by one") {
    const Budget budget = at_most("copies_to_device", {.plus = 0});
    const std::vector<CaseResult> cases{one_case("a", 5, 0), one_case("b", 5, 1)};
    const std::vector<BudgetResult> results = check_budgets(std::span(&budget, 1), cases);
    CHECK_FALSE(results.at(0).kept());
    CHECK(results[0].case_name == "b");
}

TEST_CASE("what check mode counted decides, whatever was counted in the usual run") {
    const Budget budget = at_most("launches", {.plus = 1});
    std::vector<CaseResult> cases{one_case("a", 5, 0)};
    cases[0].counts.launches = 7;
    CHECK(check_budgets(std::span(&budget, 1), cases).at(0).kept());
    cases[0].counts.launches = 1;
    cases[0].checked_counts->launches = 2;
    CHECK(check_budgets(std::span(&budget, 1), cases).at(0).counted == 2);
    CHECK_FALSE(check_budgets(std::span(&budget, 1), cases).at(0).kept());
}

TEST_CASE("of a case too large for check mode the usual run's counts are judged, but for what a GPU doesn't count") {
    const Budget budgets[] = {at_most("launches", {.plus = 1}), at_most("atomics", {.plus = 0})};
    std::vector<CaseResult> cases{one_case("small", 5, 0, 0), one_case("large", 100'003, 0)};
    cases[1].checked_counts.reset();
    cases[1].counts.launches = 2;
    cases[1].counts.atomics = 100'003;
    const std::vector<BudgetResult> results = check_budgets(budgets, cases);
    REQUIRE(results.size() == 2);
    CHECK(results[0].case_name == "large");
    CHECK_FALSE(results[0].kept());
    CHECK(results[1].case_name == "small");
    CHECK(results[1].kept());
    cases.erase(cases.begin());
    CHECK(check_budgets(budgets, cases).size() == 1);
}

TEST_CASE("a call that crashed has no counts to judge") {
    const Budget budget = at_most("copies_to_device", {.plus = 0});
    std::vector<CaseResult> cases{one_case("a", 5, 7)};
    cases[0].verdict = Verdict::crashed;
    CHECK(check_budgets(std::span(&budget, 1), cases).empty());
}

TEST_CASE("a floor is kept from its limit on, and says what to use") {
    const Budget budget = at_least("launches", {.plus = 1});
    std::vector<CaseResult> cases{one_case("n = 1", 1, 0), one_case("n = 257", 257, 0)};
    const BudgetResult none = check_budgets(std::span(&budget, 1), cases).at(0);
    CHECK_FALSE(none.kept());
    CHECK(none.falls_short());
    CHECK(verdict_of(none) == Verdict::not_as_asked);
    CHECK(none.case_name == "n = 257");
    CHECK(describe(none) ==
          "launches: 0 counted, at least 1 (n = 257)\n"
          "compute on the device: an expression of gpu arrays becomes a kernel, and so does a gpu::RawKernel");
    for (CaseResult& one : cases) one.checked_counts->launches = 7;
    CHECK(check_budgets(std::span(&budget, 1), cases).at(0).kept());
}

TEST_CASE("an exact value has one more and one less against it") {
    const Budget budget = exactly("copies_to_device", {.plus = 2});
    const auto counted = [&](std::uint64_t copies) {
        const CaseResult one = one_case("n = 9", 9, copies);
        return check_budgets(std::span(&budget, 1), std::span(&one, 1)).at(0);
    };
    CHECK(counted(2).kept());
    CHECK(verdict_of(counted(2)) == Verdict::passed);
    CHECK(verdict_of(counted(1)) == Verdict::not_as_asked);
    CHECK(describe(counted(1)) ==
          "copies_to_device: 1 counted, exactly 2 (n = 9)\ngpu::to_device(x) brings data to the device");
    CHECK(verdict_of(counted(3)) == Verdict::over_budget);
    CHECK(describe(counted(3)).starts_with("copies_to_device: 3 counted, exactly 2 (n = 9)\ncopy once"));
}

TEST_CASE("a floor and a ceiling, and which case comes nearest to one of them") {
    const Budget budget{.counter = "atomics", .at_least = Limit{.plus = 2}, .at_most = Limit{.each = 1}};
    const std::vector<CaseResult> cases{one_case("a", 100, 0, 50), one_case("b", 100, 0, 3), one_case("c", 100, 0, 20)};
    const BudgetResult nearest = check_budgets(std::span(&budget, 1), cases).at(0);
    CHECK(nearest.case_name == "b");   // 2 of 3
    CHECK(nearest.kept());
    CHECK(bounds_text(nearest) == "2 to 100");
}

TEST_CASE("where there is nothing to do, no floor is asked for; a ceiling is") {
    const Budget floor = exactly("launches", {.plus = 1});
    CaseResult nothing = one_case("n = 0", 0, 0);
    nothing.empty = true;
    CHECK(check_budgets(std::span(&floor, 1), std::span(&nothing, 1)).at(0).kept());
    nothing.checked_counts->launches = 2;
    CHECK_FALSE(check_budgets(std::span(&floor, 1), std::span(&nothing, 1)).at(0).kept());
    CaseResult number = one_case("twice(7)", 0, 0);   // no arrays at all: that is something to do
    CHECK_FALSE(check_budgets(std::span(&floor, 1), std::span(&number, 1)).at(0).kept());
}

TEST_CASE("a limit may grow with an argument") {
    const Budget budget = exactly("launches", {.plus = 1, .each = 2, .of = 3});
    CaseResult one = one_case("n = 9, blocks = 4", 9, 0);
    one.arguments = {9, 9, 4};
    one.checked_counts->launches = 9;
    CHECK(check_budgets(std::span(&budget, 1), std::span(&one, 1)).at(0).kept());
    one.arguments = {9, 9};
    CHECK_THROWS_WITH_AS(check_budgets(std::span(&budget, 1), std::span(&one, 1)),
                         "a limit of exercise.toml grows with argument 3, and the call has 2", ManifestError);
}

TEST_CASE("each broken budget names a cure where one is known, the author's first") {
    Budget budget = at_most("allocations", {.plus = 1});
    CaseResult one = one_case("n = 9", 9, 0);
    one.checked_counts->allocations = 2;
    const auto described = [&] { return describe(check_budgets(std::span(&budget, 1), std::span(&one, 1))[0]); };
    CHECK(described() == "allocations: 2 counted, at most 1 (n = 9)\n"
                         "a = a * a writes into the array that is there; `return a * a` makes another");
    budget.cure = "keep the first array";
    CHECK(described() == "allocations: 2 counted, at most 1 (n = 9)\nkeep the first array");
    budget.counter = "bytes_allocated";
    budget.cure.clear();
    one.checked_counts->bytes_allocated = 8;
    CHECK(described() == "bytes_allocated: 8 counted, at most 1 (n = 9)");
    one.checked_counts->allocations = one.checked_counts->bytes_allocated = 1;
    CHECK(described() == "bytes_allocated: 1 counted, at most 1 (n = 9)");   // kept: nothing to cure
}

// Bounds of counted work that check.cpp states of a call, where they depend on more than a manifest's formula can say.
using namespace course;
using namespace course::testing;

namespace {

constexpr ValueType matrix{protocol::Place::device_array, protocol::Type::float32};

/// matmul(a, b) -> c, and a kernel tiled of matmul.cu that must run.
Manifest matmul() {
    Manifest manifest = sample_manifest({"tiled"});
    manifest.functions.push_back({"matmul", {matrix, matrix}, {matrix}});
    manifest.tasks[0].kernels = {
        {.name = "tiled", .file = "matmul.cu", .budgets = {test::at_least("launches", {.plus = 1})}}};
    return manifest;
}

/// Answers calls of matmul() rightly (with zeros, for matrices of zeros), and in check mode with a kernel that reads
/// 2 m n k / tile floats and passes 2 barriers per tile.
class Multiplier {
public:
    int tile = 16, barriers = 2;
    std::uint64_t launches = 1;

    Result judge(auto body) const {
        const Manifest manifest = matmul();
        ScriptedCaller caller([&](const std::string&, std::span<const Value> arguments) { return right(arguments); });
        caller.in_check_mode([&](const std::string&, std::span<const Value> arguments) {
            CallResult reply = right(arguments);
            reply.check.emplace();
            reply.check->kernels = {kernel(arguments)};
            return reply;
        });
        return judged(manifest, caller, body);
    }

private:
    CallResult right(std::span<const Value> arguments) const {
        const std::int64_t m = arguments[0].shape[0], n = arguments[1].shape[1];
        CallResult reply = returned({value_of(std::vector<float>(static_cast<std::size_t>(m * n)), {m, n})});
        reply.counts.launches = launches;
        return reply;
    }

    KernelCounts kernel(std::span<const Value> arguments) const {
        const auto m = static_cast<std::uint64_t>(arguments[0].shape[0]);
        const auto n = static_cast<std::uint64_t>(arguments[1].shape[1]);
        const auto k = static_cast<std::uint64_t>(arguments[0].shape[1]);
        WorkCounts work{};
        work.global_reads = 2 * m * n * k / static_cast<std::uint64_t>(tile);
        work.barriers = static_cast<std::uint64_t>(barriers) * (m * n / 256) * (k / 16);
        return {.name = "tiled",
                .file = "matmul.cu",
                .launches = 1,
                .blocks = m * n / 256,
                .threads = m * n,
                .work = work,
                .lines = {{"matmul.cu", 9, work}}};
    }
};

Matrix<float> zeros(int rows, int columns) { return Matrix<float>::Zero(rows, columns); }

/// Three shapes; the reads and the barriers follow from all three lengths.
struct StatesBoth {
    void operator()(OpenCheck& use) const {
        for (const auto& [m, n, k] : {std::array{16, 32, 48}, std::array{64, 48, 32}, std::array{32, 32, 64}})
            use.call("matmul", zeros(m, k), zeros(k, n))
                .returns(zeros(m, n))
                .counts("global_reads", at_most(1.05 * 2 * m * n * k / 16 + 0.5), "a tile is read once", 4)
                .kernel_counts("tiled", "barriers_per_block", exactly(2 * k / 16))
                .counts("launches", at_least(1))
                .counts("launches", at_most(1));
    }
};

}  // namespace

TEST_CASE("a check's bounds are judged call by call, and one result is reported for each counter") {
    const Result result = Multiplier().judge(StatesBoth());
    CHECK(result.verdict == Verdict::passed);
    REQUIRE(result.tasks[0].budgets.size() == 4);
    const auto find = [&](std::string_view counter, std::string_view kernel) {
        for (const BudgetResult& one : result.tasks[0].budgets)
            if (one.counter == counter && one.kernel == kernel) return one;
        FAIL("no such budget");
        return BudgetResult{};
    };
    CHECK(find("launches", "").counted == 1);
    CHECK(find("launches", "").at_most == 1);
    CHECK_FALSE(find("launches", "").at_least);   // what is stated last of a counter counts
    const BudgetResult reads = find("global_reads", "");
    CHECK(reads.at_most == std::floor(1.05 * reads.counted + 0.5));   // whole, as counts are
    const BudgetResult barriers = find("barriers_per_block", "tiled");
    CHECK(barriers.at_least == barriers.counted);
    CHECK(barriers.at_most == barriers.counted);
}

TEST_CASE("a call over its bound is over budget in the words of a manifest's: count, bound, worst line, cure") {
    Multiplier naive;
    naive.tile = 1;
    const Result result = naive.judge(StatesBoth());
    CHECK(result.verdict == Verdict::over_budget);
    CHECK(result.points() == 0);
    CHECK(result.tasks[0].message ==
          "global_reads: 49152 counted, at most 3226 (16 x 48 and 48 x 32)\n"
          "matmul.cu:9 has all of them: what is needed twice can stay in a variable or in shared memory\n"
          "a tile is read once");
    for (const BudgetResult& one : result.tasks[0].budgets)
        if (one.counter == "global_reads") CHECK(one.broken.size() == 3);
    CHECK(result.tasks[0].tags == std::vector<int>{4});
}

TEST_CASE("a required kernel's counts are bounded by its name") {
    Multiplier one_barrier;
    one_barrier.barriers = 1;
    const Result result = one_barrier.judge(StatesBoth());
    CHECK(result.verdict == Verdict::not_as_asked);
    CHECK(result.tasks[0].message ==
          "the kernel tiled of matmul.cu: barriers_per_block: 2 counted, exactly 4 (64 x 32 and 32 x 48)");
}

TEST_CASE("counts of calls are bounded, too, and a call of which nothing is stated isn't judged") {
    Multiplier twice;
    twice.launches = 2;
    const auto body = [](OpenCheck& use) {
        use.call("matmul", zeros(16, 16), zeros(16, 16)).returns(zeros(16, 16));
        use.call("matmul", zeros(32, 16), zeros(16, 16))
            .returns(zeros(32, 16))
            .counts("launches", exactly(1), "use one");
    };
    const Result result = twice.judge(body);
    CHECK(result.verdict == Verdict::over_budget);
    CHECK(result.tasks[0].message == "launches: 2 counted, exactly 1 (32 x 16 and 16 x 16)\nuse one");
    twice.launches = 1;
    CHECK(twice.judge(body).verdict == Verdict::passed);
    twice.launches = 0;
    CHECK(twice.judge(body).verdict == Verdict::not_as_asked);
}

TEST_CASE("bounds that make no sense are the check's mistake") {
    const auto mistake = [](auto body) {
        const Result result = Multiplier().judge(body);
        CHECK(result.verdict == Verdict::environment);
        const std::size_t from = result.message.find("counts(");
        return from == std::string::npos ? result.message : result.message.substr(from);
    };
    CHECK(mistake([](OpenCheck& use) {
              use.call("matmul", zeros(16, 16), zeros(16, 16)).returns(zeros(16, 16)).counts("reads", at_most(1));
          }) == "counts(\"reads\"): not a counter of a call");
    CHECK(mistake([](OpenCheck& use) {
              use.call("matmul", zeros(16, 16), zeros(16, 16)).returns(zeros(16, 16)).counts("grid", at_most(1));
          }) == "counts(\"grid\"): not a counter of a call");
    CHECK(mistake([](OpenCheck& use) {
              use.call("matmul", zeros(16, 16), zeros(16, 16))
                  .returns(zeros(16, 16))
                  .kernel_counts("naive", "grid", at_most(1));
          }) == "counts(\"grid\"): exercise.toml requires no kernel \"naive\" in this task");
    CHECK(mistake([](OpenCheck& use) {
              use.call("matmul", zeros(16, 16), zeros(16, 16))
                  .returns(zeros(16, 16))
                  .kernel_counts("tiled", "copies_to_host", at_most(1));
          }) == "counts(\"copies_to_host\"): not a counter of a kernel");
    CHECK(mistake([](OpenCheck& use) {
              use.call("matmul", zeros(16, 16), zeros(16, 16))
                  .returns(zeros(16, 16))
                  .counts("launches", CountBound{.at_least = 1.2, .at_most = 1.8});
          }) == "counts(\"launches\"): no count can keep these bounds");
    CHECK(mistake([](OpenCheck& use) {
              use.call("matmul", zeros(16, 16), zeros(16, 16))
                  .returns(zeros(16, 16))
                  .counts("launches", at_most(std::numeric_limits<double>::quiet_NaN()));
          }) == "counts(\"launches\"): no count can keep these bounds");
}

using namespace course;
using namespace course::testing;
using test::at_least, test::at_most;

namespace {

/// `requests` of whole warps that read floats, each in so many sectors.
WorkCounts reads(std::uint64_t requests, std::uint64_t sectors) {
    WorkCounts work{};
    work.global_reads = 32 * requests;
    work.global_bytes_read = work.global_bytes_used = 128 * requests;
    work.global_requests = requests;
    work.global_sectors = sectors * requests;
    work.global_segments = requests;
    return work;
}

WorkCounts shared(std::uint64_t requests, std::uint64_t ways) {
    WorkCounts work{};
    work.shared_reads = 32 * requests;
    work.shared_bytes_read = 128 * requests;
    work.shared_requests = requests;
    work.shared_wavefronts = ways * requests;
    return work;
}

KernelCounts kernel(std::string name, std::vector<LineCounts> lines) {
    KernelCounts made{.name = std::move(name),
                    .file = "add.cu",
                    .launches = 1,
                    .blocks = 1,
                    .threads = 32,
                    .work = {},
                    .lines = std::move(lines)};
    for (const LineCounts& line : made.lines) made.work += line.work;
    return made;
}

BudgetResult judged_budget(const Budget& budget, std::vector<KernelCounts> kernels, std::int64_t elements = 32) {
    const CheckedWork one{.case_name = "n = 32", .size = {.elements = elements}, .kernels = std::move(kernels)};
    const std::vector<BudgetResult> results = check_work_budgets({&budget, 1}, {&one, 1});
    REQUIRE(results.size() == 1);
    return results[0];
}

}  // namespace

TEST_CASE("every counter of kernels' work is counted, by its name") {
    WorkCounts work{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22};
    const double want[] = {1, 2, 3 + 4, 6, 7, 8, 9, 10, 11 + 12, 13, 14, 20, 21, 16, 22};
    static_assert(std::size(want) + 1 == work_counter_names.size());
    for (std::size_t k = 0; k < std::size(want); ++k) CHECK(counted(work, work_counter_names[k]) == want[k]);
    CHECK(counted(work, "sectors_per_request") == 7. / 6);
    CHECK(counted(work, "bank_conflict_ways") == 14. / 13);
    CHECK(counted(work, "atomic_turns") == 18. / 17);
    CHECK(counted(WorkCounts{}, "sectors_per_request") == 0);
    CHECK(counted(reads(8, 4), "bytes_used_percent") == 100);
    CHECK(counted(reads(8, 5), "bytes_used_percent") == 80);
    CHECK(counted(reads(8, 32), "bytes_used_percent") == 12.5);
    CHECK(counted(reads(7, 32), "bytes_used_percent") == 100);  // less than 1 KiB
    CHECK_THROWS_AS(static_cast<void>(counted(work, "launches")), ManifestError);
    for (const std::string_view name : ratio_names) CHECK(is_ratio(name));
    for (const std::string_view name : counter_names) CHECK_FALSE(is_counted_in_check_mode(name));
}

TEST_CASE("the work of kernels adds up; a ratio is that of the worst kernel") {
    const std::vector<KernelCounts> kernels = {kernel("fill", {{"fill.cu", 1, reads(10, 4)}}),
                                             kernel("add", {{"add.cu", 7, reads(2, 32)}})};
    CHECK(counted(kernels, "global_reads") == 12 * 32);
    CHECK(counted(kernels, "sectors_per_request") == 32);
    CHECK(counted(kernels, "threads_started") == 64);
    WorkCounts large{};
    large.global_reads = std::numeric_limits<std::uint64_t>::max() - 1;
    large += reads(1, 4);
    CHECK(large.global_reads == std::numeric_limits<std::uint64_t>::max());  // a liar's
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
    KernelCounts sums = kernel("sum", {{"sum.cu", 7, reads(4, 4)}});
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
    std::vector<KernelCounts> kernels = {kernel("expression", {{"expression", 1, reads(2, 4)}}),
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
    WorkCounts alone{};   // a single thread: 100 requests of one float each
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
    WorkCounts adds{};
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
    const std::vector<KernelCounts> steps(3, kernel("step", {{"a.cu", 6, reads(1, 4)}}));
    const BudgetResult over = judged_budget(at_most("threads_started", {.each = 2}), steps);
    CHECK(describe(over) == "threads_started: 96 counted, at most 64 (n = 32)");
}

TEST_CASE("what is moved in vain is over budget, however many sectors a request may have") {
    const Budget budget = at_least("bytes_used_percent", {.plus = 80});
    WorkCounts wide = reads(16, 16);  // 16 bytes a thread: 512 bytes in 16 sectors
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
    WorkCounts lonely = reads(1000, 1);  // one thread of each warp
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
    KernelCounts made = kernel("elementwise_add", {});
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
        CallResult reply = returned({value_of(sum_of(arguments), arguments[0].shape)});
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
    KernelCounts made = kernel("mul", {{"mul.cu", 4, reads(2, 4)}});
    const Budget budget{.counter = "global_reads", .at_most = Limit{.each = 1}};
    CHECK(judged_budget(budget, {made}, 32).cause.starts_with("mul.cu:4 has all of them"));
    made.rewritten = "mul.cu:4 writes y[32] in block (0,0,0) thread (0,0,0) and in block (1,0,0) thread (0,0,0)";
    CHECK(judged_budget(budget, {made}, 32).cause ==
          made.rewritten + ": each element needs one thread; check the index and the stride");
}

TEST_CASE("a wrong index comes before the sectors that it costs, is said once, and has no cure for sectors") {
    const Budget sectors{.counter = "global_sectors", .at_most = Limit{.plus = 8}, .cure = "neighbouring elements"};
    KernelCounts made = kernel("mul", {{"mul.cu", 4, reads(2, 5)}});   // beginning in the middle of a sector
    made.file = "mul.cu";
    CHECK(judged_budget(sectors, {made}).cause.ends_with("neighbouring elements\nneighbouring elements"));
    made.rewritten = "mul.cu:4 writes y[32] in block (0,0,0) thread (0,0,0) and in block (1,0,0) thread (0,0,0)";
    const std::string cause = made.rewritten + ": each element needs one thread; check the index and the stride";
    CHECK(judged_budget(sectors, {made}).cause == cause);
    CHECK(judged_budget(sectors, {made}).index_is_wrong);
    KernelCounts spread = made;
    spread.lines[0].work = spread.work = reads(2, 32);
    CHECK(judged_budget(sectors, {spread}).cause.starts_with("mul.cu:4 takes 32.0 sectors"));   // a cause of its own

    ScriptedCaller caller([](const std::string&, std::span<const Value> arguments) {
        return returned({value_of(sum_of(arguments), arguments[0].shape)});
    });
    caller.in_check_mode([&](const std::string&, std::span<const Value> arguments) {
        CallResult reply = returned({value_of(sum_of(arguments), arguments[0].shape)});
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
