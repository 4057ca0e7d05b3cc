// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <gpu/gpu.hpp>

#include "support/messages.hpp"

// Few elements take ways of their own on the host: longer runs of a sort, a count on the host itself, launches in the
// thread that asks for them. Around the numbers at which these change, against the standard library.
namespace {

using support::says;

std::vector<float> drawn(std::size_t n, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<float> values(n);
    for (float& value : values) value = static_cast<float>(random() % 50) - 25;  // many are equal
    return values;
}

std::vector<std::int64_t> order_of(const std::vector<float>& values) {
    std::vector<std::int64_t> order(values.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
        return values[static_cast<std::size_t>(a)] < values[static_cast<std::size_t>(b)];
    });
    return order;
}

std::vector<std::int64_t> counts_of(const std::vector<int>& values, std::size_t bins) {
    std::vector<std::int64_t> counts(bins);
    for (const int value : values) ++counts[static_cast<std::size_t>(value)];
    return counts;
}

}  // namespace

TEST_CASE("sorts of every length up to those that count") {
    for (std::size_t n = 1; n <= 300; n += n < 140 ? 1 : 13) {
        const std::vector<float> values = drawn(n, static_cast<unsigned>(n));
        const gpu::Array<float> x = gpu::to_device(values);
        std::vector<float> sorted = values;
        std::sort(sorted.begin(), sorted.end());
        CAPTURE(n);
        REQUIRE(gpu::to_host(gpu::sort(x)) == sorted);
        REQUIRE(gpu::to_host(gpu::argsort(x)) == order_of(values));
    }
}

TEST_CASE("lines whose elements together are few or many sort alike") {
    for (const std::int64_t lines : {1, 3, 9, 10, 11, 40}) {
        for (const std::int64_t n : {16, 17, 64, 65, 100, 128, 129}) {
            const std::vector<float> values = drawn(static_cast<std::size_t>(lines * n), 7);
            const gpu::Array<float> x = gpu::to_device({lines, n}, values);
            std::vector<float> expected = values;
            for (auto line = expected.begin(); line != expected.end(); line += n) std::sort(line, line + n);
            CAPTURE(lines);
            CAPTURE(n);
            CHECK(gpu::to_host(gpu::sort(x)) == expected);
        }
    }
}

TEST_CASE("bincount of few elements and of a few more") {
    std::mt19937 random(1);
    for (const std::size_t n : {1, 2, 100, 1023, 1024, 1025}) {
        std::vector<int> values(n);
        for (int& value : values) value = static_cast<int>(random() % 400);
        const gpu::Array<int> x = gpu::to_device(values);
        const auto bins = static_cast<std::size_t>(*std::max_element(values.begin(), values.end())) + 1;
        CAPTURE(n);
        CHECK(gpu::to_host(gpu::bincount(x)) == counts_of(values, bins));
        CHECK(gpu::to_host(gpu::bincount(x, {.minlength = 700})) == counts_of(values, 700));
        CHECK(gpu::to_host(gpu::bincount(x.astype<std::uint8_t>() / 2)).size() <= 128);
        const gpu::Array<double> halves = gpu::full<double>({static_cast<std::int64_t>(n)}, 0.5);
        CHECK(gpu::sum(gpu::bincount(x, halves)).item() == 0.5 * static_cast<double>(n));
        gpu::Array<int> wrong = x;
        wrong(0) = -3;
        CHECK(says<gpu::IndexError>("bincount: an element is -3; elements are counted by 0, 1, 2, ...",
                                    [&] { (void)gpu::bincount(wrong); }));
    }
    CHECK(gpu::to_host(gpu::bincount(gpu::to_device({true, false, true}))) == std::vector<std::int64_t>{1, 2});
    CHECK(gpu::to_host(gpu::bincount(gpu::to_device<std::int8_t>({3, 0, 3}))) == std::vector<std::int64_t>{1, 0, 0, 2});
    const gpu::Array<std::uint64_t> huge = gpu::to_device({std::uint64_t{1} << 63});
    CHECK_THROWS_AS((void)gpu::bincount(huge), gpu::IndexError);
}

TEST_CASE("a short call stays behind long work in its stream, and before what comes later") {
    const std::int64_t n = std::int64_t{1} << 22;
    gpu::Array<float> x = gpu::zeros<float>({n});
    gpu::Array<float> first = gpu::zeros<float>({1});
    for (int k = 1; k <= 20; ++k) {
        x += 1;                              // long
        first += x(gpu::slice(n - 1, n));    // short, of what the long one wrote
        x(gpu::slice(n - 1, n)) = first;     // short, read by the next long one
        first = x(gpu::slice(n - 1, n)) * 1;
        x(gpu::slice(n - 1, n)) = static_cast<float>(k);
    }
    CHECK(first.item() == 20 * 21 / 2);
    CHECK(gpu::sum(x == 20.f).item() == n);
}

TEST_CASE("a short call waits for the default stream, and the default stream for it") {
    gpu::Stream other;
    gpu::Array<float> x = gpu::zeros<float>({std::int64_t{1} << 22});
    gpu::Array<float> few = gpu::zeros<float>({4});
    for (int k = 0; k < 10; ++k) {
        x += 1;
        {
            const gpu::StreamGuard in(other);
            few += x(gpu::slice(0, 4));  // behind the long one
        }
        x += few(0) * 0;  // behind the short one
    }
    CHECK(gpu::to_host(few) == std::vector<float>(4, 55));
}
