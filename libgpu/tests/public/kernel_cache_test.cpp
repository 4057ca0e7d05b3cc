// SPDX-License-Identifier: MIT
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include <gpu/gpu.hpp>

#include "gate.hpp"
#include "support/environment_guard.hpp"
#include "support/forked_child.hpp"
#include "support/temporary_folder.hpp"

namespace fs = std::filesystem;

namespace {

// The only file with this ending; empty if there are none or several.
fs::path only(const support::TemporaryFolder& folder, const std::string& ending) {
    fs::path found;
    for (const fs::path& file : folder.files()) {
        if (file.extension() != ending) continue;
        if (!found.empty()) return {};
        found = file;
    }
    return found;
}

}  // namespace

TEST_CASE("the cache of compiled kernels says where it is, what it holds and what it has done") {
    const support::TemporaryFolder folder;
    const support::EnvironmentGuard cache_dir("LIBGPU_CACHE_DIR", folder.path().c_str());
    //! [kernel_cache]
    gpu::KernelCache cache = gpu::kernel_cache();
    const gpu::CacheStatistics before = cache.statistics();
    gpu::ElementwiseKernel cube("T x", "T y", "y = x * x * x", "cube_for_the_cache");
    gpu::Array<float> y = cube(gpu::ones<float>({3}));  // compiled, or read from the cache
    const gpu::CacheStatistics after = cache.statistics();
    bool compiled = after.misses > before.misses;
    std::string where = cache.folder();
    //! [kernel_cache]
    CHECK(compiled);
    CHECK(where == folder.path());
    CHECK(cache.limit() == std::uint64_t{256} << 20);
    CHECK(before.files == 0);
    CHECK(after.files == after.misses - before.misses);
    CHECK(after.bytes > 500);
    CHECK(after.hits == before.hits);
    y = cube(y);  // loaded already
    CHECK(cache.statistics().misses == after.misses);
    cache.clear();
    CHECK(cache.statistics().files == 0);
    CHECK(cache.statistics().bytes == 0);
    y = cube(y);
    CHECK(gpu::to_host(y) == std::vector<float>(3, 1.f));
    CHECK(fs::exists(folder.path()));
}

TEST_CASE("LIBGPU_CACHE_LIMIT keeps the folder small, and an empty LIBGPU_CACHE_DIR switches the cache off") {
    const support::TemporaryFolder folder;
    const support::EnvironmentGuard cache_dir("LIBGPU_CACHE_DIR", folder.path().c_str());
    auto x = gpu::ones<float>({3});
    {
        const support::EnvironmentGuard limit("LIBGPU_CACHE_LIMIT", "100");  // no kernel is that small
        CHECK(gpu::kernel_cache().limit() == 100);
        const auto before = gpu::kernel_cache().statistics();
        (void)gpu::ElementwiseKernel("T x", "T y", "y = x + 17", "never_kept")(x);
        const auto after = gpu::kernel_cache().statistics();
        CHECK(after.files == 0);
        CHECK(after.evictions > before.evictions);
    }
    const support::EnvironmentGuard off("LIBGPU_CACHE_DIR", "");
    CHECK(gpu::kernel_cache().folder().empty());
    (void)gpu::ElementwiseKernel("T x", "T y", "y = x + 18", "not_stored")(x);
    CHECK(gpu::kernel_cache().statistics().files == 0);
    gpu::kernel_cache().clear();
}

TEST_CASE("LIBGPU_DUMP writes the generated source and what was compiled of it") {
    const support::TemporaryFolder folder;
    const support::EnvironmentGuard cache_dir("LIBGPU_CACHE_DIR", ""), dump("LIBGPU_DUMP", folder.path().c_str());
    auto x = gpu::ones<float>({3});
    (void)gpu::ElementwiseKernel("T x", "T y", "y = x + 19", "dumped")(x);
    const fs::path source = only(folder, ".cu");
    REQUIRE_FALSE(source.empty());
    CHECK(source.filename().string().starts_with("dumped-"));
    std::ifstream in(source);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    CHECK(text.find("y = x + 19") != std::string::npos);
    const bool on_host = gpu::Device::current().kind() == gpu::BackendKind::host;
    const fs::path image = only(folder, on_host ? ".so" : ".cubin");
    CHECK(image.stem() == source.stem());
    CHECK((image.empty() || fs::file_size(image) > 500));
}

// The cache of compiled kernels as processes see it: shared, damaged, full. Each process is a forked child, so that it
// knows no kernel yet.
namespace fs = std::filesystem;

namespace {

// A folder of its own as the cache, for a scope.
class CacheFolder : public support::TemporaryFolder {
    support::EnvironmentGuard variable_{"LIBGPU_CACHE_DIR", path().c_str()};
};

// True if a process of its own gets the right numbers out of the kernel, which it finds in the cache (1) or not (0).
bool right_in_a_child(int hits = -1) {
    const pid_t child = ::fork();
    if (child == 0) {
        int code = 1;
        const gpu::CacheStatistics before = gpu::kernel_cache().statistics();
        try {
            gpu::RawKernel<void(int*, int)> fill(
                "__global__ void fill_cached(int* x, int v) {\n"
                "    x[blockIdx.x * blockDim.x + threadIdx.x] = v + (int)threadIdx.x;\n}\n",
                "fill_cached");
            auto x = gpu::to_device(std::vector<int>(64));  // compiles nothing
            fill({.grid = 2, .block = 32}, x, 100);
            const auto got = gpu::to_host(x);
            code = got[0] == 100 && got[63] == 131 ? 0 : 2;
            const gpu::CacheStatistics now = gpu::kernel_cache().statistics();
            if (hits >= 0 && (now.hits - before.hits != static_cast<unsigned>(hits) ||
                              now.misses - before.misses != static_cast<unsigned>(1 - hits)))
                code = 3;
        } catch (const std::exception& error) {
            std::fprintf(stderr, "%s\n", error.what());
        }
        ::_exit(code);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

std::string content_of(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

bool can_fork(const char* what) {
    if (gpu::Device::current().kind() == gpu::BackendKind::host) return child_can_start_threads(what);
    std::printf("SKIP: %s: a CUDA context can't be forked\n", what);
    return false;
}

}  // namespace

TEST_CASE("processes that compile one kernel at the same time all get it, and leave one file") {
    if (!can_fork("processes that compile one kernel")) return;
    const CacheFolder cache;
    std::vector<pid_t> children;
    for (int k = 0; k < 4; ++k) {
        const pid_t child = ::fork();
        if (child == 0) ::_exit(right_in_a_child() ? 0 : 1);
        children.push_back(child);
    }
    for (const pid_t child : children) {
        int status = 0;
        ::waitpid(child, &status, 0);
        CHECK(WIFEXITED(status));
        CHECK(WEXITSTATUS(status) == 0);
    }
    CHECK(cache.files().size() == 1);
}

TEST_CASE("a cache file that is cut, changed, foreign or no file is made anew, and the numbers are right") {
    if (!can_fork("damaged cache files")) return;
    const CacheFolder cache;
    REQUIRE(right_in_a_child());
    REQUIRE(cache.files().size() == 1);
    const fs::path file = cache.files().front();
    const std::string whole = content_of(file);
    std::string flipped = whole, tail = whole;
    flipped[whole.size() / 2] = static_cast<char>(flipped[whole.size() / 2] ^ 1);
    tail.back() = static_cast<char>(tail.back() ^ 0x40);
    for (const std::string& damaged : {std::string(), whole.substr(0, 100), whole.substr(0, whole.size() - 1), flipped,
                                       tail, whole + "x", std::string(5000, 'z'),
                                       std::string("\x7f"
                                                   "ELF and nothing else")}) {
        std::ofstream(file, std::ios::binary) << damaged;
        CAPTURE(damaged.size());
        CHECK(right_in_a_child());
        CHECK(content_of(file).size() == whole.size());
    }
    fs::remove(file);
    fs::create_directory(file);
    CHECK(right_in_a_child());
    fs::permissions(cache.path(), fs::perms::owner_read | fs::perms::owner_exec);
    CHECK(right_in_a_child());
    fs::permissions(cache.path(), fs::perms::owner_all);
}

TEST_CASE("a kernel that another process has compiled is a hit") {
    if (!can_fork("hits of the cache")) return;
    const CacheFolder cache;
    CHECK(right_in_a_child(0));
    CHECK(right_in_a_child(1));
    gpu::kernel_cache().clear();
    CHECK(cache.files().empty());
    CHECK(right_in_a_child(0));
}

TEST_CASE("a cache on a full disk is no cache, and no error") {
    if (!can_fork("a cache on a full disk")) return;
    const CacheFolder cache;
    if (::mount("tmpfs", cache.path().c_str(), "tmpfs", 0, "size=4k") != 0) {
        std::puts("SKIP: a cache on a full disk: mounting a small tmpfs needs root");
        return;
    }
    const bool first = right_in_a_child(), second = right_in_a_child();
    const auto files = cache.files();
    ::umount(cache.path().c_str());
    CHECK(first);
    CHECK(second);
    for (const fs::path& file : files) CHECK_FALSE(fs::exists(file));
    CHECK(files.empty());
}

// Measuring, and the log of launches.
TEST_CASE("benchmark calls, measures each repeat on device and host, and summarises") {
    auto x = gpu::ones<float>({100'000}), y = gpu::ones<float>({100'000});
    gpu::Array<float> z;
    int calls = 0;
    //! [benchmark]
    auto t = gpu::benchmark(
        [&] {
            z = x + y;
            ++calls;
        },
        {.warmup = 3, .repeat = 30, .flush_l2 = true});
    const double device = t.device.median_us;  // also min_us, max_us, mean_us, stddev_us, samples_us
    const double host = t.host.median_us;      // of the call alone: it returns before the kernel is done
    //! [benchmark]
    CHECK(calls == 33);
    CHECK(device > 0);
    CHECK(host > 0);
    for (const gpu::Timings& timings : {t.device, t.host}) {
        REQUIRE(timings.samples_us.size() == 30);
        CHECK(timings.min_us == *std::min_element(timings.samples_us.begin(), timings.samples_us.end()));
        CHECK(timings.max_us == *std::max_element(timings.samples_us.begin(), timings.samples_us.end()));
        CHECK(timings.min_us <= timings.median_us);
        CHECK(timings.median_us <= timings.max_us);
        CHECK(timings.min_us <= timings.mean_us);
        CHECK(timings.mean_us <= timings.max_us);
        CHECK(timings.stddev_us >= 0);
    }
    CHECK(t.to_string().find("us (medians of 30)") != std::string::npos);
    CHECK(z.shape() == x.shape());
    const gpu::Counts before = gpu::counts();
    (void)gpu::benchmark([&] { return gpu::exp(x) * 2 + y; }, {.warmup = 1, .repeat = 4});  // an expression
    CHECK((gpu::counts() - before).launches == 5);
}

TEST_CASE("benchmark measures what was asked for, in the current stream, and lets exceptions pass") {
    gpu::Stream stream;
    const gpu::StreamGuard guard(stream);
    const auto slow = [] { std::this_thread::sleep_for(std::chrono::milliseconds(2)); };
    const gpu::Benchmark t = gpu::benchmark(slow, {.warmup = 0, .repeat = 3});
    CHECK(t.host.min_us >= 2000);
    CHECK(t.device.min_us >= 1000);  // the device waits between the events
    const auto before = gpu::counts();
    const auto x = gpu::ones<int>({100});
    (void)gpu::benchmark([&] { (void)gpu::sum(x); }, {.warmup = 1, .repeat = 4});
    CHECK((gpu::counts() - before).launches >= 6);
    CHECK_THROWS_AS((void)gpu::benchmark([] { throw gpu::ShapeError("from inside"); }), gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::benchmark([] {}, {.repeat = 0}), gpu::Error);
}

TEST_CASE("a log notes kernels and copies in order, with what they work on") {
    gpu::RawKernel<void(int*, int)> add(
        "__global__ void add_one(int* x, int n) { if (threadIdx.x < n) x[threadIdx.x] += 1; }", "add_one");
    gpu::ElementwiseKernel squared("T x", "T y", "y = x * x", "squared");
    const std::vector<float> host(1000, 2.f);
    gpu::Stream stream;
    //! [launch_log]
    gpu::LaunchLog log;
    gpu::Array<float> x = gpu::to_device(host);
    gpu::Array<float> y = squared(x);
    const float total = gpu::sum(y).item();
    const std::vector<gpu::LaunchEntry> entries = log.entries();
    //! [launch_log]
    CHECK(total == 4000.f);
    using Kind = gpu::LaunchEntry::Kind;
    REQUIRE(entries.size() >= 4);
    CHECK(entries[0].kind == Kind::copy_to_device);
    CHECK(entries[0].name == "copy to device");
    CHECK(entries[0].bytes == 4000);
    CHECK(entries[1].kind == Kind::elementwise);
    CHECK(entries[1].name == "squared");
    CHECK(entries[1].size == 1000);
    CHECK(entries[1].bytes == 8000);
    CHECK(entries[1].device == gpu::Device::current());
    CHECK(entries[1].stream.native() == nullptr);
    CHECK(entries[1].device_us == -1);
    CHECK(entries[2].kind == Kind::reduction);
    CHECK(entries[2].size == 1000);
    CHECK(entries[2].bytes == 4004);
    CHECK(entries.back().kind == Kind::copy_to_host);
    CHECK(entries.back().bytes == 4);
    const std::string where = gpu::Device::current().to_string();
    CHECK(entries[1].to_string() == where + " squared: 1000 elements, 8000 bytes");

    log.clear();
    auto n = gpu::zeros<int>({10});
    log.clear();
    add({.grid = 2, .block = {32, 2}, .shared = 64, .stream = stream}, n, 10);
    const gpu::Array<int> copy = n;
    REQUIRE(log.entries().size() == 2);
    const gpu::LaunchEntry raw = log.entries()[0];
    CHECK(raw.kind == Kind::raw);
    CHECK(raw.name == "add_one");
    CHECK(raw.grid == gpu::Dim3(2));
    CHECK(raw.block == gpu::Dim3(32, 2));
    CHECK(raw.shared == 64);
    CHECK(raw.stream.native() == stream.ref().native());
    CHECK(log.entries()[1].kind == Kind::copy_on_device);
    CHECK(log.entries()[1].bytes == 40);
    CHECK(log.to_string() == where + " add_one: grid (2,1,1), block (32,2,1), 64 bytes shared, in a stream\n" + where +
                                 " copy on device: 40 bytes\n");
    CHECK_THROWS_AS(add({.grid = 1, .block = 5000}, n, 10), gpu::LaunchError);
    CHECK(log.entries().size() == 2);  // what wasn't launched isn't noted
}

TEST_CASE("a log can measure, several can be open, and all threads are noted") {
    auto x = gpu::ones<float>({100'000});
    x = x + 1.f;
    gpu::synchronize();
    gpu::LaunchLog outer({.times = true});
    {
        gpu::LaunchLog inner;
        std::vector<std::thread> threads;
        for (int t = 0; t < 3; ++t)
            threads.emplace_back([] {
                auto mine = gpu::zeros<float>({1000});
                for (int k = 0; k < 9; ++k) mine = mine + 1.f;
                gpu::synchronize();
            });
        for (std::thread& thread : threads) thread.join();
        CHECK(inner.entries().size() == 30);
        for (const gpu::LaunchEntry& entry : inner.entries()) CHECK(entry.device_us == -1);
        inner.clear();
        CHECK(inner.entries().empty());
    }
    x = x * 2.f;
    const auto entries = outer.entries();  // waits
    REQUIRE(entries.size() == 31);
    for (const gpu::LaunchEntry& entry : entries) CHECK(entry.device_us >= 0);
    CHECK(outer.to_string().find(" us\n") != std::string::npos);
}
