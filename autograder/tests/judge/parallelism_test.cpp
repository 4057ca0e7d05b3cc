// SPDX-License-Identifier: MIT
#include "judge/work/parallelism.hpp"

#include <doctest/doctest.h>

#include "judge/checks.hpp"
#include "judge/work/budgets.hpp"
#include "judge/work/work_budgets.hpp"

using namespace course;

namespace {

/// A launch of so many blocks and threads of a block.
WorkSpread launched(std::uint64_t blocks, std::uint64_t threads, std::uint64_t total, std::uint64_t thread,
                    std::uint64_t warp, std::uint64_t block) {
    return {.total = total,
            .busiest_thread = thread,
            .busiest_warp = warp,
            .busiest_block = block,
            .shape = {.grid = {blocks, 1, 1}, .block = {threads, 1, 1}, .launches = 1}};
}

constexpr double n = 20'011;

std::optional<BudgetResult> judged(const WorkSpread& spread, std::int64_t elements = 20'011) {
    KernelWork kernel{.name = "add", .file = "add.cu", .launches = 1, .global = spread, .lines = {}};
    const CheckedWork one{.case_name = "n = 20011", .size = {.elements = elements}, .kernels = {kernel}};
    const Budget budget{.counter = "global_accesses parallelism", .at_least = Limit{.plus = 1}, .tag = 3};
    return check_parallelism(budget, one, one.kernels);
}

}  // namespace

TEST_CASE("work that all threads share passes, in every right way of sharing it") {
    CHECK(concentration(launched(79, 256, 3 * 20'011, 3, 96, 768), n, "global_accesses") == "");
    // float4: a quarter of the threads, in a grid of all blocks that a GPU has room for
    CHECK(concentration(launched(1024, 256, 3 * 20'011, 12, 384, 3072), n, "global_accesses") == "");
    // eight elements a thread
    CHECK(concentration(launched(10, 256, 3 * 20'011, 24, 768, 6144), n, "global_accesses") == "");
    // two blocks for all
    CHECK(concentration(launched(2, 256, 20'011, 40, 1280, 10'100), n, "global_accesses") == "");
    // a block of one warp a row
    CHECK(concentration(launched(16, 32, 16 * 1251, 40, 1251, 1251), n, "global_accesses") == "");
    // a float4 for each of 18 threads, in rows of 72; a thread for each of 260 columns
    CHECK(concentration(launched(278, 256, 20'016, 4, 72, 72), n, "global_accesses") == "");
    CHECK(concentration(launched(2, 256, 20'020, 77, 2464, 19'712), n, "global_accesses") == "");
    // one atomic operation for each block is all there is to do
    CHECK(concentration(launched(79, 256, 79, 1, 1, 1), n, "atomics") == "");
    CHECK(concentration(launched(79, 256, 0, 0, 0, 0), n, "atomics") == "");
}

TEST_CASE("who does all the work is named") {
    const auto all = [](const WorkSpread& spread, std::string_view work = "global_accesses") {
        return concentration(spread, n, work);
    };
    CHECK(all(launched(79, 256, 60'033, 60'033, 60'033, 60'033)) == "one thread of 20224 did all the work");
    CHECK(all(launched(79, 256, 60'033, 1876, 60'033, 60'033)) == "one warp of 632 did all the work");
    CHECK(all(launched(8, 256, 20'011, 79, 2528, 20'011)) == "one block of eight did all the work");
    CHECK(all(launched(79, 256, 20'011, 8, 256, 256)) == "one warp of eight did all the work of each block");
    CHECK(all(launched(79, 256, 20'011, 256, 256, 256)) == "one thread of 256 did all the work of each block");
    CHECK(all(launched(79, 256, 20'011, 32, 32, 256)) == "one thread of 32 did all the work of each warp");
    WorkSpread idle = launched(79, 256, 20'011, 16, 32, 256);   // two of 32 lanes, 16 elements each
    idle.working_threads = 1251;
    idle.working_warps = 626;
    CHECK(all(idle) == "two of 32 lanes of each warp did all the work");
    idle.shape.grid = {1, 1, 1};   // a table of two columns: no other lane has an element
    idle.shape.block = {1024, 1, 1};
    idle.busiest_thread = 40;
    CHECK(concentration(idle, 1000, "global_accesses") == "");
    CHECK(all(launched(1, 256, 20'011, 626, 20'011, 20'011)) == "one warp of eight did all the work");
    CHECK(all(launched(79, 256, 20'011, 20'011, 20'011, 20'011), "atomics") ==
          "one thread of 20224 did all the atomic operations");
    // one that hands a last element to others is no better
    CHECK(all(launched(79, 256, 20'011, 79, 2500, 19'000)) == "one block of 79 did all the work");
}

TEST_CASE("the budget names the launch, and isn't asked where a right answer may need one block alone") {
    const auto lazy = judged(launched(8, 256, 20'011, 79, 2528, 20'011));
    REQUIRE(lazy);
    CHECK(lazy->falls_short());
    CHECK(lazy->counted == doctest::Approx(20'011.0 / 79));
    CHECK(lazy->tag == 3);
    CHECK(lazy->statement == "one block of eight did all the work (launched as 8 blocks of 256; n = 20011)");
    const auto shared = judged(launched(79, 256, 3 * 20'011, 3, 96, 768));
    REQUIRE(shared);
    CHECK(shared->kept());
    CHECK_FALSE(judged(launched(4, 256, 1009, 1009, 1009, 1009), 1009));
    CHECK_FALSE(judged(launched(4, 1024, 4095, 4095, 4095, 4095), 4095));
    // The span: 20 blocks whose threads make 5 accesses each, and one thread of each block 100 more.
    KernelWork kernel{.name = "add", .file = "add.cu", .launches = 1, .lines = {}};
    kernel.global = launched(20, 256, 22'011, 105, 260, 1200);
    kernel.accesses = 26'000;
    const auto by_span = [&](std::uint64_t span) {
        kernel.span = span;
        const CheckedWork one{.case_name = "n = 20011", .size = {.elements = 20'011}, .kernels = {kernel}};
        const Budget budget{.counter = "between_barriers parallelism", .at_least = Limit{.plus = 1}};
        return check_parallelism(budget, one, one.kernels);
    };
    CHECK(by_span(12)->kept());
    CHECK(by_span(13)->falls_short());
    CHECK(by_span(105)->counted == doctest::Approx(26'000.0 / 105));
    CHECK(by_span(105)->statement ==
          "between barriers a few threads work, and the others wait for them: 105 accesses one after another, where 6 "
          "would do (launched as 20 blocks of 256; n = 20011)");
    const Budget other{.counter = "launches", .at_least = Limit{.plus = 1}};
    CHECK_FALSE(check_parallelism(other, {}, {}));
}

TEST_CASE("a launch of less than two blocks of two warps shares nothing") {
    REQUIRE(judged(launched(1, 1, 60'033, 60'033, 60'033, 60'033)));
    CHECK(judged(launched(1, 1, 60'033, 60'033, 60'033, 60'033))->statement ==
          "one thread did all the work (launched as 1 block of 1; n = 20011)");
    CHECK(judged(launched(1, 64, 60'033, 939, 30'017, 60'033))->statement ==
          "64 threads did all the work (launched as 1 block of 64; n = 20011)");
    CHECK(judged(launched(2, 64, 60'033, 470, 15'009, 30'017))->kept());
    CHECK(!judged(launched(1, 1, 3 * 4095, 3 * 4095, 3 * 4095, 3 * 4095), 4095));   // too little to share
}

TEST_CASE("a task's own floor is for raw kernels: how libgpu spreads a sum is its matter") {
    KernelWork sum{.name = "sum", .file = "libgpu sum", .launches = 1,
                   .global = launched(1, 256, 12'501, 392, 12'501, 12'501), .lines = {}};
    const Budget budget{.counter = "global_accesses parallelism", .at_least = Limit{.plus = 1}};
    const auto judge = [&](const KernelWork& kernel) {
        const CheckedWork one{.case_name = "n = 12501", .size = {.elements = 12'501}, .kernels = {kernel}};
        return check_work_budgets(std::span(&budget, 1), std::span(&one, 1));
    };
    CHECK(judge(sum).empty());
    sum.made_in = "first_port.cpp";   // a gpu::ReductionKernel
    CHECK(judge(sum).empty());
    sum.made_in = "";
    sum.file = "first_port.cpp";
    REQUIRE(judge(sum).size() == 1);
    CHECK(statement(judge(sum)[0]) == "one warp of eight did all the work (launched as 1 block of 256; n = 12501)");
    CHECK(verdict_of(judge(sum)[0]) == Verdict::not_as_asked);
}
