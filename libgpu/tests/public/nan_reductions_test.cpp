// SPDX-License-Identifier: MIT
// Reductions without NaN, and numbers in place of NaN.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include <gpu/gpu.hpp>

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
    using Z = gpu::complex<double>;
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
    using Z = gpu::complex<float>;
    const auto z = gpu::to_device({Z(1, 1), Z(NAN, 0), Z(3, 1)});
    CHECK(gpu::nanmean(z).item() == Z(2, 1));
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
    using Z = gpu::complex<float>;
    const auto z = gpu::to_host(gpu::nan_to_num(gpu::to_device({Z(NAN, 2), Z(-INFINITY, NAN), Z(-0.f, -5)})).eval());
    CHECK(z == std::vector<Z>{Z(0, 2), Z(-most, 0), Z(0, -5)});
    CHECK(std::signbit(z[2].real()));
}
