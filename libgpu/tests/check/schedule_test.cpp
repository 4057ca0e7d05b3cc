// SPDX-License-Identifier: MIT
#include "check/support.hpp"
#include "support/environment_guard.hpp"

using namespace support;

namespace {

const gpu::RawKernel<void(const float*, float*)> tree(cu(R"(
__global__ void tree(const float* x, float* y) {
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = x[blockIdx.x * 128 + t];
    __syncthreads();
    for (int w = 64; w > 0; w /= 2) {
        if (t < w) s[t] += s[t + w];
    }
    if (t == 0) y[blockIdx.x] = s[0];
}
)"),
                                                      "tree");

// The threadfence reduction: the last block adds what the others have left.
const char* const last_block = R"(
__device__ unsigned arrived;
__global__ void sum(const float* x, float* parts, float* y, int fence) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        float own = 0;
        for (int k = 0; k < 32; ++k) own += x[blockIdx.x * 32 + k];
        parts[blockIdx.x] = own;
        if (fence) __threadfence();
        last = atomicInc(&arrived, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        float all = 0;
        for (int k = 0; k < gridDim.x; ++k) all += parts[k];
        *y = all;
    }
}
)";

const gpu::RawKernel<void(const float*, float*, float*, int)> sum(cu(last_block), "sum");

const gpu::RawKernel<void(const int*, int*)> mixed(cu(R"(
__global__ void mixed(const int* x, int* bins) {
    __shared__ int s[8];
    if (threadIdx.x < 8) s[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&s[x[blockIdx.x * blockDim.x + threadIdx.x] % 8], 1);
    __syncthreads();
    if (threadIdx.x < 8) atomicAdd(&bins[threadIdx.x], s[threadIdx.x]);
    __syncwarp();
}
)"),
                                                   "mixed");

gpu::CheckReport check_tree(const gpu::CheckOptions& options) {
    const auto x = gpu::full<float>({1024}, 1.0F);
    auto y = gpu::empty<float>(gpu::Shape{8});
    return gpu::check([&] { tree({.grid = 8, .block = 128}, x, y); }, options);
}

gpu::CheckReport check_sum(int fence, const gpu::CheckOptions& options) {
    const auto x = gpu::full<float>({1024}, 1.0F);
    auto parts = gpu::empty<float>(gpu::Shape{32}), y = gpu::empty<float>(gpu::Shape{1});
    const gpu::CheckReport report = gpu::check([&] { sum({.grid = 32, .block = 64}, x, parts, y, fence); }, options);
    CHECK(gpu::to_host(y)[0] == 1024);
    return report;
}

const std::vector<gpu::CheckOptions>& all_schedules() {
    static const std::vector<gpu::CheckOptions> list{
        {.schedule = "fixed"}, {.schedule = "random:1"}, {.schedule = "random:2"}, {.schedule = "fixed", .workers = 3}};
    return list;
}

}  // namespace

TEST_CASE("one missing barrier in a loop is one finding, whatever the schedule is") {
    for (const gpu::CheckOptions& options : all_schedules()) {
        CAPTURE(options.schedule);
        const gpu::CheckReport report = check_tree(options);
        REQUIRE(report.findings.size() == 1);
        CHECK(report.findings[0].kind == gpu::FindingKind::missing_barrier);
        CHECK(report.findings[0].variable == "s");
        CHECK(report.findings[0].line == 8);
        CHECK(report.findings[0].times > 8);
    }
}

TEST_CASE("the same check tells the same, a random one for the same seed") {
    for (const char* const schedule : {"fixed", "random:7"}) {
        const gpu::CheckReport first = check_tree({.schedule = schedule}), second = check_tree({.schedule = schedule});
        CHECK(told(first) == told(second));
        CHECK(first.findings[0].times == second.findings[0].times);
    }
    CHECK(told(check_tree({})) ==
          "race on s[32]: test.cu:8 writes what another thread reads there, with no barrier between\n"
          "block (0,0,0): thread (32,0,0) writes, thread (0,0,0) reads\n"
          "put __syncthreads() between the reading and the writing, where all threads of the block pass it\n");
}

TEST_CASE("a release by fence and atomic orders blocks; without the fence it doesn't") {
    for (const gpu::CheckOptions& options : all_schedules()) {
        CAPTURE(options.schedule);
        CHECK(told(check_sum(1, options)) == "");
        const gpu::CheckReport racy = check_sum(0, options);
        REQUIRE(racy.findings.size() == 1);
        CHECK(racy.findings[0].kind == gpu::FindingKind::inter_block_race);
        CHECK(racy.findings[0].variable == "parts");
    }
}

TEST_CASE("a mistake that shows in another order of blocks is found, and the order is named") {
    // Block 1 takes the lock last, and then nobody sees that it gives it back without a fence.
    const gpu::RawKernel<void(int*, int*)> locked(cu(R"(
__global__ void locked(int* lock, int* total) {
    if (threadIdx.x != 0) return;
    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence();
    *total = *total + 1;
    if (blockIdx.x == 0) __threadfence();
    atomicExch(lock, 0);
}
)"),
                                                  "locked");
    auto lock = gpu::zeros<int>({1}), total = gpu::zeros<int>({1});
    const auto run = [&] { locked({.grid = 2, .block = 32}, lock, total); };
    CHECK(told(gpu::check(run, {.schedule = "fixed"})).empty());
    const gpu::CheckReport report = gpu::check(run);
    REQUIRE(report.findings.size() == 1);
    CHECK(report.findings[0].kind == gpu::FindingKind::inter_block_race);
    CHECK(report.findings[0].variable == "total");
    const std::string& who = report.findings[0].who;
    const std::string order = who.substr(who.find("LIBGPU_CHECK_SCHEDULE=") + 22);
    CHECK(who.find("; seen in another order of threads, LIBGPU_CHECK_SCHEDULE=random:") != who.npos);
    const gpu::CheckReport again = gpu::check(run, {.schedule = order});
    REQUIRE(again.findings.size() == 1);
    CHECK(again.findings[0].what == report.findings[0].what);
    CHECK(gpu::to_host(total)[0] == 6);
}

TEST_CASE("other orders begin with what the launch found, and leave what it wrote and counted") {
    const gpu::RawModule module(cu(R"(
__device__ int calls;
__global__ void first_come(int* next, int* order, float* y, const float* x) {
    if (threadIdx.x == 0) {
        int mine = atomicAdd(next, 1);
        if (mine == 0 && blockIdx.x != 0) order[gridDim.x] = 1;
        order[mine] = blockIdx.x;
        atomicAdd(&calls, 1);
    }
    y[blockIdx.x * 32 + threadIdx.x] += x[threadIdx.x];
}
)"));
    const auto first_come = module.kernel<void(int*, int*, float*, const float*)>("first_come");
    auto next = gpu::zeros<int>({1}), order = gpu::full<int>({4}, -1);
    auto y = gpu::ones<float>({128});
    const auto x = gpu::ones<float>({32});
    const gpu::CheckReport report =
        gpu::check([&] { first_come({.grid = 4, .block = 32}, next, order, y, x); });
    REQUIRE(report.findings.size() == 1);
    CHECK(report.findings[0].kind == gpu::FindingKind::out_of_bounds);
    CHECK(report.findings[0].who.find("LIBGPU_CHECK_SCHEDULE=random:") != std::string::npos);
    CHECK(gpu::to_host(order) == std::vector<int>{0, 1, 2, 3});
    CHECK(gpu::to_host(y) == std::vector<float>(128, 2.0F));
    CHECK(gpu::to_host(next)[0] == 4);
    CHECK(gpu::to_host(module.symbol<int>("calls"))[0] == 4);
    REQUIRE(report.kernels.size() == 1);
    CHECK(report.kernels[0].launches == 1);
    CHECK(report.kernels[0].work.atomics == 8);
    CHECK(report.host.atomics == 8);
}

TEST_CASE("several workers count what one counts") {
    const auto x = gpu::to_device(std::vector<int>(4096, 3));
    gpu::WorkCounts expected;
    for (const int workers : {1, 2, 3}) {
        auto bins = gpu::zeros<int>(gpu::Shape{8});
        const gpu::CheckReport report =
            gpu::check([&] { mixed({.grid = 32, .block = 128}, x, bins); }, {.workers = workers});
        CHECK(told(report) == "");
        CHECK(gpu::to_host(bins)[3] == 4096);
        REQUIRE(report.kernels.size() == 1);
        if (workers == 1) expected = report.kernels[0].work;
        CHECK(report.kernels[0].work == expected);
    }
    CHECK(expected.atomics == 4096 + 32 * 8);
    CHECK(expected.barriers == 64);
}

TEST_CASE("the environment chooses what the options leave open") {
    const gpu::CheckReport chosen = check_tree({.schedule = "random:7"});
    REQUIRE(told(chosen) != told(check_tree({})));
    const EnvironmentGuard schedule("LIBGPU_CHECK_SCHEDULE", "random:7");
    CHECK(told(check_tree({})) == told(chosen));
    CHECK(told(check_tree({.schedule = "fixed"})) != told(chosen));
    const EnvironmentGuard workers("LIBGPU_CHECK_WORKERS", "many");
    CHECK_THROWS_WITH_AS((void)check_tree({}),
                         "LIBGPU_CHECK_WORKERS is \"many\"; it must be a number of threads, 1 or more", gpu::Error);
    CHECK(check_tree({.workers = 1}).findings.size() == 1);
}

TEST_CASE("options that can't be understood are refused, and so is a check inside of another") {
    const auto nothing = [] {};
    CHECK_THROWS_WITH_AS((void)gpu::check(nothing, {.schedule = "sideways"}),
                         "the schedule \"sideways\" of a check isn't known: it is fixed, or random:SEED", gpu::Error);
    CHECK_THROWS_AS((void)gpu::check(nothing, {.schedule = "random:"}), gpu::Error);
    CHECK_THROWS_AS((void)gpu::check(nothing, {.workers = -1}), gpu::Error);
    CHECK_THROWS_AS((void)gpu::check(nothing, {.seconds_per_block = 0}), gpu::Error);
    CHECK_THROWS_AS((void)gpu::check([&] { (void)gpu::check(nothing); }), gpu::Error);
    CHECK_THROWS_AS((void)gpu::check([] { throw gpu::ShapeError("mine"); }), gpu::ShapeError);
    CHECK(gpu::check(nothing).clean());
}
