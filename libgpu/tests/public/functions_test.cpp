// SPDX-License-Identifier: MIT
// Each name once; property/property_test.cpp compares their values for all types and shapes.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include <gpu/gpu.hpp>

TEST_CASE("functions of real numbers are there under C++'s and NumPy's names") {
    auto x = gpu::to_device({0.25f, 0.5f});
    const auto both = [&](const gpu::Expr<float>& a, const gpu::Expr<float>& b) {
        CHECK(gpu::to_host(a.eval()) == gpu::to_host(b.eval()));
    };
    //! [names]
    both(gpu::asin(x), gpu::arcsin(x));
    both(gpu::acos(x), gpu::arccos(x));
    both(gpu::atan(x), gpu::arctan(x));
    both(gpu::asinh(x), gpu::arcsinh(x));
    both(gpu::acosh(x + 1.f), gpu::arccosh(x + 1.f));
    both(gpu::atanh(x), gpu::arctanh(x));
    both(gpu::atan2(x, 2.f), gpu::arctan2(x, 2.f));
    both(gpu::degrees(x), gpu::rad2deg(x));
    both(gpu::radians(x), gpu::deg2rad(x));
    both(gpu::abs(-x), gpu::fabs(-x));
    both(gpu::round(x), gpu::rint(x));
    both(gpu::fmod(x, 0.4f), x % 0.4f);
    both(gpu::square(x), gpu::pow(x, 2));
    both(gpu::power(x, 3), gpu::pow(x, 3));
    both(gpu::absolute(-x), gpu::abs(-x));
    both(gpu::negative(x), -x);
    //! [names]
    const auto near = [](const gpu::Array<float>& got, double want) {
        CHECK(gpu::to_host(got)[1] == doctest::Approx(want).epsilon(1e-5));
    };
    //! [functions]
    near(gpu::exp(x), std::exp(0.5));
    near(gpu::expm1(x), std::expm1(0.5));
    near(gpu::log2(x), std::log2(0.5));
    near(gpu::log10(x), std::log10(0.5));
    near(gpu::log1p(x), std::log1p(0.5));
    near(gpu::sin(x), std::sin(0.5));
    near(gpu::cos(x), std::cos(0.5));
    near(gpu::tan(x), std::tan(0.5));
    near(gpu::sinh(x), std::sinh(0.5));
    near(gpu::cosh(x), std::cosh(0.5));
    near(gpu::tanh(x), std::tanh(0.5));
    near(gpu::ceil(x), std::ceil(0.5));
    near(gpu::cbrt(x), std::cbrt(0.5));
    near(gpu::rsqrt(x), 1 / std::sqrt(0.5));
    near(gpu::exp2(x), std::exp2(0.5));
    near(gpu::erf(x), std::erf(0.5));
    near(gpu::erfc(x), std::erfc(0.5));
    near(gpu::lgamma(x), std::lgamma(0.5));
    near(gpu::tgamma(x), std::tgamma(0.5));
    near(gpu::hypot(x, 2.f), std::hypot(0.5, 2.0));
    near(gpu::copysign(x, -1.f), -0.5);
    near(gpu::trunc(x * 3.f), 1);
    near(gpu::fmin(x, 0.3f), 0.3);
    near(gpu::fmax(x, 0.3f), 0.5);
    near(gpu::minimum(x, 0.3f), 0.3);  // of a number and a NaN the NaN; fmin gives the number
    near(gpu::fma(x, 4.f, 1.f), 3);    // x * 4 + 1, rounded once
    near(gpu::reciprocal(x), 2);
    near(gpu::floor_divide(x, -0.2f), -3);
    near(gpu::remainder(x, -0.2f), -0.1);
    gpu::Array<bool> odd = gpu::isnan(x) || gpu::isinf(x) || !gpu::isfinite(x) || gpu::signbit(x);
    //! [functions]
    CHECK_FALSE(gpu::any(odd).item());
}

TEST_CASE("operators are there under NumPy's names, and in place") {
    auto i = gpu::to_device({12, 7});
    const auto equal = [](const gpu::Array<int>& a, std::vector<int> want) { CHECK(gpu::to_host(a) == want); };
    //! [operator_names]
    equal(gpu::add(i, 1), {13, 8});
    equal(gpu::subtract(i, 1), {11, 6});
    equal(gpu::multiply(i, 2), {24, 14});
    equal(gpu::divide(i, 2), {6, 3});
    equal(gpu::bitwise_and(i, 4) + gpu::bitwise_or(i, 1) * 10 + gpu::bitwise_xor(i, i), {134, 74});
    equal(gpu::left_shift(i, 1), {24, 14});
    equal(gpu::right_shift(i, 1), {6, 3});
    equal(gpu::bitwise_not(i), {-13, -8});
    equal(gpu::invert(i) + ~i, {-26, -16});
    gpu::Array<bool> first = gpu::equal(i, 12) && gpu::not_equal(i, 7) && gpu::greater(i, 7) && gpu::less(i, 13);
    gpu::Array<bool> one = gpu::logical_xor(i, i) || gpu::logical_not(i - 7);
    gpu::Array<bool> all = gpu::logical_or(gpu::less_equal(i, 7), gpu::logical_and(gpu::greater_equal(i, 7), i > 0));
    i %= 8;
    i &= 6;
    i |= 1;
    i ^= 2;
    i <<= 3;
    i >>= 1;
    //! [operator_names]
    CHECK(gpu::to_host(first) == std::vector<std::uint8_t>{1, 0});
    CHECK(gpu::to_host(one) == std::vector<std::uint8_t>{0, 1});
    CHECK(gpu::all(all).item());
    equal(i, {((((12 % 8) & 6) | 1) ^ 2) << 3 >> 1, ((((7 % 8) & 6) | 1) ^ 2) << 3 >> 1});
}
