// SPDX-License-Identifier: MIT
#include <dirent.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <thread>

#include "host/base/machine.hpp"
#include "host/support.hpp"
#include "support/forked_child.hpp"

using namespace support;

namespace {

const char* const source = R"(
__global__ void fill(int* x, int n, int value) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = value;
}
__global__ void count(unsigned* cells, unsigned long long* total, float* real, double* wide, int* most,
                      unsigned* ring) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicInc(&cells[i % 7], 0xffffffffu);
    atomicAdd(total, (unsigned long long)i);
    atomicAdd(real, 0.5f);
    atomicAdd(wide, 0.25);
    atomicMax(most, i);
    atomicMin(most + 1, -i);
    atomicXor(most + 2, 1 << i % 32);
    atomicSub(most + 3, 1);
    atomicOr(most + 4, 1 << i % 32);
    atomicCAS(most + 5, i, i + 1);
    atomicInc(ring, 9);
    atomicDec(ring + 1, 9);
    atomicExch(ring + 2, 5u);
    atomicAnd(ring + 3, ~(1u << i % 32));
}
__global__ void sum(const int* x, int* total, int n) {
    __shared__ int s[128];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? x[i] : 0;
    __syncthreads();
    for (int w = 64; w > 0; w /= 2) { if (t < w) s[t] += s[t + w]; __syncthreads(); }
    if (t == 0) atomicAdd(total, s[0]);
}
__global__ void speak(int n) { printf("thread %d of %d: %.2f %s\n", threadIdx.x, n, 1.5, "ok"); }
)";

int open_files() {
    int count = 0;
    DIR* const directory = ::opendir("/proc/self/fd");
    while (::readdir(directory) != nullptr) ++count;
    ::closedir(directory);
    return count;
}

long status_field(const std::string& name) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.compare(0, name.size(), name) == 0) return std::stol(line.substr(name.size() + 1));
    return -1;
}

}  // namespace

TEST_CASE("the backend says what it is") {
    CHECK(backend().kind() == gpu::BackendKind::host);
    CHECK(backend().device_count() == 1);
    const auto properties = backend().properties(0);
    CHECK(contains(properties.name, " (host backend)"));
    CHECK(properties.multiprocessors == 2);
    CHECK(properties.warp_size == 32);
    CHECK(properties.max_shared_per_block == 48 * 1024);
    CHECK(error_of([] { (void)backend().properties(1); }) ==
          "host:1 does not exist; the host backend has 1 device (LIBGPU_HOST_DEVICES sets how many)");
    const EnvironmentGuard guard("LIBGPU_HOST_DEVICES", "3");
    CHECK(gpu::detail::make_host_backend()->device_count() == 3);
}

TEST_CASE("streams and events work, in the order of their calls") {
    void* const stream = backend().create_stream(0);
    auto* const start = backend().create_event(0);
    auto* const stop = backend().create_event(0);
    CHECK(error_of([&] { (void)backend().elapsed_ms(0, start, stop); }) == "elapsed_ms: an event was never recorded");
    backend().record_event(0, start, stream);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    backend().record_event(0, stop, stream);
    backend().synchronize_event(0, stop);
    backend().synchronize_stream(0, stream);
    backend().synchronize_device(0);
    CHECK(backend().elapsed_ms(0, start, stop) >= 2.0f);
    backend().destroy_event(0, start);
    backend().destroy_event(0, stop);
    backend().destroy_stream(0, stream);
}

TEST_CASE("atomics of all workers together lose nothing, and are counted") {
    const Buffer<unsigned> cells(7), ring(std::vector<unsigned>{0, 0, 0, ~0U});
    const Buffer<unsigned long long> total(1);
    const Buffer<float> real(1);
    const Buffer<double> wide(1);
    const Buffer<int> most(std::vector<int>{-1, 1, 0, 70000, 0, 0});
    const auto before = atomics();
    launch(*build_raw("count", source), shape(700, 100), cells.data(), total.data(), real.data(), wide.data(),
           most.data(), ring.data());
    for (std::size_t k = 0; k < 7; ++k) CHECK(cells[k] == 10000);
    CHECK(total[0] == 69999ULL * 70000 / 2);
    CHECK(real[0] == 35000.0f);
    CHECK(wide[0] == 17500.0);
    CHECK(most[0] == 69999);
    CHECK(most[1] == -69999);
    int expected = 0;
    for (int i = 0; i < 70000; ++i) expected ^= static_cast<int>(1U << i % 32);
    CHECK(most[2] == expected);
    CHECK(most[3] == 0);
    CHECK(most[4] == -1);
    CHECK(ring.values() == std::vector<unsigned>{0, 0, 5, 0});
    CHECK(atomics() - before == 70000ULL * 14);
}

TEST_CASE("a hundred thousand launches leave no descriptor, thread or memory behind") {
    const auto loop = build_raw("fill", source), fiber = build_raw("sum", source);
    const Buffer<int> x(1000), total(1);
    const auto both = [&](int launches) {
        for (int k = 0; k < launches; ++k) {
            launch(*loop, shape(4, 256), x.data(), 1000, k);
            if (k % 50 == 0) launch(*fiber, shape(8, 128), static_cast<const int*>(x.data()), total.data(), 1000);
        }
    };
    both(2000);
    const int files = open_files();
    [[maybe_unused]] const long threads = status_field("Threads:"), resident = status_field("VmRSS:");
    both(100000);
    CHECK(x[999] == 99999);
    CHECK(open_files() == files);
    CHECK(status_field("Threads:") == threads);
#if defined(GPU_HOST_ASAN)
    std::puts("SKIP: the memory of a hundred thousand launches: AddressSanitizer keeps freed memory for a while");
#else
    CHECK(status_field("VmRSS:") - resident < 4096);  // KiB
#endif
}

TEST_CASE("loading a kernel again and again leaves nothing behind, and never mixes kernels up") {
    const auto fill = backend().generate(raw_text("fill", source)), sum = backend().generate(raw_text("sum", source));
    const auto fill_image = backend().compile(0, fill), sum_image = backend().compile(0, sum);
    const Buffer<int> x(128), total(1);
    int files = 0;
    for (int k = 0; k < 300; ++k) {
        const auto first = backend().load(0, fill_image, fill), second = backend().load(0, sum_image, sum);
        launch(*first, shape(1, 128), x.data(), 128, k);
        total[0] = 0;
        launch(*second, shape(1, 128), static_cast<const int*>(x.data()), total.data(), 128);
        REQUIRE(total[0] == 128 * k);
        if (k == 10) files = open_files();
    }
    CHECK(open_files() == files);
}

TEST_CASE("two threads launch at once on one backend, and two backends side by side") {
    const auto other = backend_with(2);
    const auto here = build_raw("sum", source), there = build_raw("sum", source, *other);
    std::vector<std::thread> threads;
    std::vector<int> wrong(4, -1);
    for (std::size_t t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            Backend& where = t < 2 ? backend() : *other;
            LoadedKernel& kernel = t < 2 ? *here : *there;
            const Buffer<int> x(5000, static_cast<int>(t) + 1, where), total(1, 0, where);
            wrong[t] = 0;
            for (int k = 0; k < 100; ++k) {
                total[0] = 0;
                launch_on(where, kernel, shape(40, 128), static_cast<const int*>(x.data()), total.data(), 5000);
                if (total[0] != 5000 * (static_cast<int>(t) + 1)) ++wrong[t];
            }
        });
    for (std::thread& thread : threads) thread.join();
    CHECK(wrong == std::vector<int>{0, 0, 0, 0});
}

TEST_CASE("a forked child launches on, with workers of its own") {
    if (!child_can_start_threads("a forked child launches on")) return;
    const auto kernel = build_raw("sum", source);
    const Buffer<int> x(50000, 1), total(1);
    launch(*kernel, shape(400, 128), static_cast<const int*>(x.data()), total.data(), 50000);
    REQUIRE(total[0] == 50000);
    const pid_t child = ::fork();
    if (child == 0) {
        total[0] = 0;
        launch(*kernel, shape(400, 128), static_cast<const int*>(x.data()), total.data(), 50000);
        const Buffer<int> more(100);
        // This one, one that helps it, one for the stream, and the watchdog.
        ::_exit(total[0] == 50000 && status_field("Threads:") == 4 ? 0 : 1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
}

TEST_CASE("printf in a kernel writes to standard output") {
    const auto kernel = build_raw("speak", source);
    std::fflush(stdout);
    const int saved = ::dup(1);
    std::FILE* const file = std::tmpfile();
    ::dup2(::fileno(file), 1);
    launch(*kernel, shape(1, 3), 3);
    std::fflush(stdout);
    ::dup2(saved, 1);
    ::close(saved);
    char text[200] = {};
    std::rewind(file);
    (void)!std::fread(text, 1, sizeof text - 1, file);
    std::fclose(file);
    CHECK(std::string(text) == "thread 0 of 3: 1.50 ok\nthread 1 of 3: 1.50 ok\nthread 2 of 3: 1.50 ok\n");
}
