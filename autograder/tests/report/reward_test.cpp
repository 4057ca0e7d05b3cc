// SPDX-License-Identifier: MIT
#include "report/task_text.hpp"

#include <doctest/doctest.h>

#include "judge/work/budgets.hpp"
#include "report/counts_text.hpp"

using namespace course;

TEST_CASE("the reward says what became less, and that its times are a model's") {
    const CallCost before{.elements = 1000, .launches = 5, .words = 12'000, .modelled_ns = 165'000},
        now{.elements = 1000, .launches = 1, .words = 3000, .modelled_ns = 41'000};
    CHECK(reward_text(before, now) ==
          "5 launches became 1, 12 words an element became 3; modelled for an H200: 41 us, before 165 us");
    CHECK(reward_text(now, now) == "");
    CHECK(reward_text(now, before) == "");
    CallCost larger = now;
    larger.elements = 2000;
    CHECK(reward_text(before, larger) == "");  // nothing is compared with a call of another size
    const CallCost copies{.elements = 10, .copies = 1, .modelled_ns = 9'400},
        no_copy{.elements = 10, .copies = 0, .modelled_ns = 3'000};
    CHECK(reward_text(copies, no_copy) == "1 copy became 0; modelled for an H200: 3.0 us, before 9.4 us");
}

TEST_CASE("a cost is kept as a word, and what can't be one is none") {
    const CallCost cost{
        .elements = 1009, .launches = 5, .copies = 2, .atomics = 4, .words = 12'108, .modelled_ns = 7000};
    CHECK(cost_word(cost) == "1009:5:2:4:12108:7000");
    const auto back = parse_cost(cost_word(cost));
    REQUIRE(back);
    CHECK(cost_word(*back) == cost_word(cost));
    for (const char* const bad :
         {"", "1:2", "1:2:3:4:5:6:7", "1:2:3:4:5:x", "-1:2:3:4:5:6", "99999999999999999999:1:1:1:1:1"})
        CHECK_FALSE(parse_cost(bad));
}

TEST_CASE("modelled time grows with launches, sectors, turns and copies") {
    gpu::Counts counts{};
    counts.launches = 1;
    KernelCounts kernel{.name = "add", .file = "add.cu", .launches = 1, .blocks = 4, .threads = 1024, .lines = {}};
    kernel.work.global_sectors = 1000;
    const double once = modelled_us(counts, {&kernel, 1});
    CHECK(once > 0);
    KernelCounts scattered = kernel;
    scattered.work.global_sectors = 8000;
    CHECK(modelled_us(counts, {&scattered, 1}) > once);
    KernelCounts one_block = kernel;
    one_block.blocks = 1;
    CHECK(modelled_us(counts, {&one_block, 1}) > once);
    gpu::Counts copying = counts;
    copying.copies_to_host = 1;
    copying.bytes_to_host = 4000;
    CHECK(modelled_us(copying, {&kernel, 1}) > once);
    gpu::Counts library = counts;
    library.launches = 3;  // of which two are a library's
    CHECK(modelled_us(library, {&kernel, 1}) > once);
}

TEST_CASE("of many parts those of the highest rank go first, until the rest fits") {
    const Passage parts[] = {{"what\n", 0}, {"where\n", 0}, {"who\n", 2}, {"why\n", 1}, {"what next\n", 0}};
    CHECK(few_lines(parts, 8, 80) == "what\nwhere\nwho\nwhy\nwhat next\n");
    CHECK(few_lines(parts, 4, 80) == "what\nwhere\nwhy\nwhat next\n");
    CHECK(few_lines(parts, 3, 80) == "what\nwhere\nwhat next\n");
    CHECK(few_lines(parts, 1, 80) == "what\nwhere\nwhat next\n");  // rank 0 is always shown
    CHECK(fitting_rank(parts, 4, 80) == 1);
}
