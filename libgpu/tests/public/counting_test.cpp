// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <gpu/gpu.hpp>

namespace {

using Counts = std::vector<std::int64_t>;
using Doubles = std::vector<double>;

}  // namespace

TEST_CASE("bincount counts 0, 1, 2, ..., or adds weights") {
    //! [bincount]
    auto x = gpu::to_device({1, 3, 1, 0});
    gpu::Array<std::int64_t> counts = gpu::bincount(x);                       // 1 2 0 1
    gpu::Array<std::int64_t> wide = gpu::bincount(x, {.minlength = 6});       // 1 2 0 1 0 0
    gpu::Array<double> sums = gpu::bincount(x, gpu::to_device({.5, 2., .25, 4.}));  // 4 0.75 0 2
    //! [bincount]
    CHECK(gpu::to_host(counts) == Counts{1, 2, 0, 1});
    CHECK(gpu::to_host(wide) == Counts{1, 2, 0, 1, 0, 0});
    CHECK(gpu::to_host(sums) == Doubles{4, 0.75, 0, 2});
    CHECK(gpu::to_host(gpu::bincount(x, {.minlength = 2})) == Counts{1, 2, 0, 1});
    CHECK(gpu::bincount(gpu::zeros<int>({0})).shape() == gpu::Shape{0});
    CHECK(gpu::to_host(gpu::bincount(gpu::zeros<int>({0}), {.minlength = 2})) == Counts{0, 0});
    CHECK(gpu::to_host(gpu::bincount(gpu::to_device<bool>({true, false, true}))) == Counts{1, 2});
    const auto bytes = gpu::to_device<std::uint8_t>({2, 2});
    CHECK(gpu::to_host(gpu::bincount(bytes, gpu::to_device({1, 2}))) == Doubles{0, 0, 3});
    CHECK(gpu::to_host(gpu::bincount(x % 2)) == Counts{1, 3});
    CHECK_THROWS_AS((void)gpu::bincount(gpu::to_device({1, -1})), gpu::IndexError);
    CHECK_THROWS_AS((void)gpu::bincount(gpu::to_device<std::uint64_t>({~std::uint64_t{0}})), gpu::IndexError);
    CHECK_THROWS_AS((void)gpu::bincount(gpu::zeros<int>({2, 2})), gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::bincount(x, gpu::zeros<float>({3})), gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::bincount(x, {.minlength = -1}), gpu::ShapeError);
    const auto many = gpu::random::Generator(5).integers<int>({100000}, 0, 10);
    CHECK(gpu::sum(gpu::bincount(many)).item() == 100000);
    CHECK(gpu::bincount(many)(4).item() == gpu::count_nonzero(many == 4).item());
}

TEST_CASE("a histogram: half-open bins, the last one closed") {
    //! [histogram]
    auto x = gpu::to_device({1., 2., 1., 4., 3.5});
    auto [counts, edges] = gpu::histogram(x, {.bins = 3});            // 2 1 2 between 1 2 3 4
    auto inside = gpu::histogram(x, {.bins = 4, .range = {0, 2}});    // 0 0 2 1: the rest doesn't count
    //! [histogram]
    CHECK(gpu::to_host(counts) == Counts{2, 1, 2});
    CHECK(gpu::to_host(edges) == Doubles{1, 2, 3, 4});
    CHECK(gpu::to_host(inside.counts) == Counts{0, 0, 2, 1});
    CHECK(gpu::to_host(inside.edges) == Doubles{0, 0.5, 1, 1.5, 2});
    const auto before = gpu::counts();
    (void)gpu::histogram(x);
    CHECK((gpu::counts() - before).synchronizations == 0);
}

TEST_CASE("histograms of integers, halves, nothing, one number, NaN") {
    const auto whole = gpu::histogram(gpu::arange<int>(100), {.bins = 10});
    static_assert(std::is_same_v<decltype(whole.edges), gpu::Array<double>>);
    CHECK(gpu::to_host(whole.counts) == Counts(10, 10));
    CHECK(whole.edges(1).item() == 9.9);
    const auto half = gpu::histogram(gpu::to_device({0.f, 1.f, 2.f, 3.f, 4.f}).astype<gpu::half>(), {.bins = 2});
    CHECK(gpu::to_host(half.counts) == Counts{2, 3});
    const auto none = gpu::histogram(gpu::zeros<float>({0}), {.bins = 2});
    CHECK(gpu::to_host(none.counts) == Counts{0, 0});
    CHECK(gpu::to_host(none.edges) == std::vector<float>{0, 0.5f, 1});
    const auto one = gpu::histogram(gpu::full<float>({3, 2}, 5), {.bins = 2});
    CHECK(gpu::to_host(one.counts) == Counts{0, 6});
    CHECK(gpu::to_host(one.edges) == std::vector<float>{4.5f, 5, 5.5f});
    const auto lost = gpu::histogram(gpu::to_device({1.f, NAN}), {.bins = 2});
    CHECK(gpu::to_host(lost.counts) == Counts{0, 0});
    CHECK(std::isnan(lost.edges(0).item()));
    const auto some = gpu::histogram(gpu::to_device({1.f, NAN, INFINITY, -1.f}), {.bins = 2, .range = {-1, 1}});
    CHECK(gpu::to_host(some.counts) == Counts{1, 1});
    CHECK_THROWS_AS((void)gpu::histogram(gpu::zeros<float>({2}), {.bins = 0}), gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::histogram(gpu::zeros<float>({2}), {.range = {1, 0}}), gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::histogram(gpu::zeros<float>({2}), {.range = {0, INFINITY}}), gpu::ShapeError);
}

TEST_CASE("each element of a histogram lies between its bin's edges, however these were rounded") {
    const auto x = gpu::random::Generator(11).uniform<float>({20000}, -3, 7);
    const auto [counts, edges] = gpu::histogram(x, {.bins = 37});
    const std::vector<float> borders = gpu::to_host(edges);
    Counts expected(37, 0);
    for (const float value : gpu::to_host(x)) {
        std::size_t k = 36;
        while (k > 0 && value < borders[k]) --k;
        ++expected[k];
    }
    CHECK(gpu::to_host(counts) == expected);
    CHECK(borders.front() == gpu::min(x).item());
    CHECK(borders.back() == gpu::max(x).item());
}
