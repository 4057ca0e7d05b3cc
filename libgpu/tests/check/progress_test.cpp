// SPDX-License-Identifier: MIT
// Threads and blocks that wait for others to change a place in memory.
#include <gpu/trace.hpp>

#include "check/support.hpp"
#include "support/environment_guard.hpp"

using namespace support;

namespace {

const gpu::RawKernel<void(const int*, int*, int*, int*)> look_back(cu(R"(
__global__ void look_back(const int* x, int* sums, int* ready, int* ticket) {
    __shared__ int block;
    if (threadIdx.x == 0) block = atomicAdd(ticket, 1);
    __syncthreads();
    if (threadIdx.x != 0) return;
    int before = 0;
    if (block > 0) {
        while (atomicAdd(&ready[block - 1], 0) == 0) { }
        __threadfence();
        before = sums[block - 1];
    }
    sums[block] = before + x[block];
    __threadfence();
    atomicExch(&ready[block], 1);
}
)"),
                                                                   "look_back");

// Block b waits for block b + 1 where `step` is 1, for the one before where it is -1.
const gpu::RawKernel<void(volatile int*, int)> chain(cu(R"(
__global__ void chain(volatile int* ready, int step) {
    int other = (int)blockIdx.x + step;
    if (threadIdx.x == 0 && other >= 0 && other < (int)gridDim.x)
        while (ready[other] == 0) { }
    if (threadIdx.x == 0) ready[blockIdx.x] = 1;
}
)"),
                                                     "chain");

// Lanes of a warp, warps and a whole block that wait for one thread.
const gpu::RawKernel<void(volatile int*, int*, int)> wait_for(cu(R"(
__global__ void wait_for(volatile int* flag, int* out, int writer) {
    int t = threadIdx.x;
    if (t == writer) {
        out[0] = 7;
        __threadfence();
        *flag = 1;
    } else {
        for (;;) {
            if (*flag != 0) break;
        }
        __threadfence();
        out[t + 1] = out[0];
    }
}
)"),
                                                              "wait_for");

const gpu::RawKernel<void(int*, int*)> take_turns(cu(R"(
__global__ void take_turns(int* turn, int* order) {
    int t = threadIdx.x;
    while (atomicAdd(turn, 0) != 63 - t) { }
    order[63 - t] = t;
    __threadfence();
    atomicAdd(turn, 1);
}
)"),
                                                  "take_turns");

const gpu::RawKernel<void(const float*, float*, int)> reverse(cu(R"(
__global__ void reverse(const float* x, float* y, int n) {
    __shared__ float tile[64];
    int t = threadIdx.x;
    if (t >= n) return;
    tile[t] = x[t];
    __syncthreads();
    y[t] = tile[n - 1 - t];
}
)"),
                                                              "reverse");

const gpu::RawKernel<void(const float*, float*)> tree_in_if(cu(R"(
__global__ void tree_in_if(const float* x, float* y) {
    __shared__ float part[64];
    int t = threadIdx.x;
    part[t] = x[t];
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
        if (t < half) {
            part[t] += part[t + half];
            __syncthreads();
        }
    }
    if (t == 0) *y = part[0];
}
)"),
                                                               "tree_in_if");

const gpu::RawKernel<void(int*)> rounds_of_own(cu(R"(
__global__ void rounds_of_own(int* y) {
    for (int k = threadIdx.x; k < 64; k += 48) __syncthreads();
    y[threadIdx.x] = 1;
}
)"),
                                               "rounds_of_own");

std::vector<int> ones_scanned(int n) {
    std::vector<int> sums;
    for (int k = 1; k <= n; ++k) sums.push_back(k);
    return sums;
}

}  // namespace

TEST_CASE("a scan with look-back runs in every order of blocks, with any number of workers") {
    const auto x = gpu::ones<int>({50});
    for (const char* const schedule : {"fixed", "random:1", "random:2"})
        for (const int workers : {1, 2, 5}) {
            CAPTURE(schedule);
            CAPTURE(workers);
            auto sums = gpu::zeros<int>({50}), ready = gpu::zeros<int>({50}), ticket = gpu::zeros<int>({1});
            const gpu::CheckReport report =
                gpu::check([&] { look_back({.grid = 50, .block = 32}, x, sums, ready, ticket); },
                           {.schedule = schedule, .workers = workers});
            CHECK(told(report) == "");
            CHECK(gpu::to_host(sums) == ones_scanned(50));
        }
    auto sums = gpu::zeros<int>({50}), ready = gpu::zeros<int>({50}), ticket = gpu::zeros<int>({1});
    look_back({.grid = 50, .block = 32}, x, sums, ready, ticket);
    CHECK(gpu::to_host(sums) == ones_scanned(50));
}

TEST_CASE("a block may wait for one before it; that it waits for a later one is reported") {
    for (const char* const schedule : {"fixed", "random:3"}) {
        CAPTURE(schedule);
        auto ready = gpu::zeros<int>({20});
        const gpu::CheckReport back =
            gpu::check([&] { chain({.grid = 20, .block = 64}, ready, -1); }, {.schedule = schedule});
        CHECK(told(back) == "");
        CHECK(gpu::sum(ready).item() == 20);
    }
    auto ready = gpu::zeros<int>({20});
    const gpu::CheckReport report = gpu::check([&] { chain({.grid = 20, .block = 64}, ready, 1); });
    CHECK(told(report) ==
          "waits for a later block: test.cu:5 reads ready[1] until block (1,0,0) writes it\n"
          "block (0,0,0), thread (0,0,0)\n"
          "blocks begin in any order, and a GPU may not begin one before another has ended: let blocks wait only for "
          "those before them, in an order drawn from an atomic counter, or use two kernels\n");
    CHECK(gpu::sum(ready).item() == 20);
}

TEST_CASE("threads of a block go on, whoever waits: the first, the last, one in a warp") {
    for (const int writer : {0, 5, 31, 32, 63})
        for (const char* const schedule : {"", "fixed", "random:4"}) {
            CAPTURE(writer);
            CAPTURE(schedule);
            auto flag = gpu::zeros<int>({1}), out = gpu::zeros<int>({65});
            const auto run = [&] { wait_for({.grid = 1, .block = 64}, flag, out, writer); };
            if (*schedule == '\0')
                run();
            else
                CHECK(told(gpu::check(run, {.schedule = schedule})) == "");
            CHECK(gpu::sum(out).item() == 7 * 64);
        }
}

TEST_CASE("a condition may declare a variable in a kernel whose threads may wait") {
    const gpu::RawKernel<void(volatile int*, int)> count_down(cu(R"(
__global__ void count_down(volatile int* x, int n) {
    int k = 0;
    while (int left = n - k) {
        x[threadIdx.x] = left;
        ++k;
    }
}
)"),
                                                              "count_down");
    auto x = gpu::zeros<int>({3});
    count_down({.grid = 1, .block = 3}, x, 1000);
    CHECK(gpu::to_host(x) == std::vector<int>{1, 1, 1});
}

TEST_CASE("threads take turns in the order that a counter gives them") {
    std::vector<int> backwards;
    for (int k = 0; k < 64; ++k) backwards.push_back(63 - k);
    for (const bool checked : {false, true}) {
        auto turn = gpu::zeros<int>({1}), order = gpu::zeros<int>({64});
        const auto run = [&] { take_turns({.grid = 1, .block = 64}, turn, order); };
        if (checked)
            CHECK(told(gpu::check(run)) == "");
        else
            run();
        CHECK(gpu::to_host(order) == backwards);
    }
}

TEST_CASE("barriers that ended threads skip are reported where that is asked for") {
    const auto x = gpu::arange<float>(40);
    auto y = gpu::zeros<float>({40});
    const auto run = [&] { reverse({.grid = 1, .block = 64}, x, y, 40); };
    CHECK(told(gpu::check(run)) == "");
    CHECK(told(gpu::check(run, {.strict_barriers = true})) ==
          "skipped barrier: test.cu:7: 24 threads of the block ended before this __syncthreads()\n"
          "block (0,0,0): such as thread (40,0,0)\n"
          "undefined before compute capability 7.0, tolerated since: let all threads come to it, with "
          "if (i < n) { ... } around the work in place of an early return\n");
    CHECK(y(0).item() == 39);
}

TEST_CASE("a block may wait by a variable of the module for one with a lower index, in every order") {
    for (const char* const wait : {"while (*(volatile int*)&flag != 1) {}", "while (atomicAdd(&flag, 0) != 1) {}"}) {
        const gpu::RawKernel<void(int*)> kernel(cu("__device__ int flag;\n__global__ void k(int* y) {\n"
                                                   "    if (blockIdx.x == 0) atomicExch(&flag, 1);\n    else " +
                                                   std::string(wait) + "\n    y[blockIdx.x] = 1;\n}\n"),
                                                "k");
        auto y = gpu::zeros<int>({4});
        for (const char* const schedule : {"", "random:2", "random:5"})
            CHECK(told(gpu::check([&] { kernel({.grid = 4, .block = 1}, y); }, {.schedule = schedule})).empty());
    }
    const gpu::RawKernel<void()> racy(cu("__device__ int total;\n__global__ void k() { total = blockIdx.x; }\n"), "k");
    // Which of the two blocks writes first, and whether the other one has, is up to the machine's scheduler.
    for (int round = 0; round < 20; ++round) {
        for (const int workers : {1, 2, 8})
            CHECK(gpu::check([&] { racy({.grid = 2, .block = 32}); }, {.workers = workers}).findings.size() == 1);
    }
}

TEST_CASE("a group that part of its threads don't wait in is reported, whether that is asked for or not") {
    const std::string head = "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"
                             "__global__ void k(int* x) {\n"
                             "    auto tile = cg::tiled_partition<16>(cg::this_thread_block());\n";
    const std::string tail = "    x[threadIdx.x] = 1;\n}\n";
    auto x = gpu::zeros<int>({64});
    const auto of = [&](const std::string& body) {
        const gpu::RawKernel<void(int*)> kernel(cu(head + body + tail), "k");
        return told(gpu::check([&] { kernel({.grid = 1, .block = 64}, x); }));
    };
    CHECK(of("    if (tile.thread_rank() < 8) tile.sync();\n") ==
          "skipped barrier: test.cu:5: 8 threads of tile ended before this tile.sync()\n"
          "block (0,0,0): such as thread (8,0,0)\n"
          "it stands in a branch: let all of them come to it, or name only those that come, as in __syncwarp(mask)\n");
    CHECK(of("    for (int k = threadIdx.x % 2; k < 2; ++k) cg::sync(tile);\n").find("5: 8 threads of tile ended") !=
          std::string::npos);
    CHECK(of("    if (threadIdx.x % 32 < 8) __syncwarp();\n").find("24 threads that its mask names ended") !=
          std::string::npos);
    CHECK(of("    if (threadIdx.x % 32 < 8) __syncwarp(0xff);\n").empty());
    CHECK(of("    if (threadIdx.x >= 40) return;\n    tile.sync();\n").empty());
    CHECK(of("    tile.sync();\n").empty());
}

TEST_CASE("a barrier that part of a block doesn't come to, without a return, is told by where it stands") {
    const auto x = gpu::ones<float>({64});
    auto sum = gpu::zeros<float>({1});
    const auto in_branch = [&] { tree_in_if({.grid = 1, .block = 64}, x, sum); };
    CHECK(told(gpu::check(in_branch)) == told(gpu::check(in_branch, {.strict_barriers = true})));
    CHECK(told(gpu::check(in_branch, {.strict_barriers = true})) ==
          "skipped barrier: test.cu:10: 32 threads of the block never came to this __syncthreads()\n"
          "block (0,0,0): such as thread (32,0,0)\n"
          "this __syncthreads() stands in a branch that 32 threads don't take: move it out of the branch, where all "
          "threads pass it\n");
    auto y = gpu::zeros<int>({48});
    const auto in_loop = [&] { rounds_of_own({.grid = 1, .block = 48}, y); };
    CHECK(told(gpu::check(in_loop, {.strict_barriers = true})) ==
          "skipped barrier: test.cu:3: 32 threads of the block never came to this __syncthreads()\n"
          "block (0,0,0): such as thread (16,0,0)\n"
          "this __syncthreads() stands in a loop that 32 threads leave early: let all threads of the block go round it "
          "equally often, with or without work\n");
    const std::string page = gpu::trace(in_branch, {.check = {.strict_barriers = true}}).to_text();
    CHECK(page.find("ended, and never came to __syncthreads()") != std::string::npos);
    CHECK(page.find("What did this thread do") == std::string::npos);
}
