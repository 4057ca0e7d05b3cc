// SPDX-License-Identifier: MIT
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <course/bytes.hpp>

#include "judge/checks.hpp"
#include "judge/work/budgets.hpp"
#include "judge/work/required_kernels.hpp"
#include "support/golden.hpp"
#include "support/limits.hpp"
#include "support/parallel.hpp"

// Kernels that a task requires: what must run, with so many threads, and what is said if it doesn't.
using namespace course;
using namespace course::testing;
using test::at_least, test::at_most, test::exactly;

namespace {

/// A kernel of raw_add.cu that was launched once; it read and wrote 12 bytes for each of its threads.
KernelCounts ran(std::string name, std::uint64_t grid, std::uint64_t block) {
    KernelCounts kernel{.name = std::move(name),
                      .file = "raw_add.cu",
                      .made_in = {},
                      .launches = 1,
                      .blocks = grid,
                      .threads = grid * block,
                      .shapes = {{{grid, 1, 1}, {block, 1, 1}, 1}},
                      .work = {},
                      .lines = {}};
    kernel.work.global_bytes_read = 8 * kernel.threads;
    kernel.work.global_bytes_written = 4 * kernel.threads;
    kernel.work.global_bytes_used = 12 * kernel.threads;
    kernel.work.global_requests = 3 * kernel.threads / 32;
    kernel.work.global_sectors = 12 * kernel.threads / 32;
    return kernel;
}

/// An expression of arrays, or another operation of libgpu's.
KernelCounts libgpus(std::string name = "expression") {
    KernelCounts kernel = ran(name, 4, 256);
    kernel.file = std::move(name);
    return kernel;
}

RequiredKernel add() {
    return {.name = "add",
            .file = "raw_add.cu",
            .with = "a thread for each element",
            .budgets = {exactly("launches", {.plus = 1}), at_least("threads", {.each = 1}),
                        exactly("block", {.plus = 256})}};
}

CheckedWork n1009(std::vector<KernelCounts> kernels) {
    return {.case_name = "n = 1009",
            .size = {.elements = 1009, .arguments = {1009, 1009, 3}},
            .kernels = std::move(kernels)};
}

/// All that is said against the kernels of one case.
std::string said(const RequiredKernel& required, std::vector<KernelCounts> kernels, Verdict verdict) {
    const CheckedWork one = n1009(std::move(kernels));
    std::string text;
    for (const BudgetResult& result : check_required_kernels({&required, 1}, {&one, 1})) {
        if (result.kept()) continue;
        CHECK(verdict_of(result) == verdict);
        text += (text.empty() ? "" : "\n") + describe(result);
    }
    return text;
}

std::string not_as_asked(const RequiredKernel& required, std::vector<KernelCounts> kernels) {
    return said(required, std::move(kernels), Verdict::not_as_asked);
}

}  // namespace

TEST_CASE("a required kernel that ran as it must is shown with its bounds") {
    const RequiredKernel required = add();
    const CheckedWork one = n1009({libgpus("fill"), ran("add", 4, 256)});
    const std::vector<BudgetResult> results = check_required_kernels({&required, 1}, {&one, 1});
    REQUIRE(results.size() == 3);
    for (const BudgetResult& result : results) {
        CHECK(result.kept());
        CHECK(result.kernel == "add");
        CHECK(result.cause == "");
    }
    CHECK(results[1].counter == "threads");
    CHECK(results[1].counted == 1024);
    CHECK(results[1].at_least == 1009);
}

TEST_CASE("a required kernel that didn't run is asked for, and the sentence says what ran") {
    const std::string must = "the kernel add of raw_add.cu must run with a thread for each element; ";
    test::check_messages("judge", {not_as_asked(add(), {}), not_as_asked(add(), {libgpus(), libgpus("libgpu sum")}),
                                   not_as_asked(add(), {ran("mul", 4, 256), libgpus()})});
    KernelCounts other = ran("add", 4, 256);
    other.file = "somewhere/raw_add.cpp";  // the right name, from a string in another file
    test::check_messages("judge", {not_as_asked(add(), {other})});
    RequiredKernel any{.name = "", .file = "raw_add.cu", .budgets = {at_least("launches", {.plus = 1})}};
    test::check_messages("judge", {not_as_asked(any, {libgpus()})});
    CHECK(not_as_asked(any, {ran("whatever", 4, 256)}) == "");
}

TEST_CASE("a kernel of the student's is known by its file, a generated one by the file that made it") {
    KernelCounts generated = libgpus("shrink");
    const RequiredKernel required{
        .name = "", .file = "elementwise.cpp", .budgets = {at_least("launches", {.plus = 1})}};
    test::check_messages("judge", {not_as_asked(required, {generated})});
    generated.made_in = "/tmp/course-scratch-abc/elementwise.cpp";
    CHECK(not_as_asked(required, {generated}) == "");
    generated.made_in = "other.cpp";
    test::check_messages("judge", {not_as_asked(required, {generated})});
    CHECK(not_as_asked(add(), {ran("add<float>", 4, 256)}) == "");  // an instance of a template
    CHECK(not_as_asked(add(), {ran("add_two", 4, 256)}) != "");
}

TEST_CASE("one thread, one block, blocks of one: each is named with what was asked for") {
    const std::string kernel = "the kernel add of raw_add.cu must run ";
    test::check_messages(
        "judge", {not_as_asked(add(), {ran("add", 1, 1)}), not_as_asked(add(), {ran("add", 1, 256)}),
                  not_as_asked(add(), {ran("add", 1009, 1)}), said(add(), {ran("add", 2, 512)}, Verdict::over_budget)});
}

TEST_CASE("a grid may be one that the call was given") {
    const RequiredKernel mul{.name = "mul",
                             .file = "raw_add.cu",
                             .budgets = {at_least("launches", {.plus = 1}), exactly("grid", {.each = 1, .of = 3})}};
    CHECK(not_as_asked(mul, {ran("mul", 3, 256)}) == "");
    test::check_messages(
        "judge", {said(mul, {ran("mul", 4, 256)}, Verdict::over_budget), not_as_asked(mul, {ran("mul", 1, 256)})});
}

TEST_CASE("of several launches each must be as asked") {
    RequiredKernel required = add();
    KernelCounts twice = ran("add", 4, 256);
    twice.launches = 2;
    twice.shapes.push_back({{4, 1, 1}, {16, 8, 2}, 1});  // 256 threads in another form
    test::check_messages("judge", {said(required, {twice}, Verdict::over_budget)});
    required.budgets[0] = at_most("launches", {.plus = 3});
    CHECK(said(required, {twice}, Verdict::passed) == "");
    twice.shapes[1].block = {1, 1, 1};
    test::check_messages("judge", {not_as_asked(required, {twice})});
}

TEST_CASE("its barriers, atomics and work are counted for it alone") {
    KernelCounts kernel = ran("add", 4, 256);
    kernel.work.barriers = 36;
    kernel.work.atomics = 4;
    KernelCounts other = ran("mul", 400, 256);
    other.work.barriers = other.work.atomics = 4000;
    const auto asked = [&](const Budget& budget, Verdict verdict) {
        RequiredKernel required{.name = "add", .file = "raw_add.cu", .budgets = {budget}};
        return said(required, {kernel, other}, verdict);
    };
    CHECK(asked(exactly("barriers_per_block", {.plus = 9}), Verdict::passed) == "");
    CHECK(asked(at_least("barriers_per_block", {.plus = 10}), Verdict::not_as_asked) ==
          "the kernel add of raw_add.cu: barriers_per_block: 9 counted, at least 10 (n = 1009)");
    CHECK(asked(exactly("atomics", {.each = 1, .per = 256}), Verdict::passed) == "");
    CHECK(asked(exactly("global_bytes", {.plus = 12 * 1024}), Verdict::passed) == "");
    CHECK(asked(at_least("bytes_used_percent", {.plus = 90}), Verdict::passed) == "");
    kernel.work.global_sectors *= 8;
    kernel.lines = {{"raw_add.cu", 11, kernel.work}};
    CHECK(
        asked(at_least("bytes_used_percent", {.plus = 90}), Verdict::over_budget) ==
        "the kernel add of raw_add.cu: bytes_used_percent: 12 counted, at least 90 (n = 1009)\n"
        "raw_add.cu:11 uses 12% of the bytes that it moves (32.0 sectors of 32 bytes per request where 4.0 would do): "
        "let neighbouring threads read and write neighbouring elements");
    Budget with_cure = at_most("atomics", {.plus = 1});
    with_cure.cure = "add up first";
    CHECK(asked(with_cure, Verdict::over_budget) ==
          "the kernel add of raw_add.cu: atomics: 4 counted, at most 1 (n = 1009)\nadd up first");
}

TEST_CASE("calls with nothing to do aren't asked, and of the others the largest that fails is reported") {
    const RequiredKernel required = add();
    std::vector<CheckedWork> cases = {n1009({}), n1009({ran("add", 4, 256)})};
    cases[0].size.empty = true;
    for (const BudgetResult& result : check_required_kernels({&required, 1}, cases)) CHECK(result.kept());
    cases.insert(cases.begin() + 1, {n1009({ran("add", 1, 256)}), n1009({ran("add", 2, 256)})});
    cases[2].case_name = "n = 999";
    CHECK(check_required_kernels({&required, 1}, cases).at(1).case_name == "n = 999");
    const RequiredKernel efficient{
        .name = "add", .file = "raw_add.cu", .budgets = {at_least("bytes_used_percent", {.plus = 90})}};
    cases = {n1009({ran("add", 4, 256)}), n1009({ran("add", 4, 256)}), n1009({ran("add", 4, 256)})};
    for (std::size_t k = 0; k < 3; ++k) cases[k].case_name = std::to_string(k);
    cases[1].kernels[0].work.global_sectors *= 8;
    cases[2].kernels[0].work.global_sectors *= 2;
    CHECK(check_required_kernels({&efficient, 1}, cases).at(0).case_name == "1");  // of a ratio the worst
    cases.resize(1);
    cases[0].size.empty = true;
    CHECK(check_required_kernels({&required, 1}, cases).empty());
}

TEST_CASE("an answer without the required kernel has no points, and its verdict says what was to be used") {
    ScriptedCaller caller([](const std::string&, std::span<const Value> arguments) {
        return returned({value_of(sum_of(arguments), arguments[0].shape)});
    });
    KernelCounts kernel = libgpus();
    Outcome outcome = Outcome::returned;
    caller.in_check_mode([&](const std::string&, std::span<const Value> arguments) {
        if (outcome != Outcome::returned) return failed(outcome, "too slow");
        CallResult reply = returned({value_of(sum_of(arguments), arguments[0].shape)});
        reply.check.emplace();
        reply.check->kernels = {kernel};
        return reply;
    });
    Manifest manifest = sample_manifest();
    manifest.tasks[0].kernels = {add()};
    Result result = judged(manifest, caller, AddCheck());
    CHECK(result.verdict == Verdict::not_as_asked);
    CHECK(result.points() == 0);
    CHECK(result.tasks[0].message ==
          "the kernel add of raw_add.cu must run with a thread for each element; no kernel of yours ran (n = 5003)");

    kernel = ran("add", 20, 256);
    result = judged(manifest, caller, AddCheck());
    CHECK(result.verdict == Verdict::passed);
    CHECK(result.points() == 2);
    CHECK(result.tasks[0].budgets.size() == 3);

    outcome = Outcome::timed_out;  // nobody has seen it run
    result = judged(manifest, caller, AddCheck());
    CHECK(result.verdict == Verdict::not_as_asked);
    CHECK(
        result.tasks[0].message.starts_with("the kernel add of raw_add.cu must run; n = 0 and larger cases take too"));
}

using namespace course;

TEST_CASE("pieces cover everything once, whatever the number of threads") {
    for (const int threads : {0, 1, 3, 40}) {
        for (const std::int64_t count : {0, 1, 9, 10, 11, 95}) {
            std::vector<int> seen(static_cast<std::size_t>(count));
            in_pieces(
                count, 10,
                [&](std::int64_t begin, std::int64_t end) {
                    CHECK(begin % 10 == 0);
                    CHECK(end == std::min(begin + 10, count));
                    for (std::int64_t i = begin; i < end; ++i) ++seen[static_cast<std::size_t>(i)];
                },
                threads);
            CHECK(seen == std::vector<int>(static_cast<std::size_t>(count), 1));
        }
    }
}

TEST_CASE("of several pieces that fail the first one is reported, and all others are done") {
    std::vector<int> seen(10);
    const auto run = [&] {
        in_pieces(
            10, 1,
            [&](std::int64_t begin, std::int64_t) {
                ++seen[static_cast<std::size_t>(begin)];
                if (begin == 3 || begin == 7) throw std::runtime_error(std::to_string(begin));
            },
            4);
    };
    CHECK_THROWS_WITH_AS(run(), "3", std::runtime_error);
    CHECK(std::accumulate(seen.begin(), seen.end(), 0) == 10);
}

TEST_CASE("large copies are whole") {
    std::vector<std::uint32_t> from(5'000'001), to(from.size());
    std::iota(from.begin(), from.end(), 7U);
    copy_bytes(to.data(), from.data(), from.size() * sizeof from[0]);
    CHECK(from == to);
    copy_bytes(nullptr, nullptr, 0);
}

TEST_CASE("bytes are copied, moved and compared by value") {
    const std::byte four[] = {std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}};
    Bytes bytes(four, four + 4);
    Bytes copy = bytes;
    CHECK(copy == bytes);
    copy[2] = std::byte{9};
    CHECK_FALSE(copy == bytes);
    CHECK(bytes[2] == std::byte{3});
    copy.resize(2);
    CHECK(copy == Bytes(four, four + 2));
    const Bytes moved = std::move(bytes);
    CHECK(moved.size() == 4);
    CHECK(bytes.empty());  // NOLINT: what was moved from is empty
    bytes = moved;
    CHECK(bytes == moved);
    CHECK(Bytes() == Bytes(0));
}

using namespace course;

namespace {

/// A launch of so many blocks and threads of a block.
WorkSpread launched(std::uint64_t blocks, std::uint64_t threads, std::uint64_t total, std::uint64_t thread,
                    std::uint64_t warp, std::uint64_t block) {
    return {.total = total,
            .busiest_thread = thread,
            .busiest_warp = warp,
            .busiest_block = block,
            .grid = blocks,
            .block = threads};
}

constexpr double n = 20'011;

std::optional<BudgetResult> judged(const WorkSpread& spread, std::int64_t elements = 20'011) {
    KernelCounts kernel{.name = "add", .file = "add.cu", .launches = 1, .global_spread = spread, .lines = {}};
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
    idle.grid = {1, 1, 1};   // a table of two columns: no other lane has an element
    idle.block = {1024, 1, 1};
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
    KernelCounts kernel{.name = "add", .file = "add.cu", .launches = 1, .lines = {}};
    kernel.global_spread = launched(20, 256, 22'011, 105, 260, 1200);
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
    KernelCounts sum{.name = "sum", .file = "libgpu sum", .launches = 1,
                   .global_spread = launched(1, 256, 12'501, 392, 12'501, 12'501), .lines = {}};
    const Budget budget{.counter = "global_accesses parallelism", .at_least = Limit{.plus = 1}};
    const auto judge = [&](const KernelCounts& kernel) {
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
