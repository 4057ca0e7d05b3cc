// SPDX-License-Identifier: MIT
// What a ledger notes, whose lines it names, and that it agrees with gpu::counts().
#include <doctest/doctest.h>

#include <string>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include <gpu/gpu.hpp>
#include <gpu/ledger.hpp>

#include "support/child_process.hpp"
#include "support/golden.hpp"
#include "support/messages.hpp"

using gpu::LedgerEntry;
using Kind = gpu::LedgerEntry::Kind;
using support::contains;

namespace {

constexpr const char* twice_text = R"(
__global__ void twice(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2 * x[i];
})";

// A little of everything; the linear algebra of libraries apart.
void work(const std::vector<float>& a) {
    gpu::RawKernel<void(const float*, float*, int)> twice(gpu::Source(twice_text), "twice");
    gpu::Array<float> x = gpu::to_device(a), y = gpu::zeros<float>({100});
    twice({.grid = 1, .block = 128}, x.data(), y.data(), 100);
    y = y * 2 + x;
    const gpu::Array<float> copy = y;
    gpu::Array<float> sums = gpu::cumsum(copy);
    sums(gpu::slice(0, 10)) = x(gpu::slice(10, 20));
    gpu::Pinned<float> pinned(100);
    const gpu::Event copied = sums.copy_to_async(pinned);
    copied.synchronize();
    std::vector<float> pageable(100);
    sums.copy_to_async(pageable).synchronize();
    gpu::Stream stream;
    stream.synchronize();
    const std::string text = gpu::to_string(y(gpu::slice(0, 3)));
    CHECK(gpu::compress(y > 0.f, y).size() == 100);
    gpu::synchronize();
    CHECK(gpu::sum(y).item() == doctest::Approx(500));
    CHECK(gpu::to_host(gpu::sort(y)).size() == 100);
}

void check_equal(const gpu::Counts& ledger, const gpu::Counts& counted) {
    CHECK(ledger.copies_to_device == counted.copies_to_device);
    CHECK(ledger.copies_to_host == counted.copies_to_host);
    CHECK(ledger.copies_on_device == counted.copies_on_device);
    CHECK(ledger.bytes_to_device == counted.bytes_to_device);
    CHECK(ledger.bytes_to_host == counted.bytes_to_host);
    CHECK(ledger.bytes_on_device == counted.bytes_on_device);
    CHECK(ledger.allocations == counted.allocations);
    CHECK(ledger.bytes_allocated == counted.bytes_allocated);
    CHECK(ledger.synchronizations == counted.synchronizations);
    CHECK(ledger.launches == counted.launches);
    CHECK(ledger.prints == counted.prints);
    CHECK(ledger.copies_between_devices == counted.copies_between_devices);
    CHECK(ledger.bytes_between_devices == counted.bytes_between_devices);
    CHECK(ledger.pageable_async_copies == counted.pageable_async_copies);
}

}  // namespace

TEST_CASE("a ledger notes a stretch of a program, with its lines") {
    const std::vector<float> a(1000, 1.f);
    gpu::memory_pool().trim();
    //! [ledger]
    gpu::Ledger ledger;  // #include <gpu/ledger.hpp>
    gpu::Array<float> x = gpu::to_device(a);
    x = x * 2;
    const float last = x(999).item();
    std::string text = ledger.text();  // "...cpp:83  copy to device   4.0 kB  (1,000 float32), waits" and so on
    const gpu::Counts totals = ledger.totals();
    const std::uint64_t cheap = ledger.from_pool();  // allocations that the device wasn't asked for
    const std::vector<gpu::LedgerEntry> entries = ledger.entries();
    //! [ledger]
    const int line = __LINE__;
    CHECK(last == 2);
    CHECK(cheap == 0);
    REQUIRE(entries.size() == 4);
    const auto check = [&](const LedgerEntry& entry, Kind kind, int back, std::size_t bytes) {
        CAPTURE(entry.to_string());
        CHECK(entry.kind == kind);
        CHECK(entry.file == "ledger_test.cpp");
        CHECK(entry.line == line - back);
        CHECK(entry.bytes == bytes);
        CHECK(entry.device == gpu::Device::current());
    };
    check(entries[0], Kind::allocation, 8, 4000);
    check(entries[1], Kind::copy_to_device, 8, 4000);
    check(entries[2], Kind::launch, 7, 0);
    check(entries[3], Kind::copy_to_host, 6, 4);
    CHECK(entries[1].elements == 1000);
    CHECK(entries[1].type == "float32");
    CHECK(entries[1].waits);
    CHECK(entries[2].elements == 1000);
    CHECK(!entries[0].pooled);
    CHECK(totals.copies_to_device == 1);
    CHECK(totals.synchronizations == 2);
    CHECK(contains(text, "ledger_test.cpp:" + std::to_string(line - 8) + "  "));
    CHECK(contains(text, " copy to device   4.0 kB  (1,000 float32), waits\n"));
    CHECK(contains(text,
                   "totals: 1 allocation (4.0 kB), 1 copy to the device (4.0 kB), 1 copy to the host (4 B), "
                   "1 launch, 2 waits\n"));
}

TEST_CASE("totals agree with gpu::counts(), whatever a program does, on several threads too") {
    const std::vector<float> a(100, 1.f);
    const gpu::Counts before = gpu::counts();
    const gpu::Ledger ledger;
    work(a);
    std::thread other([&] { work(a); });
    work(a);
    other.join();
    const gpu::Counts counted = gpu::counts() - before;
    check_equal(ledger.totals(), counted);
    CHECK(counted.prints == 3);
    CHECK(counted.copies_on_device == 3);
    CHECK(counted.pageable_async_copies == 3);
    gpu::Counts sum;  // of the entries, counted another way
    std::size_t freed = 0;
    for (const LedgerEntry& entry : ledger.entries()) {
        CAPTURE(entry.to_string());
        CHECK(entry.file == "ledger_test.cpp");
        sum.launches += entry.kind == Kind::launch ? 1 : 0;
        sum.allocations += entry.kind == Kind::allocation ? 1 : 0;
        sum.synchronizations += entry.kind == Kind::wait || entry.waits ? 1 : 0;
        sum.bytes_allocated += entry.kind == Kind::allocation ? entry.bytes : 0;
        freed += entry.kind == Kind::free ? entry.bytes : 0;
    }
    CHECK(sum.launches == counted.launches);
    CHECK(sum.allocations == counted.allocations);
    CHECK(sum.synchronizations == counted.synchronizations);
    CHECK(sum.bytes_allocated == counted.bytes_allocated);
    CHECK(freed == counted.bytes_allocated);
}

TEST_CASE("products of matrices are launches; other linear algebra is listed and counts as none") {
    const gpu::Array<float> a = gpu::full<float>({4, 4}, 1.f);
    const gpu::Counts before = gpu::counts();
    const gpu::Ledger ledger;
    const gpu::Array<float> product = gpu::matmul(a, a);
    const auto values = gpu::linalg::svd(a);
    check_equal(ledger.totals(), gpu::counts() - before);
    CHECK(contains(ledger.text(), "matmul (float32, 4 x 4 times 4 x 4)"));
    bool has_svd = false;
    for (const LedgerEntry& entry : ledger.entries())
        has_svd = has_svd || (entry.kind == Kind::linear_algebra && contains(entry.name, "svd (float32, 4 x 4)"));
    CHECK(has_svd);
}

TEST_CASE("an allocation that the pool serves is told apart") {
    constexpr std::int64_t n = 1 << 20;  // the host backend lets small memory rest before it is used again
    gpu::memory_pool().trim();
    const gpu::Ledger ledger;
    for (int k = 0; k < 3; ++k) (void)gpu::full<float>({n}, 1.f);
    gpu::synchronize();
    int allocations = 0, pooled = 0, frees = 0;
    for (const LedgerEntry& entry : ledger.entries()) {
        if (entry.kind == Kind::allocation) {
            CHECK(entry.pooled == (allocations > 0));
            ++allocations;
            pooled += entry.pooled ? 1 : 0;
        }
        if (entry.kind == Kind::free) {
            ++frees;
            CHECK(entry.pooled);
        }
    }
    CHECK(allocations == 3);
    CHECK(pooled == 2);
    CHECK(frees == 3);
    CHECK(ledger.from_pool() == 2);
    CHECK(contains(ledger.text(), "3 allocations (12.6 MB, 2 from the pool)"));
}

TEST_CASE("options: so many entries, and each at once") {
    std::vector<std::string> seen;
    const gpu::Ledger ledger({.entries = 2, .on_entry = [&](const LedgerEntry& entry) {
                                  seen.push_back(entry.file + " " + entry.name);
                                  (void)gpu::zeros<float>({1});  // isn't noted: this would never end
                              }});
    for (int k = 0; k < 5; ++k) gpu::synchronize();
    CHECK(ledger.entries().size() == 2);
    CHECK(ledger.totals().synchronizations == 5);
    CHECK(ledger.totals().allocations == 0);
    CHECK(seen == std::vector<std::string>(5, "ledger_test.cpp all work on the device"));
}

TEST_CASE("a ledger notes nothing before it and nothing after it, and ledgers nest") {
    gpu::synchronize();
    std::uint64_t inner = 0;
    const gpu::Ledger outer;
    {
        const gpu::Ledger ledger;
        gpu::synchronize();
        inner = ledger.totals().synchronizations;
    }
    gpu::synchronize();
    CHECK(inner == 1);
    CHECK(outer.totals().synchronizations == 2);
    CHECK(contains(gpu::Ledger().text(), "totals: nothing was asked of a device"));
}

TEST_CASE("a forked child looks its own lines up") {
    const gpu::Ledger ledger;
    gpu::synchronize();
    CHECK(ledger.entries().at(0).line == __LINE__ - 1);
    if (gpu::Device::current().kind() == gpu::BackendKind::cuda) return;  // a child can't use the parent's context
    const pid_t child = ::fork();
    if (child == 0) {
        gpu::Stream::current().synchronize();
        const LedgerEntry last = ledger.entries().at(1);
        ::_exit(last.file == "ledger_test.cpp" && last.line == __LINE__ - 2 ? 0 : 1);
    }
    int status = -1;
    CHECK(::waitpid(child, &status, 0) == child);
    CHECK(status == 0);
}

TEST_CASE("LIBGPU_LEDGER=1 prints a program's ledger to stderr, and its totals at the end") {
    const std::string program = LEDGER_PROGRAM;
    const ChildResult quiet = run_child({program}, {{"LIBGPU_DEVICE", "host"}, {"LIBGPU_LEDGER", "0"}});
    CHECK(quiet.exit_code == 0);
    CHECK(quiet.output == "121.7\n");
    const ChildResult noted = run_child({program}, {{"LIBGPU_DEVICE", "host"}, {"LIBGPU_LEDGER", "1"}});
    CHECK(noted.exit_code == 0);
    support::check_golden("program.txt", noted.output);
    const ChildResult aborted = run_child({program, "abort"}, {{"LIBGPU_DEVICE", "host"}, {"LIBGPU_LEDGER", "1"}});
    CHECK(aborted.exit_code == -1);
    CHECK(contains(aborted.output, "copy to host        4 B  (1 float32), waits\n"));
    CHECK(!contains(aborted.output, "totals"));
}
