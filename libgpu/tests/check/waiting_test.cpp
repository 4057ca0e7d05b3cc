// SPDX-License-Identifier: MIT
// Threads that wait for each other by other means than the block's barrier: what that puts in order.
#include "check/support.hpp"

using namespace support;

namespace {

/// Runs a kernel k(int*) once in check mode, with `n` zeros.
gpu::CheckReport checked(const std::string& text, const gpu::LaunchConfig& config, int n,
                         const gpu::CheckOptions& options = {}) {
    const gpu::RawKernel<void(int*)> kernel(cu(text), "k");
    return gpu::check(
        [&] {
            auto x = gpu::zeros<int>({n});
            kernel(config, x);
            gpu::synchronize();
        },
        options);
}

/// With one worker and with several, in two orders: how often something was found.
void check_all_ways(const std::string& text, const gpu::LaunchConfig& config, int n, gpu::FindingKind* expected) {
    for (const int workers : {1, 3})
        for (const char* const schedule : {"fixed", "random:7"}) {
            gpu::CheckOptions options;
            options.workers = workers;
            options.schedule = schedule;
            const gpu::CheckReport report = checked(text, config, n, options);
            CAPTURE(workers);
            CAPTURE(schedule);
            CAPTURE(report.to_text());
            if (expected == nullptr)
                CHECK(report.clean());
            else
                REQUIRE(report.findings.size() >= 1);
            if (expected != nullptr) CHECK(report.findings.front().kind == *expected);
        }
}
void check_clean(const std::string& text, const gpu::LaunchConfig& config, int n) {
    check_all_ways(text, config, n, nullptr);
}
void check_finds(gpu::FindingKind kind, const std::string& text, const gpu::LaunchConfig& config, int n) {
    check_all_ways(text, config, n, &kind);
}

}  // namespace

TEST_CASE("a barrier of two warps puts their accesses in order, and nobody else's") {
    const std::string round = R"(__global__ void k(int* x) {
    __shared__ int s[32];
    int t = threadIdx.x;
    for (int r = 0; r < 4; ++r) {
        if (t < 32) { s[t] = t * r; __barrier_sync_count(1, 64);BACK }
        else if (t < 64) { __barrier_sync_count(1, 64); x[t] += s[63 - t];BACK }
    }
    OTHERS
})";
    const auto with = [&round](const std::string& back, const std::string& others) {
        std::string text = round;
        for (std::size_t at; (at = text.find("BACK")) != std::string::npos;) text.replace(at, 4, back);
        return text.replace(text.find("OTHERS"), 6, others);
    };
    const gpu::LaunchConfig config{.grid = 2, .block = 96};
    // Blocks write the same elements of x: one.
    const gpu::LaunchConfig one{.grid = 1, .block = 96};
    check_clean(with(" __barrier_sync_count(2, 64);", ""), one, 96);
    check_finds(gpu::FindingKind::missing_barrier, with("", ""), one, 96);
    check_finds(gpu::FindingKind::missing_barrier,
                with(" __barrier_sync_count(2, 64);", "if (t >= 64) x[t] = s[t - 64];"), one, 96);
    check_clean(with(" __barrier_sync_count(2, 64);", "__syncthreads(); if (t >= 64) x[t] = s[t - 64];"), one, 96);
    check_finds(gpu::FindingKind::inter_block_race, with(" __barrier_sync_count(2, 64);", ""), config, 96);
    // The third warp learns of the first one's write by the second.
    check_clean(R"(__global__ void k(int* x) {
    __shared__ int s;
    int t = threadIdx.x;
    if (t == 0) s = 7;
    if (t < 64) __barrier_sync_count(1, 64);
    if (t >= 32) __barrier_sync_count(2, 64);
    if (t >= 64) x[t] = s;
})",
                one, 96);
}

TEST_CASE("a barrier of a part that can't open is a deadlock, with its line") {
    const auto found = [](const std::string& body) {
        const gpu::CheckReport report = checked(
            "__global__ void k(int* x) {\n    int t = threadIdx.x;\n    " + body + "\n}", {.grid = 1, .block = 96}, 4);
        REQUIRE(report.findings.size() == 1);
        CHECK(report.findings[0].kind == gpu::FindingKind::deadlock);
        CHECK(report.findings[0].line == 3);
        return report.findings[0].what + '\n' + report.findings[0].who;
    };
    CHECK(contains(found("if (t < 32) __barrier_sync_count(1, 64);"),
                   "32 threads wait at __barrier_sync_count() in line 3, 64 threads ended"));
    CHECK(contains(found("if (t < 64) __barrier_sync_count(1, t < 32 ? 96 : 64);"),
                   "names another number of threads than those that wait there"));
    const gpu::CheckReport odd =
        checked("__global__ void k(int* x) { __barrier_sync_count(1, *x + 40); }", {.block = 96}, 1);
    REQUIRE(odd.findings.size() == 1);
    CHECK(contains(odd.findings[0].what, "a multiple of 32 threads"));
}

TEST_CASE("an order of cuda::atomic carries data, a relaxed one doesn't") {
    const auto message = [](const std::string& stores, const std::string& loads) {
        return R"(#include <cuda/atomic>
__device__ int data;
__device__ cuda::atomic<int, cuda::thread_scope_device> flag;
__global__ void k(int* x) {
    if (blockIdx.x == 0) {
        if (threadIdx.x == 0) {
            data = 42;
            )" +
               stores + R"(;
        }
    } else if (blockIdx.x == 1 && threadIdx.x == 0) {
        while ()" +
               loads + R"( == 0) {}
        x[0] = data;
        flag.store(0, cuda::memory_order_relaxed);
    }
})";
    };
    const gpu::LaunchConfig two{.grid = 2, .block = 32};
    check_clean(message("flag.store(1, cuda::memory_order_release)", "flag.load(cuda::memory_order_acquire)"), two, 1);
    check_clean(message("flag = 1", "flag"), two, 1);
    check_clean(message("flag.fetch_add(1, cuda::memory_order_acq_rel)", "flag.load(cuda::memory_order_acquire)"), two,
                1);
    check_clean(
        message("cuda::atomic_thread_fence(cuda::memory_order_release); flag.store(1, cuda::memory_order_relaxed)",
                "flag.load(cuda::memory_order_acquire)"),
        two, 1);
    const auto race = gpu::FindingKind::inter_block_race;
    check_finds(race, message("flag.store(1, cuda::memory_order_relaxed)", "flag.load(cuda::memory_order_acquire)"),
                two, 1);
    // What is ordered among the threads of a block doesn't reach another one.
    check_finds(race,
                message("cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_block); "
                        "flag.store(1, cuda::memory_order_relaxed)",
                        "flag.load(cuda::memory_order_acquire)"),
                two, 1);
}

TEST_CASE("cuda::atomic objects of block scope aren't for several blocks, and plain accesses race with atomic ones") {
    const auto adds = [](const std::string& scope, const std::string& plain) {
        return "#include <cuda/atomic>\n__global__ void k(int* x) {\n    " + plain +
               "cuda::atomic_ref<int, cuda::" + scope + ">(x[0]).fetch_add(1, cuda::memory_order_relaxed);\n}";
    };
    const gpu::LaunchConfig two{.grid = 2, .block = 32}, one{.grid = 1, .block = 64};
    check_clean(adds("thread_scope_device", ""), two, 1);
    check_clean(adds("thread_scope_block", ""), one, 1);
    check_finds(gpu::FindingKind::inter_block_race, adds("thread_scope_block", ""), two, 1);
    check_finds(gpu::FindingKind::missing_barrier,
                adds("thread_scope_block", "if (threadIdx.x == 40) x[0] = 3; else if (threadIdx.x < 32) "), one, 1);
    // The finding is in the learner's line, and an atomic counts as one.
    const gpu::CheckReport report = checked(adds("thread_scope_block", ""), two, 1);
    REQUIRE(report.findings.size() == 1);
    CHECK(report.findings[0].line == 3);
    CHECK(contains(report.findings[0].advice, "thread_scope_device"));
    REQUIRE(report.kernels.size() >= 1);
    CHECK(report.kernels.back().work.atomics == 64);
}

TEST_CASE("a barrier of the grid puts the accesses of all blocks in order") {
    const auto ring = [](const std::string& more) {
        return R"(#include <cooperative_groups.h>
__device__ int total;
__global__ void k(int* x) {
    __shared__ int s[64];
    s[threadIdx.x] = 1;
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    for (int step = 0; step < 5; ++step) {
        int v = x[(i + 64) % n];
        grid.sync();
        x[i] = v + s[threadIdx.x];
        if (i == step) total = step;
        )" + more +
               R"(
    }
})";
    };
    const gpu::LaunchConfig config{.grid = 4, .block = 64, .cooperative = true};
    check_clean(ring("grid.sync();"), config, 256);
    check_finds(gpu::FindingKind::inter_block_race, ring("__syncthreads();"), config, 256);
    // Another block's write of one step and a read in the same step; and elements of a byte each after those of four.
    check_finds(gpu::FindingKind::inter_block_race, ring("if (i == 65) x[1] = total; grid.sync();"), config, 256);
    check_clean(ring("grid.sync(); ((char*)x)[i] = 1; grid.sync();"), config, 256);
}

TEST_CASE("blocks that wait for the grid in vain are a deadlock, and so is a launch that isn't cooperative") {
    const std::string sync = "cooperative_groups::this_grid().sync();";
    const auto found = [&](const std::string& body, bool cooperative) {
        const gpu::CheckReport report =
            checked("#include <cooperative_groups.h>\n__global__ void k(int* x) {\n    " + body + "\n}",
                    {.grid = 4, .block = 64, .cooperative = cooperative}, 4);
        REQUIRE(report.findings.size() == 1);
        CHECK(report.findings[0].line == 3);
        return report.findings[0];
    };
    const gpu::Finding vain = found("if (blockIdx.x != 2) " + sync, true);
    CHECK(vain.kind == gpu::FindingKind::deadlock);
    CHECK(contains(vain.who, "a block that doesn't come"));
    CHECK(contains(found(sync, false).what, "grid.sync() needs a cooperative launch"));
    CHECK(contains(found("if (blockIdx.x == 2) { x[5] = 1; } " + sync, true).what, "x[5]"));
}
