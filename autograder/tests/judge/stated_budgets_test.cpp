// SPDX-License-Identifier: MIT

// Bounds of counted work that check.cpp states of a call, where they depend on more than a manifest's formula can say.

#include <limits>

#include <doctest/doctest.h>

#include "judge/checks.hpp"
#include "support/limits.hpp"

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
            CallReply reply = right(arguments);
            reply.check.emplace();
            reply.check->kernels = {kernel(arguments)};
            return reply;
        });
        return judged(manifest, caller, body);
    }

private:
    CallReply right(std::span<const Value> arguments) const {
        const std::int64_t m = arguments[0].shape[0], n = arguments[1].shape[1];
        CallReply reply = returned({value_of(std::vector<float>(static_cast<std::size_t>(m * n)), {m, n})});
        reply.counts.launches = launches;
        return reply;
    }

    KernelWork kernel(std::span<const Value> arguments) const {
        const auto m = static_cast<std::uint64_t>(arguments[0].shape[0]);
        const auto n = static_cast<std::uint64_t>(arguments[1].shape[1]);
        const auto k = static_cast<std::uint64_t>(arguments[0].shape[1]);
        Work work{};
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
