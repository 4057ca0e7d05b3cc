// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

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
