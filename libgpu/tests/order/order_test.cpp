// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include <doctest/doctest.h>

#include <gpu/gpu.hpp>

// What needs an order: quantiles, the largest elements, searches, distinct elements, scans and values with keys.

namespace {

using Positions = std::vector<std::int64_t>;
using Doubles = std::vector<double>;
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN(),
                 infinity = std::numeric_limits<double>::infinity();

// Elements of any type as doubles: those drawn below are exact in it.
template <class A>
Doubles doubles(const A& a) {
    const auto host = gpu::to_host(a);
    return Doubles(host.begin(), host.end());
}

template <class T>
inline constexpr bool is_short = std::is_same_v<T, gpu::half> || std::is_same_v<T, gpu::bfloat16>;

// Few different values, so that many are equal; of floating-point numbers some are NaN.
template <class T>
std::vector<double> drawn(std::int64_t count, double nan_share, std::mt19937& random) {
    std::uniform_int_distribution<int> whole(std::is_unsigned_v<T> ? 0 : -5, std::is_same_v<T, bool> ? 1 : 6);
    std::uniform_real_distribution<double> chance(0, 1);
    Doubles values;
    for (std::int64_t k = 0; k < count; ++k) {
        const bool is_real = std::is_floating_point_v<T> || is_short<T>;
        const bool is_nan = is_real && chance(random) < nan_share;
        values.push_back(is_nan ? not_a_number : whole(random) * (is_real ? 0.25 : 1));
    }
    return values;
}

// The same numbers as elements of type T, on the device.
template <class T>
gpu::Array<T> elements(const Doubles& values, const gpu::Shape& shape) {
    return gpu::to_device(shape, values).template astype<T>();
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }
bool same(const Doubles& a, const Doubles& b) {
    return a.size() == b.size() &&
           std::equal(a.begin(), a.end(), b.begin(), [](double x, double y) { return same(x, y); });
}

// In the order of sort(): NaN is larger than anything.
bool goes_before(double a, double b) { return a < b || (std::isnan(b) && !std::isnan(a)); }

// A definition of quantiles of its own: sorts, then weights the neighbours.
double quantile_of(Doubles values, double level, bool without_nan) {
    const bool has_nan = std::any_of(values.begin(), values.end(), [](double x) { return std::isnan(x); });
    if (has_nan && !without_nan) return not_a_number;
    std::erase_if(values, [](double x) { return std::isnan(x); });
    if (values.empty()) return not_a_number;
    std::sort(values.begin(), values.end());
    const long double place = static_cast<long double>(values.size() - 1) * level;
    const auto low = static_cast<std::size_t>(place);
    const long double share = place - static_cast<long double>(low);
    if (share == 0) return values[low];
    return static_cast<double>(values[low] * (1 - share) + values[low + 1] * share);
}

// The elements of each line along `axis` of a dense array, line by line in row-major order of the other axes.
std::vector<Doubles> lines_of(const Doubles& values, const gpu::Shape& shape, int axis) {
    std::int64_t inner = 1, lines = 1;
    for (int k = 0; k < shape.rank(); ++k) (k < axis ? lines : inner) *= k == axis ? 1 : shape[k];
    std::vector<Doubles> all;
    for (std::int64_t line = 0; line < lines; ++line) {
        for (std::int64_t k = 0; k < inner; ++k) {
            Doubles one;
            for (std::int64_t at = 0; at < shape[axis]; ++at)
                one.push_back(values[static_cast<std::size_t>((line * shape[axis] + at) * inner + k)]);
            all.push_back(std::move(one));
        }
    }
    return all;
}

// The inverse of lines_of().
Doubles from_lines(const std::vector<Doubles>& lines, std::int64_t inner) {
    Doubles values;
    for (std::size_t first = 0; first < lines.size(); first += static_cast<std::size_t>(inner)) {
        for (std::size_t at = 0; at < lines[first].size(); ++at)
            for (std::size_t k = 0; k < static_cast<std::size_t>(inner); ++k) values.push_back(lines[first + k][at]);
    }
    return values;
}

void check_close(const Doubles& got, const Doubles& want, double tolerance) {
    REQUIRE(got.size() == want.size());
    for (std::size_t k = 0; k < got.size(); ++k) {
        CAPTURE(k);
        if (std::isnan(want[k]) || std::isinf(want[k]))
            CHECK(same(got[k], want[k]));
        else
            CHECK_FALSE(!(std::abs(got[k] - want[k]) <= tolerance * (1 + std::abs(want[k]))));
    }
}

// The positions of a vector's elements in the order of sort(), equal ones in their own order.
Positions order_of(const Doubles& values) {
    Positions order(values.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
        return goes_before(values[static_cast<std::size_t>(a)], values[static_cast<std::size_t>(b)]);
    });
    return order;
}

std::int64_t waits_of(const std::function<void()>& work) {
    work();  // compiles
    const auto before = gpu::counts();
    work();
    return (gpu::counts() - before).synchronizations;
}

#define ALL_TYPES                                                                                            \
    bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t, \
        std::uint64_t, gpu::half, gpu::bfloat16, float, double

}  // namespace

TEST_CASE("the median is the middle element, or the mean of the two in the middle") {
    //! [median]
    auto x = gpu::to_device({{7.f, 1.f, 3.f}, {2.f, 9.f, 4.f}});
    gpu::Array<float> all = gpu::median(x);                                // 3.5
    gpu::Array<float> rows = gpu::median(x, {.axis = 1});                  // 3 4
    gpu::Array<double> of_integers = gpu::median(gpu::to_device({1, 2}));  // 1.5
    //! [median]
    CHECK(all.shape() == gpu::Shape{});
    CHECK(all.item() == 3.5f);
    CHECK(gpu::to_host(rows) == std::vector<float>{3, 4});
    CHECK(of_integers.item() == 1.5);
    CHECK(gpu::median(x, {.axis = {0, 1}, .keepdims = true}).shape() == gpu::Shape{1, 1});
    CHECK(doubles(gpu::median(x.transpose(), {.axis = -1})) == Doubles{4.5, 5, 3.5});
    CHECK(gpu::median(x * 2.f - 1.f).item() == 6);
    CHECK(gpu::median<double>(x).item() == 3.5);
    CHECK(std::isnan(gpu::median(gpu::zeros<float>({0})).item()));
    CHECK(same(doubles(gpu::median(gpu::zeros<int>({2, 0}), {.axis = 1})), {not_a_number, not_a_number}));
    CHECK(gpu::median(gpu::zeros<int>({0, 2}), {.axis = 1}).shape() == gpu::Shape{0});
    CHECK(gpu::median(gpu::full<int>({}, 4)).item() == 4);
    // neither the sum nor the difference of what it averages overflows
    constexpr double most = std::numeric_limits<double>::max();
    CHECK(gpu::median(gpu::to_device({most, most})).item() == most);
    CHECK(gpu::median(gpu::to_device({-most, most})).item() == 0);
    CHECK(gpu::median(gpu::to_device({1., infinity})).item() == infinity);
    CHECK(std::isnan(gpu::median(gpu::to_device({-infinity, infinity})).item()));
    CHECK_THROWS_AS((void)gpu::median(x, {.axis = 2}), gpu::AxisError);
    CHECK_THROWS_AS((void)gpu::median(x, {.axis = {0, -2}}), gpu::AxisError);
}

TEST_CASE("quantiles are interpolated as in NumPy") {
    //! [quantile]
    auto x = gpu::to_device({4.f, 1.f, 3.f, 2.f});
    gpu::Array<float> one = gpu::quantile(x, 0.9);              // 3.7
    gpu::Array<float> some = gpu::quantile(x, {0., 0.25, 1.});  // 1 1.75 4: one sort
    gpu::Array<float> same_ones = gpu::percentile(x, {0, 25, 100});
    //! [quantile]
    CHECK(one.shape() == gpu::Shape{});
    CHECK(one.item() == doctest::Approx(3.7));
    CHECK(gpu::to_host(some) == std::vector<float>{1, 1.75f, 4});
    CHECK(gpu::to_host(same_ones) == gpu::to_host(some));
    CHECK(gpu::quantile(x, {0.5}).shape() == gpu::Shape{1});
    CHECK(gpu::quantile(x, Doubles{}).shape() == gpu::Shape{0});
    // numpy.percentile([15, 20, 35, 40, 50], [5, 30, 40, 100])
    check_close(doubles(gpu::percentile(gpu::to_device({50, 15, 40, 20, 35}), {5, 30, 40, 100})), {16, 23, 29, 50},
                1e-15);
    const auto rows = gpu::arange<double>(24).reshape({2, 3, 4});
    CHECK(gpu::quantile(rows, {0.1, 0.5}, {.axis = {0, -1}, .keepdims = true}).shape() == gpu::Shape{2, 1, 3, 1});
    CHECK(gpu::quantile(rows, 0.1, {.axis = 1}).shape() == gpu::Shape{2, 4});
    CHECK(same(doubles(gpu::quantile(gpu::zeros<float>({0}), {0.1, 0.5})), {not_a_number, not_a_number}));
    CHECK(same(doubles(gpu::quantile(gpu::to_device({1., not_a_number, 2.}), {0., 1.})), {not_a_number, not_a_number}));
    const auto ends = gpu::to_device({-infinity, 1., 2., infinity, infinity});
    CHECK(same(doubles(gpu::quantile(ends, {0., 0.1, 0.25, 0.6, 0.7, 0.9, 1.})),
               {-infinity, -infinity, 1, infinity, infinity, infinity, infinity}));
    CHECK_THROWS_WITH_AS((void)gpu::quantile(x, 1.5), "quantile: a level of 1.5; levels are from 0 to 1", gpu::Error);
    CHECK_THROWS_WITH_AS((void)gpu::percentile(x, {50, -1}), "percentile: a level of -1; levels are from 0 to 100",
                         gpu::Error);
    CHECK_THROWS_AS((void)gpu::quantile(x, not_a_number), gpu::Error);
    CHECK_THROWS_AS((void)gpu::quantile(x, 0.5, {.axis = 1}), gpu::AxisError);
}

TEST_CASE("quantiles without NaNs") {
    //! [nanmedian]
    auto x = gpu::to_device({{NAN, 1.f, 4.f}, {NAN, 2.f, NAN}});
    auto middle = gpu::nanmedian(x, {.axis = 1});                   // 2.5 2
    auto quarters = gpu::nanquantile(x, {0.25, 0.5}, {.axis = 1});  // 1.75 2 / 2.5 2
    auto tenth = gpu::nanpercentile(x, 10);                         // 1.2
    //! [nanmedian]
    CHECK(gpu::to_host(middle) == std::vector<float>{2.5f, 2});
    CHECK(gpu::to_host(quarters) == std::vector<float>{1.75f, 2, 2.5f, 2});
    CHECK(tenth.item() == doctest::Approx(1.2));
    CHECK(same(doubles(gpu::nanmedian(x, {.axis = 0})), {not_a_number, 1.5, 4}));
    CHECK(gpu::nanmedian(gpu::to_device({3, 1})).item() == 2);
    CHECK(std::isnan(gpu::nanmedian(gpu::zeros<float>({0})).item()));
}

TEST_CASE_TEMPLATE("random quantiles of any type along any axis", T, ALL_TYPES) {
    std::mt19937 random(1);
    const gpu::Shape shapes[] = {{1}, {2}, {17}, {500}, {4, 5}, {3, 1, 40}, {2, 3, 7}};
    for (const gpu::Shape& shape : shapes) {
        for (int axis = 0; axis < shape.rank(); ++axis) {
            CAPTURE(gpu::to_string(shape));
            CAPTURE(axis);
            const Doubles host = drawn<T>(shape.size(), axis % 2 == 0 ? 0.02 : 0.3, random);
            const gpu::Array<T> x = elements<T>(host, shape);
            const Doubles levels{0, 1, 0.5, 0.3, std::uniform_real_distribution<double>(0, 1)(random)};
            Doubles want, want_without, want_median;
            for (const double level : levels) {
                for (const Doubles& line : lines_of(host, shape, axis)) {
                    want.push_back(quantile_of(line, level, false));
                    want_without.push_back(quantile_of(line, level, true));
                    if (level == 0.5) want_median.push_back(want.back());
                }
            }
            check_close(doubles(gpu::quantile<double>(x, levels, {.axis = axis})), want, 1e-14);
            check_close(doubles(gpu::nanquantile<double>(x, levels, {.axis = axis - shape.rank()})), want_without,
                        1e-14);
            check_close(doubles(gpu::median(x, {.axis = axis})), want_median,
                        is_short<T> ? 4e-3 : 1e-14);
            const gpu::Array<T> turned = x.transpose();
            check_close(doubles(gpu::quantile<double>(turned.transpose(), levels, {.axis = axis})), want, 1e-14);
        }
        const Doubles host = drawn<T>(shape.size(), 0, random);
        CHECK(gpu::median<double>(elements<T>(host, shape).flip()).item() ==
              doctest::Approx(quantile_of(host, 0.5, false)));
    }
}

TEST_CASE("covariances and correlations") {
    //! [cov]
    auto x = gpu::to_device({{1., 2., 4.}, {3., 1., 2.}});  // two variables, observed three times
    gpu::Array<double> c = gpu::cov(x);                     // 2.333 -0.5 / -0.5 1
    gpu::Array<double> same_one = gpu::cov(x.transpose(), {.rowvar = false});
    gpu::Array<double> two = gpu::cov(x(0), x(1), {.ddof = 0});
    double r = gpu::corrcoef(x(0), x(1))(0, 1).item();  // -0.327
    //! [cov]
    check_close(doubles(c), {7 / 3., -0.5, -0.5, 1}, 1e-15);
    check_close(doubles(same_one), doubles(c), 1e-15);
    check_close(doubles(two), {14 / 9., -1 / 3., -1 / 3., 2 / 3.}, 1e-15);
    CHECK(r == doctest::Approx(-0.5 / std::sqrt(7 / 3.)));
    static_assert(std::is_same_v<decltype(gpu::cov(gpu::zeros<float>({2}))), gpu::Array<float>>);
    static_assert(std::is_same_v<decltype(gpu::cov(gpu::zeros<int>({2}), gpu::zeros<float>({2}))), gpu::Array<double>>);
    CHECK(gpu::cov(gpu::to_device({1, 2, 4})).shape() == gpu::Shape{});
    CHECK(gpu::cov(gpu::to_device({1, 2, 4})).item() == doctest::Approx(7 / 3.));
    CHECK(gpu::corrcoef(gpu::to_device({1, 2, 4})).item() == 1);
    CHECK(std::isnan(gpu::corrcoef(gpu::to_device({2, 2, 2})).item()));
    CHECK(std::isnan(gpu::cov(gpu::full<float>({}, 3)).item()));  // n - ddof is 0
    CHECK(gpu::cov(gpu::full<float>({}, 3), {.ddof = 0}).item() == 0);
    CHECK(gpu::cov(gpu::zeros<float>({0, 3})).shape() == gpu::Shape{0, 0});
    CHECK(same(doubles(gpu::cov(gpu::to_device({{1., not_a_number}, {2., 5.}}))),
               {not_a_number, not_a_number, not_a_number, 4.5}));
    // i * x and x
    const auto z = gpu::to_device({{gpu::complex<float>(1, 0), gpu::complex<float>(3, 0)},
                                   {gpu::complex<float>(0, 1), gpu::complex<float>(0, 3)}});
    const auto of_complex = gpu::to_host(gpu::cov(z));
    CHECK(of_complex[0] == gpu::complex<float>(2, 0));
    CHECK(of_complex[1] == gpu::complex<float>(0, -2));
    CHECK(of_complex[2] == gpu::complex<float>(0, 2));
    CHECK(std::abs(gpu::to_host(gpu::corrcoef(z))[2].imag() - 1) <= 1e-6f);
    CHECK_THROWS_WITH_AS((void)gpu::cov(gpu::zeros<float>({2, 2, 2})),
                         "cov: an array of shape (2,2,2) has more than 2 axes; rows are variables, columns their "
                         "observations",
                         gpu::ShapeError);
    CHECK_THROWS_WITH_AS((void)gpu::corrcoef(x, gpu::zeros<double>({4})),
                         "corrcoef: variables with 3 and with 4 observations; they must be observed equally often",
                         gpu::ShapeError);
}

TEST_CASE_TEMPLATE("random covariances agree with two loops", T, int, gpu::half, float, double) {
    std::mt19937 random(2);
    for (const auto& [variables, count] : {std::pair{2, 3}, std::pair{5, 40}, std::pair{3, 1000}}) {
        const Doubles host = drawn<T>(variables * count, 0, random);
        const gpu::Array<T> x = elements<T>(host, {variables, count});
        Doubles deviations = host, want, want_normalised;
        for (int k = 0; k < variables; ++k) {
            const auto line = deviations.begin() + k * count;
            const double mean = std::accumulate(line, line + count, 0.) / count;
            std::for_each(line, line + count, [&](double& value) { value -= mean; });
        }
        const auto product = [&](int j, int k) {
            double sum = 0;
            for (int i = 0; i < count; ++i)
                sum += deviations[static_cast<std::size_t>(j * count + i)] *
                       deviations[static_cast<std::size_t>(k * count + i)];
            return sum;
        };
        for (int j = 0; j < variables; ++j) {
            for (int k = 0; k < variables; ++k) {
                want.push_back(product(j, k) / (count - 1));
                want_normalised.push_back(product(j, k) / std::sqrt(product(j, j) * product(k, k)));
            }
        }
        check_close(doubles(gpu::cov<double>(x)), want, 1e-13);
        check_close(doubles(gpu::corrcoef<double>(x)), want_normalised, 1e-13);
        check_close(doubles(gpu::cov(x)), want, std::is_same_v<T, gpu::half> ? 1e-3 : 1e-6);
        check_close(doubles(gpu::cov<double>(x.transpose(), {.rowvar = false})), want, 1e-13);
        check_close(doubles(gpu::cov<double>(x(gpu::slice(0, 1)), x(gpu::slice(1, gpu::none)))), want, 1e-13);
    }
}

TEST_CASE("topk gives the largest elements first, and of equal ones the first") {
    //! [topk]
    auto x = gpu::to_device({3.f, 9.f, 1.f, 9.f, 5.f});
    auto [values, indices] = gpu::topk(x, 3);  // 9 9 5 at 1 3 4
    auto rows = gpu::to_device({{1, 7}, {8, 2}, {5, 6}});
    auto columns = gpu::topk(rows, 2, {.axis = 0}).values;  // 8 7 / 5 6
    //! [topk]
    CHECK(gpu::to_host(values) == std::vector<float>{9, 9, 5});
    CHECK(gpu::to_host(indices) == Positions{1, 3, 4});
    CHECK(gpu::to_host(columns) == std::vector<int>{8, 7, 5, 6});
    CHECK(gpu::to_host(gpu::topk(-x, 2).indices) == Positions{2, 0});
    CHECK(gpu::topk(x, 0).values.shape() == gpu::Shape{0});
    CHECK(gpu::topk(gpu::zeros<float>({0, 3}), 2).indices.shape() == gpu::Shape{0, 2});
    CHECK_THROWS_WITH_AS((void)gpu::topk(rows, 4, {.axis = -2}),
                         "topk: the largest 4 of 3 elements along axis 0 of an array of shape (3,2)", gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::topk(x, -1), gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::topk(x, 1, {.axis = 1}), gpu::AxisError);
    CHECK_THROWS_AS((void)gpu::topk(gpu::sum(x), 1), gpu::AxisError);
}

TEST_CASE("partition puts one element in its place") {
    //! [partition]
    auto x = gpu::to_device({4, 1, 3, 2, 9});
    gpu::Array<int> parts = gpu::partition(x, 2);               // the 3 is in the middle
    gpu::Array<std::int64_t> order = gpu::argpartition(x, -2);  // x.take(order) has the 4 as its last but one
    //! [partition]
    const auto host = gpu::to_host(parts);
    CHECK(host[2] == 3);
    CHECK(std::max(host[0], host[1]) <= 3);
    CHECK(std::min(host[3], host[4]) >= 3);
    CHECK(gpu::to_host(x.take(order))[3] == 4);
    CHECK_THROWS_WITH_AS((void)gpu::partition(x, 5),
                         "partition: kth is 5, axis 0 of an array of shape (5,) has 5 elements", gpu::IndexError);
    CHECK_THROWS_AS((void)gpu::argpartition(x, -6), gpu::IndexError);
    CHECK_THROWS_AS((void)gpu::partition(gpu::zeros<int>({0}), 0), gpu::IndexError);
    CHECK_THROWS_AS((void)gpu::argpartition(x, 0, {.axis = 1}), gpu::AxisError);
}

TEST_CASE_TEMPLATE("random largest elements and partitions of any type along any axis", T, ALL_TYPES) {
    std::mt19937 random(3);
    const gpu::Shape shapes[] = {{1}, {40}, {300}, {4, 5}, {20, 3}, {2, 33, 4}};
    for (const gpu::Shape& shape : shapes) {
        for (int axis = 0; axis < shape.rank(); ++axis) {
            CAPTURE(gpu::to_string(shape));
            CAPTURE(axis);
            const std::int64_t n = shape[axis], k = std::uniform_int_distribution<std::int64_t>(0, n - 1)(random);
            const Doubles host = drawn<T>(shape.size(), 0.1, random);
            const gpu::Array<T> x = elements<T>(host, shape);
            std::int64_t inner = 1;
            for (int a = axis + 1; a < shape.rank(); ++a) inner *= shape[a];
            std::vector<Doubles> values, places;
            for (const Doubles& line : lines_of(host, shape, axis)) {
                Positions order = order_of(line);
                // from the largest on, but equal ones in their own order
                std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
                    return goes_before(line[static_cast<std::size_t>(b)], line[static_cast<std::size_t>(a)]);
                });
                Doubles chosen, at;
                for (std::int64_t j = 0; j < k; ++j) {
                    at.push_back(static_cast<double>(order[static_cast<std::size_t>(j)]));
                    chosen.push_back(line[static_cast<std::size_t>(order[static_cast<std::size_t>(j)])]);
                }
                values.push_back(std::move(chosen));
                places.push_back(std::move(at));
            }
            const auto largest = gpu::topk(x, k, {.axis = axis});
            CHECK(largest.values.shape()[axis] == k);
            CHECK(same(doubles(largest.values), from_lines(values, inner)));
            CHECK(same(doubles(largest.indices), from_lines(places, inner)));
            const gpu::Array<T> turned = x.transpose();
            CHECK(same(doubles(gpu::topk(turned.transpose(), k, {.axis = axis}).indices), doubles(largest.indices)));

            const gpu::Array<T> parts = gpu::partition(x, k, {.axis = axis});
            const auto order = lines_of(doubles(gpu::argpartition(x, k - n, {.axis = axis})), shape, axis);
            const auto lines = lines_of(doubles(parts), shape, axis), from = lines_of(host, shape, axis);
            for (std::size_t line = 0; line < lines.size(); ++line) {
                const Positions sorted = order_of(from[line]);
                const auto at = static_cast<std::size_t>(k);
                const double wanted = from[line][static_cast<std::size_t>(sorted[at])];
                CHECK(same(lines[line][at], wanted));
                CHECK(same(from[line][static_cast<std::size_t>(order[line][at])], wanted));
                for (std::size_t j = 0; j < lines[line].size(); ++j)
                    CHECK_FALSE((j < at ? goes_before(wanted, lines[line][j]) : goes_before(lines[line][j], wanted)));
            }
        }
    }
}

TEST_CASE("lists of numbers take the place of arrays") {
    //! [lists]
    const gpu::Array<float> x = gpu::to_device({0.25f, 0.1f, 2.f, -1.f});
    auto found = gpu::isin(x, {0.1, 2});                                          // false true true false
    auto bins = gpu::digitize(x, {0, 0.25, 1});                                   // 2 1 3 0
    auto places = gpu::searchsorted({-1, 0, 1, 2}, x);                            // 2 2 3 0
    auto numbers = gpu::searchsorted(gpu::sort(x), {0, 0.25}, gpu::Side::right);  // 1 3
    //! [lists]
    using Places = std::vector<std::int64_t>;
    CHECK(gpu::to_host(found) == std::vector<std::uint8_t>{0, 1, 1, 0});
    CHECK(gpu::to_host(bins) == Places{2, 1, 3, 0});
    CHECK(gpu::to_host(places) == Places{2, 2, 3, 0});
    CHECK(gpu::to_host(numbers) == Places{1, 3});
    CHECK(gpu::to_host(gpu::isin(x, {0.1, 2}, {.invert = true})) == std::vector<std::uint8_t>{1, 0, 0, 1});
    CHECK(gpu::to_host(gpu::searchsorted({-1, 0, 1, 2}, x, gpu::Side::right)) == Places{2, 2, 4, 1});
    CHECK(gpu::to_host(gpu::searchsorted(x(gpu::slice(3, 4)), {-1}, {.side = gpu::Side::right})) == Places{1});
    CHECK(gpu::to_host(gpu::isin(x, {})) == std::vector<std::uint8_t>{0, 0, 0, 0});
    CHECK(gpu::to_host(gpu::digitize(x + x, {0.5}, {.right = true})) == Places{0, 0, 1, 0});

    // Beside integers: no number of the list is cut off or wraps around.
    const gpu::Array<std::uint8_t> bytes = gpu::to_device<std::uint8_t>({44, 1, 2});
    CHECK(gpu::to_host(gpu::isin(bytes, {300, 1})) == std::vector<std::uint8_t>{0, 1, 0});
    CHECK(gpu::to_host(gpu::isin(bytes, {1.5, 2})) == std::vector<std::uint8_t>{0, 0, 1});
    CHECK(gpu::to_host(gpu::digitize(bytes, {-5, 2, 300})) == Places{2, 1, 2});
    const std::int64_t large = (std::int64_t{1} << 60) + 1;  // not a double
    const gpu::Array<std::int64_t> longs = gpu::to_device<std::int64_t>({large, large - 1});
    CHECK(gpu::to_host(gpu::isin(longs, {large, 0})) == std::vector<std::uint8_t>{1, 0});
    const std::uint64_t top = ~std::uint64_t{0};
    const gpu::Array<std::uint64_t> naturals = gpu::to_device<std::uint64_t>({top, top - 1});
    CHECK(gpu::to_host(gpu::isin(naturals, {top, std::uint64_t{3}})) == std::vector<std::uint8_t>{1, 0});
    CHECK_THROWS_WITH_AS((void)gpu::isin(naturals, {-1}),
                         "a list of numbers: the number -1 doesn't fit uint64 (0 to 18446744073709551615), the type of "
                         "the array's elements",
                         gpu::DTypeError);
    CHECK(gpu::to_host(gpu::isin(bytes > 1, {true, true})) == std::vector<std::uint8_t>{1, 0, 1});
}

TEST_CASE("searchsorted, digitize and isin") {
    //! [searchsorted]
    auto sorted = gpu::to_device({1.f, 3.f, 3.f, 5.f});
    gpu::Array<std::int64_t> before = gpu::searchsorted(sorted, gpu::to_device({0.f, 3.f, 6.f}));  // 0 1 4
    gpu::Array<std::int64_t> after = gpu::searchsorted(sorted, 3, {.side = gpu::Side::right});     // 3
    //! [searchsorted]
    CHECK(gpu::to_host(before) == Positions{0, 1, 4});
    CHECK(after.shape() == gpu::Shape{});
    CHECK(after.item() == 3);
    CHECK(gpu::to_host(gpu::searchsorted(gpu::to_device({1., not_a_number, not_a_number}),
                                         gpu::to_device({not_a_number, 2.}))) == Positions{1, 1});
    CHECK(gpu::searchsorted(gpu::to_device({1, 2}), 1.5).item() == 1);
    CHECK(gpu::searchsorted(gpu::zeros<int>({0}), 1).item() == 0);
    CHECK(gpu::searchsorted(sorted, gpu::zeros<float>({0, 2})).shape() == gpu::Shape{0, 2});
    CHECK(gpu::to_host(gpu::searchsorted(sorted(gpu::slice(gpu::none, gpu::none, 3)), sorted * 2.f)) ==
          Positions{1, 2, 2, 2});  // in 1 5
    CHECK_THROWS_WITH_AS((void)gpu::searchsorted(gpu::zeros<int>({2, 2}), 1),
                         "searchsorted: a sorted array of shape (2,2); it must have one axis", gpu::ShapeError);

    //! [digitize]
    auto x = gpu::to_device({0.5f, 1.f, 2.5f, 9.f});
    auto edges = gpu::to_device({1.f, 2.f, 4.f});
    gpu::Array<std::int64_t> bins = gpu::digitize(x, edges);                            // 0 1 2 3
    gpu::Array<std::int64_t> closed = gpu::digitize(x, edges, {.right = true});         // 0 0 2 3
    gpu::Array<std::int64_t> descending = gpu::digitize(x, gpu::to_device({4, 2, 1}));  // 3 2 1 0
    //! [digitize]
    CHECK(gpu::to_host(bins) == Positions{0, 1, 2, 3});
    CHECK(gpu::to_host(closed) == Positions{0, 0, 2, 3});
    CHECK(gpu::to_host(descending) == Positions{3, 2, 1, 0});
    CHECK(gpu::to_host(gpu::digitize(x, gpu::to_device({4, 2, 1}), {.right = true})) == Positions{3, 3, 1, 0});
    CHECK_THROWS_WITH_AS((void)gpu::digitize(x, gpu::zeros<float>({1, 2})),
                         "digitize: bins of shape (1,2); it must have one axis", gpu::ShapeError);

    //! [isin]
    auto numbers = gpu::to_device({{1, 5}, {2, 7}});
    gpu::Array<bool> found = gpu::isin(numbers, gpu::to_device({7, 1, 1}));  // true false / false true
    gpu::Array<bool> others = gpu::isin(numbers, gpu::to_device({7, 1}), {.invert = true});
    //! [isin]
    CHECK(gpu::to_host(found) == std::vector<std::uint8_t>{1, 0, 0, 1});
    CHECK(gpu::to_host(others) == std::vector<std::uint8_t>{0, 1, 1, 0});
    CHECK(gpu::to_host(gpu::isin(numbers.transpose() + 1, 6)) == std::vector<std::uint8_t>{0, 0, 1, 0});
    CHECK(gpu::to_host(gpu::isin(numbers, gpu::zeros<int>({0}))) == std::vector<std::uint8_t>{0, 0, 0, 0});
    CHECK(gpu::to_host(gpu::isin(gpu::to_device({not_a_number, 1.}), gpu::to_device({not_a_number, 1.}))) ==
          std::vector<std::uint8_t>{0, 1});
}

TEST_CASE_TEMPLATE("random searches agree with counting", T, ALL_TYPES) {
    std::mt19937 random(4);
    for (const std::int64_t n : {0, 1, 2, 31, 200}) {
        CAPTURE(n);
        Doubles sorted = drawn<T>(n, 0.1, random);
        std::sort(sorted.begin(), sorted.end(), goes_before);
        const Doubles values = drawn<T>(60, 0.1, random);
        const gpu::Array<T> in = elements<T>(sorted, {n}), x = elements<T>(values, {5, 12});
        Doubles before, after, found, right, down, down_right;
        for (const double value : values) {
            const auto count = [&](auto&& condition) {
                return static_cast<double>(std::count_if(sorted.begin(), sorted.end(), condition));
            };
            before.push_back(count([&](double e) { return goes_before(e, value); }));
            after.push_back(count([&](double e) { return !goes_before(value, e); }));
            found.push_back(count([&](double e) { return e == value; }) > 0 ? 1 : 0);
        }
        CHECK(doubles(gpu::searchsorted(in, x)) == before);
        CHECK(doubles(gpu::searchsorted(in, x, {.side = gpu::Side::right})) == after);
        CHECK(doubles(gpu::digitize(x, in)) == after);
        CHECK(doubles(gpu::digitize(x, in, {.right = true})) == before);
        const bool descends = n > 0 && goes_before(sorted.front(), sorted.back());
        for (const double value : values) {  // a descending edge at the value or above it lies before the bin
            const auto above = [&](bool with_equal) {
                return static_cast<double>(std::count_if(sorted.begin(), sorted.end(), [&](double e) {
                    return goes_before(value, e) || (with_equal && !goes_before(e, value));
                }));
            };
            down.push_back(above(false));
            down_right.push_back(above(true));
        }
        if (descends) {
            CHECK(doubles(gpu::digitize(x, in.flip())) == down);
            CHECK(doubles(gpu::digitize(x, in.flip(), {.right = true})) == down_right);
        }
        CHECK(doubles(gpu::isin(x.flip(), in.flip()).flip()) == found);
        CHECK(doubles(gpu::isin(x, in, {.invert = true})) == doubles(!gpu::isin(x, in)));
    }
}

TEST_CASE("distinct elements") {
    //! [unique]
    auto x = gpu::to_device({3.f, 1.f, 3.f, NAN, 1.f, 3.f, NAN});
    gpu::Array<float> values = gpu::unique(x);                    // 1 3 nan
    auto [same_ones, counts] = gpu::unique_counts(x);             // counts: 2 3 2
    auto [again, inverse] = gpu::unique_inverse(x);               // inverse: 1 0 1 2 0 1 2
    gpu::Array<std::int64_t> first = gpu::unique_all(x).indices;  // 1 0 3
    //! [unique]
    CHECK(same(doubles(values), {1, 3, not_a_number}));
    CHECK(same(doubles(same_ones), {1, 3, not_a_number}));
    CHECK(gpu::to_host(counts) == Positions{2, 3, 2});
    CHECK(same(doubles(gpu::Array<float>(again[inverse])), doubles(x)));
    CHECK(gpu::to_host(inverse) == Positions{1, 0, 1, 2, 0, 1, 2});
    CHECK(gpu::to_host(first) == Positions{1, 0, 3});
    const auto apart = gpu::unique_all(x, {.equal_nan = false});
    CHECK(same(doubles(apart.values), {1, 3, not_a_number, not_a_number}));
    CHECK(gpu::to_host(apart.counts) == Positions{2, 3, 1, 1});
    CHECK(gpu::to_host(apart.indices) == Positions{1, 0, 3, 6});
    CHECK(gpu::to_host(gpu::unique(gpu::to_device({{2, 1}, {1, 2}}).transpose() * 10)) == std::vector<int>{10, 20});
    const auto nothing = gpu::unique_all(gpu::zeros<int>({2, 0}));
    CHECK(nothing.values.shape() == gpu::Shape{0});
    CHECK(nothing.inverse_indices.shape() == gpu::Shape{2, 0});
    CHECK(nothing.counts.shape() == gpu::Shape{0});
    const auto one = gpu::unique_all(gpu::full<int>({}, 4));
    CHECK(gpu::to_host(one.values) == std::vector<int>{4});
    CHECK(one.inverse_indices.shape() == gpu::Shape{});
    CHECK(gpu::to_host(one.counts) == Positions{1});
}

TEST_CASE_TEMPLATE("random distinct elements of any type", T, ALL_TYPES) {
    std::mt19937 random(5);
    for (const gpu::Shape& shape : {gpu::Shape{1}, gpu::Shape{50}, gpu::Shape{3, 7}, gpu::Shape{40, 9}}) {
        const Doubles host = drawn<T>(shape.size(), 0.1, random);
        const gpu::Array<T> x = elements<T>(host, shape);
        Doubles values;
        for (const std::int64_t at : order_of(host)) {
            const double value = host[static_cast<std::size_t>(at)];
            if (values.empty() || !same(values.back(), value)) values.push_back(value);
        }
        Positions first, counts, inverse;
        for (const double value : values) {
            const auto is_same = [&](double other) { return same(other, value); };
            first.push_back(std::find_if(host.begin(), host.end(), is_same) - host.begin());
            counts.push_back(std::count_if(host.begin(), host.end(), is_same));
        }
        for (const double value : host) {
            const auto is_same = [&](double other) { return same(other, value); };
            inverse.push_back(std::find_if(values.begin(), values.end(), is_same) - values.begin());
        }
        const auto all = gpu::unique_all(x);
        CHECK(same(doubles(all.values), values));
        CHECK(gpu::to_host(all.indices) == first);
        CHECK(gpu::to_host(all.counts) == counts);
        CHECK(all.inverse_indices.shape() == shape);
        CHECK(gpu::to_host(all.inverse_indices) == inverse);
        CHECK(same(doubles(gpu::unique(x.transpose())), values));
        CHECK(gpu::to_host(gpu::unique_counts(x).counts) == counts);
        CHECK(gpu::to_host(gpu::unique_inverse(x).inverse_indices) == inverse);
    }
}

TEST_CASE("scans by any associative operation") {
    //! [scan]
    auto x = gpu::to_device({2, 3, 1, 4});
    auto products = gpu::scan(x, "a * b");             // 2 6 6 24, in 64 bits as cumprod
    auto starts = gpu::exclusive_scan(x, "a + b", 0);  // 0 2 5 6: where parts of these lengths start
    auto odd = gpu::scan<bool>(x % 2 == 1, "a != b");  // the parity so far: false true false false
    auto rows = gpu::scan<int>(x.reshape({2, 2}), "max(a, b)", {.axis = 0});
    //! [scan]
    static_assert(std::is_same_v<decltype(products), gpu::Array<std::int64_t>>);
    CHECK(gpu::to_host(products) == Positions{2, 6, 6, 24});
    CHECK(gpu::to_host(starts) == Positions{0, 2, 5, 6});
    CHECK(gpu::to_host(odd) == std::vector<std::uint8_t>{0, 1, 0, 0});
    CHECK(gpu::to_host(rows) == std::vector<int>{2, 3, 2, 4});
    CHECK(gpu::to_host(gpu::exclusive_scan<int>(x, "max(a, b)", 2)) == std::vector<int>{2, 2, 3, 3});
    CHECK(gpu::scan(gpu::zeros<float>({0}), "a + b").shape() == gpu::Shape{0});
    CHECK(gpu::exclusive_scan(gpu::zeros<float>({2, 0}), "a + b", 0, {.axis = 0}).shape() == gpu::Shape{2, 0});
    CHECK(gpu::to_host(gpu::exclusive_scan(gpu::full<float>({}, 5), "a + b", 1)) == std::vector<float>{1});
    CHECK(doubles(gpu::scan(gpu::to_device({0.5f, 3.f}).astype<gpu::half>(), "a * b")) == Doubles{0.5, 1.5});
    const gpu::complex<float> i(0, 1);
    CHECK(gpu::to_host(gpu::exclusive_scan(gpu::full<gpu::complex<float>>({3}, i), "a * b", i)) ==
          std::vector<gpu::complex<float>>{i, i * i, i * i * i});
    CHECK_THROWS_AS((void)gpu::scan(x, "a + b", {.axis = 1}), gpu::AxisError);
    CHECK_THROWS_WITH_AS((void)gpu::scan(x, " "),
                         "scan: the operation is empty: write an expression over a and b, such as \"a + b\"",
                         gpu::Error);
    CHECK_THROWS_WITH_AS((void)gpu::exclusive_scan(x, "a + b;", 0),
                         "exclusive_scan: the operation 'a + b;' is an expression, which has no ; at its end",
                         gpu::Error);
}

TEST_CASE("an error in a scan's operation points at it") {
    std::string message;
    try {
        (void)gpu::scan(gpu::ones<float>({3}), "a + c");
    } catch (const gpu::CompileError& error) {
        message = error.what();
    }
    CHECK(message.find("scan (operation):1") != std::string::npos);
    CHECK(message.find("return a + c;") != std::string::npos);
    CHECK(message.find("a scan's operation combines a and b and sees nothing else") != std::string::npos);
}

TEST_CASE("scans keep the order of what they combine, around the ends of their chunks") {
    // x -> m x + c (mod 97) as 100 m + c; "first a, then b" is associative and not commutative.
    const std::string composed = "(a / 100 * (b / 100) % 97) * 100 + (b / 100 * (a % 100) + b % 100) % 97";
    const auto compose = [](std::int64_t a, std::int64_t b) {
        return (a / 100 * (b / 100) % 97) * 100 + (b / 100 * (a % 100) + b % 100) % 97;
    };
    std::mt19937 random(6);
    std::uniform_int_distribution<int> factor(0, 96);
    for (const std::int64_t n : {1, 2, 127, 128, 129, 256, 1000, 128 * 128 + 1, 40000}) {
        CAPTURE(n);
        std::vector<int> host;
        for (std::int64_t k = 0; k < n; ++k) host.push_back(factor(random) * 100 + factor(random));
        Positions want, want_exclusive;
        std::int64_t running = 100 + 5;
        for (std::int64_t k = 0; k < n; ++k) {
            const std::int64_t element = host[static_cast<std::size_t>(k)];
            want.push_back(k == 0 ? element : compose(want.back(), element));
            want_exclusive.push_back(running);
            running = compose(running, element);
        }
        const auto x = gpu::to_device(host);
        CHECK(gpu::to_host(gpu::scan(x, composed)) == want);
        CHECK(gpu::to_host(gpu::exclusive_scan(x, composed, 105)) == want_exclusive);
    }
}

TEST_CASE_TEMPLATE("random scans of any type along any axis", T, ALL_TYPES) {
    std::mt19937 random(7);
    const gpu::Shape shapes[] = {{1}, {300}, {3, 130}, {140, 3}, {2, 129, 3}, {2, 0, 3}};
    for (const gpu::Shape& shape : shapes) {
        for (int axis = 0; axis < shape.rank(); ++axis) {
            CAPTURE(gpu::to_string(shape));
            CAPTURE(axis);
            const Doubles host = drawn<T>(shape.size(), 0.002, random);
            const gpu::Array<T> x = elements<T>(host, shape);
            std::int64_t inner = 1;
            for (int a = axis + 1; a < shape.rank(); ++a) inner *= shape[a];
            auto most = shape.size() == 0 ? std::vector<Doubles>{} : lines_of(host, shape, axis);
            auto least = most, sums = most, sums_before = most;
            for (std::size_t line = 0; line < most.size(); ++line) {
                double sum = 0;
                for (std::size_t k = 0; k < most[line].size(); ++k) {
                    sums_before[line][k] = sum + 1;
                    sum += sums[line][k];
                    sums[line][k] = sum;
                    if (k == 0) continue;
                    double &up = most[line][k], &down = least[line][k];
                    up = std::isnan(most[line][k - 1]) || most[line][k - 1] > up ? most[line][k - 1] : up;
                    down = std::isnan(least[line][k - 1]) || least[line][k - 1] < down ? least[line][k - 1] : down;
                }
            }
            const gpu::ScanOptions along{.axis = axis - shape.rank()};
            CHECK(same(doubles(gpu::cummax(x, along)), from_lines(most, inner)));
            CHECK(same(doubles(gpu::cummin(x, along)), from_lines(least, inner)));
            CHECK(same(doubles(gpu::scan(x, "a + b", along)), from_lines(sums, inner)));  // of quarters: exact
            CHECK(same(doubles(gpu::exclusive_scan<double>(x, "a + b", 1, along)), from_lines(sums_before, inner)));
            const gpu::Array<T> turned = x.transpose();
            CHECK(same(doubles(gpu::cummax(turned.transpose(), along)), from_lines(most, inner)));
            CHECK(gpu::cummin(x).shape() == gpu::Shape{shape.size()});
        }
    }
}

TEST_CASE("cumulative maxima and minima") {
    //! [cummax]
    auto x = gpu::to_device({2.f, 5.f, 3.f, NAN, 9.f});
    gpu::Array<float> highest = gpu::cummax(x);                                           // 2 5 5 nan nan
    gpu::Array<int> lowest = gpu::cummin(gpu::to_device({{3, 4}, {5, 1}}), {.axis = 0});  // 3 4 / 3 1
    //! [cummax]
    CHECK(same(doubles(highest), {2, 5, 5, not_a_number, not_a_number}));
    CHECK(gpu::to_host(lowest) == std::vector<int>{3, 4, 3, 1});
    CHECK(gpu::to_host(gpu::cummax(-gpu::to_device({3, 1, 2}))) == std::vector<int>{-3, -1, -1});
    CHECK(gpu::to_host(gpu::cummax(gpu::to_device({0, 1, 0}) == 1)) == std::vector<std::uint8_t>{0, 1, 1});
    CHECK_THROWS_AS((void)gpu::cummin(x, {.axis = -2}), gpu::AxisError);
}

TEST_CASE("values with keys") {
    //! [by_key]
    auto keys = gpu::to_device({2, 1, 2, 1, 1});
    auto values = gpu::to_device({10.f, 20.f, 30.f, 40.f, 50.f});
    auto [k, v] = gpu::sort_by_key(keys, values);                     // 1 1 1 2 2, 20 40 50 10 30
    auto [distinct, sums] = gpu::reduce_by_key(k, v);                 // 1 2, 110 40
    auto highest = gpu::reduce_by_key(k, v, "a > b ? a : b").values;  // 50 30
    auto running = gpu::scan_by_key(k, v);                            // 20 60 110 10 40
    //! [by_key]
    CHECK(gpu::to_host(k) == std::vector<int>{1, 1, 1, 2, 2});
    CHECK(gpu::to_host(v) == std::vector<float>{20, 40, 50, 10, 30});
    CHECK(gpu::to_host(distinct) == std::vector<int>{1, 2});
    CHECK(gpu::to_host(sums) == std::vector<float>{110, 40});
    CHECK(gpu::to_host(highest) == std::vector<float>{50, 30});
    CHECK(gpu::to_host(running) == std::vector<float>{20, 60, 110, 10, 40});
    // only neighbours are combined
    const auto runs = gpu::reduce_by_key(keys, gpu::ones<int>({5}));
    CHECK(gpu::to_host(runs.keys) == std::vector<int>{2, 1, 2, 1});
    CHECK(gpu::to_host(runs.values) == Positions{1, 1, 1, 2});
    const auto of_nan =
        gpu::reduce_by_key(gpu::to_device({not_a_number, not_a_number}), values(gpu::slice(0, 2)) + 1.f);
    CHECK(gpu::to_host(of_nan.values) == std::vector<float>{11, 21});
    const auto nothing = gpu::reduce_by_key(gpu::zeros<int>({0}), gpu::zeros<float>({0, 2}));
    CHECK(nothing.keys.shape() == gpu::Shape{0});
    CHECK(nothing.values.shape() == gpu::Shape{0, 2});
    CHECK(gpu::sort_by_key(gpu::zeros<int>({2}), gpu::zeros<float>({2, 0})).values.shape() == gpu::Shape{2, 0});
    CHECK(gpu::scan_by_key(gpu::zeros<int>({2}), gpu::zeros<float>({2, 0})).shape() == gpu::Shape{2, 0});
    const auto complex_keys = gpu::full<gpu::complex<float>>({5}, gpu::complex<float>(1, 2));
    CHECK(gpu::to_host(gpu::reduce_by_key(complex_keys, values).values) == std::vector<float>{150});
    CHECK_THROWS_WITH_AS((void)gpu::sort_by_key(gpu::zeros<int>({2, 2}), values),
                         "sort_by_key: keys of shape (2,2); they must have one axis", gpu::ShapeError);
    CHECK_THROWS_WITH_AS((void)gpu::reduce_by_key(keys, gpu::zeros<float>({4, 2})),
                         "reduce_by_key: 5 keys for values of shape (4,2); there must be one for each value along the "
                         "first axis",
                         gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::scan_by_key(keys, gpu::sum(values)), gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::scan_by_key(keys, values, ""), gpu::Error);
}

TEST_CASE_TEMPLATE("random values with keys of any type", T, ALL_TYPES) {
    std::mt19937 random(8);
    for (const std::int64_t n : {1, 2, 128, 129, 300, 20000}) {
        for (const std::int64_t width : {1, 3}) {
            CAPTURE(n);
            CAPTURE(width);
            Doubles keys = drawn<T>(n, 0.02, random);
            if (n > 100) {  // long runs, some of more than a chunk
                std::uniform_int_distribution<std::int64_t> length(1, 400);
                for (std::int64_t first = 0; first < n;) {
                    const std::int64_t end = std::min(n, first + length(random));
                    for (; first < end; ++first)
                        keys[static_cast<std::size_t>(first)] = keys[static_cast<std::size_t>(end - 1)];
                }
            }
            const Doubles host = drawn<int>(n * width, 0, random);
            const gpu::Array<T> k = elements<T>(keys, {n});
            const gpu::Array<int> v = elements<int>(host, {n, width});
            Doubles run_keys, sums, running(host.size());
            for (std::int64_t row = 0; row < n; ++row) {
                const auto at = static_cast<std::size_t>(row);
                const bool starts = row == 0 || keys[at] != keys[at - 1];
                if (starts) run_keys.push_back(keys[at]);
                for (std::size_t c = 0; c < static_cast<std::size_t>(width); ++c) {
                    const std::size_t place = at * static_cast<std::size_t>(width) + c;
                    running[place] = host[place] + (starts ? 0 : running[place - static_cast<std::size_t>(width)]);
                    if (starts) sums.push_back(0);
                    sums[(run_keys.size() - 1) * static_cast<std::size_t>(width) + c] = running[place];
                }
            }
            const auto reduced = gpu::reduce_by_key(k, v);
            CHECK(same(doubles(reduced.keys), run_keys));
            CHECK(same(doubles(reduced.values), sums));
            CHECK(same(doubles(gpu::scan_by_key(k, v)), running));
            const gpu::Array<int> columns = v.transpose();
            CHECK(same(doubles(gpu::scan_by_key<double>(k, columns.transpose())), running));
            const auto sorted = gpu::sort_by_key(k, v);
            Doubles sorted_keys, sorted_values;
            for (const std::int64_t row : order_of(keys)) {
                sorted_keys.push_back(keys[static_cast<std::size_t>(row)]);
                for (std::int64_t c = 0; c < width; ++c)
                    sorted_values.push_back(host[static_cast<std::size_t>(row * width + c)]);
            }
            CHECK(same(doubles(sorted.keys), sorted_keys));
            CHECK(same(doubles(sorted.values), sorted_values));
        }
    }
}

TEST_CASE("what needs an order repeats its bits, and waits only for a length") {
    std::mt19937 random(9);
    std::normal_distribution<double> normal;
    std::vector<float> host(30000);
    for (float& value : host) value = static_cast<float>(normal(random));
    const auto x = gpu::to_device(host);
    const auto keys = (x * 0.1f).astype<int>().eval();
    CHECK(gpu::to_host(gpu::scan(x, "a + b")) == gpu::to_host(gpu::scan(x, "a + b")));
    CHECK(gpu::to_host(gpu::reduce_by_key(keys, x).values) == gpu::to_host(gpu::reduce_by_key(keys, x).values));
    CHECK(waits_of([&] {
              (void)gpu::median(x);
              (void)gpu::quantile(x, {0.1, 0.9});
              (void)gpu::nanquantile(x, 0.1);
              (void)gpu::topk(x, 5);
              (void)gpu::partition(x, 5);
              (void)gpu::searchsorted(x, 1.f);
              (void)gpu::digitize(x, x);
              (void)gpu::isin(keys, 3);
              (void)gpu::scan(x, "a + b");
              (void)gpu::exclusive_scan(x, "a + b", 0);
              (void)gpu::cummax(x);
              (void)gpu::sort_by_key(keys, x);
              (void)gpu::scan_by_key(keys, x);
              (void)gpu::cov(x.reshape({3, -1}));
          }) == 0);
    CHECK(waits_of([&] { (void)gpu::unique_all(keys); }) == 1);
    CHECK(waits_of([&] { (void)gpu::reduce_by_key(keys, x); }) == 1);
}

TEST_CASE("check mode finds nothing in what needs an order") {
    if (gpu::Device::current().kind() != gpu::BackendKind::host) {
        std::puts("SKIP: check mode of what needs an order: it is the host backend's");
        return;
    }
    const gpu::CheckReport report = gpu::check([] {
        const gpu::Array<float> x = gpu::arange<float>(300) % 7.f;
        const gpu::Array<int> keys = gpu::arange<int>(300) / 40;
        (void)gpu::quantile(x, {0.1, 0.9});
        (void)gpu::nanmedian(x.reshape({30, 10}), {.axis = 0});
        (void)gpu::topk(x, 3);
        (void)gpu::digitize(x, gpu::arange<float>(4));
        (void)gpu::isin(x, 3);
        (void)gpu::unique_all(x);
        (void)gpu::exclusive_scan(x, "a + b", 0);
        (void)gpu::cummax(x);
        (void)gpu::sort_by_key(keys, x);
        (void)gpu::reduce_by_key(keys, x);
        (void)gpu::scan_by_key(keys, x.reshape({300, 1}));
    });
    for (const auto& finding : report.findings)
        FAIL_CHECK(finding.kernel << ": " << finding.what << " " << finding.who);
}
