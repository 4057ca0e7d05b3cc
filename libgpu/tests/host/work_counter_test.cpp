// SPDX-License-Identifier: MIT
#include "host/check/work_counter.hpp"

#include <random>

#include <doctest/doctest.h>

using gpu::LineCounts;
using gpu::WorkCounts;
using gpu::detail::host::AccessKind;
using gpu::detail::host::SiteCounts;
using gpu::detail::host::total_work;
using gpu::detail::host::work_by_line;
using gpu::detail::host::WorkCounter;

namespace {

constexpr std::uintptr_t base = 0x7f0000001000;  // a multiple of 128

/// One block, in which each thread `t` of `threads` calls `f(counter, t)` and ends.
template <class F>
WorkCounts count(unsigned threads, F&& f) {
    WorkCounter counter;
    counter.begin_block(threads);
    for (unsigned t = 0; t < threads; ++t) {
        f(counter, t);
        counter.thread_ends(t);
    }
    counter.end_block();
    CHECK_FALSE(counter.approximate());
    return total_work(counter.take());
}

/// A warp that loads `size` bytes at base + offset(t), once.
template <class F>
WorkCounts load(unsigned threads, unsigned size, F&& offset) {
    return count(threads, [&](WorkCounter& counter, unsigned t) {
        counter.access(0x400, t, base + offset(t), size, AccessKind::global_read);
    });
}

template <class F>
WorkCounts shared(unsigned threads, unsigned size, F&& offset, AccessKind kind = AccessKind::shared_read) {
    return count(threads, [&](WorkCounter& counter, unsigned t) { counter.access(0x400, t, offset(t), size, kind); });
}

}  // namespace

TEST_CASE("global requests: sectors and segments") {
    const auto check = [](const WorkCounts& work, unsigned requests, unsigned sectors, unsigned segments) {
        CHECK(work.global_requests == requests);
        CHECK(work.global_sectors == sectors);
        CHECK(work.global_segments == segments);
        CHECK(work.divergent_requests == 0);
    };
    SUBCASE("contiguous") {
        const WorkCounts work = load(32, 4, [](unsigned t) { return 4 * t; });
        check(work, 1, 4, 1);
        CHECK(work.global_reads == 32);
        CHECK(work.global_bytes_read == 128);
        CHECK(work.global_writes == 0);
        CHECK(work.shared_requests == 0);
    }
    SUBCASE("misaligned by one element") {
        check(load(32, 4, [](unsigned t) { return 4 * t + 4; }), 1, 5, 2);
    }
    SUBCASE("backwards") {
        check(load(32, 4, [](unsigned t) { return 4 * (31 - t); }), 1, 4, 1);
    }
    SUBCASE("every second") {
        check(load(32, 4, [](unsigned t) { return 8 * t; }), 1, 8, 2);
    }
    SUBCASE("a row of 32 each") {
        check(load(32, 4, [](unsigned t) { return 128 * t; }), 1, 32, 32);
    }
    SUBCASE("all the same") {
        check(load(32, 4, [](unsigned) { return 64; }), 1, 1, 1);
    }
    SUBCASE("double") {
        check(load(32, 8, [](unsigned t) { return 8 * t; }), 1, 8, 2);
    }
    SUBCASE("float4") {
        check(load(32, 16, [](unsigned t) { return 16 * t; }), 1, 16, 4);
    }
    SUBCASE("bytes") {
        check(load(32, 1, [](unsigned t) { return t; }), 1, 1, 1);
    }
    SUBCASE("an access that straddles two sectors") {
        check(load(1, 8, [](unsigned) { return 28; }), 1, 2, 1);
    }
    SUBCASE("an access that straddles two segments") {
        check(load(1, 16, [](unsigned) { return 120; }), 1, 2, 2);
    }
    SUBCASE("five threads of a warp") {
        check(load(37, 4, [](unsigned t) { return 4 * t; }), 2, 4 + 1, 1 + 1);
    }
    SUBCASE("two rows of 16") {
        check(load(32, 4, [](unsigned t) { return t / 16 * 4096 + t % 16 * 4; }), 1, 4, 2);
    }
    SUBCASE("in no order") {
        check(load(32, 4, [](unsigned t) { return 4 * (t * 7 % 32); }), 1, 4, 1);
    }
    SUBCASE("scattered") {
        check(load(32, 4, [](unsigned t) { return 4096 * (t * 7 % 32) + 4; }), 1, 32, 32);
    }
    SUBCASE("a block of 256") {
        check(load(256, 4, [](unsigned t) { return 4 * t; }), 8, 32, 8);
    }
}

TEST_CASE("writes and atomics") {
    const WorkCounts work = count(32, [](WorkCounter& counter, unsigned t) {
        counter.access(0x10, t, base + 8 * t, 8, AccessKind::global_write);
        counter.access(0x20, t, base, 4, AccessKind::global_atomic);
        counter.access(0x30, t, 4 * t, 4, AccessKind::shared_write);
        counter.access(0x40, t, 4 * t, 4, AccessKind::shared_atomic);
    });
    WorkCounts wanted;
    wanted.global_writes = 32;
    wanted.global_bytes_written = 256 + 128;
    wanted.global_bytes_used = 256 + 32;  // all lanes' atomics are on one word
    wanted.global_requests = 2;
    wanted.global_sectors = 8 + 1;
    wanted.global_segments = 2 + 1;
    wanted.shared_writes = 32;
    wanted.shared_bytes_written = 128 + 128;
    wanted.shared_requests = 2;
    wanted.shared_wavefronts = 2;
    wanted.atomics = 64;
    wanted.global_atomics = 32;
    wanted.atomic_requests = 2;
    wanted.atomic_turns = 32 + 1;
    CHECK(work == wanted);
}

TEST_CASE("atomics of a warp on one element take turns") {
    const auto turns = [](AccessKind kind, unsigned size, auto element_of) {
        const WorkCounts work = count(64, [&](WorkCounter& counter, unsigned t) {
            for (unsigned k = 0; k < 3; ++k)
                counter.access(0x10, t, base + size * element_of(t, k), size, kind);
        });
        CHECK(work.atomics == 192);
        CHECK(work.global_atomics == (kind == AccessKind::global_atomic ? 192 : 0));
        CHECK(work.atomic_requests == 6);
        return work.atomic_turns;
    };
    for (const AccessKind kind : {AccessKind::global_atomic, AccessKind::shared_atomic})
        for (const unsigned size : {4, 8}) {
            CHECK(turns(kind, size, [](unsigned t, unsigned) { return t; }) == 6);
            CHECK(turns(kind, size, [](unsigned, unsigned) { return 0u; }) == 6 * 32);
            CHECK(turns(kind, size, [](unsigned, unsigned k) { return k; }) == 6 * 32);  // walks, all lanes together
            CHECK(turns(kind, size, [](unsigned t, unsigned) { return t % 8; }) == 6 * 4);
            CHECK(turns(kind, size, [](unsigned t, unsigned) { return 32 * t; }) == 6);  // one bank is no element
            CHECK(turns(kind, size, [](unsigned t, unsigned) { return t % 32 < 5 ? 7 : t; }) == 3 * (6 + 5));
            CHECK(turns(kind, size, [](unsigned t, unsigned k) { return k == 1 ? 3 : t; }) == 2 * (1 + 32 + 1));
        }
}

TEST_CASE("shared requests: bank conflicts") {
    const auto check = [](const WorkCounts& work, unsigned requests, unsigned wavefronts) {
        CHECK(work.shared_requests == requests);
        CHECK(work.shared_wavefronts == wavefronts);
        CHECK(work.global_requests == 0);
    };
    SUBCASE("each lane its bank") {
        check(shared(32, 4, [](unsigned t) { return 4 * t; }), 1, 1);
    }
    SUBCASE("all lanes the same word") {
        check(shared(32, 4, [](unsigned) { return 512; }), 1, 1);
    }
    SUBCASE("bytes of the same words") {
        check(shared(32, 1, [](unsigned t) { return t; }), 1, 1);
    }
    SUBCASE("2-way") {
        check(shared(32, 4, [](unsigned t) { return 8 * t; }), 1, 2);
    }
    SUBCASE("32-way: a column of [32][32]") {
        check(shared(32, 4, [](unsigned t) { return 128 * t; }), 1, 32);
    }
    SUBCASE("a column of [32][33]") {
        check(shared(32, 4, [](unsigned t) { return 132 * t; }), 1, 1);
    }
    SUBCASE("two words in one bank, each broadcast") {
        check(shared(32, 4, [](unsigned t) { return t % 2 * 128; }), 1, 2);
    }
    SUBCASE("double: half warps") {
        check(shared(32, 8, [](unsigned t) { return 8 * t; }), 2, 2);
    }
    SUBCASE("every second double: 2-way") {
        check(shared(32, 8, [](unsigned t) { return 16 * t; }), 2, 4);
    }
    SUBCASE("float4: quarter warps") {
        check(shared(32, 16, [](unsigned t) { return 16 * t; }), 4, 4);
    }
    SUBCASE("10 lanes with double") {
        check(shared(10, 8, [](unsigned t) { return 8 * t; }), 1, 1);
    }
    SUBCASE("atomics on one word don't share it") {
        check(shared(
                  32, 4, [](unsigned) { return 0; }, AccessKind::shared_atomic),
              1, 32);
    }
}

TEST_CASE("divergence") {
    const auto store = [](WorkCounter& counter, unsigned t) {
        counter.access(0x10, t, base + 4 * t, 4, AccessKind::global_write);
    };
    SUBCASE("odd threads") {
        const WorkCounts work = count(64, [&](WorkCounter& counter, unsigned t) {
            if (t % 2 != 0) store(counter, t);
        });
        CHECK(work.global_requests == 2);
        CHECK(work.divergent_requests == 2);
        CHECK(work.global_sectors == 8);
    }
    SUBCASE("both branches") {
        const WorkCounts work = count(32, [&](WorkCounter& counter, unsigned t) {
            counter.access(t % 2 != 0 ? 0x10 : 0x20, t, base + 4 * t, 4, AccessKind::global_write);
        });
        CHECK(work.global_requests == 2);
        CHECK(work.divergent_requests == 2);
    }
    SUBCASE("whole warps may differ") {
        const WorkCounts work = count(64, [&](WorkCounter& counter, unsigned t) {
            counter.access(t < 32 ? 0x10 : 0x20, t, base + 4 * t, 4, AccessKind::global_write);
        });
        CHECK(work.divergent_requests == 0);
    }
    SUBCASE("threads that returned at once") {
        const WorkCounts work = count(64, [&](WorkCounter& counter, unsigned t) {
            if (t < 40) store(counter, t);
        });
        CHECK(work.global_requests == 2);
        CHECK(work.divergent_requests == 0);
    }
    SUBCASE("threads that ended before a barrier") {
        WorkCounter counter;
        counter.begin_block(32);
        for (unsigned t = 0; t < 32; ++t) {
            store(counter, t);
            if (t % 2 == 0)
                counter.thread_ends(t);
            else
                counter.thread_waits(t);
        }
        counter.barrier(0x99);
        for (unsigned t = 1; t < 32; t += 2) {
            store(counter, t);
            counter.thread_ends(t);
        }
        counter.end_block();
        const WorkCounts work = total_work(counter.take());
        CHECK(work.global_requests == 2);
        CHECK(work.divergent_requests == 0);
        CHECK(work.barriers == 1);
    }
    SUBCASE("a barrier behind the branch") {
        WorkCounter counter;
        counter.begin_block(32);
        for (unsigned t = 0; t < 32; ++t) {
            if (t < 8) store(counter, t);
            counter.thread_waits(t);
        }
        counter.barrier(0x99);
        counter.end_block();
        CHECK(total_work(counter.take()).divergent_requests == 1);
    }
}

TEST_CASE("loops") {
    SUBCASE("threads walk side by side") {
        const WorkCounts work = count(32, [](WorkCounter& counter, unsigned t) {
            for (unsigned k = 0; k < 1000; ++k)
                counter.access(0x10, t, base + 4 * (32 * k + t), 4, AccessKind::global_read);
        });
        CHECK(work.global_reads == 32000);
        CHECK(work.global_requests == 1000);
        CHECK(work.global_sectors == 4000);
        CHECK(work.global_segments == 1000);
    }
    SUBCASE("each thread walks through a row of its own") {
        const WorkCounts work = count(32, [](WorkCounter& counter, unsigned t) {
            for (unsigned k = 0; k < 100; ++k)
                counter.access(0x10, t, base + 4096 * t + 4 * k, 4, AccessKind::global_read);
        });
        CHECK(work.global_requests == 100);
        CHECK(work.global_sectors == 3200);
    }
    SUBCASE("misaligned every now and then") {
        const WorkCounts work = count(32, [](WorkCounter& counter, unsigned t) {
            for (unsigned k = 0; k < 8; ++k) counter.access(0x10, t, base + 4 * (k + t), 4, AccessKind::global_read);
        });
        CHECK(work.global_sectors == 4 + 7 * 5);
    }
    SUBCASE("each thread its own number of times") {
        const WorkCounts work = count(32, [](WorkCounter& counter, unsigned t) {
            for (unsigned k = 0; k < 1 + t; ++k)
                counter.access(0x10, t, base + 4 * (32 * k + t), 4, AccessKind::global_read);
        });
        CHECK(work.global_reads == 528);
        CHECK(work.global_requests == 32);
        CHECK(work.divergent_requests == 31);
        // Request k is of the lanes k to 31, whose first one stands in sector k / 8.
        CHECK(work.global_sectors == 8 * (4 + 3 + 2 + 1));
    }
    SUBCASE("a long loop takes little memory") {
        WorkCounter counter(std::size_t{1} << 20);
        counter.begin_block(1024);
        for (unsigned t = 0; t < 1024; ++t) {
            for (unsigned k = 0; k < 5000; ++k)
                counter.access(0x10, t, base + 4 * (1024 * k + t), 4, AccessKind::global_read);
            counter.thread_ends(t);
        }
        counter.end_block();
        CHECK_FALSE(counter.approximate());
        CHECK(total_work(counter.take()).global_requests == 32 * 5000);
    }
}

TEST_CASE("synchronisation ends requests") {
    const auto run = [](std::uint32_t mask) {
        WorkCounter counter;
        counter.begin_block(32);
        for (unsigned t = 0; t < 32; ++t)  // lanes that differ in how often they come
            for (unsigned k = 0; k < (t < 16 ? 1u : 2u); ++k)
                counter.access(0x10, t, base + 4 * t, 4, AccessKind::global_read);
        counter.warp_operation(0x50, 0, mask);
        for (unsigned t = 0; t < 32; ++t) {
            counter.access(0x10, t, base + 4 * t, 4, AccessKind::global_read);
            counter.thread_ends(t);
        }
        counter.end_block();
        return total_work(counter.take());
    };
    CHECK(run(0xffffffff).global_requests == 3);
    CHECK(run(0xffffffff).divergent_requests == 1);
    CHECK(run(0xffffffff).warp_operations == 1);
    // Half a warp's operation says nothing about the others: their third access meets the first half's second.
    CHECK(run(0x0000ffff).global_requests == 3);
    CHECK(run(0x0000ffff).divergent_requests == 1);
}

TEST_CASE("too little memory: counted lane by lane, and said") {
    WorkCounter counter(std::size_t{256} << 10);
    counter.begin_block(32);
    std::mt19937 random(1);
    for (unsigned t = 0; t < 32; ++t) {
        for (unsigned k = 0; k < 4000; ++k)
            counter.access(0x10, t, base + 4 * (random() % 100000), 4, AccessKind::global_read);
        counter.thread_ends(t);
    }
    counter.end_block();
    CHECK(counter.approximate());
    const WorkCounts work = total_work(counter.take());
    CHECK(work.global_reads == 32 * 4000);
    CHECK(work.global_requests > 4000);
    CHECK_FALSE(counter.approximate());
}

TEST_CASE("an abandoned block leaves nothing behind") {
    WorkCounter counter;
    counter.begin_block(64);
    for (unsigned t = 0; t < 40; ++t) counter.access(0x10, t, base + 4 * t, 4, AccessKind::global_read);
    counter.abandon_block();
    counter.begin_block(32);
    for (unsigned t = 0; t < 32; ++t) counter.access(0x10, t, base + 4 * t, 4, AccessKind::global_read);
    counter.end_block();
    const std::vector<SiteCounts> sites = counter.take();
    REQUIRE(sites.size() == 1);
    CHECK(sites[0].work.global_requests == 1);
    CHECK(counter.take().empty());
}

TEST_CASE("thousands of sites") {
    const WorkCounts work = count(32, [](WorkCounter& counter, unsigned t) {
        for (unsigned site = 0; site < 5000; ++site)
            counter.access(0x1000 + 16 * site, t, base + 4 * t, 4, AccessKind::global_read);
    });
    CHECK(work.global_requests == 5000);
}

TEST_CASE("work by line") {
    WorkCounts one, two;
    one.global_reads = 1;
    two.global_reads = 2;
    two.barriers = 1;
    const std::vector<SiteCounts> sites = {{0x1, one}, {0x2, two}, {0x3, one}, {0x4, one}, {0x5, two}};
    std::vector<LineCounts> lines = work_by_line(sites, {{"b.cu", 2}, {"a.cu", 10}, {"b.cu", 2}, {"", 0}, {"a.cu", 9}});
    REQUIRE(lines.size() == 3);
    CHECK((lines[0].file == "a.cu" && lines[0].line == 9 && lines[0].work == two));
    CHECK((lines[1].file == "a.cu" && lines[1].line == 10 && lines[1].work == two));
    CHECK((lines[2].file == "b.cu" && lines[2].line == 2 && lines[2].work.global_reads == 2));
    gpu::detail::host::add_lines(lines, {{"b.cu", 2, two}, {"a.cu", 11, one}});
    REQUIRE(lines.size() == 4);
    CHECK(lines[2].line == 11);
    CHECK(lines[3].work.global_reads == 4);
    CHECK(lines[3].work.barriers == 1);
}

TEST_CASE("each thread's accesses are counted, those of long and of irregular runs as well") {
    WorkCounter counter;
    counter.begin_block(64);
    for (unsigned t = 0; t < 64; ++t) {
        for (unsigned k = 0; k < t; ++k)
            counter.access(0x400, t, base + 4 * ((k * k * 7) % 64), 4, AccessKind::global_read);
        counter.access(0x408, t, 16 * t, 16, AccessKind::shared_write);
        if (t % 2 == 0) counter.access(0x410, t, base, 4, AccessKind::global_atomic);
        counter.thread_ends(t);
    }
    counter.end_block();
    const auto& spread = counter.spread();
    CHECK(spread.global.total == 63 * 64 / 2 + 32);
    CHECK(spread.global.busiest_thread == 63);
    CHECK(spread.global.busiest_warp == (32 + 63) * 32 / 2 + 16);
    CHECK(spread.global.busiest_block == spread.global.total);
    CHECK(spread.global.working_threads == 64);
    CHECK(spread.shared.total == 64);
    CHECK(spread.atomic.total == 32);
    CHECK(spread.atomic.working_threads == 32);
    CHECK(spread.atomic.working_warps == 2);
    CHECK(spread.accesses == spread.global.total + 64);
    CHECK(spread.span == 64);
    (void)counter.take();
    CHECK(counter.spread().accesses == 0);
}
