// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>
#include <type_traits>
#include <vector>

#include <doctest/doctest.h>

#include <gpu/gpu.hpp>

namespace {

using Floats = std::vector<float>;
using Positions = std::vector<std::int64_t>;

gpu::Array<bool> every(int step, const gpu::Shape& shape) {
    return gpu::Array<bool>(gpu::arange<int>(static_cast<double>(shape.size())) % step == 0).reshape(shape);
}

}  // namespace

TEST_CASE("elements under a mask are assigned by one kernel, without waiting") {
    auto z = gpu::to_device({1.f, 2.f, 3.f, 4.f});
    auto c = gpu::to_device({10.f, 20.f, 30.f, 40.f});
    gpu::Array<bool> mask = c > 15.f;
    const auto before = gpu::counts();
    //! [masked_assignment]
    z[mask] = z[mask] * z[mask] + c[mask];  // one kernel; elements elsewhere keep their values
    //! [masked_assignment]
    const auto did = gpu::counts() - before;
    CHECK(did.launches == 1);
    CHECK(did.synchronizations == 0);
    CHECK(did.allocations == 0);
    CHECK(gpu::to_host(z) == Floats{1, 24, 39, 56});
    z[mask] = 0.5f;
    CHECK(gpu::to_host(z) == Floats{1, 0.5f, 0.5f, 0.5f});
    z[mask] += 1;
    z[!mask] -= 3.f;
    CHECK(gpu::to_host(z) == Floats{-2, 1.5f, 1.5f, 1.5f});
    z[mask] *= c[mask];
    z[mask] /= 3.f;
    CHECK(gpu::to_host(z) == Floats{-2, 10, 15, 20});
    z[mask] = c[mask];
    CHECK(gpu::to_host(z) == Floats{-2, 20, 30, 40});
}

TEST_CASE("functions and 0-d arrays work under a mask") {
    auto z = gpu::to_device({1.f, 4.f, 9.f});
    gpu::Array<bool> mask = z > 2.f;
    z[mask] = gpu::sqrt(z[mask]) + gpu::maximum(z[mask], 5.f) * -gpu::abs(z[mask]) + gpu::sum(z);
    CHECK(gpu::to_host(z) == Floats{1, 2 - 5 * 4 + 14, 3 - 81 + 14});
    auto w = gpu::to_device({3, 4, 5});
    z[mask] = (w[mask] % 2).astype<float>();
    CHECK(gpu::to_host(z) == Floats{1, 0, 1});
}

TEST_CASE("functions of several operands, bits and complex numbers under a mask") {
    auto z = gpu::to_device({-3.f, 1.f, 4.f, 9.f});
    gpu::Array<bool> mask = z > 0.f;
    z[mask] = gpu::clip(gpu::where(z[mask] > 2.f, z[mask], -z[mask]), 0.f, 5.f);
    CHECK(gpu::to_host(z) == Floats{-3, 0, 4, 5});
    z[mask] = gpu::fma(z[mask], 2.f, gpu::hypot(z[mask], 0.f));
    CHECK(gpu::to_host(z) == Floats{-3, 0, 12, 15});
    auto i = gpu::arange<int>(4);
    i[mask] = (i[mask] << 2) | (~i[mask] & 1);
    CHECK(gpu::to_host(i) == std::vector<int>{0, 4, 9, 12});
    auto c = gpu::full<gpu::complex<float>>({4}, gpu::complex<float>(3.f, 4.f));
    c[mask] = c[mask] * gpu::complex<float>(0.f, 1.f) + c[mask];
    CHECK(gpu::to_host(c)[0] == gpu::complex<float>(3.f, 4.f));
    CHECK(gpu::to_host(c)[3] == gpu::complex<float>(-1.f, 7.f));
    z[mask] = gpu::abs(c[mask]);
    CHECK(gpu::to_host(z)[3] == doctest::Approx(std::sqrt(50.f)));
    CHECK(gpu::to_host(gpu::isfinite(z[mask]).compress()) == std::vector<std::uint8_t>{1, 1, 1});
}

TEST_CASE("a mask may be an array, a view or an expression") {
    auto z = gpu::arange<float>(6).reshape({2, 3});
    auto mask = every(2, {2, 3});
    auto row = z(1, gpu::all);
    row[mask(1, gpu::all)] = 9.f;  // a view under a view
    CHECK(gpu::to_host(z) == Floats{0, 1, 2, 3, 9, 5});
    z[z > 4.f] = z[z > 4.f] * 2.f;  // the same expression, written twice
    CHECK(gpu::to_host(z) == Floats{0, 1, 2, 3, 18, 10});
    auto large = z > 4.f;
    z[large] = z[large] + 1.f;
    CHECK(gpu::to_host(z) == Floats{0, 1, 2, 3, 19, 11});
    CHECK_THROWS_AS((void)(z[large] = 0.f), gpu::ExpressionError);  // z was written since
    z.transpose()[mask.transpose()] = 7.f;
    CHECK(gpu::to_host(z) == Floats{7, 1, 7, 3, 7, 11});
    const auto& fixed = z;
    CHECK(gpu::to_host(fixed[mask].compress()) == Floats{7, 7, 7});
}

TEST_CASE("a mask of fewer axes chooses rows") {
    auto z = gpu::arange<float>(12).reshape({3, 4});
    auto rows = gpu::Array<bool>(gpu::to_device({1, 0, 1}) == 1);
    CHECK(gpu::to_host(z[rows].compress()) == Floats{0, 1, 2, 3, 8, 9, 10, 11});
    CHECK(z[rows].compress().shape() == gpu::Shape{2, 4});
    z[rows] = z[rows] + 0.5f;
    CHECK(gpu::to_host(z) == Floats{0.5f, 1.5f, 2.5f, 3.5f, 4, 5, 6, 7, 8.5f, 9.5f, 10.5f, 11.5f});
    z[rows] = gpu::to_device({1.f, 2.f, 3.f, 4.f});  // each row
    CHECK(gpu::to_host(z) == Floats{1, 2, 3, 4, 4, 5, 6, 7, 1, 2, 3, 4});
    z[rows] = gpu::arange<float>(8).reshape({2, 4});  // row by row
    CHECK(gpu::to_host(z) == Floats{0, 1, 2, 3, 4, 5, 6, 7, 4, 5, 6, 7});
}

TEST_CASE("values that overlap the target in another order are read first") {
    auto z = gpu::arange<float>(9).reshape({3, 3});
    auto mask = every(2, {3, 3});
    z[mask] = z.transpose()[mask] * 1.f;
    CHECK(gpu::to_host(z) == Floats{0, 1, 6, 3, 4, 5, 2, 7, 8});
    auto flags = every(3, {6});
    flags(gpu::slice(0, 5))[flags(gpu::slice(1, 6))] = true;  // a mask that is written
    CHECK(gpu::to_host(flags) == std::vector<std::uint8_t>{1, 0, 1, 1, 0, 0});
}

TEST_CASE("compress gives the elements under a mask in row-major order, and waits once") {
    auto z = gpu::arange<float>(6).reshape({2, 3});
    auto mask = every(2, {2, 3});
    const auto before = gpu::counts();
    //! [compress]
    auto kept = z[mask].compress();  // 0 2 4: waits for their number
    //! [compress]
    CHECK((gpu::counts() - before).synchronizations == 1);
    CHECK(gpu::to_host(kept) == Floats{0, 2, 4});
    CHECK(kept.shape() == gpu::Shape{3});
    CHECK(gpu::to_host((z[mask] * z[mask]).compress()) == Floats{0, 4, 16});
    CHECK(gpu::to_host(gpu::compress(z.transpose() > 1.f, z.transpose() * 2.f)) == Floats{6, 8, 4, 10});
    CHECK(gpu::to_host(gpu::compress(gpu::to_device({0, 1, 1}), z, 1)) == Floats{1, 2, 4, 5});
    CHECK(z[z < 0.f].compress().shape() == gpu::Shape{0});
    CHECK(gpu::zeros<float>({0, 3})[gpu::zeros<bool>({0, 3})].compress().size() == 0);
}

TEST_CASE("compress goes through masks longer than a chunk of its scan") {
    constexpr int n = 300'007;
    auto x = gpu::arange<int>(n);
    auto kept = x[x % 3 == 1].compress();
    REQUIRE(kept.size() == 100'002);
    CHECK(gpu::sum(kept != 3 * gpu::arange<int>(100'002) + 1).item() == 0);
    x[x % 3 == 1] = gpu::Array<int>(-kept);
    CHECK(gpu::sum(x != gpu::where(gpu::arange<int>(n) % 3 == 1, -gpu::arange<int>(n), gpu::arange<int>(n))).item() ==
          0);
}

TEST_CASE("values as many as the mask has true elements") {
    auto z = gpu::zeros<float>({2, 3});
    auto mask = every(2, {2, 3});
    const auto before = gpu::counts();
    z[mask] = gpu::to_device({1.f, 2.f, 3.f}) * 2.f;
    CHECK((gpu::counts() - before).copies_to_host == 0);
    CHECK(gpu::to_host(z) == Floats{2, 0, 4, 0, 6, 0});
    z[mask] = gpu::to_device({5.f});
    CHECK(gpu::to_host(z) == Floats{5, 0, 5, 0, 5, 0});
    z[mask] = z(gpu::all, 0)[gpu::to_device({1, 0, 0})].eval();  // values from the array itself
    CHECK(gpu::to_host(z) == Floats{0, 0, 5, 0, 5, 0});
}

TEST_CASE("too many or too few values are a ShapeError at the next call that waits, and change nothing") {
    auto z = gpu::zeros<float>({4});
    gpu::Array<bool> mask = gpu::arange<int>(4) < 2;
    z[mask] = gpu::to_device({1.f, 2.f, 3.f});
    CHECK_THROWS_WITH_AS(gpu::synchronize(),
                         "cannot assign 3 input values to the 2 output values where the mask is true", gpu::ShapeError);
    gpu::synchronize();  // it was told
    CHECK(gpu::to_host(z) == Floats{0, 0, 0, 0});
    z[mask] = gpu::zeros<float>({0});
    CHECK_THROWS_WITH_AS((void)gpu::to_host(z),
                         "cannot assign 0 input values to the 2 output values where the mask is true", gpu::ShapeError);
    CHECK_THROWS_AS((void)(gpu::zeros<float>({0})[gpu::zeros<bool>({0})] = gpu::ones<float>({2})), gpu::ShapeError);
}

TEST_CASE("masks that don't fit say why") {
    auto z = gpu::zeros<float>({5, 2});
    CHECK_THROWS_WITH_AS((void)z[gpu::zeros<bool>({4})],
                         "boolean index did not match indexed array along axis 0; size is 5 but the boolean axis is 4",
                         gpu::ShapeError);
    CHECK_THROWS_AS((void)z[gpu::zeros<bool>({5, 2, 1})], gpu::IndexError);
    CHECK_THROWS_WITH_AS((void)gpu::compress(gpu::zeros<bool>({4}), z, 1),
                         "boolean index did not match indexed array along axis 1; size is 2 but the boolean axis is 4",
                         gpu::ShapeError);
    auto all = gpu::ones<bool>({5, 2}), none = gpu::zeros<bool>({5, 2});
    CHECK_THROWS_WITH_AS((void)(z[all] = z[none] + 1.f), doctest::Contains("different masks in one statement"),
                         gpu::Error);
    CHECK_THROWS_WITH_AS((void)(z[all] += gpu::ones<float>({10})), doctest::Contains("z[mask].compress()"),
                         gpu::ShapeError);
    CHECK_THROWS_WITH_AS((void)(z[all] = gpu::ones<float>({10, 1, 1})), doctest::Contains("have 3 axes"),
                         gpu::ShapeError);
}

TEST_CASE("nonzero, argwhere and flatnonzero name positions") {
    auto a = gpu::to_device({0, 3, 0, 0, 4, 5}).reshape({2, 3});
    //! [nonzero]
    auto indices = gpu::nonzero(a);     // {0 1 1}, {1 1 2}: one array for each axis
    auto table = gpu::argwhere(a > 3);  // (2,2): 1 1 / 1 2
    auto flat = gpu::flatnonzero(a);    // 1 4 5
    //! [nonzero]
    REQUIRE(indices.size() == 2);
    CHECK(gpu::to_host(indices[0]) == Positions{0, 1, 1});
    CHECK(gpu::to_host(indices[1]) == Positions{1, 1, 2});
    CHECK(table.shape() == gpu::Shape{2, 2});
    CHECK(gpu::to_host(table) == Positions{1, 1, 1, 2});
    CHECK(gpu::to_host(flat) == Positions{1, 4, 5});
    CHECK(gpu::to_host(gpu::flatnonzero(a.transpose())) == Positions{2, 3, 5});
    CHECK(gpu::argwhere(gpu::zeros<bool>({3})).shape() == gpu::Shape{0, 1});
}

namespace {

using Counts = std::vector<std::int64_t>;
using Doubles = std::vector<double>;

}  // namespace

TEST_CASE("bincount counts 0, 1, 2, ..., or adds weights") {
    //! [bincount]
    auto x = gpu::to_device({1, 3, 1, 0});
    gpu::Array<std::int64_t> counts = gpu::bincount(x);                             // 1 2 0 1
    gpu::Array<std::int64_t> wide = gpu::bincount(x, {.minlength = 6});             // 1 2 0 1 0 0
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
    auto [counts, edges] = gpu::histogram(x, {.bins = 3});          // 2 1 2 between 1 2 3 4
    auto inside = gpu::histogram(x, {.bins = 4, .range = {0, 2}});  // 0 0 2 1: the rest doesn't count
    //! [histogram]
    CHECK(gpu::to_host(counts) == Counts{2, 1, 2});
    CHECK(gpu::to_host(edges) == Doubles{1, 2, 3, 4});
    CHECK(gpu::to_host(inside.counts) == Counts{0, 0, 2, 1});
    CHECK(gpu::to_host(inside.edges) == Doubles{0, 0.5, 1, 1.5, 2});
    CHECK(gpu::to_host(gpu::histogram(x, 3).counts) == Counts{2, 1, 2});
    CHECK(gpu::to_host(gpu::histogram(x, 4, {0, 2}).counts) == Counts{0, 0, 2, 1});
    const auto before = gpu::counts();
    (void)gpu::histogram(x);
    CHECK((gpu::counts() - before).synchronizations == 0);
}

TEST_CASE("a histogram between given edges, with weights, and as a density") {
    //! [histogram_edges]
    auto x = gpu::to_device({1., 2., 1., 4., 3.5});
    auto w = gpu::to_device({10., 1., 10., 5., 0.25});
    auto between = gpu::histogram(x, gpu::to_device({1., 1.5, 4.}));  // 2 3
    auto heavy = gpu::histogram(x, gpu::to_device({1., 1.5, 4.}), w);  // 20 6.25
    auto weighted = gpu::histogram(x, 3, {1, 4}, w);                   // 20 1 5.25
    gpu::Array<double> density = between.density();                    // 0.8 0.24
    //! [histogram_edges]
    CHECK(gpu::to_host(between.counts) == Counts{2, 3});
    CHECK(gpu::to_host(between.edges) == Doubles{1, 1.5, 4});
    CHECK(gpu::to_host(heavy.counts) == Doubles{20, 6.25});
    CHECK(gpu::to_host(weighted.counts) == Doubles{20, 1, 5.25});
    CHECK(gpu::to_host(weighted.edges) == Doubles{1, 2, 3, 4});
    CHECK(gpu::to_host(density) == Doubles{2 / 0.5 / 5, 3 / 2.5 / 5});
    CHECK(gpu::to_host(gpu::histogram(x, 3, {}, w).counts) == Doubles{20, 1, 5.25});
    CHECK(gpu::to_host(gpu::histogram(x, 3).density()) == Doubles{0.4, 0.2, 0.4});
    const auto nan = std::nan("");
    const auto outside = gpu::to_device<double>({-1., 0.5, nan, 5., 4., 1., INFINITY, -INFINITY});
    CHECK(gpu::to_host(gpu::histogram(outside, gpu::to_device({1., 1.5, 4.})).counts) == Counts{1, 1});
    CHECK(gpu::to_host(gpu::histogram(gpu::to_device({3, 1, 2, 2}).reshape({2, 2}), gpu::arange<int>(4)).counts) ==
          Counts{0, 1, 3});
    CHECK(gpu::to_host(gpu::histogram(gpu::to_device({{0.f, 1.f}, {1.f, 2.f}}), gpu::to_device({0.f, 1.f, 2.f}),
                                      gpu::to_device({{1, 2}, {3, 4}})).counts) == Doubles{1, 9});
    CHECK(gpu::to_host(gpu::histogram(x.astype<gpu::half>(), gpu::to_device({1., 1.5, 4.})).counts) == Counts{2, 3});
    CHECK(gpu::to_host(gpu::histogram(gpu::empty<float>({0}), gpu::to_device({1.f, 2.f})).counts) == Counts{0});
    CHECK_THROWS_WITH_AS((void)gpu::histogram(x, gpu::to_device({1.})),
                         "histogram: edges of shape (1,); they are a vector of at least two, in ascending order",
                         gpu::ShapeError);
    CHECK_THROWS_WITH_AS((void)gpu::histogram(x, 3, {}, gpu::to_device({1.})),
                         "histogram: weights of shape (1,) for an array of shape (5,)", gpu::ShapeError);
    const auto given = gpu::to_device({1., 1.5, 4.});
    const auto before = gpu::counts();
    (void)gpu::histogram(x, given, w);
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

namespace {

// NaN is larger than anything; of two NaNs none comes first.
template <class T>
bool goes_before(T a, T b) {
    if constexpr (std::is_same_v<T, gpu::half>) {
        return goes_before(static_cast<float>(a), static_cast<float>(b));
    } else {
        return a < b || (b != b && a == a);
    }
}

// The same bits: -0.0 isn't 0.0 here, and a NaN is itself.
template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

// Sorts along the last axis and compares with a stable sort on the host.
template <class T>
void check_lines(const std::vector<T>& host, std::int64_t lines, std::int64_t n) {
    CAPTURE(lines);
    CAPTURE(n);
    const auto x = gpu::to_device({lines, n}, host);
    std::vector<T> sorted = host;
    std::vector<std::int64_t> places(host.size());
    for (std::int64_t line = 0; line < lines; ++line) {
        const T* const from = host.data() + line * n;
        std::int64_t* const place = places.data() + line * n;
        std::iota(place, place + n, 0);
        const auto first = [&](std::int64_t a, std::int64_t b) { return goes_before(from[a], from[b]); };
        std::stable_sort(place, place + n, first);
        for (std::int64_t k = 0; k < n; ++k) sorted[static_cast<std::size_t>(line * n + k)] = from[place[k]];
    }
    CHECK(same_bits(gpu::to_host(gpu::sort(x)), sorted));
    CHECK(gpu::to_host(gpu::argsort(x)) == places);
    if (lines > 1) {  // the same lines as columns
        const gpu::Array<T> columns = x.transpose();
        CHECK(same_bits(gpu::to_host(gpu::sort(columns, {.axis = 0}).transpose()), sorted));
        CHECK(gpu::to_host(gpu::argsort(columns, {.axis = 0}).transpose()) == places);
        CHECK(same_bits(gpu::to_host(gpu::sort(columns.transpose())), sorted));  // a window
    }
}

template <class T>
std::vector<T> drawn(std::int64_t count, int different, std::mt19937& random) {
    std::uniform_int_distribution<int> numbers(0, different - 1);
    std::vector<T> values(static_cast<std::size_t>(count));
    for (T& value : values) {
        const int k = numbers(random);
        if constexpr (std::is_same_v<T, gpu::half> || std::is_floating_point_v<T>) {
            const float special[] = {-0.f, std::numeric_limits<float>::quiet_NaN(),
                                     -std::numeric_limits<float>::infinity()};
            value = k % 11 < 3 ? T(special[k % 11]) : T(static_cast<float>(k - different / 2) / 4);
        } else if constexpr (std::is_signed_v<T>) {
            value = static_cast<T>(k - different / 2);
        } else {
            value = static_cast<T>(static_cast<T>(-1) - static_cast<T>(k));
        }
    }
    return values;
}

}  // namespace

TEST_CASE("sort and argsort along an axis") {
    //! [sort]
    auto x = gpu::to_device({3.f, 1.f, 2.f, 1.f});
    gpu::Array<float> sorted = gpu::sort(x);           // 1 1 2 3
    gpu::Array<std::int64_t> order = gpu::argsort(x);  // 1 3 2 0: equal elements keep their order
    auto rows = gpu::to_device({{3, 1}, {2, 4}});
    gpu::Array<int> columns = gpu::sort(rows, {.axis = 0});  // 2 1 / 3 4
    //! [sort]
    CHECK(gpu::to_host(sorted) == std::vector<float>{1, 1, 2, 3});
    CHECK(gpu::to_host(order) == std::vector<std::int64_t>{1, 3, 2, 0});
    CHECK(gpu::to_host(columns) == std::vector<int>{2, 1, 3, 4});
    CHECK(gpu::to_host(gpu::sort(rows)) == std::vector<int>{1, 3, 2, 4});
    CHECK(gpu::to_host(x.take(order)) == gpu::to_host(sorted));
    CHECK(gpu::to_host(gpu::sort(-x)) == std::vector<float>{-3, -2, -1, -1});  // an expression
    CHECK(gpu::to_host(x) == std::vector<float>{3, 1, 2, 1});
    CHECK_THROWS_AS((void)gpu::sort(x, {.axis = 1}), gpu::AxisError);
    CHECK_THROWS_AS((void)gpu::sort(gpu::sum(x)), gpu::AxisError);
    CHECK_THROWS_AS((void)gpu::argsort(x, {.axis = -2}), gpu::AxisError);
}

TEST_CASE_TEMPLATE("sort: any length, any real type, with NaN, -0.0 and many equal elements", T, bool, std::int8_t,
                   std::int16_t, int, std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t,
                   gpu::half, float, double) {
    if constexpr (std::is_same_v<T, bool>) {
        const auto x = gpu::to_device<bool>({true, false, true, false, false});
        CHECK(gpu::to_host(gpu::sort(x)) == std::vector<std::uint8_t>{0, 0, 0, 1, 1});
        CHECK(gpu::to_host(gpu::argsort(x)) == std::vector<std::int64_t>{1, 3, 4, 0, 2});
    } else {
        std::mt19937 random(7);
        for (const std::int64_t n : {1, 2, 3, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 257, 1000})
            check_lines(drawn<T>(n, 40, random), 1, n);
        for (const std::int64_t n : {1, 5, 16, 33, 130}) check_lines(drawn<T>(7 * n, 12, random), 7, n);
        check_lines(drawn<T>(20011, 100, random), 1, 20011);
        check_lines(std::vector<T>(), 0, 3);
        check_lines(std::vector<T>(), 3, 0);
    }
}

TEST_CASE("sort along the middle axis, of sorted, reversed and constant lines; nothing waits") {
    const auto x = gpu::Array<int>(gpu::arange<int>(5 * 70 * 3).reshape({5, 70, 3}));
    CHECK(gpu::array_equal(gpu::sort(x(gpu::all, gpu::slice(gpu::none, gpu::none, -1)), {.axis = 1}), x).item());
    CHECK(gpu::array_equal(gpu::sort(x, {.axis = 1}), x).item());
    const auto place = gpu::argsort(gpu::ones<float>({2, 300}));
    CHECK(gpu::array_equal(place, gpu::arange<std::int64_t>(300).broadcast_to({2, 300})).item());
    const auto big = gpu::random::Generator(3).permutation(100003);
    CHECK(gpu::array_equal(gpu::sort(big), gpu::arange<std::int64_t>(100003)).item());
    const auto before = gpu::counts();
    (void)gpu::sort(big);
    CHECK((gpu::counts() - before).synchronizations == 0);
}

TEST_CASE("cumsum adds up along an axis, or the flat array") {
    auto a = gpu::arange<float>(6).reshape({2, 3});
    //! [cumsum]
    auto flat = gpu::cumsum(a);               // 0 1 3 6 10 15
    auto down = gpu::cumsum(a, {.axis = 0});  // 0 1 2 / 3 5 7
    auto exact = gpu::cumsum<double>(a * 0.1f, {.axis = -1});
    //! [cumsum]
    CHECK(gpu::to_host(flat) == std::vector<float>{0, 1, 3, 6, 10, 15});
    CHECK(flat.shape() == gpu::Shape{6});
    CHECK(gpu::to_host(down) == std::vector<float>{0, 1, 2, 3, 5, 7});
    CHECK(down.shape() == a.shape());
    const auto sums = gpu::to_host(exact);
    const double tenth = 0.1f, third = 3 * 0.1f;
    CHECK(sums[2] == tenth + static_cast<double>(0.1f * 2.f));
    CHECK(sums[3] == doctest::Approx(third));
    CHECK(gpu::to_host(gpu::cumsum(a.transpose(), {.axis = 1})) == std::vector<float>{0, 3, 1, 5, 2, 7});
    CHECK(gpu::to_host(gpu::cumsum(a(gpu::all, gpu::slice(2, -4, -1)))) == std::vector<float>{2, 3, 3, 8, 12, 15});
}

TEST_CASE("cumprod multiplies up") {
    //! [cumprod]
    auto factorials = gpu::cumprod(gpu::arange<int>(1, 8));  // 1 2 6 24 120 720 5040, in 64 bits
    //! [cumprod]
    static_assert(std::is_same_v<decltype(factorials), gpu::Array<std::int64_t>>);
    CHECK(gpu::to_host(factorials) == std::vector<std::int64_t>{1, 2, 6, 24, 120, 720, 5040});
    CHECK(gpu::to_host(gpu::cumprod<float>(gpu::to_device({2, 3}))) == std::vector<float>{2, 6});
}

TEST_CASE("cumsum: integers in 64 bits, unsigned ones unsigned, comparisons count") {
    static_assert(std::is_same_v<decltype(gpu::cumsum(gpu::zeros<std::uint8_t>({1}))), gpu::Array<std::uint64_t>>);
    CHECK(gpu::to_host(gpu::cumsum(gpu::full<std::uint8_t>({3}, 200))) == std::vector<std::uint64_t>{200, 400, 600});
    CHECK(gpu::to_host(gpu::cumsum(gpu::to_device({3.f, 1.f, 4.f}) > 2.f)) == std::vector<std::int64_t>{1, 1, 2});
}

TEST_CASE("cumsum of halves goes through float, of complex numbers through both parts") {
    const auto halves = gpu::to_host(gpu::cumsum(gpu::full<gpu::half>({4100}, gpu::half(0.5f))));
    CHECK(static_cast<float>(halves[4099]) == 2050.f);  // a running half would have stopped at 1024
    const auto turned = gpu::to_host(gpu::cumprod(gpu::full<gpu::complex<float>>({3}, gpu::complex<float>(0.f, 1.f))));
    CHECK(turned[1] == gpu::complex<float>(-1.f, 0.f));
    CHECK(turned[2] == gpu::complex<float>(0.f, -1.f));
}

TEST_CASE("cumsum of nothing, of one element, of a scalar") {
    CHECK(gpu::cumsum(gpu::zeros<float>({0})).shape() == gpu::Shape{0});
    CHECK(gpu::cumsum(gpu::zeros<float>({3, 0}), {.axis = 0}).shape() == gpu::Shape{3, 0});
    CHECK(gpu::cumsum(gpu::zeros<float>({0, 3}), {.axis = 0}).shape() == gpu::Shape{0, 3});
    CHECK(gpu::to_host(gpu::cumsum(gpu::full<float>({}, 4.f))) == std::vector<float>{4});
    CHECK_THROWS_WITH_AS((void)gpu::cumsum(gpu::zeros<float>({2, 3}), {.axis = 2}),
                         "axis 2 is out of bounds for an array of shape (2,3)", gpu::AxisError);
}

TEST_CASE("scans are right around the ends of their chunks") {
    for (int n : {127, 128, 129, 128 * 128, 128 * 128 + 1, 128 * 128 + 129}) {
        const auto sums = gpu::to_host(gpu::cumsum(gpu::arange<int>(n)));
        std::int64_t expected = 0;
        int wrong = 0;
        for (int k = 0; k < n; ++k) wrong += sums[static_cast<std::size_t>(k)] != (expected += k);
        CHECK_MESSAGE(wrong == 0, "of " << n);
    }
    auto cube = gpu::arange<int>(3 * 300 * 5).reshape({3, 300, 5});
    const auto sums = gpu::to_host(gpu::cumsum(cube, {.axis = 1}));
    int wrong = 0;
    for (int plane = 0; plane < 3; ++plane) {
        for (int column = 0; column < 5; ++column) {
            std::int64_t expected = 0;
            for (int row = 0; row < 300; ++row) {
                const int at = (plane * 300 + row) * 5 + column;
                wrong += sums[static_cast<std::size_t>(at)] != (expected += at);
            }
        }
    }
    CHECK(wrong == 0);
}

TEST_CASE("long scans are accurate and the same on every run") {
    constexpr int n = (1 << 20) + 77;
    auto x = gpu::full<float>({n}, 0.1f);
    const auto first = gpu::to_host(gpu::cumsum(x)), second = gpu::to_host(gpu::cumsum(x));
    CHECK(first == second);
    double worst = 0;
    for (int k = 0; k < n; ++k) {
        const double exact = static_cast<double>(0.1f) * (k + 1);
        worst = std::fmax(worst, std::fabs(first[static_cast<std::size_t>(k)] - exact) / exact);
    }
    // At most 128 roundings at each of three levels and one to join them; a serial sum is far worse.
    CHECK(worst <= 3 * 129 * 0x1p-24);
}

namespace {

// The variance in long double, by two passes.
template <class T>
double variance_of(const std::vector<T>& x, int ddof = 0) {
    const auto n = static_cast<long double>(x.size());
    long double mean = 0, squares = 0;
    for (const T value : x) mean += static_cast<long double>(value) / n;
    for (const T value : x)
        squares += (static_cast<long double>(value) - mean) * (static_cast<long double>(value) - mean);
    return static_cast<double>(squares / (n - ddof));
}

// A fixed row of numbers in [-1, 1).
template <class T>
std::vector<T> noise(std::size_t n, T scale, T offset) {
    std::vector<T> x(n);
    std::uint32_t state = 12345;
    for (T& value : x) {
        state = state * 1664525u + 1013904223u;
        value = offset + scale * (static_cast<T>(state >> 8) / static_cast<T>(1 << 23) - T(1));
    }
    return x;
}

}  // namespace

TEST_CASE("the mean, over axes, of expressions and integers") {
    //! [mean]
    auto a = gpu::arange<float>(6).reshape({2, 3});
    float middle = gpu::mean(a).item();                     // 2.5
    gpu::Array<float> columns = gpu::mean(a, {.axis = 0});  // 1.5 2.5 3.5
    double of_integers = gpu::mean(gpu::to_device({1, 2})).item();
    //! [mean]
    CHECK(middle == 2.5f);
    CHECK(gpu::to_host(columns) == std::vector<float>{1.5f, 2.5f, 3.5f});
    CHECK(of_integers == 1.5);
    static_assert(std::is_same_v<decltype(gpu::mean(gpu::ones<std::int8_t>({1}))), gpu::Array<double>>);
    static_assert(std::is_same_v<decltype(gpu::mean<double>(a)), gpu::Array<double>>);
    CHECK(gpu::to_host(gpu::mean(a * a, {.axis = 1, .keepdims = true})) == std::vector<float>{5.f / 3.f, 50.f / 3.f});
    CHECK(gpu::mean(a > 2.f).item() == 0.5);
    CHECK(gpu::mean(gpu::full<std::uint8_t>({1000}, 255)).item() == 255.0);
    CHECK(std::isnan(gpu::mean(gpu::zeros<float>({0})).item()));
    CHECK(std::isnan(gpu::to_host(gpu::mean(gpu::zeros<float>({2, 0}), {.axis = 1}))[1]));
    CHECK(std::isnan(gpu::mean(gpu::to_device({1.f, NAN})).item()));
    auto y = gpu::zeros<float>({3});
    gpu::mean(a, {.axis = 0, .out = gpu::out(y)});
    CHECK(gpu::to_host(y) == gpu::to_host(columns));
}

TEST_CASE("variance and standard deviation, with and without ddof") {
    //! [var]
    auto a = gpu::to_device({1.f, 2.f, 3.f, 4.f});
    float population = gpu::var(a).item();           // 1.25
    float sample = gpu::var(a, {.ddof = 1}).item();  // 1.6667
    float deviation = gpu::stddev(a).item();         // 1.1180
    //! [var]
    CHECK(population == 1.25f);
    CHECK(sample == doctest::Approx(5. / 3.));
    CHECK(deviation == doctest::Approx(std::sqrt(1.25)));
    static_assert(std::is_same_v<decltype(gpu::var(gpu::ones<int>({1}))), gpu::Array<double>>);
    const auto m = gpu::arange<double>(12).reshape({3, 4});
    CHECK(gpu::to_host(gpu::var(m, {.axis = 1})) == std::vector<double>{1.25, 1.25, 1.25});
    CHECK(gpu::var(m, {.axis = 0, .keepdims = true, .ddof = 1}).shape() == gpu::Shape{1, 4});
    CHECK(gpu::to_host(gpu::stddev(m, {.axis = 0, .ddof = 1})) == std::vector<double>{4, 4, 4, 4});
    CHECK(gpu::var(m * 2. + 1., {.axis = {0, 1}}).item() == doctest::Approx(4 * 143. / 12.));
    CHECK(gpu::var(gpu::to_device({1, 2, 3, 4})).item() == 1.25);
    CHECK(gpu::var<float>(gpu::to_device({1, 2, 3, 4})).item() == 1.25f);
    auto y = gpu::zeros<double>({3});
    gpu::var(m, {.axis = 1, .out = gpu::out(y)});
    CHECK(gpu::to_host(y) == std::vector<double>{1.25, 1.25, 1.25});
    gpu::stddev(m, {.axis = 1, .ddof = 1, .out = gpu::out(y)});
    CHECK(gpu::to_host(y)[2] == doctest::Approx(std::sqrt(5. / 3.)));
}

TEST_CASE("few elements, equal ones, NaN") {
    CHECK(gpu::var(gpu::full<float>({1}, 3.f)).item() == 0.f);
    CHECK(std::isnan(gpu::var(gpu::full<float>({1}, 3.f), {.ddof = 1}).item()));
    CHECK(std::isinf(gpu::var(gpu::to_device({1.f, 2.f}), {.ddof = 3}).item()));
    CHECK(std::isnan(gpu::var(gpu::zeros<float>({0})).item()));
    CHECK(std::isnan(gpu::stddev(gpu::to_device({1.f, NAN, 2.f})).item()));
    CHECK(gpu::stddev(gpu::full<float>({12345}, 0.1f)).item() < 1e-9f);
    CHECK(gpu::var(gpu::full<double>({12345}, 0.1)).item() >= 0);
}

TEST_CASE("a large offset does no harm") {
    for (const std::size_t n : {std::size_t{5}, std::size_t{1000}, std::size_t{100003}}) {
        CAPTURE(n);
        const auto f = noise<float>(n, 200.f, 1e8f);
        CHECK(gpu::var(gpu::to_device(f)).item() == doctest::Approx(variance_of(f)).epsilon(1e-6));
        const auto d = noise<double>(n, 1e-4, 1e8);  // some thousand units in the last place of the offset
        CHECK(gpu::var(gpu::to_device(d), {.ddof = 1}).item() == doctest::Approx(variance_of(d, 1)).epsilon(1e-12));
        auto outlier = f;
        outlier[0] = 0;  // the first element is a poor guess at the mean
        CHECK(gpu::stddev(gpu::to_device(outlier)).item() ==
              doctest::Approx(std::sqrt(variance_of(outlier))).epsilon(1e-6));
    }
    std::vector<float> columns(400 * 16), one(400);
    for (std::size_t k = 0; k < columns.size(); ++k) {
        columns[k] = 1e6f * static_cast<float>(k % 16) + static_cast<float>(k * 7919 % 101);
    }
    const auto spread = gpu::to_host(gpu::var(gpu::to_device(columns).reshape({400, 16}), {.axis = 0}));
    for (std::size_t c = 0; c < 16; ++c) {
        for (std::size_t r = 0; r < 400; ++r) one[r] = columns[r * 16 + c];
        CHECK(spread[c] == doctest::Approx(variance_of(one)).epsilon(1e-6));
    }
}

TEST_CASE("the same bits on every run") {
    const auto x = gpu::to_device(noise<float>(100003, 3.f, 7.f));
    const float first = gpu::var(x).item();
    for (int run = 0; run < 3; ++run) CHECK(gpu::var(x).item() == first);
}

TEST_CASE("elements under a mask are an array where one is asked for; assigning them stays one kernel") {
    //! [masked]
    auto x = gpu::to_device({3.f, -1.f, 2.f});
    gpu::Array<float> y = x[x > 0.f];                          // 3 2: waits to learn how many there are
    float sum = gpu::sum(x[x > 0.f]).item();                   // 5
    std::vector<float> host = gpu::to_host(x[x > 0.f] * 2.f);  // 6 4
    x[x > 0.f] = x[x > 0.f] * 2.f;                             // 6 -1 4: one kernel, which waits for nothing
    //! [masked]
    CHECK(gpu::to_host(y) == std::vector<float>{3, 2});
    CHECK(sum == 5);
    CHECK(host == std::vector<float>{6, 4});
    CHECK(gpu::to_host(x) == std::vector<float>{6, -1, 4});
    const auto mask = (x > 0.f).eval();
    const auto before = gpu::counts();
    x[mask] = x[mask] * 2.f;
    x[mask] += 1.f;
    x[mask] = gpu::where(x[mask] > 10.f, gpu::sqrt(x[mask]), gpu::clip(x[mask], 0.f, 1.f));
    x[mask] = gpu::fma(2.f, x[mask], 1.f);
    const auto work = gpu::counts() - before;
    CHECK(work.launches == 4);
    CHECK(work.synchronizations == 0);
    y = x[mask];
    CHECK(y.size() == 2);
    CHECK(x[mask].size() == 2);
    CHECK(x[mask].shape() == gpu::Shape{2});
    CHECK(x[mask].rank() == 1);
    CHECK(x[mask](0).item() == doctest::Approx(2 * std::sqrt(13.0) + 1));
    CHECK((x[mask] + 1.f).reshape({2, 1}).shape() == gpu::Shape{2, 1});
    y += x[mask];  // an array of as many elements
    CHECK(y(1).item() == 6);
    gpu::Array<float> none = x[x > 1e9f];
    CHECK(none.shape() == gpu::Shape{0});
    CHECK(gpu::sum(x[x > 1e9f]).item() == 0);
    const gpu::Array<float>& fixed = x;
    y = fixed[mask];
    CHECK(y.size() == 2);
}

TEST_CASE("a mask or positions of an expression") {
    //! [expression_index]
    auto x = gpu::arange<float>(4), z = gpu::zeros<float>({4});
    z[x > 1.f] = (x * x)[x > 1.f];                               // one kernel: 0 0 4 9
    gpu::Array<float> some = (x + 1.f)[gpu::to_device({3, 0})];  // 4 1
    //! [expression_index]
    CHECK(gpu::to_host(z) == std::vector<float>{0, 0, 4, 9});
    CHECK(gpu::to_host(some) == std::vector<float>{4, 1});
    CHECK(gpu::to_host((x + 1.f)[{1, 1}]) == std::vector<float>{2, 2});
    const auto before = gpu::counts();
    z[x > 1.f] = (x + x)[x > 1.f];
    CHECK((gpu::counts() - before).launches == 1);
    CHECK(gpu::sum((x + 1.f)[x > 1.f]).item() == 7);
    CHECK_THROWS_AS((void)(x + 1.f)[gpu::ones<bool>({3})], gpu::ShapeError);
}

TEST_CASE("an array of positions, or a mask, among windows") {
    //! [index_among_windows]
    gpu::Array<float> x = gpu::arange<float>(6).reshape({2, 3});
    auto index = gpu::to_device({2, 0, 2});
    gpu::Array<float> columns = x(gpu::all, index);          // [[2 0 2] [5 3 5]]
    x(gpu::all, gpu::to_device({true, false, true})) = 0.f;  // [[0 1 0] [0 4 0]]
    //! [index_among_windows]
    CHECK(columns.shape() == gpu::Shape{2, 3});
    CHECK(gpu::to_host(columns) == std::vector<float>{2, 0, 2, 5, 3, 5});
    CHECK(gpu::to_host(x) == std::vector<float>{0, 1, 0, 0, 4, 0});
    x(gpu::to_device({1}), gpu::all) += gpu::to_device({1.f, 2.f, 3.f});
    CHECK(gpu::to_host(x) == std::vector<float>{0, 1, 0, 1, 6, 3});
    CHECK(gpu::to_host((x + 1.f)(gpu::all, index)) == std::vector<float>{1, 1, 1, 4, 2, 4});
    CHECK(gpu::sum(x(0, index)).item() == 0);
    CHECK(x(gpu::argmax(x(gpu::all, 1)), gpu::all).shape() == gpu::Shape{3});  // no axis: one position
    gpu::Array<float> masked = x(x > 0.f);
    CHECK(gpu::to_host(masked) == std::vector<float>{1, 1, 6, 3});
    CHECK_THROWS_AS((void)x(gpu::all, gpu::ones<bool>({2})), gpu::ShapeError);
    CHECK_THROWS_AS((void)x(gpu::ones<bool>({2, 3}), gpu::all), gpu::IndexError);
    CHECK_THROWS_AS((void)x(0, 0, index), gpu::IndexError);
    CHECK_THROWS_AS((void)gpu::to_host(x(gpu::all, gpu::to_device({3}))), gpu::IndexError);
    CHECK(gpu::to_host(x(gpu::all, gpu::to_device({-1}))) == std::vector<float>{0, 3});
}

TEST_CASE("index arrays among windows: against a loop over the elements") {
    std::mt19937 random(5);
    const auto a = gpu::arange<int>(3 * 4 * 5).reshape({3, 4, 5}).copy();
    for (int k = 0; k < 30; ++k) {
        const int axis = static_cast<int>(random() % 3), length = static_cast<int>(a.shape()[axis]);
        const int rows = static_cast<int>(random() % 3), columns = 1 + static_cast<int>(random() % 3);
        std::vector<int> places(static_cast<std::size_t>(rows * columns));
        for (int& place : places) place = static_cast<int>(random() % static_cast<unsigned>(2 * length)) - length;
        const auto index = gpu::to_device({rows, columns}, places);
        const auto rest = gpu::slice(3, gpu::none, -2);  // of another axis: positions 3, 1 or fewer
        const gpu::Array<int> got = axis == 0   ? a(index, gpu::all, rest)
                                    : axis == 1 ? a(gpu::ellipsis, index, rest)
                                                : a(gpu::all, rest, index);
        std::vector<int> wanted;
        const auto at = [&](int i, int j, int l) { return (i * 4 + j) * 5 + l; };
        const auto wrapped = [&](int place) { return place < 0 ? place + length : place; };
        if (axis == 0) {
            for (int p : places)
                for (int j = 0; j < 4; ++j)
                    for (int l : {3, 1}) wanted.push_back(at(wrapped(p), j, l));
        } else if (axis == 1) {
            for (int i = 0; i < 3; ++i)
                for (int p : places)
                    for (int l : {3, 1}) wanted.push_back(at(i, wrapped(p), l));
        } else {
            for (int i = 0; i < 3; ++i)
                for (int j : {3, 1})
                    for (int p : places) wanted.push_back(at(i, j, wrapped(p)));
        }
        CHECK(got.rank() == 4);
        CHECK(gpu::to_host(got) == wanted);
    }
}
