// SPDX-License-Identifier: MIT

// What exercise 25 is checked for: paper with the limits in every order, and a kernel whose threads have four elements.

#include <course/check.hpp>

#include <algorithm>
#include <cmath>

using namespace course;

namespace {

struct Needs {
    int threads, registers, shared;
    [[nodiscard]] std::string text() const {
        return "threads = " + std::to_string(threads) + ", registers = " + std::to_string(registers) +
               ", shared = " + std::to_string(shared);
    }
    [[nodiscard]] int warps() const { return (threads + 31) / 32; }
    [[nodiscard]] int blocks() const {
        const int of_quarter = 65536 / 4, of_warp = (32 * registers + 255) / 256 * 256;
        const int of_block = (shared + 1024 + 127) / 128 * 128;
        return std::min({32, 64 / warps(), 4 * (of_quarter / of_warp) / warps(), 228 * 1024 / of_block});
    }
};

constexpr int kib = 1024;

// One limit decides in each; at the edges one thread, register or byte more makes a difference.
std::vector<Needs> all_needs(Draw& draw) {
    std::vector<Needs> needs = {
        {256, 32, 0},        {256, 33, 0},            {256, 36, 0},        {256, 40, 0},         {256, 255, 0},
        {1024, 32, 0},       {1024, 64, 0},           {1024, 65, 0},       {32, 16, 0},          {1, 1, 0},
        {192, 48, 0},        {64, 48, 0},             {320, 255, 0},
        {64, 32, 0},         {65, 32, 0},             {80, 32, 0},         {100, 64, 0},         {160, 16, 0},
        {256, 32, 56 * kib}, {256, 32, 56 * kib + 1}, {256, 32, 45 * kib}, {128, 32, 227 * kib},
        {128, 32, 227 * kib + 1},
        {32, 32, 7 * kib},   {32, 24, 10 * kib},      {256, 32, 50 * kib}, {96, 8, 0},         {256, 32, 45'576}};
    for (int k = 0; k < 12; ++k)
        needs.push_back({static_cast<int>(draw.between(1, 1024)), static_cast<int>(draw.between(16, 255)),
                         static_cast<int>(draw.between(0, 100 * kib))});
    return needs;
}

// How much of the moved bytes a kernel has to use. A float for each thread, and a float4, give 100; four neighbours for
// each thread, one after the other, 25.
CountBound bytes_used(std::int64_t n) { return at_least(n < 10'000 ? 40 : 60); }

constexpr const char* cure =
    "4 sectors are enough for the 32 floats of a request: let a thread's elements lie all threads of the grid apart";

}  // namespace

GRADER_TASK(occupancy, "blocks") {
    for (const Needs& needs : all_needs(draw)) {
        next_case(needs.text());
        call("blocks_at_once", needs.threads, needs.registers, needs.shared).returns(needs.blocks());
    }
}

GRADER_TASK(occupancy, "ratio") {
    for (const Needs& needs : all_needs(draw)) {
        next_case(needs.text());
        call("occupancy", needs.threads, needs.registers, needs.shared)
            .returns(100.0 * needs.blocks() * needs.warps() / 64, within(1e-9));
    }
}

GRADER_TASK(occupancy, "little") {
    const auto ask = [&](double latency, double bandwidth, int multiprocessors, int threads, int loads) {
        next_case("latency = " + std::to_string(latency) + ", bandwidth = " + std::to_string(bandwidth) +
                  ", multiprocessors = " + std::to_string(multiprocessors) + ", threads = " + std::to_string(threads));
        call("loads_per_thread", latency, bandwidth, multiprocessors, threads).returns(loads);
    };
    ask(512, 1024, 128, 256, 4);  // exactly
    ask(512, 1024, 128, 1024, 1);
    ask(512, 1040, 128, 256, 5);  // a little more
    ask(1, 4096.5, 1, 1024, 2);   // half a byte more
    ask(16, 16, 1, 64, 1);
    ask(8, 1, 4, 1024, 1);  // far less than one load
    for (int k = 0; k < 8; ++k) {
        // Between two whole numbers, far from both: rounding decides nothing.
        const int multiprocessors = static_cast<int>(draw.between(20, 150));
        const int threads = static_cast<int>(draw.between(1, 2048));
        const int loads = static_cast<int>(draw.between(1, 12));
        const double latency = draw.between(200.0, 900.0), under_way = 4.0 * threads * (loads - draw.between(0.2, 0.8));
        ask(latency, under_way * multiprocessors / latency, multiprocessors, threads, loads);
    }
}

GRADER_TASK(occupancy, "four") {
    const auto ask = [&](std::int64_t n) {
        auto x = draw.uniform(n), y = draw.uniform(n);
        call("add_four", x, y)
            .returns(x.cast<double>() + y.cast<double>(), ulps(1))
            .kernel_counts("add_four", "bytes_used_percent", bytes_used(n), cure, 4);
    };
    for (std::int64_t n : sizes::edges) ask(n);
    // A part of four, full blocks, one more; many blocks, small enough for check mode.
    for (int n : {3, 1023, 1024, 1025, 1026, 2048, 20'011}) ask(n);
}
