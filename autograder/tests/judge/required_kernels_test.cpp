// SPDX-License-Identifier: MIT
// Kernels that a task requires: what must run, with so many threads, and what is said if it doesn't.
#include "judge/work/required_kernels.hpp"

#include <doctest/doctest.h>

#include "judge/checks.hpp"
#include "judge/work/budgets.hpp"
#include "support/limits.hpp"

using namespace course;
using namespace course::testing;
using test::at_least, test::at_most, test::exactly;

namespace {

/// A kernel of raw_add.cu that was launched once; it read and wrote 12 bytes for each of its threads.
KernelWork ran(std::string name, std::uint64_t grid, std::uint64_t block) {
    KernelWork kernel{.name = std::move(name),
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
KernelWork libgpus(std::string name = "expression") {
    KernelWork kernel = ran(name, 4, 256);
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

CheckedWork n1009(std::vector<KernelWork> kernels) {
    return {.case_name = "n = 1009",
            .size = {.elements = 1009, .arguments = {1009, 1009, 3}},
            .kernels = std::move(kernels)};
}

/// All that is said against the kernels of one case.
std::string said(const RequiredKernel& required, std::vector<KernelWork> kernels, Verdict verdict) {
    const CheckedWork one = n1009(std::move(kernels));
    std::string text;
    for (const BudgetResult& result : check_required_kernels({&required, 1}, {&one, 1})) {
        if (result.kept()) continue;
        CHECK(verdict_of(result) == verdict);
        text += (text.empty() ? "" : "\n") + describe(result);
    }
    return text;
}

std::string not_as_asked(const RequiredKernel& required, std::vector<KernelWork> kernels) {
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
    CHECK(not_as_asked(add(), {}) == must + "no kernel ran (n = 1009)");
    CHECK(not_as_asked(add(), {libgpus(), libgpus("libgpu sum")}) == must + "no kernel of yours ran (n = 1009)");
    CHECK(not_as_asked(add(), {ran("mul", 4, 256), libgpus()}) ==
          must + "the kernel mul of raw_add.cu ran instead (n = 1009)");
    KernelWork other = ran("add", 4, 256);
    other.file = "somewhere/raw_add.cpp";  // the right name, from a string in another file
    CHECK(not_as_asked(add(), {other}) == must + "the kernel add of raw_add.cpp ran instead (n = 1009)");
    RequiredKernel any{.name = "", .file = "raw_add.cu", .budgets = {at_least("launches", {.plus = 1})}};
    CHECK(not_as_asked(any, {libgpus()}) == "a kernel of raw_add.cu must run; no kernel of yours ran (n = 1009)");
    CHECK(not_as_asked(any, {ran("whatever", 4, 256)}) == "");
}

TEST_CASE("a kernel of the student's is known by its file, a generated one by the file that made it") {
    KernelWork generated = libgpus("shrink");
    const RequiredKernel required{
        .name = "", .file = "elementwise.cpp", .budgets = {at_least("launches", {.plus = 1})}};
    CHECK(not_as_asked(required, {generated}) ==
          "a kernel of elementwise.cpp must run; no kernel of yours ran (n = 1009)");
    generated.made_in = "/tmp/course-scratch-abc/elementwise.cpp";
    CHECK(not_as_asked(required, {generated}) == "");
    generated.made_in = "other.cpp";
    CHECK(not_as_asked(required, {generated}) ==
          "a kernel of elementwise.cpp must run; the kernel shrink of other.cpp ran instead (n = 1009)");
    CHECK(not_as_asked(add(), {ran("add<float>", 4, 256)}) == "");  // an instance of a template
    CHECK(not_as_asked(add(), {ran("add_two", 4, 256)}) != "");
}

TEST_CASE("one thread, one block, blocks of one: each is named with what was asked for") {
    const std::string kernel = "the kernel add of raw_add.cu must run ";
    CHECK(not_as_asked(add(), {ran("add", 1, 1)}) ==
          kernel + "with a thread for each element, at least 1009 threads; it ran with 1 (n = 1009)\n" + kernel +
              "in blocks of exactly 256 threads; it ran in blocks of 1 (n = 1009)");
    CHECK(not_as_asked(add(), {ran("add", 1, 256)}) ==
          kernel + "with a thread for each element, at least 1009 threads; it ran with 256 (n = 1009)");
    CHECK(not_as_asked(add(), {ran("add", 1009, 1)}) ==
          kernel + "in blocks of exactly 256 threads; it ran in blocks of 1 (n = 1009)");
    CHECK(said(add(), {ran("add", 2, 512)}, Verdict::over_budget) ==
          kernel + "in blocks of exactly 256 threads; it ran in blocks of 512 (n = 1009)");
}

TEST_CASE("a grid may be one that the call was given") {
    const RequiredKernel mul{.name = "mul",
                             .file = "raw_add.cu",
                             .budgets = {at_least("launches", {.plus = 1}), exactly("grid", {.each = 1, .of = 3})}};
    CHECK(not_as_asked(mul, {ran("mul", 3, 256)}) == "");
    CHECK(said(mul, {ran("mul", 4, 256)}, Verdict::over_budget) ==
          "the kernel mul of raw_add.cu must run with exactly 3 blocks; it ran with 4 (n = 1009)");
    CHECK(not_as_asked(mul, {ran("mul", 1, 256)}).find("it ran with 1 (n") != std::string::npos);
}

TEST_CASE("of several launches each must be as asked") {
    RequiredKernel required = add();
    KernelWork twice = ran("add", 4, 256);
    twice.launches = 2;
    twice.shapes.push_back({{4, 1, 1}, {16, 8, 2}, 1});  // 256 threads in another form
    CHECK(said(required, {twice}, Verdict::over_budget) ==
          "the kernel add of raw_add.cu must run exactly once; it ran 2 times (n = 1009)");
    required.budgets[0] = at_most("launches", {.plus = 3});
    CHECK(said(required, {twice}, Verdict::passed) == "");
    twice.shapes[1].block = {1, 1, 1};
    CHECK(not_as_asked(required, {twice}).find("it ran in blocks of 1 (n") != std::string::npos);
}

TEST_CASE("its barriers, atomics and work are counted for it alone") {
    KernelWork kernel = ran("add", 4, 256);
    kernel.work.barriers = 36;
    kernel.work.atomics = 4;
    KernelWork other = ran("mul", 400, 256);
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
    KernelWork kernel = libgpus();
    Outcome outcome = Outcome::returned;
    caller.in_check_mode([&](const std::string&, std::span<const Value> arguments) {
        if (outcome != Outcome::returned) return failed(outcome, "too slow");
        CallReply reply = returned({value_of(sum_of(arguments), arguments[0].shape)});
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
