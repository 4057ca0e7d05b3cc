// SPDX-License-Identifier: MIT
// The math API against the C++ library in double; a GPU's own errors of a few units in the last place are allowed for.
#include <bit>
#include <cfenv>
#include <cmath>
#include <functional>
#include <limits>

#include "support.hpp"
#include "texts/math.hpp"
#include "texts/mixed.hpp"

namespace {

double sinpi(double x) { return std::sin(M_PI * std::fmod(x, 2.0)); }
double cospi(double x) { return std::cos(M_PI * std::fmod(x, 2.0)); }

// Row k of the kernels' results, in their order. `single`: what is the type's own business (frexp, nextafter) in float.
std::vector<double> expected(double x, double y, bool single) {
    int exponent = 0, quotient = 0;
    const double fraction = std::frexp(x, &exponent), rest = std::remquo(x, y, &quotient);
    double whole = 0;
    const double part = std::modf(x, &whole);
    const double next = single ? static_cast<double>(std::nextafter(static_cast<float>(x), static_cast<float>(y)))
                               : std::nextafter(x, y);
    const auto inverse = [](const std::function<double(double)>& f, double target, double low, double high) {
        for (int k = 0; k < 200; ++k) {
            const double middle = (low + high) / 2;
            (f(middle) < target ? low : high) = middle;
        }
        return (low + high) / 2;
    };
    const auto erf_of = [](double v) { return std::erf(v); };
    const auto minus_erfc = [](double v) { return -std::erfc(v); };
    const double root = std::sqrt(0.5);
    return {std::acos(x / 10),
            std::acosh(1 + y),
            std::asin(x / 10),
            std::asinh(x),
            std::atan(x),
            std::atan2(x, y),
            std::atanh(x / 10),
            std::cbrt(x),
            std::ceil(x),
            std::copysign(y, x),
            std::cos(x),
            std::cosh(x),
            std::erf(x),
            std::erfc(x),
            std::exp(x),
            std::pow(10.0, x),
            std::exp2(x),
            std::expm1(x),
            std::fabs(x),
            std::fdim(x, y),
            std::floor(x),
            std::fma(x, y, 2.0),
            std::fmax(x, y),
            std::fmin(x, y),
            std::fmod(x, y),
            fraction,
            static_cast<double>(exponent),
            std::hypot(x, y),
            static_cast<double>(std::ilogb(y)),
            std::ldexp(x, 5),
            std::lgamma(y),
            static_cast<double>(std::llrint(x)),
            static_cast<double>(std::llround(x)),
            std::log(y),
            std::log10(y),
            std::log1p(y),
            std::log2(y),
            std::logb(y),
            static_cast<double>(std::lrint(x)),
            static_cast<double>(std::lround(x)),
            part,
            whole,
            std::nearbyint(x),
            next,
            std::pow(y, x),
            std::remainder(x, y),
            std::rint(x),
            std::round(x),
            std::scalbn(x, -3),
            std::scalbln(x, 4),
            std::sin(x),
            std::sinh(x),
            std::sqrt(y),
            std::tan(x),
            std::tanh(x),
            std::tgamma(y),
            std::trunc(x),
            rest,
            static_cast<double>(quotient & 7),
            ::j0(y),
            ::j1(y),
            ::jn(2, y),
            ::y0(y),
            ::y1(y),
            ::yn(3, y),
            1 / std::sqrt(y),
            1 / std::cbrt(y),
            1 / std::hypot(x, y),
            std::sqrt(x * x + y * y + 4),
            std::sqrt(x * x + y * y + 13),
            1 / std::sqrt(x * x + y * y + 4),
            1 / std::sqrt(x * x + y * y + 13),
            sinpi(x),
            cospi(x),
            std::sin(x),
            std::cos(x),
            sinpi(x),
            cospi(x),
            std::sqrt(x * x + y * y + 1),
            1 / std::sqrt(x * x + y * y + 1),
            0.5 * std::erfc(-x * root),
            4.0 + (std::signbit(x) ? 8.0 : 0.0),
            std::min(x, y),
            std::max(x, y),
            std::exp(x * x) * std::erfc(x),
            inverse(erf_of, x / 10, -6, 6),
            inverse(minus_erfc, -y / 10, -6, 30),
            -std::sqrt(2.0) * inverse(minus_erfc, -y / 10, -6, 30),
            std::cyl_bessel_i(0, std::fabs(x)),
            std::copysign(std::cyl_bessel_i(1, std::fabs(x)), x),
            std::cyl_bessel_i(0, std::fabs(x) * 10),
            1.0};
}

template <class T>
void check_functions(const char* name, double tolerance) {
    std::vector<T> x, y;
    for (const double v : {-4.75, -2.5, -1.25, -0.5, -0.0625, 0.0625, 0.5, 1.0, 1.5, 2.5, 3.25, 4.5})
        for (const double w : {0.125, 0.75, 2.25, 5.5}) x.push_back(static_cast<T>(v)), y.push_back(static_cast<T>(w));
    const auto n = static_cast<int>(x.size());
    const std::size_t rows = expected(1, 1, false).size();
    auto out = filled<T>(static_cast<std::int64_t>(rows) * n, static_cast<T>(-777));
    kernel<void(const T*, const T*, T*, int)>(texts::math, name)({.grid = 1, .block = 64}, gpu::to_device(x),
                                                                 gpu::to_device(y), out, n);
    const auto got = gpu::to_host(out);
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double a = static_cast<double>(x[i]), b = static_cast<double>(y[i]);
        const auto right = expected(a, b, sizeof(T) == 4);
        for (std::size_t k = 0; k < rows; ++k) {
            CAPTURE(a);
            CAPTURE(b);
            CAPTURE(k);
            CAPTURE(right[k]);
            const double value = static_cast<double>(got[k * x.size() + i]);
            const bool exact = value == right[k];
            const double scale = std::max(std::fabs(right[k]), 0.25);
            REQUIRE_MESSAGE((exact || !(std::fabs(value - right[k]) > tolerance * scale)), value);
        }
    }
}

}  // namespace

TEST_CASE("the math functions of double") { check_functions<double>("doubles", 2e-13); }
TEST_CASE("the math functions of float") { check_functions<float>("floats", 4e-6); }

TEST_CASE("rare functions at infinities and where they end") {
    const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    const double wanted[] = {inf, inf, inf, 0, nan, 0.56418958354775628695e-300, inf, inf,
                             inf, -inf, nan, 27.213293210812948815, inf, -inf, nan, -inf, inf,
                             inf, inf, -inf, inf, inf, nan, 1, inf, inf, 0, inf, inf};
    gpu::Array<double> y = gpu::zeros<double>({std::ssize(wanted)});
    kernel<void(double, double, double*)>(texts::edges, "edges")({.grid = 1, .block = 1}, inf, nan, y);
    const std::vector<double> got = gpu::to_host(y);
    for (std::size_t k = 0; k < got.size(); ++k) {
        CAPTURE(k);
        CAPTURE(got[k]);
        if (std::isnan(wanted[k])) CHECK(std::isnan(got[k]));
        else CHECK((got[k] == wanted[k] || std::fabs(got[k] - wanted[k]) <= 1e-12 * std::fabs(wanted[k])));
    }
}

TEST_CASE("the short names have float overloads, and the fast versions are near") {
    std::vector<float> x;
    for (int k = 1; k <= 60; ++k) x.push_back(static_cast<float>(k) * 0.1F);
    auto out = filled<float>(60, -1.0F);
    kernel<void(const float*, float*, int)>(texts::math, "overloads")({.grid = 1, .block = 64}, gpu::to_device(x), out,
                                                                      60);
    for (const float bad : gpu::to_host(out)) REQUIRE(bad == 0);
}

TEST_CASE("whole numbers and numbers of two types are computed with in double") {
    const int n = 9;
    const float f = 2.5f;
    const double d = 0.5;
    gpu::Array<double> out = gpu::zeros<double>({29});
    kernel<void(int, unsigned char, float, double, double*)>(texts::mixed, "mixed")(
        {.grid = 1, .block = 1}, n, static_cast<unsigned char>(8), f, d, out);
    const double wanted[] = {3, 2, std::exp(1.), std::log(9.), std::sin(2.), 9, 9, std::lgamma(9.), 387420489,
                             std::sqrt(2.5), 3, 6.25, 0.25, std::atan2(9., 2.5), 5, 1.5, -9, 0.5, 8, 0, 1, 0, 0,
                             9 + 4, 9 + 8, 9 + 4, 9 + 4, 9 + 8, 100};
    const std::vector<double> got = gpu::to_host(out);
    for (std::size_t k = 0; k < got.size(); ++k) {
        CAPTURE(k);
        CHECK(std::fabs(got[k] - wanted[k]) <= 1e-14 * std::fabs(wanted[k]));
    }
    const gpu::ElementwiseKernel root("T x", "float64 y", "y = sqrt(x) + pow(x, 0.5f)", "root_of_whole");
    gpu::Array<double> y = gpu::zeros<double>({3});
    root(gpu::to_device({4, 9, 16}), gpu::out(y));
    CHECK(gpu::to_host(y) == std::vector<double>{4, 6, 8});
}
