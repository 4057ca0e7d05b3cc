// SPDX-License-Identifier: MIT
// Elementwise functions: one kernel computes many of them, a row each, and is compared with the host's C library.
#include <doctest/doctest.h>

#include <climits>
#include <cmath>
#include <complex>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include <gpu/gpu.hpp>

namespace {

template <class T>
struct Row {
    std::string name;
    gpu::Expr<T> value;
    std::function<double(double)> want;
    double low = -1e30, high = 1e30;  // where the function is asked
};

// All rows in one kernel: row k of the result is row k's value.
template <class T>
void check_rows(const std::vector<Row<T>>& rows, const std::vector<T>& x, double tolerance) {
    auto row = gpu::arange<int>(static_cast<double>(rows.size())).reshape({rows.size(), 1});
    gpu::Expr<T> all = rows[0].value;
    for (std::size_t k = 1; k < rows.size(); ++k) all = gpu::where(row == static_cast<int>(k), rows[k].value, all);
    gpu::Array<T> whole = all * (row * 0 + 1).template astype<T>();
    const auto got = gpu::to_host(whole);
    for (std::size_t k = 0; k < rows.size(); ++k) {
        for (std::size_t j = 0; j < x.size(); ++j) {
            const double at = x[j];
            if (at < rows[k].low || at > rows[k].high) continue;
            const double want = rows[k].want(at), value = got[k * x.size() + j];
            if (std::isnan(want) && std::isnan(value)) continue;
            if (std::isinf(want) && want == value) continue;
            CHECK_MESSAGE(std::abs(value - want) <= tolerance * std::max(std::abs(want), 1e-3),
                          rows[k].name << "(" << at << ") = " << value << ", not " << want);
        }
    }
}

template <class T>
std::vector<Row<T>> functions(const gpu::Array<T>& x) {
    using std::function;
    const auto nan = std::nan("");
    return {
        {"sqrt", gpu::sqrt(x), [](double v) { return std::sqrt(v); }},
        {"cbrt", gpu::cbrt(x), [](double v) { return std::cbrt(v); }},
        {"rsqrt", gpu::rsqrt(x), [](double v) { return 1 / std::sqrt(v); }, 1e-3},
        {"exp", gpu::exp(x), [](double v) { return std::exp(v); }, -10, 10},
        {"exp2", gpu::exp2(x), [](double v) { return std::exp2(v); }, -10, 10},
        {"expm1", gpu::expm1(x), [](double v) { return std::expm1(v); }, -10, 10},
        {"log", gpu::log(x), [](double v) { return std::log(v); }},
        {"log2", gpu::log2(x), [](double v) { return std::log2(v); }},
        {"log10", gpu::log10(x), [](double v) { return std::log10(v); }},
        {"log1p", gpu::log1p(x), [](double v) { return std::log1p(v); }},
        {"sin", gpu::sin(x), [](double v) { return std::sin(v); }, -10, 10},
        {"cos", gpu::cos(x), [](double v) { return std::cos(v); }, -10, 10},
        {"tan", gpu::tan(x), [](double v) { return std::tan(v); }, -1.5, 1.5},
        {"arcsin", gpu::arcsin(x), [](double v) { return std::asin(v); }},
        {"arccos", gpu::arccos(x), [](double v) { return std::acos(v); }},
        {"arctan", gpu::arctan(x), [](double v) { return std::atan(v); }},
        {"sinh", gpu::sinh(x), [](double v) { return std::sinh(v); }, -10, 10},
        {"cosh", gpu::cosh(x), [](double v) { return std::cosh(v); }, -10, 10},
        {"tanh", gpu::tanh(x), [](double v) { return std::tanh(v); }},
        {"asinh", gpu::asinh(x), [](double v) { return std::asinh(v); }},
        {"acosh", gpu::acosh(x), [](double v) { return std::acosh(v); }},
        {"atanh", gpu::atanh(x), [](double v) { return std::atanh(v); }},
        {"erf", gpu::erf(x), [](double v) { return std::erf(v); }},
        {"erfc", gpu::erfc(x), [](double v) { return std::erfc(v); }, -10, 3},
        {"lgamma", gpu::lgamma(x), [](double v) { return std::lgamma(v); }, 0.1, 100},
        {"tgamma", gpu::tgamma(x), [](double v) { return std::tgamma(v); }, 0.1, 20},
        {"floor", gpu::floor(x), [](double v) { return std::floor(v); }},
        {"ceil", gpu::ceil(x), [](double v) { return std::ceil(v); }},
        {"trunc", gpu::trunc(x), [](double v) { return std::trunc(v); }},
        {"rint", gpu::rint(x), [](double v) { return std::nearbyint(v); }},
        {"degrees", gpu::degrees(x), [](double v) { return v * 57.29577951308232; }},
        {"radians", gpu::radians(x), [](double v) { return v / 57.29577951308232; }},
        {"fabs", gpu::fabs(x), [](double v) { return std::fabs(v); }},
        {"sign", gpu::sign(x), [nan](double v) { return std::isnan(v) ? nan : double(v > 0) - double(v < 0); }},
        {"square", gpu::square(x), [](double v) { return v * v; }, -1e3, 1e3},
        {"reciprocal", gpu::reciprocal(x), [](double v) { return 1 / v; }},
        {"hypot", gpu::hypot(x, 2.f), [](double v) { return std::hypot(v, 2.); }},
        {"copysign", gpu::copysign(x, -1.f), [](double v) { return std::copysign(v, -1.); }},
        {"fmod", gpu::fmod(x, 0.75f), [](double v) { return std::fmod(v, 0.75); }},
        {"remainder", gpu::remainder(x, 0.75f), [](double v) { return v - 0.75 * std::floor(v / 0.75); }, -100, 100},
        {"floor_divide", gpu::floor_divide(x, 0.75f), [](double v) { return std::floor(v / 0.75); }, -100, 100},
        {"minimum", gpu::minimum(x, 1.f), [nan](double v) { return std::isnan(v) ? nan : std::min(v, 1.); }},
        {"fmin", gpu::fmin(x, 1.f), [](double v) { return std::fmin(v, 1.); }},
        {"fmax", gpu::fmax(x, 1.f), [](double v) { return std::fmax(v, 1.); }},
        {"clip", gpu::clip(x, -1.f, 1.f),
         [nan](double v) { return std::isnan(v) ? nan : std::min(std::max(v, -1.), 1.); }},
        {"fma", gpu::fma(x, 2.f, 1.f), [](double v) { return std::fma(v, 2., 1.); }, -1e3, 1e3},
        {"pow", gpu::pow(x, 1.5f), [](double v) { return std::pow(v, 1.5); }, -1e3, 1e3},
        {"isnan", gpu::where(gpu::isnan(x), 1.f, 0.f).template astype<T>(),
         [](double v) { return std::isnan(v) ? 1. : 0.; }},
        {"isinf", gpu::isinf(x).template astype<T>(), [](double v) { return std::isinf(v) ? 1. : 0.; }},
        {"isfinite", gpu::isfinite(x).template astype<T>(), [](double v) { return std::isfinite(v) ? 1. : 0.; }},
        {"signbit", gpu::signbit(x).template astype<T>(), [](double v) { return std::signbit(v) ? 1. : 0.; }}};
}

constexpr double inf = INFINITY;

}  // namespace

TEST_CASE_TEMPLATE("functions agree with the C library's within a few units in the last place", T, float, double,
                   gpu::half) {
    std::vector<T> host;
    for (double v : {0.5, -0.5, 1.5, 2.5, -2.5, 0.1875, -3.75, 7.0, 1.0, -1.0, 0.0, -0.0, inf, -inf, double(NAN), 64.0})
        host.push_back(static_cast<T>(v));
    auto x = gpu::to_device(host);
    const double epsilon = std::is_same_v<T, double> ? 2e-15 : std::is_same_v<T, float> ? 1e-6 : 2e-3;
    check_rows(functions(x), host, epsilon);
}

TEST_CASE("functions have C++'s names and NumPy's") {
    //! [math]
    auto x = gpu::to_device({-2.f, 0.5f, 9.f});
    gpu::Array<float> y = gpu::sqrt(gpu::maximum(x, 0.f)) + gpu::floor(x);
    gpu::Array<float> angles = gpu::arctan2(x, 1.f);  // the same as atan2
    gpu::Array<float> inside = gpu::clip(x, 0, 1);
    //! [math]
    CHECK(gpu::to_host(y)[2] == 12);
    CHECK(gpu::to_host(angles)[0] == doctest::Approx(std::atan2(-2., 1.)));
    CHECK(gpu::to_host(inside) == std::vector<float>{0, 0.5f, 1});
}

TEST_CASE("the sign of a zero is 0, as NumPy has it, not -0") {
    const auto signs = gpu::to_host(gpu::sign(gpu::to_device({-0.f, 0.f, -3.f})).eval());
    CHECK(signs == std::vector<float>{0, 0, -1});
    CHECK(!std::signbit(signs[0]));
}

TEST_CASE("where chooses between arrays and numbers, and promotes") {
    //! [where]
    auto x = gpu::to_device({-1.f, 2.f});
    gpu::Array<float> positive = gpu::where(x > 0, x, 0);
    gpu::Array<int> steps = gpu::where(x > 0, 1, -1);
    //! [where]
    CHECK(gpu::to_host(positive) == std::vector<float>{0, 2});
    CHECK(gpu::to_host(steps) == std::vector<int>{-1, 1});
    static_assert(std::is_same_v<decltype(gpu::where(x > 0, 1.f, 0)), gpu::Expr<float>>);
    static_assert(std::is_same_v<decltype(gpu::where(x > 0, 1, 0.5)), gpu::Expr<double>>);
    static_assert(std::is_same_v<decltype(gpu::where(x > 0, x, gpu::to_device({1, 2}))), gpu::Expr<double>>);
}

TEST_CASE("integers divide, shift and take powers the same everywhere, by zero too") {
    auto a = gpu::to_device({7, -7, 7, -7, 5, INT_MIN, 0, -8}), b = gpu::to_device({2, 2, -2, -2, 0, -1, 0, 3});
    const auto host = [](const auto& e) { return gpu::to_host(e.eval()); };
    using V = std::vector<int>;
    CHECK(host(a / b) == V{3, -3, -3, 3, 0, INT_MIN, 0, -2});
    CHECK(host(a % b) == V{1, -1, 1, -1, 0, 0, 0, -2});
    CHECK(host(gpu::floor_divide(a, b)) == V{3, -4, -4, 3, 0, INT_MIN, 0, -3});
    CHECK(host(gpu::remainder(a, b)) == V{1, 1, -1, -1, 0, 0, 0, 1});
    CHECK(host(gpu::pow(gpu::to_device({2, -3, 7, 0, 1, -1, 2}), gpu::to_device({10, 3, 0, 0, -5, -3, -1}))) ==
          V{1024, -27, 1, 1, 1, -1, 0});
    CHECK(host(gpu::to_device({1, -1, 1, 1, -8, -8}) << gpu::to_device({3, 1, 31, 32, -1, 40})) ==
          V{8, -2, INT_MIN, 0, 0, 0});
    CHECK(host(gpu::to_device({16, -16, -16, 16, -16}) >> gpu::to_device({2, 2, 40, 40, -1})) == V{4, -4, -1, 0, -1});
    CHECK(host(gpu::reciprocal(gpu::to_device({1, -1, 2, 0}))) == V{1, -1, 0, 0});
    CHECK(host(gpu::to_device({INT_MAX}) + 1) == V{INT_MIN});
    CHECK(host(gpu::abs(gpu::to_device({INT_MIN, -3}))) == V{INT_MIN, 3});
    CHECK(host(gpu::floor(a)) == gpu::to_host(a));
    auto u = gpu::to_device({200u, 0u});
    CHECK(host(u - 201u) == std::vector<unsigned>{UINT_MAX, UINT_MAX - 200});
}

TEST_CASE("bits of integers, truth of bools") {
    auto a = gpu::to_device({12, 10, -1}), b = gpu::to_device({10, 6, 255});
    const auto host = [](const auto& e) { return gpu::to_host(e.eval()); };
    CHECK(host(a & b) == std::vector<int>{8, 2, 255});
    CHECK(host(a | b) == std::vector<int>{14, 14, -1});
    CHECK(host(a ^ 3) == std::vector<int>{15, 9, -4});
    CHECK(host(~a) == std::vector<int>{-13, -11, 0});
    using Bits = std::vector<std::uint8_t>;
    gpu::Array<bool> p = a > 0, q = b > 9;
    CHECK(host(p & q) == Bits{1, 0, 0});
    CHECK(host(p | q) == Bits{1, 1, 1});
    CHECK(host(p ^ q) == Bits{0, 1, 1});
    CHECK(host(~p) == Bits{0, 0, 1});
    CHECK(host(gpu::logical_xor(a, 0)) == Bits{1, 1, 1});
    CHECK(host(gpu::logical_not(a - 12)) == Bits{1, 0, 0});
    CHECK(host(p + q) == Bits{1, 1, 1});
}

TEST_CASE("numbers are weak, unless the array's type doesn't hold them") {
    auto f = gpu::to_device({1.f});
    auto i = gpu::to_device({1});
    auto h = gpu::to_device({gpu::half(1)});
    auto s = gpu::to_device<std::uint8_t>({std::uint8_t{200}});
    static_assert(std::is_same_v<decltype(f * 2.0), gpu::Expr<float>>);
    static_assert(std::is_same_v<decltype(h * 2.0), gpu::Expr<gpu::half>>);
    static_assert(std::is_same_v<decltype(h + f), gpu::Expr<float>>);
    static_assert(std::is_same_v<decltype(s + 1), gpu::Expr<std::uint8_t>>);
    static_assert(std::is_same_v<decltype(i * 2.f), gpu::Expr<double>>);
    static_assert(std::is_same_v<decltype(f * std::complex<double>(0, 1)), gpu::Expr<gpu::complex<float>>>);
    static_assert(std::is_same_v<decltype(i * std::complex<float>(0, 1)), gpu::Expr<gpu::complex<double>>>);
    static_assert(std::is_same_v<decltype((f > 0) * 2), gpu::Expr<int>>);
    CHECK_THROWS_WITH_AS((void)(s + 300),
                         "the number 300 doesn't fit uint8, the type of the array that it is used with: write "
                         "x.astype<...>() for a wider one",
                         gpu::DTypeError);
    CHECK_THROWS_AS((void)(s * -1), gpu::DTypeError);
    CHECK_THROWS_AS((void)gpu::where(s > 100, s, -3), gpu::DTypeError);
    CHECK_THROWS_AS((void)gpu::where(s > 100, 256, s), gpu::DTypeError);
    CHECK_THROWS_AS((void)gpu::fma(s, 300, s), gpu::DTypeError);
    CHECK_THROWS_AS((void)gpu::fma(s, s, -1), gpu::DTypeError);
    CHECK(gpu::to_host(gpu::where(s > 100, s, 255).eval()) == std::vector<std::uint8_t>{200});
    CHECK(gpu::to_host((s < 300).eval()) == std::vector<std::uint8_t>{1});
    CHECK(gpu::to_host((s > -1).eval()) == std::vector<std::uint8_t>{1});
    CHECK(gpu::to_host((s == 456).eval()) == std::vector<std::uint8_t>{0});
}

TEST_CASE("complex functions agree with the C++ library's") {
    using Z = gpu::complex<double>;
    std::vector<std::complex<double>> host{{1, 2}, {-0.5, 0.25}, {0.3, -1.7}, {2, 0.1}};
    auto z = gpu::to_device(host);
    const auto check = [&](const gpu::Array<Z>& got, auto want) {
        const auto values = gpu::to_host(got);
        for (std::size_t k = 0; k < host.size(); ++k) {
            const std::complex<double> expected = want(host[k]), value = values[k];
            CHECK(std::abs(value - expected) <= 1e-13 * std::abs(expected));
        }
    };
    using C = std::complex<double>;
    check(gpu::sqrt(z), [](C v) { return std::sqrt(v); });
    check(gpu::exp(z) + gpu::log(z), [](C v) { return std::exp(v) + std::log(v); });
    check(gpu::sin(z) * gpu::cos(z) + gpu::tan(z), [](C v) { return std::sin(v) * std::cos(v) + std::tan(v); });
    check(gpu::pow(z, 1.5) + gpu::pow(z, 2), [](C v) { return std::pow(v, 1.5) + v * v; });
    check(gpu::conj(z) / z - gpu::reciprocal(z) + gpu::square(z),
          [](C v) { return std::conj(v) / v - 1. / v + v * v; });
    gpu::Array<double> parts = gpu::real(z) + 10 * gpu::imag(z) + 100 * gpu::abs(z) + gpu::arg(z);
    const auto got = gpu::to_host(parts);
    for (std::size_t k = 0; k < host.size(); ++k) {
        CHECK(got[k] ==
              doctest::Approx(host[k].real() + 10 * host[k].imag() + 100 * std::abs(host[k]) + std::arg(host[k])));
    }
    auto x = gpu::to_device({-2.f, 3.f});
    CHECK(gpu::to_host(gpu::imag(x).eval()) == std::vector<float>{0, 0});
    CHECK(gpu::to_host(gpu::angle(x).eval())[0] == doctest::Approx(3.14159265));
    CHECK(gpu::to_host(gpu::isnan(z).eval()) == std::vector<std::uint8_t>{0, 0, 0, 0});
    CHECK(gpu::to_host((z != z).eval()) == std::vector<std::uint8_t>{0, 0, 0, 0});
    CHECK(gpu::to_host((z && true).eval()) == std::vector<std::uint8_t>{1, 1, 1, 1});
}
