// SPDX-License-Identifier: MIT
// What gpu::check counts in raw kernels, line by line. The numbers are those of the kernels' text, worked out by hand.
#include "check/support.hpp"

using namespace support;

namespace {

const gpu::KernelCounts& only(const gpu::CheckReport& report) {
    CHECK(told(report) == "");
    REQUIRE(report.kernels.size() == 1);
    return report.kernels[0];
}

/// The work of a line of "test.cu"; zeros if it did nothing.
gpu::WorkCounts line(const gpu::CheckReport& report, int number) {
    for (const gpu::LineCounts& each : only(report).lines)
        if (each.file == "test.cu" && each.line == number) return each.work;
    return {};
}

gpu::WorkCounts global(std::uint64_t reads, std::uint64_t writes, unsigned size, std::uint64_t requests,
                       std::uint64_t sectors, std::uint64_t segments) {
    gpu::WorkCounts work;
    work.global_reads = reads;
    work.global_writes = writes;
    work.global_bytes_read = size * reads;
    work.global_bytes_written = size * writes;
    work.global_bytes_used = std::min<std::uint64_t>(size * (reads + writes), 32 * sectors);
    work.global_requests = requests;
    work.global_sectors = sectors;
    work.global_segments = segments;
    return work;
}

gpu::WorkCounts shared(std::uint64_t reads, std::uint64_t writes, std::uint64_t requests, std::uint64_t wavefronts) {
    gpu::WorkCounts work;
    work.shared_reads = reads;
    work.shared_writes = writes;
    work.shared_bytes_read = 4 * reads;
    work.shared_bytes_written = 4 * writes;
    work.shared_requests = requests;
    work.shared_wavefronts = wavefronts;
    return work;
}

gpu::WorkCounts operator+(gpu::WorkCounts a, const gpu::WorkCounts& b) { return a += b; }

const gpu::RawKernel<void(const float*, const float*, float*, int)> matmul(cu(R"(
__global__ void matmul(const float* a, const float* b, float* c, int n) {
    __shared__ float ta[16][16], tb[16][16];
    const int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
    float sum = 0;
    for (int t = 0; t < n; t += 16) {
        ta[y][x] = a[row * n + t + x];
        tb[y][x] = b[(t + y) * n + column];
        __syncthreads();
        for (int k = 0; k < 16; ++k) sum += ta[y][k] * tb[k][x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}
)"),
                                                                           "matmul");

}  // namespace

TEST_CASE("counts of a tiled matrix product") {
    const auto a = gpu::ones<float>(gpu::Shape{64, 64});
    auto c = gpu::empty<float>(gpu::Shape{64, 64});
    const auto report = gpu::check([&] { matmul({.grid = {4, 4}, .block = {16, 16}}, a, a, c, 64); });
    const gpu::KernelCounts& counts = only(report);
    CHECK(counts.launches == 1);
    CHECK(counts.blocks == 16);
    CHECK(counts.threads == 4096);
    CHECK(counts.shapes == std::vector<gpu::LaunchCounts>{{{4, 4}, {16, 16}, 1}});
    CHECK(counts.file == "test.cu");
    CHECK(counts.made_in == "");
    // A warp is two rows of 16 threads: two rows of 64 bytes in global memory.
    const auto tile = global(4 * 4096, 0, 4, 512, 2048, 1024) + shared(0, 4 * 4096, 512, 512);
    CHECK(line(report, 7) == tile);
    CHECK(line(report, 8) == tile);
    CHECK(line(report, 9).barriers == 64);
    CHECK(line(report, 10) == shared(2 * 64 * 4096, 0, 2 * 64 * 128, 2 * 64 * 128));
    CHECK(line(report, 13) == global(0, 4096, 4, 128, 512, 256));
    CHECK(counts.work.barriers == 128);
    CHECK(counts.work.divergent_requests == 0);
}

TEST_CASE("the shapes of all launches are kept, 64 different ones at most") {
    const gpu::RawKernel<void(float*)> kernel(cu("__global__ void fill(float* z) { if (threadIdx.z == 0) z[0] = 1; }"),
                                              "fill");
    auto z = gpu::zeros<float>({1});
    auto report = gpu::check([&] {
        for (int k = 0; k < 3; ++k) kernel({}, z);
        kernel({.grid = {1, 1, 1}, .block = {1, 1, 1}}, z);
    });
    CHECK(only(report).shapes == std::vector<gpu::LaunchCounts>{{1, 1, 4}});
    report = gpu::check([&] {
        for (int k = 1; k <= 70; ++k) kernel({.grid = 1, .block = {1, 1, k > 64 ? 64 : k}}, z);
    });
    REQUIRE(report.kernels.size() == 1);
    CHECK(report.kernels[0].launches == 70);
    REQUIRE(report.kernels[0].shapes.size() == 64);
    CHECK(report.kernels[0].shapes[63] == gpu::LaunchCounts{1, {1, 1, 64}, 7});
}

TEST_CASE("bank conflicts: a column of 32 words, and of 33") {
    const auto run = [](const std::string& width) {
        const gpu::RawKernel<void(float*)> kernel(cu(R"(
__global__ void column(float* z) {
    __shared__ float tile[32][)" + width + R"(];
    const int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = x;
    __syncthreads();
    z[y * 32 + x] = tile[x][y];
}
)"),
                                                  "column");
        auto z = gpu::empty<float>(gpu::Shape{1024});
        return gpu::check([&] { kernel({.grid = 1, .block = {32, 32}}, z); });
    };
    CHECK(line(run("32"), 7) == global(0, 1024, 4, 32, 128, 32) + shared(1024, 0, 32, 1024));
    CHECK(line(run("33"), 7) == global(0, 1024, 4, 32, 128, 32) + shared(1024, 0, 32, 32));
}

TEST_CASE("a float4 is one access of 16 bytes; four floats are four") {
    const gpu::RawKernel<void(const float*, float*, int)> whole(cu(R"(
__global__ void whole(const float* x, float* z, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 v = reinterpret_cast<const float4*>(x)[i];
    z[i] = v.x + v.y + v.z + v.w;
}
)"),
                                                                "whole");
    const gpu::RawKernel<void(const float*, float*, int)> parts(cu(R"(
__global__ void parts(const float* x, float* z, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float v = x[4 * i] + x[4 * i + 1] + x[4 * i + 2] + x[4 * i + 3];
    z[i] = v;
}
)"),
                                                                "parts");
    const auto x = gpu::arange<float>(4096);
    auto z = gpu::empty<float>(gpu::Shape{1024});
    const gpu::LaunchConfig launch{.grid = 4, .block = 256};
    const auto four = global(4096, 0, 4, 128, 4 * 512, 4 * 128);
    CHECK(line(gpu::check([&] { parts(launch, x, z, 1024); }), 5) == four);
    // clang copies member by member.
    gpu::WorkCounts at_once = global(4096, 0, 4, 32, 512, 128);
    CHECK(line(gpu::check([&] { whole(launch, x, z, 1024); }), 5) == (with_clang() ? four : at_once));
}

TEST_CASE("atomics: counted, with their conflicts") {
    const gpu::RawKernel<void(const int*, int*, int)> histogram(cu(R"(
__global__ void histogram(const int* x, int* bins, int n) {
    __shared__ int own[32];
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t < 32) own[t] = 0;
    __syncthreads();
    if (i < n) atomicAdd(&own[x[i]], 1);
    __syncthreads();
    if (t < 32) atomicAdd(&bins[t], own[t]);
}
)"),
                                                                "histogram");
    const gpu::Array<int> same = gpu::zeros<int>(gpu::Shape{512});
    auto bins = gpu::zeros<int>(gpu::Shape{32});
    const auto report = gpu::check([&] { histogram({.grid = 2, .block = 256}, same, bins, 512); });
    CHECK(gpu::to_host(bins)[0] == 512);
    const gpu::WorkCounts adds = line(report, 7);
    CHECK(adds.atomics == 512);
    CHECK(adds.shared_requests == 16);
    CHECK(adds.shared_wavefronts == 512);  // all on one word, one after the other
    CHECK(adds.atomic_requests == 16);
    CHECK(adds.atomic_turns == 512);
    CHECK(adds.global_atomics == 0);
    CHECK(adds.global_reads == 512);
    CHECK(adds.shared_reads == 0);
    CHECK(line(report, 9).atomics == 64);
    CHECK(line(report, 9).global_sectors == 2 * 4);
    CHECK(line(report, 9).global_atomics == 64);
    CHECK(line(report, 9).atomic_turns == 2);
    CHECK(only(report).work.atomics == 576);
}

TEST_CASE("warp operations, divergence and guards") {
    const gpu::RawKernel<void(const float*, float*, int)> sums(cu(R"(
__global__ void sums(const float* x, float* z, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < n ? x[i] : 0;
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffff, v, d);
    if (threadIdx.x % 32 == 0) z[i / 32] = v;
    if (threadIdx.x % 2 == 1) z[100 + i] = v;
    if (i >= n) return;
    z[1200 + i] = v;
}
)"),
                                                               "sums");
    const auto x = gpu::ones<float>(gpu::Shape{1000});
    auto z = gpu::empty<float>(gpu::Shape{3000});
    const auto report = gpu::check([&] { sums({.grid = 4, .block = 256}, x, z, 1000); });
    CHECK(line(report, 6).warp_operations == 5 * 32);
    CHECK(line(report, 4).divergent_requests == 1);  // the last warp's 24 threads went on to the shuffles
    CHECK(line(report, 4).global_sectors == 125);
    CHECK(line(report, 7).global_writes == 32);
    CHECK(line(report, 7).divergent_requests == 32);
    CHECK(line(report, 8).divergent_requests == 32);
    CHECK(line(report, 10).global_writes == 1000);
    const gpu::RawKernel<void(float*, int)> guarded(cu(R"(
__global__ void guarded(float* z, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = i;
}
)"),
                                                    "guarded");
    CHECK(only(gpu::check([&] { guarded({.grid = 4, .block = 256}, z, 1000); })).work.divergent_requests == 0);
}

TEST_CASE("the same counts in any order and on several workers") {
    const auto a = gpu::ones<float>(gpu::Shape{32, 32});
    auto c = gpu::empty<float>(gpu::Shape{32, 32});
    const auto run = [&](const gpu::CheckOptions& options) {
        return gpu::check([&] { matmul({.grid = {2, 2}, .block = {16, 16}}, a, a, c, 32); }, options).to_json();
    };
    const std::string fixed = run({});
    CHECK(run({.schedule = "random:1"}) == fixed);
    CHECK(run({.schedule = "random:2", .workers = 2}) == fixed);
}

TEST_CASE("host counts, and kernels in the order of their first launches") {
    const gpu::RawKernel<void(float*)> first(cu("__global__ void first(float* z) { z[threadIdx.x] = 1; }"), "first");
    const gpu::RawKernel<void(float*)> second(cu("__global__ void second(float* z) { z[threadIdx.x] += 1; }"),
                                              "second");
    const auto report = gpu::check([&] {
        auto z = gpu::to_device(std::vector<float>(64, 0.f));
        second({.grid = 1, .block = 64}, z);
        first({.grid = 1, .block = 64}, z);
        second({.grid = 1, .block = 64}, z);
        CHECK(gpu::to_host(z)[63] == 2);
    });
    REQUIRE(report.kernels.size() == 2);
    CHECK(report.kernels[0].name == "second");
    CHECK(report.kernels[0].launches == 2);
    CHECK(report.kernels[0].work.global_reads == 128);
    CHECK(report.kernels[1].name == "first");
    CHECK(report.host.launches == 3);
    CHECK(report.host.copies_to_device == 1);
    CHECK(report.host.bytes_to_device == 256);
    CHECK(report.host.copies_to_host == 1);
    CHECK(report.host.allocations == 1);
}

TEST_CASE("reads and writes are counted in elements of the array, whatever moves at once") {
    const gpu::RawKernel<void(const float*, float*)> twice(cu(R"(
__global__ void twice(const float* x, float* y) {
    __shared__ float part[128];
    const int t = threadIdx.x;
    const float4 v = reinterpret_cast<const float4*>(x)[t];
    reinterpret_cast<float4*>(part)[t] = v;
    __syncwarp();
    const float2 w = reinterpret_cast<float2*>(part)[t];
    y[t] = v.x + w.x + w.y;
}
)"),
                                                           "twice");
    const gpu::Array<float> x = gpu::arange<float>(128);
    gpu::Array<float> y = gpu::empty<float>({32});
    const gpu::CheckReport report = gpu::check([&] { twice({.grid = 1, .block = 32}, x, y); });
    const gpu::WorkCounts& work = only(report).work;
    CHECK(work.global_reads == 128);
    CHECK(work.global_writes == 32);
    CHECK(work.shared_writes == 128);
    CHECK(work.shared_reads == 64);
    CHECK(work.global_bytes_used == 4 * (128 + 32));
    CHECK(only(report).global_spread.busiest_thread == 5);
}

TEST_CASE("bytes used are those that a request moves: a broadcast can't hide a request that moves too much") {
    const gpu::RawKernel<void(const float*, float*)> mixed(cu(R"(
__global__ void mixed(const float* x, float* y) {
    const int t = threadIdx.x;
    y[t] = x[8 * t] + x[0];
}
)"),
                                                           "mixed");
    const gpu::Array<float> x = gpu::arange<float>(256);
    gpu::Array<float> y = gpu::empty<float>({32});
    const gpu::WorkCounts work = only(gpu::check([&] { mixed({.grid = 1, .block = 32}, x, y); })).work;
    CHECK(work.global_sectors == 32 + 1 + 4);
    CHECK(work.global_bytes_used == 128 + 32 + 128);
}

TEST_CASE("work and span: the busiest thread's accesses, from barrier to barrier, and how they are spread") {
    const gpu::RawKernel<void(const float*, float*)> uneven(cu(R"(
__global__ void uneven(const float* x, float* y) {
    __shared__ float part[64];
    const int t = threadIdx.x;
    part[t] = x[64 * blockIdx.x + t];             // 2 accesses of each thread
    __syncthreads();
    if (t == 0) {                                 // 64 reads and a write of one
        float sum = 0;
        for (int k = 0; k < 64; ++k) sum += part[k];
        y[blockIdx.x] = sum;
    }
    if (t == 40 && blockIdx.x == 1) atomicAdd(&y[2], 1.0f);
}
)"),
                                                            "uneven");
    const gpu::Array<float> x = gpu::arange<float>(128);
    gpu::Array<float> y = gpu::zeros<float>({3});
    const gpu::CheckReport report = gpu::check([&] { uneven({.grid = 2, .block = 64}, x, y); });
    const gpu::KernelCounts& kernel = only(report);
    CHECK(kernel.accesses == 2 * (2 * 64 + 65) + 1);
    CHECK(kernel.span == 2 + 65);
    CHECK(kernel.global_spread.total == 128 + 2 + 1);
    CHECK(kernel.global_spread.busiest_thread == 2);
    CHECK(kernel.global_spread.busiest_warp == 33);
    CHECK(kernel.global_spread.busiest_block == 66);
    CHECK(kernel.global_spread.working_threads == 128);
    CHECK(kernel.shared_spread.busiest_thread == 65);
    CHECK(kernel.shared_spread.busiest_warp == 32 + 64);
    CHECK(kernel.atomic_spread.total == 1);
    CHECK(kernel.atomic_spread.working_threads == 1);
    CHECK(kernel.atomic_spread.working_blocks == 1);
    CHECK(kernel.atomic_spread.grid == gpu::Dim3(2));
    CHECK(kernel.atomic_spread.block == gpu::Dim3(64));
}

TEST_CASE("of several launches, the spread is that of the one with the most work; spans add up") {
    const gpu::RawKernel<void(float*, int)> fill(cu(R"(
__global__ void fill(float* y, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = 1;
}
)"),
                                                 "fill");
    gpu::Array<float> y = gpu::empty<float>({256});
    const gpu::CheckReport report = gpu::check([&] {
        fill({.grid = 1, .block = 32}, y, 64);
        fill({.grid = 4, .block = 32}, y, 256);
        fill({.grid = 1, .block = 32}, y, 32);
    });
    const gpu::KernelCounts& kernel = only(report);
    CHECK(kernel.global_spread.total == 256);
    CHECK(kernel.global_spread.grid == gpu::Dim3(4));
    CHECK(kernel.global_spread.working_blocks == 4);
    CHECK(kernel.global_spread.busiest_thread == 2);
    CHECK(kernel.accesses == 64 + 256 + 32);
    CHECK(kernel.span == 2 + 2 + 1);
}

TEST_CASE("places that compute in double precision are counted, with their lines") {
    const auto places = [](const std::string& body, const std::string& parameters = "const float* x, float* y") {
        const std::string text = "__global__ void other(double* z) { *z += 1.0; }\n__global__ void k(" + parameters +
                                 ") {\n    const int i = threadIdx.x;\n    " + body + "\n}\n";
        const gpu::RawKernel<void(const float*, float*)> kernel(cu(text.c_str()), "k");
        const gpu::Array<float> x = gpu::arange<float>(32);
        gpu::Array<float> y = gpu::empty<float>({32});
        const gpu::CheckReport report = gpu::check([&] { kernel({.grid = 1, .block = 32}, x, y); });
        for (const gpu::LineCounts& each : only(report).lines)
            if (each.work.double_operations > 0) CHECK(each.line == 4);
        return only(report).work.double_operations;
    };
    CHECK(places("y[i] = 2.0f * x[i];") == 0);
    CHECK(places("y[i] = 2 * x[i] + 1;") == 0);
    CHECK(places("float a = 2.0; y[i] = a * x[i];") == 0);   // a constant that becomes a float costs nothing
    CHECK(places("y[i] = 2.0 * x[i];") > 0);
    CHECK(places("y[i] = x[i] > 0.5 ? 1.0f : 0.0f;") > 0);
    CHECK(places("auto a = 2.0; y[i] = x[i] / a;") > 0);
    CHECK(places("double s = 0; for (int k = 0; k < 4; ++k) s += 1; y[i] = s;") > 0);
    CHECK(places("if (i == 99) printf(\"%f\", x[i]); y[i] = x[i];") == 0);
}
