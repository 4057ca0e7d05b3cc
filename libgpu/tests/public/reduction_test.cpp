// SPDX-License-Identifier: MIT
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include <doctest/doctest.h>

#include <gpu/gpu.hpp>

TEST_CASE("sum over all, one or several axes") {
    auto a = gpu::arange<float>(24).reshape({2, 3, 4});
    //! [sum]
    float total = gpu::sum(a).item();                                         // 276
    gpu::Array<float> columns = gpu::sum(a, {.axis = 0});                     // (3,4)
    gpu::Array<float> planes = gpu::sum(a, {.axis = {1, 2}, .keepdims = true});  // (2,1,1)
    //! [sum]
    CHECK(total == 276.f);
    CHECK(columns.shape() == gpu::Shape{3, 4});
    CHECK(gpu::to_host(columns) == std::vector<float>{12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34});
    CHECK(planes.shape() == gpu::Shape{2, 1, 1});
    CHECK(gpu::to_host(planes) == std::vector<float>{66, 210});
    CHECK(gpu::to_host(gpu::sum(a, {.axis = -1})) == std::vector<float>{6, 22, 38, 54, 70, 86});
    CHECK(gpu::to_host(gpu::sum(a, {.axis = {0, 2}})) == std::vector<float>{60, 92, 124});
    CHECK(gpu::to_host(gpu::sum(a.transpose(), {.axis = 2})) ==
          gpu::to_host(gpu::Array<float>(gpu::sum(a, {.axis = 0}).transpose())));
}

TEST_CASE("an expression is summed in one kernel with it") {
    auto x = gpu::arange<float>(5), y = gpu::full<float>({5}, 2.f);
    const auto before = gpu::counts();
    auto dot = gpu::sum(x * y);
    CHECK((gpu::counts() - before).launches == 1);
    CHECK(dot.item() == 20.f);
    CHECK(dot.shape() == gpu::Shape{});
}

TEST_CASE("integers add up in 64 bits, another accumulator can be named") {
    auto i = gpu::full<int>({3}, 2'000'000'000);
    static_assert(std::is_same_v<decltype(gpu::sum(i)), gpu::Array<std::int64_t>>);
    CHECK(gpu::sum(i).item() == 6'000'000'000);
    CHECK(gpu::sum(gpu::to_device({1.f, 2.f}) > 1.f).item() == 1);
    CHECK(gpu::sum<double>(gpu::full<float>({10}, 0.1f)).item() == doctest::Approx(static_cast<double>(0.1f) * 10));
}

TEST_CASE("the sum of nothing is 0, of one element itself") {
    CHECK(gpu::sum(gpu::zeros<float>({0})).item() == 0.f);
    CHECK(gpu::to_host(gpu::sum(gpu::ones<float>({3, 0}), {.axis = 1})) == std::vector<float>{0, 0, 0});
    CHECK(gpu::sum(gpu::ones<float>({0, 3}), {.axis = 1}).size() == 0);
    CHECK(gpu::sum(gpu::full<float>({}, 7.f)).item() == 7.f);
}

TEST_CASE("integers in braces are axes, and no number is a flag") {
    auto x = gpu::arange<float>(6).reshape({2, 3});
    //! [flag]
    auto all_axes = gpu::sum(x, {0, 1});                     // two axes, as x.sum((0, 1))
    auto rows = gpu::sum(x, {.axis = 1, .keepdims = true});  // options have names, and a flag is a bool
    //! [flag]
    CHECK(all_axes.shape() == gpu::Shape{});
    CHECK(all_axes.item() == 15.f);
    CHECK(rows.shape() == gpu::Shape{2, 1});
    CHECK(gpu::to_host(gpu::max(x, {0})) == std::vector<float>{3, 4, 5});
    CHECK(gpu::to_host(gpu::min(x, {-1})) == std::vector<float>{0, 3});
    CHECK(gpu::prod(x + 1.f, {1, 0}).item() == 720.f);
    CHECK(gpu::sum<double>(x, {0, 1}).item() == 15.0);
    CHECK(gpu::mean(x, {1, 0}).item() == 2.5f);
    CHECK(gpu::var(x, {0, 1}).shape() == gpu::Shape{});
    CHECK(gpu::stddev(x, {0}).shape() == gpu::Shape{3});
    CHECK(gpu::argmax(x, {0, 1}).item() == 5);
    CHECK(gpu::argmin(x, {1}).shape() == gpu::Shape{2});
    CHECK(gpu::any(x > 4.f, {0, 1}).item());
    CHECK_FALSE(gpu::all(x > 4.f, {0, 1}).item());
    CHECK(gpu::to_host(gpu::all(x > 1.f, {1})) == std::vector<std::uint8_t>{0, 1});
    CHECK(gpu::to_host(gpu::count_nonzero(x, {1})) == std::vector<std::int64_t>{2, 3});
    CHECK(gpu::nansum(x, {0, 1}).item() == 15.f);
    CHECK(gpu::nanprod(x, {0, 1}).item() == 0.f);
    CHECK(gpu::nanmax(x, {0, 1}).item() == 5.f);
    CHECK(gpu::nanmin(x, {0}).shape() == gpu::Shape{3});
    CHECK(gpu::nanargmax(x, {0, 1}).item() == 5);
    CHECK(gpu::nanargmin(x, {0}).shape() == gpu::Shape{3});
    CHECK(gpu::nanmean(x, {0, 1}).item() == 2.5f);
    CHECK(gpu::nanvar(x, {0, 1}).item() == gpu::var(x).item());
    CHECK(gpu::nanstd(x, {0, 1}).item() == gpu::stddev(x).item());
    CHECK(gpu::linalg::norm(x, {0, 1}).item() == gpu::linalg::norm(x).item());
    CHECK(gpu::sum(x, {}).item() == 15.f);
    const std::size_t last = 1;
    CHECK(gpu::sum(x, {last}).shape() == gpu::Shape{2});
    CHECK_THROWS_AS((void)gpu::sum(x, {0, 0}), gpu::AxisError);
    CHECK_THROWS_AS((void)gpu::sum(x, {0, 2}), gpu::AxisError);

    // tests/docs sees that each flag of options is a gpu::Flag.
    static_assert(std::is_convertible_v<bool, gpu::Flag>);
    static_assert(!std::is_convertible_v<int, gpu::Flag> && !std::is_convertible_v<double, gpu::Flag> &&
                  !std::is_convertible_v<const char*, gpu::Flag>);
}

TEST_CASE("a wrong axis is an AxisError") {
    auto a = gpu::zeros<float>({2, 3});
    CHECK_THROWS_WITH_AS((void)gpu::sum(a, {.axis = 2}),
                         "axis 2 is out of bounds for array of dimension 2 (its shape is (2,3))", gpu::AxisError);
    CHECK_THROWS_WITH_AS((void)gpu::max(a, {.axis = -3}),
                         "axis -3 is out of bounds for array of dimension 2 (its shape is (2,3))", gpu::AxisError);
    CHECK_THROWS_WITH_AS((void)gpu::sum(a, {.axis = {0, -2}}),
                         "duplicate value in 'axis': -2 names an axis again (the array's shape is (2,3))",
                         gpu::AxisError);
    CHECK_THROWS_AS((void)gpu::sum(gpu::full<float>({}, 1.f), {.axis = 0}), gpu::AxisError);
    const std::vector<int> axes{1, 0};
    CHECK(gpu::sum(a + 1.f, {.axis = gpu::Axes(axes)}).item() == 6.f);
}

TEST_CASE("long sums are accurate and the same on every run") {
    const int n = (1 << 22) + 5;
    auto x = gpu::full<float>({n}, 0.1f);
    const float first = gpu::sum(x).item();
    CHECK(first == doctest::Approx(0.1f * static_cast<double>(n)).epsilon(1e-6));
    CHECK(gpu::sum(x).item() == first);
    CHECK(gpu::sum(gpu::ones<float>({1 << 25})).item() == static_cast<float>(1 << 25));  // a serial sum stops at 2^24
}

TEST_CASE("NaN stays NaN") {
    CHECK(std::isnan(gpu::sum(gpu::to_device({1.f, NAN, 2.f})).item()));
}

TEST_CASE("the product") {
    //! [prod]
    auto factors = gpu::to_device({1, 2, 3, 4, 5});
    std::int64_t factorial = gpu::prod(factors).item();  // 120
    //! [prod]
    CHECK(factorial == 120);
    CHECK(gpu::prod(gpu::zeros<float>({0})).item() == 1.f);
    const auto a = gpu::arange<float>(6).reshape({2, 3});
    CHECK(gpu::to_host(gpu::prod(a + 1.f, {.axis = 0})) == std::vector<float>{4, 10, 18});
    CHECK(gpu::prod(gpu::full<std::int8_t>({40}, 2)).item() == std::int64_t{1} << 40);
    CHECK(gpu::prod(gpu::full<int>({65}, 2)).item() == 0);  // wraps around
    CHECK(gpu::prod<double>(gpu::full<float>({100}, 10.f)).item() == doctest::Approx(1e100));
}

TEST_CASE("types of sums: small integers in 64 bits, unsigned stay unsigned, another type is named") {
    const auto u = gpu::full<std::uint8_t>({300}, 255);
    static_assert(std::is_same_v<decltype(gpu::sum(u)), gpu::Array<std::uint64_t>>);
    static_assert(std::is_same_v<decltype(gpu::sum(u > 0)), gpu::Array<std::int64_t>>);
    static_assert(std::is_same_v<decltype(gpu::sum<long long>(u)), gpu::Array<std::int64_t>>);
    static_assert(std::is_same_v<decltype(gpu::sum<std::int16_t>(u)), gpu::Array<std::int16_t>>);
    CHECK(gpu::sum(u).item() == 76500);
    CHECK(gpu::sum<std::int16_t>(u).item() == static_cast<std::int16_t>(76500));
    CHECK(gpu::sum<float>(gpu::to_device({1, 2, 4})).item() == 7.f);
}

TEST_CASE("any, all and count_nonzero of arrays and of conditions") {
    //! [any]
    auto x = gpu::to_device({-1.f, 0.f, 2.f, 3.f});
    bool some = gpu::any(x > 0.f).item();                     // true
    bool every = gpu::all(x > 0.f).item();                    // false
    std::int64_t how_many = gpu::count_nonzero(x).item();     // 3
    //! [any]
    CHECK(some);
    CHECK(!every);
    CHECK(how_many == 3);
    const auto a = x.reshape({2, 2});
    CHECK(gpu::to_host(gpu::any(a, {.axis = 1})) == std::vector<std::uint8_t>{1, 1});
    CHECK(gpu::to_host(gpu::all(a, {.axis = 1})) == std::vector<std::uint8_t>{0, 1});
    CHECK(gpu::all(a, {.axis = {0, 1}, .keepdims = true}).shape() == gpu::Shape{1, 1});
    CHECK(gpu::to_host(gpu::count_nonzero(a, {.axis = 0})) == std::vector<std::int64_t>{2, 1});
    CHECK(gpu::to_host(a(gpu::all, 0)) == std::vector<float>{-1, 2});  // the same object is a slice, too
    const auto none = gpu::zeros<int>({0});
    CHECK(!gpu::any(none).item());
    CHECK(gpu::all(none).item());
    CHECK(gpu::count_nonzero(none).item() == 0);
    const auto odd = gpu::to_device({NAN, 0.5f});
    CHECK(gpu::any(odd).item());
    CHECK(gpu::all(odd).item());  // neither is 0
    CHECK(gpu::count_nonzero(odd).item() == 2);
    CHECK(gpu::count_nonzero(gpu::to_device({256, 1 << 20, 0})).item() == 2);  // not cut to a byte
}

TEST_CASE("min and max, over axes, of expressions") {
    //! [min]
    auto a = gpu::to_device({3, -7, 5, 1, 9, 2}).reshape({2, 3});
    int smallest = gpu::min(a).item();                        // -7
    gpu::Array<int> rows = gpu::max(a, {.axis = 1});          // 5 9
    //! [min]
    CHECK(smallest == -7);
    CHECK(gpu::to_host(rows) == std::vector<int>{5, 9});
    CHECK(gpu::to_host(gpu::min(a, {.axis = 0})) == std::vector<int>{1, -7, 2});
    CHECK(gpu::to_host(gpu::max(a * -1, {.axis = -1})) == std::vector<int>{7, -1});
    CHECK(gpu::max(gpu::full<float>({300}, -3.f)).item() == -3.f);  // no zero takes part
    CHECK(gpu::min(gpu::full<std::uint64_t>({3}, ~std::uint64_t{0})).item() == ~std::uint64_t{0});
    CHECK(gpu::max(gpu::to_device({1.f, 2.f}) > 1.f).item());
    const auto nothing = gpu::zeros<float>({2, 0});
    CHECK_THROWS_WITH_AS((void)gpu::max(nothing),
                         "zero-size array to reduction operation max which has no identity (its shape is (2,0))",
                         gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::min(nothing, {.axis = 1}), gpu::ShapeError);
    CHECK(gpu::max(nothing, {.axis = 0}).size() == 0);
}

TEST_CASE("a NaN anywhere is the min and the max") {
    for (const int n : {1, 2, 70, 5000}) {
        for (const int at : {0, n / 2, n - 1}) {
            auto x = gpu::arange<float>(n);
            x(at) = NAN;
            CAPTURE(n);
            CAPTURE(at);
            CHECK(std::isnan(gpu::min(x).item()));
            CHECK(std::isnan(gpu::max(x).item()));
            CHECK(gpu::argmin(x).item() == at);
            CHECK(gpu::argmax(x).item() == at);
        }
    }
}

TEST_CASE("argmin and argmax: the first of equal ones, the first NaN, places in row-major order") {
    //! [argmin]
    auto a = gpu::to_device({3.f, 9.f, 5.f, 9.f, 1.f, 2.f}).reshape({2, 3});
    std::int64_t place = gpu::argmax(a).item();                       // 1: the first 9
    gpu::Array<std::int64_t> columns = gpu::argmin(a, {.axis = 0});   // 0 1 1
    //! [argmin]
    CHECK(place == 1);
    CHECK(gpu::to_host(columns) == std::vector<std::int64_t>{0, 1, 1});
    CHECK(gpu::to_host(gpu::argmax(a, {.axis = 1, .keepdims = true})) == std::vector<std::int64_t>{1, 0});
    CHECK(gpu::argmin(a.transpose()).item() == 3);  // (3,2): 3 9 9 1 5 2
    CHECK(gpu::argmax(a * -1.f).item() == 4);

    // Several axes that aren't neighbours, against a plain loop; few values, so many ties.
    std::vector<int> values(3 * 5 * 4 * 37);
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<int>(k * 7919 % 13);
    const auto x = gpu::to_device(values).reshape({3, 5, 4, 37});
    const auto places = gpu::to_host(gpu::argmax(x, {.axis = {3, 1}}));
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t k = 0; k < 4; ++k) {
            std::size_t best = 0;
            const auto at = [&](std::size_t r) { return values[((i * 5 + r / 37) * 4 + k) * 37 + r % 37]; };
            for (std::size_t r = 1; r < 5 * 37; ++r) {
                if (at(r) > at(best)) best = r;
            }
            CHECK(places[i * 4 + k] == static_cast<std::int64_t>(best));
        }
    }

    auto many = gpu::ones<double>({100000});
    CHECK(gpu::argmin(many).item() == 0);
    many(77777) = -1.;
    many(99999) = -1.;
    CHECK(gpu::argmin(many).item() == 77777);
    many(99998) = NAN;
    many(88888) = NAN;
    CHECK(gpu::argmin(many).item() == 88888);
    CHECK(gpu::argmax(many).item() == 88888);
    CHECK_THROWS_AS((void)gpu::argmin(gpu::zeros<int>({0})), gpu::ShapeError);
}

TEST_CASE("more than 2^31 elements are counted, and the last row's place is found") {
    // One row 32769 times: 2^31 + 65536 elements in 64 KiB.
    const std::int64_t rows = 32769, length = 65536;
    auto row = gpu::zeros<std::int8_t>({length});
    row(length - 1) = 1;
    CHECK(gpu::count_nonzero(row.broadcast_to({rows, length})).item() == rows);
    auto column = gpu::zeros<std::int8_t>({rows, 1});
    column(rows - 1) = 1;
    CHECK(gpu::argmax(column.broadcast_to({rows, length})).item() == (rows - 1) * length);
}

TEST_CASE("axes in any order of memory: column-major, reversed, broadcast inputs") {
    std::vector<double> values(6 * 50 * 70);
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<double>(k * 7919 % 1009);
    const auto a = gpu::to_device(values).reshape({6, 50, 70});
    const auto weights = gpu::arange<double>(50).reshape({50, 1});
    std::vector<double> planes(6), rows(70);
    double last = 0;
    for (std::size_t k = 0; k < values.size(); ++k) {
        const double weighted = values[k] * static_cast<double>(k / 70 % 50);
        planes[k / 3500] += weighted;
        rows[k % 70] += weighted;
        last += k % 2 == 0 ? values[k] : 0;
    }
    // Whole numbers below 2^53: every order of adding gives the same.
    CHECK(gpu::to_host(gpu::sum(a * weights, {.axis = {1, 2}})) == planes);
    CHECK(gpu::to_host(gpu::sum(weights * a, {.axis = {0, 1}})) == rows);
    CHECK(gpu::sum(a.transpose()).item() == gpu::sum(a).item());
    CHECK(gpu::to_host(gpu::sum((a * weights).eval().transpose(), {.axis = {0, 1}})) == planes);
    CHECK(gpu::sum(a(gpu::all, gpu::all, gpu::slice(gpu::none, gpu::none, -2))).item() ==
          gpu::sum(a).item() - last);
}

TEST_CASE("an empty array may have lengths whose product doesn't fit") {
    constexpr std::int64_t long_axis = std::int64_t{1} << 40;
    auto a = gpu::zeros<float>({0, long_axis, long_axis});
    CHECK(gpu::sum(a, {.axis = {1, 2}}).shape() == gpu::Shape{0});
    CHECK(gpu::stddev(a, {.axis = {1, 2}, .keepdims = true}).shape() == gpu::Shape{0, 1, 1});
    CHECK(gpu::sum(a).item() == 0);
    CHECK(gpu::cumsum(a, {.axis = 0}).shape() == a.shape());
    CHECK(gpu::cumsum(a, {.axis = 2}).shape() == a.shape());
    CHECK(gpu::cumprod(a).shape() == gpu::Shape{0});
    CHECK_THROWS_AS((void)gpu::sum(a, {.axis = 0}), gpu::ShapeError);
}

// Reductions of many shapes and windows: however the threads of a GPU walk through them, each element counts once.
namespace {

/// 0, 1, ... 12 in a stir: sums of them are exact.
template <class T>
std::vector<T> small_numbers(std::int64_t n) {
    std::vector<T> values(static_cast<std::size_t>(n));
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<T>(static_cast<double>(k * 7 % 13));
    return values;
}

struct Sizes {
    std::int64_t a, b, c;
};

/// Sums along each axis of a cube, and over all and over two of them, against a loop.
template <class T>
void check_sums(Sizes sizes, std::int64_t skipped, const std::string& about) {
    const auto [a, b, c] = sizes;
    const auto values = small_numbers<T>(skipped + a * b * c);
    const gpu::Array<T> all = gpu::to_device(values);
    const auto x = all(gpu::slice(skipped, skipped + a * b * c)).reshape({a, b, c});
    std::vector<double> first(static_cast<std::size_t>(b * c)), middle(static_cast<std::size_t>(a * c)),
        last(static_cast<std::size_t>(a * b)), planes(static_cast<std::size_t>(b));
    double total = 0;
    for (std::int64_t i = 0; i < a; ++i)
        for (std::int64_t j = 0; j < b; ++j)
            for (std::int64_t k = 0; k < c; ++k) {
                const auto value = static_cast<double>((skipped + (i * b + j) * c + k) * 7 % 13);
                first[static_cast<std::size_t>(j * c + k)] += value;
                middle[static_cast<std::size_t>(i * c + k)] += value;
                last[static_cast<std::size_t>(i * b + j)] += value;
                planes[static_cast<std::size_t>(j)] += value;
                total += value;
            }
    INFO(about << ": (" << a << "," << b << "," << c << ") from element " << skipped);
    CHECK(gpu::to_host(gpu::sum<double>(x, {.axis = 0})) == first);
    CHECK(gpu::to_host(gpu::sum<double>(x, {.axis = 1})) == middle);
    CHECK(gpu::to_host(gpu::sum<double>(x, {.axis = 2})) == last);
    CHECK(gpu::to_host(gpu::sum<double>(x, {.axis = {0, 2}})) == planes);
    CHECK(gpu::sum<double>(x).item() == total);
}

const std::vector<Sizes> shapes{{1, 1, 1},     {2, 3, 4},     {1, 1, 4099},  {4096, 1, 8},
                                {5000, 2, 3},  {8, 1, 5000},  {64, 64, 32},  {33, 7, 31},
                                {3, 20000, 1}, {16, 300, 24}, {2, 2, 30000}, {300, 1, 129},
                                {40, 12, 100}, {1, 513, 127}, {20, 128, 64}, {7, 5, 1024}};

}  // namespace

TEST_CASE("sums over every axis of many shapes, from an aligned element and from the next one") {
    for (const Sizes& sizes : shapes) {
        for (const std::int64_t skipped : {0, 1}) {
            check_sums<float>(sizes, skipped, "float32");
            check_sums<std::int8_t>(sizes, skipped, "int8");
        }
    }
}

TEST_CASE("sums of every size of element") {
    for (const Sizes& sizes : {Sizes{4096, 1, 8}, {33, 7, 31}, {16, 30, 24}, {20, 128, 64}}) {
        for (const std::int64_t skipped : {0, 3}) {
            check_sums<gpu::half>(sizes, skipped, "float16");
            check_sums<gpu::bfloat16>(sizes, skipped, "bfloat16");
            check_sums<double>(sizes, skipped, "float64");
            check_sums<std::uint16_t>(sizes, skipped, "uint16");
            check_sums<std::int64_t>(sizes, skipped, "int64");
        }
    }
}

TEST_CASE("windows on a matrix: every second row or column, backwards, transposed, a part of it") {
    const std::int64_t m = 96, n = 520;
    const auto values = small_numbers<float>(m * n);
    const auto x = gpu::to_device(values).reshape({m, n});
    const auto check = [&](const auto& window, std::int64_t first, std::int64_t down, std::int64_t right,
                           const char* about) {
        const std::int64_t rows = window.shape()[0], columns = window.shape()[1];
        std::vector<double> by_row(static_cast<std::size_t>(rows)), by_column(static_cast<std::size_t>(columns));
        std::vector<std::int64_t> places(by_row.size());
        for (std::int64_t i = 0; i < rows; ++i) {
            float most = -1;
            for (std::int64_t j = 0; j < columns; ++j) {
                const float value = values[static_cast<std::size_t>(first + i * down + j * right)];
                by_row[static_cast<std::size_t>(i)] += static_cast<double>(value);
                by_column[static_cast<std::size_t>(j)] += static_cast<double>(value);
                if (value > most) most = value, places[static_cast<std::size_t>(i)] = j;
            }
        }
        INFO(about);
        CHECK(gpu::to_host(gpu::sum<double>(window, {.axis = 1})) == by_row);
        CHECK(gpu::to_host(gpu::sum<double>(window, {.axis = 0})) == by_column);
        CHECK(gpu::to_host(gpu::argmax(window, {.axis = 1})) == places);
        double total = 0;
        for (const double sum : by_row) total += sum;
        CHECK(gpu::sum<double>(window).item() == total);
    };
    using gpu::slice;
    check(x(slice(0, m, 2)), 0, 2 * n, 1, "every second row");
    check(x(slice(0, m), slice(0, n, 2)), 0, n, 2, "every second column");
    check(x(slice(0, m), slice(4, n)), 4, n, 1, "from column 4 on");
    check(x(slice(0, m), slice(1, n - 3)), 1, n, 1, "without the first column and the last three");
    check(x(slice(8, 24), slice(8, 40)), 8 * n + 8, n, 1, "a part of 16 x 32");
    check(x.transpose(), 0, 1, n, "transposed");
    check(x(slice(m - 1, gpu::none, -1)), (m - 1) * n, -n, 1, "rows backwards");
    check(x(slice(0, m), slice(n - 1, gpu::none, -1)), n - 1, n, -1, "columns backwards");
}

TEST_CASE("an operand that is broadcast along rows or columns counts at every element") {
    const std::int64_t m = 70, n = 264;
    const auto values = small_numbers<float>(m * n), w = small_numbers<float>(m), v = small_numbers<float>(n);
    const auto x = gpu::to_device(values).reshape({m, n});
    const auto weights = gpu::to_device(w).reshape({m, 1});
    const auto others = gpu::to_device(v);
    std::vector<float> rows(static_cast<std::size_t>(m)), columns(static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < m; ++i)
        for (std::int64_t j = 0; j < n; ++j) {
            const float term = values[static_cast<std::size_t>(i * n + j)] * w[static_cast<std::size_t>(i)] +
                               v[static_cast<std::size_t>(j)];
            rows[static_cast<std::size_t>(i)] += term;
            columns[static_cast<std::size_t>(j)] += term;
        }
    CHECK(gpu::to_host(gpu::sum(x * weights + others, {.axis = 1})) == rows);
    CHECK(gpu::to_host(gpu::sum(x * weights + others, {.axis = 0})) == columns);
}

TEST_CASE("one NaN, infinity or denormal among many elements is found wherever it is") {
    const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity(),
                tiny = std::numeric_limits<float>::denorm_min();
    const std::int64_t n = 40003;
    for (const std::int64_t place : {0, 1, 255, 256, 1023, 4099, 40000, 40002}) {
        INFO("at " << place);
        std::vector<float> values(static_cast<std::size_t>(n), 0.f);
        float& value = values[static_cast<std::size_t>(place)];
        value = tiny;
        CHECK(gpu::sum(gpu::to_device(values)).item() == tiny);
        CHECK(gpu::max(gpu::to_device(values)).item() == tiny);
        CHECK(gpu::argmax(gpu::to_device(values)).item() == place);
        value = infinity;
        CHECK(gpu::sum(gpu::to_device(values)).item() == infinity);
        value = nan;
        const auto x = gpu::to_device(values);
        const float sum = gpu::sum(x).item(), most = gpu::max(x).item();
        CHECK(sum != sum);
        CHECK(most != most);
        CHECK(gpu::argmax(x).item() == place);
        CHECK(gpu::nansum(x).item() == 0.f);
        CHECK(gpu::any(x).item());
    }
}

TEST_CASE("a sum has the same bits again and again, split over blocks or not") {
    for (const std::int64_t n : {1000, 100003, 1 << 20}) {
        std::vector<float> values(static_cast<std::size_t>(n));
        for (std::size_t k = 0; k < values.size(); ++k)
            values[k] = static_cast<float>(static_cast<double>(k * 7919 % 100003) * 1e-5 - 0.5);
        const auto x = gpu::to_device(values);
        const float first = gpu::sum(x).item();
        for (int k = 0; k < 10; ++k) CHECK(gpu::sum(x).item() == first);
    }
}

// Reductions of float16 and of complex numbers.
using gpu::half;
using C = gpu::complex<float>;
using Z = gpu::complex<double>;

TEST_CASE("float16 adds up in float32 and is rounded once") {
    const auto x = gpu::full<half>({4096}, half(1.f));
    static_assert(std::is_same_v<decltype(gpu::sum(x)), gpu::Array<half>>);
    CHECK(static_cast<float>(gpu::sum(x).item()) == 4096.f);  // a sum in float16 stops at 2048
    CHECK(static_cast<float>(gpu::sum(gpu::full<half>({70000}, half(1.f))).item()) == INFINITY);  // what a half holds
    CHECK(gpu::sum<float>(gpu::full<half>({70000}, half(1.f))).item() == 70000.f);
    CHECK(static_cast<float>(gpu::mean(gpu::full<half>({70000}, half(3.f))).item()) == 3.f);
    CHECK(gpu::mean<double>(x).item() == 1.0);
    CHECK(static_cast<float>(gpu::prod(gpu::full<half>({20}, half(0.5f)), {.keepdims = true}).item()) == 0x1p-20f);

    std::vector<half> values;
    for (const float v : {3.f, -2.f, 0.f, 5.f, 5.f, -2.f}) values.push_back(half(v));
    const auto a = gpu::to_device(values).reshape({2, 3});
    const auto rows = gpu::to_host(gpu::max(a, {.axis = 1}));
    CHECK(static_cast<float>(rows[0]) == 3.f);
    CHECK(static_cast<float>(rows[1]) == 5.f);
    CHECK(static_cast<float>(gpu::min(a).item()) == -2.f);
    CHECK(gpu::argmax(a).item() == 3);
    CHECK(gpu::argmin(a).item() == 1);
    CHECK(gpu::count_nonzero(a).item() == 5);
    CHECK(gpu::any(a).item());
    CHECK(!gpu::all(a).item());
    CHECK(static_cast<float>(gpu::to_host(gpu::linalg::norm(a, {.axis = 1}))[0]) ==
          doctest::Approx(std::sqrt(13.)).epsilon(1e-3));
    CHECK(static_cast<float>(gpu::var(x).item()) == 0.f);
    CHECK(static_cast<float>(gpu::stddev(a).item()) == doctest::Approx(2.9861).epsilon(1e-3));
    CHECK(static_cast<float>(gpu::sum(a * a).item()) == 67.f);

    const gpu::ReductionKernel squares("T x", "T y", "x * x", "a + b", "y = a", "0", "half_squares");
    CHECK(static_cast<float>(gpu::Array<half>(squares(x)).item()) == 4096.f);
}

TEST_CASE("complex numbers: sum, product, mean, norm, variance, truth") {
    const std::vector<C> values{{1, 2}, {3, -4}, {0, 0}, {0, 1}};
    const auto a = gpu::to_device(values);
    const auto m = a.reshape({2, 2});
    CHECK(gpu::sum(a).item() == C(4, -1));
    CHECK(gpu::to_host(gpu::sum(m, {.axis = 0})) == std::vector<C>{{1, 2}, {3, -3}});
    CHECK(gpu::sum<Z>(a).item() == Z(4, -1));
    CHECK(gpu::sum(a * a).item() == C(-11, -20));
    CHECK(gpu::to_host(gpu::prod(m, {.axis = 1})) == std::vector<C>{{11, 2}, {0, 0}});
    CHECK(gpu::mean(a).item() == C(1, -0.25f));
    CHECK(gpu::to_host(gpu::count_nonzero(m, {.axis = 1})) == std::vector<std::int64_t>{2, 1});
    CHECK(gpu::any(a).item());
    CHECK(gpu::to_host(gpu::all(m, {.axis = 1})) == std::vector<std::uint8_t>{1, 0});

    static_assert(std::is_same_v<decltype(gpu::linalg::norm(a)), gpu::Array<float>>);
    CHECK(gpu::linalg::norm(a).item() == doctest::Approx(std::sqrt(31.)));
    CHECK(gpu::linalg::norm(a, {.ord = 1}).item() == doctest::Approx(std::sqrt(5.) + 6));
    CHECK(gpu::linalg::norm(a, {.ord = INFINITY}).item() == 5.f);
    CHECK(gpu::linalg::norm(a, {.ord = 0}).item() == 3.f);

    static_assert(std::is_same_v<decltype(gpu::var(a)), gpu::Array<float>>);
    CHECK(gpu::var(a).item() == doctest::Approx(31. / 4 - 17. / 16));  // mean of |z|² less |mean|²
    std::vector<Z> far;
    for (const C& z : values) far.emplace_back(1e8 + z.real(), -1e8 + z.imag());
    CHECK(gpu::stddev(gpu::to_device(far), {.ddof = 1}).item() ==
          doctest::Approx(std::sqrt((31. - 17. / 4) / 3)).epsilon(1e-9));
    CHECK(std::isnan(gpu::mean(gpu::zeros<C>({0})).item().real()));
    CHECK(gpu::sum(gpu::zeros<Z>({0})).item() == Z(0, 0));
}

// Reductions into arrays and views that exist.
TEST_CASE("a reduction writes into an array that exists") {
    //! [out]
    auto a = gpu::arange<float>(6).reshape({2, 3});
    auto sums = gpu::zeros<float>({3});
    gpu::sum(a, {.axis = 0, .out = gpu::out(sums)});  // 3 5 7
    //! [out]
    CHECK(gpu::to_host(sums) == std::vector<float>{3, 5, 7});
    const auto before = gpu::counts();
    gpu::sum(a, {.axis = 0, .out = gpu::out(sums)});
    CHECK((gpu::counts() - before).allocations == 0);

    auto column = gpu::zeros<float>({2, 1});
    gpu::max(a, {.axis = 1, .keepdims = true, .out = gpu::out(column)});
    CHECK(gpu::to_host(column) == std::vector<float>{2, 5});
    auto one = gpu::zeros<std::int64_t>({});
    gpu::argmax(a, {.out = gpu::out(one)});
    CHECK(one.item() == 5);
    gpu::count_nonzero(a, {.out = gpu::out(one)});
    CHECK(one.item() == 5);
    auto flag = gpu::zeros<bool>({2});
    gpu::all(a, {.axis = 1, .out = gpu::out(flag)});
    CHECK(gpu::to_host(flag) == std::vector<std::uint8_t>{0, 1});
    gpu::any(a < 3.f, {.axis = 1, .out = gpu::out(flag)});
    CHECK(gpu::to_host(flag) == std::vector<std::uint8_t>{1, 0});
}

TEST_CASE("views take results, also strided and transposed ones, and nothing beside them is written") {
    const auto a = gpu::arange<float>(24).reshape({2, 3, 4});
    auto wide = gpu::full<float>({4, 6}, -1.f);
    gpu::sum(a, {.axis = 0, .out = gpu::out(wide(gpu::all, gpu::slice(0, 6, 2)).transpose())});
    for (int row = 0; row < 4; ++row) {
        for (int column = 0; column < 3; ++column) {
            CHECK(wide(row, 2 * column).item() == static_cast<float>(12 + 2 * (4 * column + row)));
            CHECK(wide(row, 2 * column + 1).item() == -1.f);
        }
    }
    auto backwards = gpu::zeros<double>({2, 1, 4});
    gpu::mean<double>(a, {.axis = 1, .keepdims = true, .out = gpu::out(backwards(gpu::slice(0, 2), gpu::all))});
    CHECK(gpu::to_host(backwards) == std::vector<double>{4, 5, 6, 7, 16, 17, 18, 19});
}

TEST_CASE("an output may overlap the input") {
    auto a = gpu::arange<float>(12).reshape({3, 4});
    gpu::sum(a, {.axis = 0, .out = gpu::out(a(1, gpu::all))});
    CHECK(gpu::to_host(a) == std::vector<float>{0, 1, 2, 3, 12, 15, 18, 21, 8, 9, 10, 11});
    auto b = gpu::arange<float>(4).reshape({2, 2});
    gpu::prod(b + 1.f, {.axis = 1, .keepdims = true, .out = gpu::out(b(gpu::all, gpu::slice(1, 2)))});
    CHECK(gpu::to_host(b) == std::vector<float>{0, 2, 2, 12});
}

TEST_CASE("what doesn't fit is refused: type, shape, stale expressions") {
    auto a = gpu::ones<float>({2, 3});
    auto y = gpu::zeros<float>({3});
    auto d = gpu::zeros<double>({3});
    CHECK_THROWS_WITH_AS(gpu::sum(a, {.axis = 0, .out = gpu::out(d)}),
                         "sum: the result has float32 elements, the array of gpu::out() has float64", gpu::DTypeError);
    CHECK_NOTHROW(gpu::sum<double>(a, {.axis = 0, .out = gpu::out(d)}));
    CHECK_THROWS_WITH_AS(gpu::min(a, {.axis = 1, .out = gpu::out(y)}),
                         "min: the result has shape (2,), the array of gpu::out() has (3,)", gpu::ShapeError);
    CHECK_THROWS_AS(gpu::min(a, {.axis = 0, .keepdims = true, .out = gpu::out(y)}), gpu::ShapeError);
    const auto twice = a * 2.f;
    gpu::sum(a, {.axis = 0, .out = gpu::out(a(0, gpu::all))});
    CHECK_THROWS_AS((void)gpu::sum(twice), gpu::ExpressionError);  // the result counts as a write
}

// Reductions without NaN, and numbers in place of NaN.
namespace {

using Doubles = std::vector<double>;
using Floats = std::vector<float>;
using Places = std::vector<std::int64_t>;
constexpr float inf = std::numeric_limits<float>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("nansum and nanprod leave NaN out") {
    //! [nansum]
    auto x = gpu::to_device({{1.f, NAN, 3.f}, {NAN, NAN, 2.f}});
    float total = gpu::nansum(x).item();                             // 6
    gpu::Array<float> columns = gpu::nansum(x, {.axis = 0});         // 1 0 5
    gpu::Array<float> products = gpu::nanprod(x, {.axis = 1});       // 3 2
    //! [nansum]
    CHECK(total == 6);
    CHECK(gpu::to_host(columns) == Floats{1, 0, 5});
    CHECK(gpu::to_host(products) == Floats{3, 2});
    CHECK(gpu::nansum<double>(x).item() == 6.);
    CHECK(gpu::nansum(gpu::to_device({1, 2, 3})).item() == 6);
    CHECK(gpu::nansum(gpu::to_device({inf, NAN})).item() == inf);
    auto out = gpu::zeros<float>({3});
    gpu::nansum(x * 2.f, {.axis = 0, .out = gpu::out(out)});
    CHECK(gpu::to_host(out) == Floats{2, 0, 10});
    gpu::nanprod(x, {.axis = 0, .out = gpu::out(out)});
    CHECK(gpu::to_host(out) == Floats{1, 1, 6});
    CHECK(gpu::nansum(gpu::to_device({Z(1, 2), Z(NAN, 1), Z(1, NAN)})).item() == Z(1, 2));
}

TEST_CASE("nanmin, nanmax and their places; of NaN alone NaN, and place -1") {
    //! [nanmin]
    auto x = gpu::to_device({{4.f, NAN, -2.f}, {NAN, NAN, NAN}});
    gpu::Array<float> least = gpu::nanmin(x, {.axis = 1});                   // -2 NaN
    gpu::Array<float> most = gpu::nanmax(x, {.axis = 1});                    // 4 NaN
    gpu::Array<std::int64_t> where_least = gpu::nanargmin(x, {.axis = 1});   // 2 -1
    gpu::Array<std::int64_t> where_most = gpu::nanargmax(x, {.axis = 1});    // 0 -1
    //! [nanmin]
    CHECK(least(0).item() == -2);
    CHECK(std::isnan(least(1).item()));
    CHECK(most(0).item() == 4);
    CHECK(std::isnan(most(1).item()));
    CHECK(gpu::to_host(where_least) == Places{2, -1});
    CHECK(gpu::to_host(where_most) == Places{0, -1});
    CHECK(gpu::nanmax(gpu::to_device({3, 9, 1})).item() == 9);
    CHECK(gpu::nanargmin(gpu::to_device({3, 1, 1})).item() == 1);  // the first of equals
    CHECK(gpu::nanmin(x.astype<gpu::half>()).item() == gpu::half(-2.f));
    CHECK(gpu::nanmax(gpu::to_device({-inf, NAN})).item() == -inf);
    CHECK(gpu::nanargmax(gpu::to_device({NAN, -inf, NAN})).item() == 1);
    auto out = gpu::zeros<float>({3});
    gpu::nanmax(x, {.axis = 0, .out = gpu::out(out)});
    CHECK(out(2).item() == -2);
    gpu::nanmin(x, {.axis = 0, .out = gpu::out(out)});
    CHECK(out(0).item() == 4);
    auto place = gpu::zeros<std::int64_t>({});
    gpu::nanargmin(x, {.out = gpu::out(place)});
    CHECK(place.item() == 2);
    gpu::nanargmax(x, {.out = gpu::out(place)});
    CHECK(place.item() == 0);
    CHECK_THROWS_AS((void)gpu::nanmin(gpu::zeros<float>({0})), gpu::ShapeError);

    // Many elements, so that parts of the array are combined in a tree: NaN everywhere but at two places.
    auto wide = gpu::full<double>({100003}, NAN);
    wide(77777) = 5.;
    wide(99999) = 5.;
    CHECK(gpu::nanargmax(wide).item() == 77777);
    CHECK(gpu::nanargmin(wide).item() == 77777);
    CHECK(gpu::nanmin(wide).item() == 5);
}

TEST_CASE("nanmean, nanvar and nanstd count what is left") {
    //! [nanmean]
    auto x = gpu::to_device({{1., not_a_number, 3.}, {not_a_number, not_a_number, 7.}});
    gpu::Array<double> means = gpu::nanmean(x, {.axis = 1});             // 2 7
    gpu::Array<double> variances = gpu::nanvar(x, {.axis = 1});          // 1 0
    double deviation = gpu::nanstd(x, {.ddof = 1}).item();               // of 1, 3 and 7
    //! [nanmean]
    CHECK(gpu::to_host(means) == Doubles{2, 7});
    CHECK(gpu::to_host(variances) == Doubles{1, 0});
    CHECK(deviation == doctest::Approx(std::sqrt(28 / 3.)));
    const Doubles columns = gpu::to_host(gpu::nanmean(x, {.axis = 0}));
    CHECK(columns[0] == 1);
    CHECK(std::isnan(columns[1]));
    CHECK(columns[2] == 5);
    // One element left, and one too few for ddof = 1.
    const Doubles few = gpu::to_host(gpu::nanvar(x, {.axis = 1, .ddof = 1}));
    CHECK(few[0] == 2);
    CHECK(std::isnan(few[1]));
    CHECK(std::isnan(gpu::nanmean(gpu::zeros<float>({0})).item()));
    static_assert(std::is_same_v<decltype(gpu::nanmean(gpu::to_device({1, 2}))), gpu::Array<double>>);
    CHECK(gpu::nanmean(gpu::to_device({1, 2})).item() == 1.5);
    CHECK(gpu::nanvar(gpu::to_device({1, 2, 3, 4})).item() == 1.25);
    auto out = gpu::zeros<double>({2, 1});
    gpu::nanmean(x, {.axis = 1, .keepdims = true, .out = gpu::out(out)});
    CHECK(gpu::to_host(out) == Doubles{2, 7});
    gpu::nanvar(x, {.axis = 1, .keepdims = true, .out = gpu::out(out)});
    CHECK(gpu::to_host(out) == Doubles{1, 0});
    gpu::nanstd(x, {.axis = 1, .keepdims = true, .out = gpu::out(out)});
    CHECK(gpu::to_host(out) == Doubles{1, 0});

    // A large offset does no harm; where nothing is NaN, the results are var()'s.
    const auto offset = gpu::Array<double>(gpu::arange<double>(1000) + 1e9);
    CHECK(gpu::nanvar(offset).item() == doctest::Approx(83333.25).epsilon(1e-12));
    CHECK(std::isnan(gpu::nanvar(gpu::to_device({1.f, inf, NAN})).item()));
    const auto z = gpu::to_device({C(1, 1), C(NAN, 0), C(3, 1)});
    CHECK(gpu::nanmean(z).item() == C(2, 1));
    CHECK(gpu::nanvar(z).item() == 1.f);
}

TEST_CASE("nan_to_num writes numbers in place of NaN and the infinities") {
    //! [nan_to_num]
    auto x = gpu::to_device({1.f, NAN, INFINITY, -INFINITY});
    gpu::Array<float> finite = gpu::nan_to_num(x);  // 1 0 3.4e38 -3.4e38
    gpu::Array<float> marked = gpu::nan_to_num(x, {.nan = -1, .posinf = 99, .neginf = -99});
    //! [nan_to_num]
    constexpr float most = std::numeric_limits<float>::max();
    CHECK(gpu::to_host(finite) == Floats{1, 0, most, -most});
    CHECK(gpu::to_host(marked) == Floats{1, -1, 99, -99});
    CHECK(gpu::to_host(gpu::nan_to_num(x.astype<gpu::half>()).eval())[2] == gpu::half(65504.f));
    CHECK(gpu::to_host(gpu::nan_to_num(x.astype<double>()).eval())[3] == std::numeric_limits<double>::lowest());
    CHECK(gpu::to_host(gpu::nan_to_num(gpu::to_device({1, 2})).eval()) == std::vector<int>{1, 2});
    const auto z = gpu::to_host(gpu::nan_to_num(gpu::to_device({C(NAN, 2), C(-INFINITY, NAN), C(-0.f, -5)})).eval());
    CHECK(z == std::vector<C>{C(0, 2), C(-most, 0), C(0, -5)});
    CHECK(std::signbit(z[2].real()));
}

TEST_CASE("norm is the square root of the sum of squares") {
    //! [norm]
    auto v = gpu::to_device({3.f, -4.f});
    float length = gpu::linalg::norm(v).item();                      // 5
    float taxi = gpu::linalg::norm(v, {.ord = 1}).item();            // 7
    float largest = gpu::linalg::norm(v, {.ord = INFINITY}).item();  // 4
    //! [norm]
    CHECK(length == 5.f);
    CHECK(taxi == 7.f);
    CHECK(largest == 4.f);
    CHECK(gpu::linalg::norm(gpu::to_device({3, 4})).item() == 5.0);
    auto a = gpu::arange<double>(6).reshape({2, 3});
    const auto rows = gpu::to_host(gpu::linalg::norm(a, {.axis = 1}));
    CHECK(rows[0] == doctest::Approx(std::sqrt(5.0)));
    CHECK(rows[1] == doctest::Approx(std::sqrt(50.0)));
    CHECK(gpu::linalg::norm(a).item() == doctest::Approx(std::sqrt(55.0)));
    auto y = gpu::zeros<double>({3, 1});
    gpu::linalg::norm(a.transpose(), {.axis = 1, .keepdims = true, .ord = 1, .out = gpu::out(y)});
    CHECK(gpu::to_host(y) == std::vector<double>{3, 5, 7});
}

TEST_CASE("norms of every order, of rows and of expressions") {
    const auto a = gpu::to_device({1., -2., 0., 0., -3., 4.}).reshape({2, 3});
    const auto of_rows = [&](double ord) { return gpu::to_host(gpu::linalg::norm(a, {.axis = 1, .ord = ord})); };
    CHECK(of_rows(0) == std::vector<double>{2, 2});
    CHECK(of_rows(1) == std::vector<double>{3, 7});
    CHECK(of_rows(INFINITY) == std::vector<double>{2, 4});
    CHECK(of_rows(-INFINITY) == std::vector<double>{0, 0});
    CHECK(of_rows(3)[1] == doctest::Approx(std::cbrt(27. + 64.)));
    CHECK(of_rows(0.5)[0] == doctest::Approx(std::pow(1 + std::sqrt(2.), 2)));
    CHECK(gpu::linalg::norm(gpu::to_device({1, -2, 3}) * 2, {.ord = 1}).item() == 12.0);
    CHECK_THROWS_WITH_AS((void)gpu::linalg::norm(a, {.ord = 1}),
                         "linalg::norm: an order other than 2 is for vectors, over one axis, not over 2 of shape "
                         "(2,3): name an axis, or reshape",
                         gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::linalg::norm(a, {.axis = 0, .ord = NAN}), gpu::Error);
}

TEST_CASE("NaN and nothing") {
    const auto x = gpu::to_device({1.f, NAN, 5.f});
    for (const double ord : {1., 2., 3., static_cast<double>(INFINITY), static_cast<double>(-INFINITY)}) {
        CAPTURE(ord);
        CHECK(std::isnan(gpu::linalg::norm(x, {.ord = ord}).item()));
    }
    CHECK(gpu::linalg::norm(x, {.ord = 0}).item() == 3.f);
    const auto nothing = gpu::zeros<float>({0});
    CHECK(gpu::linalg::norm(nothing).item() == 0.f);
    CHECK(gpu::linalg::norm(nothing, {.ord = INFINITY}).item() == 0.f);
    CHECK_THROWS_AS((void)gpu::linalg::norm(nothing, {.ord = -INFINITY}), gpu::ShapeError);
}
