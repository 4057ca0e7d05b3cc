// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstdio>
#include <vector>

#include <gpu/gpu.hpp>

#include "random_cases/cases.hpp"
#include "support/on_host.hpp"

// More than 2^31 elements on a GPU; on the host, which would take long, the same checks with few. They repeat after a
// prime number of them, so that what is wanted at any place can be told from one period; the device compares.

namespace {

constexpr std::int64_t period = 65521, mask_period = 65519;
std::int64_t element_count() { return (std::int64_t{1} << (support::on_host() ? 18 : 31)) + 3; }

bool is_short_of_memory(const char* what, double gibibytes) {
    if (support::on_host()) return false;
    gpu::memory_pool().trim();
    const double free = static_cast<double>(gpu::memory_pool().use().free) / (1 << 30);
    if (free < gibibytes) std::printf("SKIP: %s of 2^31 + 3 elements: %.0f GiB of memory are free\n", what, free);
    return free < gibibytes;
}

template <class T>
std::vector<T> drawn_period(std::int64_t length, std::uint64_t seed, int values) {
    property::Random random(seed);
    std::vector<T> made;
    for (std::int64_t k = 0; k < length; ++k) made.push_back(static_cast<T>(random.below(values)));
    return made;
}

/// `count` bytes that are a period again and again.
template <class T>
gpu::Array<T> repeated(const std::vector<std::uint8_t>& from) {
    static const gpu::RawKernel<void(unsigned char*, const unsigned char*, long long, long long)> fill(R"(
__global__ void fill(unsigned char* x, const unsigned char* from, long long period, long long n) {
    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x)
        x[i] = from[i % period];
}
)",
                                                                                                "fill");
    const std::int64_t count = element_count();
    gpu::Array<std::uint8_t> period_there = gpu::to_device(from);
    gpu::Array<std::uint8_t> made = gpu::empty<std::uint8_t>({count});
    fill({.grid = 4096, .block = 256}, made, period_there, static_cast<std::int64_t>(from.size()), count);
    gpu::detail::ArrayCore core = made.core();
    core.dtype = gpu::dtype_of<T>;  // another name for the same bytes
    return gpu::Array<T>(core);
}

/// How many of n comparisons fail: `test` is an expression over i, and over the arrays a, b and c.
template <class A, class B, class C>
std::int64_t failures_of(const char* name, const char* types, const char* test, std::int64_t n, const gpu::Array<A>& a,
                         const gpu::Array<B>& b, const gpu::Array<C>& c) {
    const std::string text = std::string("__global__ void ") + name + "(" + types +
                             ", unsigned long long* wrong, long long n) {\n"
                             "    unsigned long long own = 0;\n"
                             "    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n;\n"
                             "         i += (long long)gridDim.x * blockDim.x)\n"
                             "        if (!(" + test + ")) ++own;\n    if (own != 0) atomicAdd(wrong, own);\n}\n";
    gpu::Array<std::uint64_t> wrong = gpu::zeros<std::uint64_t>({1});
    const gpu::RawKernel<void(const A*, const B*, const C*, std::uint64_t*, std::int64_t)> kernel(text, name);
    kernel({.grid = 4096, .block = 256}, a, b, c, wrong, n);
    return static_cast<std::int64_t>(gpu::to_host(wrong)[0]);
}

std::vector<std::int64_t> counts_of(const std::vector<std::uint8_t>& from, int values) {
    const std::int64_t count = element_count();
    std::vector<std::int64_t> counts(static_cast<std::size_t>(values));
    for (std::int64_t k = 0; k < static_cast<std::int64_t>(from.size()); ++k)
        counts[from[static_cast<std::size_t>(k)]] += count / static_cast<std::int64_t>(from.size()) +
                                                     (k < count % static_cast<std::int64_t>(from.size()) ? 1 : 0);
    return counts;
}

}  // namespace

TEST_CASE("a sort of 2^31 + 3 bytes, and where each of them was") {
    if (is_short_of_memory("a sort", 90)) return;
    const std::int64_t count = element_count();
    const std::vector<std::uint8_t> from = drawn_period<std::uint8_t>(period, 1, 256);
    const gpu::Array<std::uint8_t> x = repeated<std::uint8_t>(from);
    const gpu::Array<std::uint8_t> sorted = gpu::sort(x);
    std::vector<std::int64_t> starts{0};
    for (const std::int64_t each : counts_of(from, 256)) starts.push_back(starts.back() + each);
    REQUIRE(starts.back() == count);
    const gpu::Array<std::int64_t> ends = gpu::to_device(starts);
    CHECK(failures_of("sorted_right", "const unsigned char* z, const long long* starts, const unsigned char* x",
                      "starts[z[i]] <= i && i < starts[z[i] + 1]", count, sorted, ends, x) == 0);
    const gpu::Array<std::int64_t> order = gpu::argsort(x);
    // In range, of the element that belongs there, and of equal ones the first first: then each is there once.
    CHECK(failures_of("ordered_right", "const unsigned char* z, const long long* order, const unsigned char* x",
                      "order[i] >= 0 && order[i] < n && x[order[i]] == z[i] && "
                      "(i == 0 || z[i - 1] != z[i] || order[i - 1] < order[i])",
                      count, sorted, order, x) == 0);
}

TEST_CASE("a sort of 2^31 + 3 bytes with a sign, in two lines, and of bools") {
    if (is_short_of_memory("a sort", 30)) return;
    const std::int64_t count = element_count();
    const std::vector<std::uint8_t> from = drawn_period<std::uint8_t>(period, 2, 256);
    {
        const gpu::Array<std::int8_t> x = repeated<std::int8_t>(from), sorted = gpu::sort(x);
        std::vector<std::int64_t> counts = counts_of(from, 256), starts{0};
        for (int value = -128; value < 128; ++value)
            starts.push_back(starts.back() + counts[static_cast<std::uint8_t>(value)]);
        CHECK(failures_of("signed_right", "const signed char* z, const long long* starts, const signed char* x",
                          "starts[z[i] + 128] <= i && i < starts[z[i] + 129]", count, sorted,
                          gpu::to_device(starts), x) == 0);
    }
    const std::vector<std::uint8_t> bits = drawn_period<std::uint8_t>(mask_period, 3, 2);
    const gpu::Array<bool> x = repeated<bool>(bits), sorted = gpu::sort(x);
    const gpu::Array<std::int64_t> zeros = gpu::to_device(std::vector<std::int64_t>{counts_of(bits, 2)[0]});
    CHECK(failures_of("bools_right", "const bool* z, const long long* zeros, const bool* x", "z[i] == (i >= *zeros)",
                      count, sorted, zeros, x) == 0);
}

TEST_CASE("the largest of 2^31 + 3 bytes, and all of them in parts") {
    if (is_short_of_memory("a selection", 20)) return;
    const std::int64_t count = element_count();
    const std::vector<std::uint8_t> from = drawn_period<std::uint8_t>(period, 8, 256);
    const gpu::Array<std::uint8_t> x = repeated<std::uint8_t>(from);
    const auto largest = gpu::topk(x, 500);
    std::vector<std::int64_t> places;
    for (std::int64_t k = 0; places.size() < 500; ++k)
        if (from[static_cast<std::size_t>(k % period)] == 255) places.push_back(k);
    CHECK(gpu::to_host(largest.indices) == places);
    CHECK(gpu::to_host(largest.values) == std::vector<std::uint8_t>(500, 255));
    // From the first of those that equal it to the one behind the last.
    std::vector<std::int64_t> ends{0, 0};
    const std::vector<std::int64_t> counts = counts_of(from, 256);
    int middle = 0;
    for (; ends[1] <= count / 2; ++middle) {
        ends[0] = ends[1];
        ends[1] += counts[static_cast<std::size_t>(middle)];
    }
    ends.push_back(middle - 1);
    CHECK(failures_of("parted_right", "const unsigned char* z, const long long* ends, const unsigned char* x",
                      "i < ends[0] ? z[i] < ends[2] : i < ends[1] ? z[i] == ends[2] : z[i] > ends[2]", count,
                      gpu::partition(x, count / 2), gpu::to_device(ends), x) == 0);
}

TEST_CASE("a cumulative sum of 2^31 + 3 elements") {
    if (is_short_of_memory("a cumulative sum", 30)) return;
    const std::int64_t count = element_count();
    const std::vector<std::uint8_t> from = drawn_period<std::uint8_t>(period, 4, 256);
    const gpu::Array<std::uint8_t> x = repeated<std::uint8_t>(from);
    const auto sums = gpu::cumsum<std::int64_t>(x);
    std::vector<std::int64_t> before{0};
    for (const std::uint8_t value : from) before.push_back(before.back() + value);
    CHECK(failures_of("summed_right", "const long long* z, const long long* before, const unsigned char* x",
                      "z[i] == (i + 1) / 65521 * before[65521] + before[(i + 1) % 65521]", count, sums,
                      gpu::to_device(before), x) == 0);
}

TEST_CASE("a mask of 2^31 + 3 elements: what it keeps, and where that is") {
    if (is_short_of_memory("a mask", 40)) return;
    const std::vector<std::uint8_t> from = drawn_period<std::uint8_t>(period, 5, 256);
    std::vector<std::uint8_t> bits = drawn_period<std::uint8_t>(mask_period, 6, 2);
    const gpu::Array<std::uint8_t> x = repeated<std::uint8_t>(from);
    const gpu::Array<bool> mask = repeated<bool>(bits);
    std::vector<std::int64_t> places;
    for (std::size_t k = 0; k < bits.size(); ++k)
        if (bits[k] != 0) places.push_back(static_cast<std::int64_t>(k));
    const std::int64_t kept = counts_of(bits, 2)[1], of_period = static_cast<std::int64_t>(places.size());
    places.push_back(of_period);  // behind the positions, how many there are
    std::swap(places.front(), places.back());
    const gpu::Array<std::int64_t> there = gpu::to_device(places);
    // The first position is at the end, the number of them in its place.
    const std::string position = "(i / *places * 65519 + places[i % *places == 0 ? *places : i % *places])";
    {
        const gpu::Array<std::uint8_t> got = gpu::compress(mask, x);
        REQUIRE(got.size() == kept);
        CHECK(failures_of("kept_right", "const unsigned char* z, const long long* places, const unsigned char* x",
                          ("z[i] == x[" + position + "]").c_str(), kept, got, there, x) == 0);
    }
    const gpu::Array<std::int64_t> got = gpu::flatnonzero(mask);
    REQUIRE(got.size() == kept);
    CHECK(failures_of("found_right", "const long long* z, const long long* places, const unsigned char* x",
                      ("z[i] == " + position).c_str(), kept, got, there, x) == 0);
}

TEST_CASE("2^31 + 3 elements are counted") {
    if (is_short_of_memory("counts", 20)) return;
    const std::vector<std::uint8_t> from = drawn_period<std::uint8_t>(period, 7, 200);
    const gpu::Array<std::uint8_t> x = repeated<std::uint8_t>(from);
    CHECK(gpu::to_host(gpu::bincount(x)) == counts_of(from, 200));
    const auto histogram = gpu::histogram(x, {.bins = 200, .range = {0, 200}});
    CHECK(gpu::to_host(histogram.counts) == counts_of(from, 200));
}
