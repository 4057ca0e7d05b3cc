// SPDX-License-Identifier: MIT
#include <algorithm>
#include <climits>
#include <cmath>
#include <complex>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include <doctest/doctest.h>

#include <gpu/eigen.hpp>
#include <gpu/gpu.hpp>

// Elementwise functions: one kernel computes many of them, a row each, and is compared with the host's C library.
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
                         "+: the number 300 doesn't fit uint8 (0 to 255), the type of the array that it is used with: "
                         "write x.astype<...>() for a wider one",
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

// Element types on a device: halves and complex numbers go in and out, and are computed with.
using gpu::half;
using c64 = gpu::complex<float>;
using c128 = gpu::complex<double>;

TEST_CASE("a half holds what a float of 16 bits holds") {
    //! [half]
    auto x = gpu::to_device({half(0.5), half(2), half(65504)});
    gpu::Array<half> y = x * 3;              // half stays half: computed in float, then rounded
    gpu::Array<float> z = x.astype<float>() * 3.f;
    //! [half]
    CHECK(gpu::to_host(y) == std::vector<half>{half(1.5), half(6), half(INFINITY)});
    CHECK(gpu::to_host(z) == std::vector<float>{1.5f, 6, 196512});
}

TEST_CASE("exp and tanh of floats are within 4 ulp everywhere, and keep zeros, infinities and NaN") {
    std::vector<float> x{0.F,    -0.F,     INFINITY, -INFINITY, NAN,    88.7F, 88.8F,
                         -87.4F, -103.9F, -104.F,   1e30F,     -1e30F, 1e-40F};
    for (int k = -40000; k < 40000; ++k) x.push_back(static_cast<float>(k) * 0.00273F);
    for (int k = 0; k < 4000; ++k) x.push_back(std::ldexp(k % 2 == 0 ? 1.37F : -1.73F, k % 160 - 140));
    const auto on_device = gpu::to_device(x);
    const auto exponentials = gpu::to_host(gpu::exp(on_device)), tangents = gpu::to_host(gpu::tanh(on_device));
    const auto ulps = [](float got, double want) {
        const auto nearest = static_cast<float>(want);
        if (std::isnan(want)) return std::isnan(got) ? 0. : 1e9;
        if (!std::isfinite(nearest) || nearest == 0) return got == nearest ? 0. : 1e9;
        const double one = std::ldexp(1., std::max(std::ilogb(want) - 23, -149));
        return std::fabs(static_cast<double>(got) - want) / one;
    };
    double worst_exp = 0, worst_tanh = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
        worst_exp = std::max(worst_exp, ulps(exponentials[k], std::exp(static_cast<double>(x[k]))));
        worst_tanh = std::max(worst_tanh, ulps(tangents[k], std::tanh(static_cast<double>(x[k]))));
    }
    CHECK(!(worst_exp > 4));
    CHECK(!(worst_tanh > 4));
    CHECK(std::signbit(tangents[1]));
    CHECK(tangents[2] == 1);
    CHECK(tangents[3] == -1);
}

TEST_CASE("bfloat16 is computed in float and rounded") {
    //! [bfloat16]
    auto x = gpu::to_device({0.5f, 2.f, 3e38f, 257.f}).astype<gpu::bfloat16>();  // 256 is the nearest to 257
    gpu::Array<gpu::bfloat16> y = x * 3;                                          // computed in float, then rounded
    gpu::Array<float> z = x.astype<float>() * 3.f;
    //! [bfloat16]
    using gpu::bfloat16;
    CHECK(gpu::to_host(y) == std::vector<bfloat16>{bfloat16(1.5), bfloat16(6), bfloat16(INFINITY), bfloat16(768)});
    CHECK(gpu::to_host(z)[3] == 768);
}

TEST_CASE("every half comes back from the device as it was, and converts as on the host") {
    std::vector<half> all;
    for (unsigned bits = 0; bits < 65536; ++bits) all.push_back(half::from_bits(static_cast<std::uint16_t>(bits)));
    const auto x = gpu::to_device(all);
    const auto floats = gpu::to_host(x.astype<float>());
    const auto back = gpu::to_host(x.astype<float>().astype<half>());
    int wrong = 0;
    for (std::size_t k = 0; k < all.size(); ++k) {
        const float want = all[k];
        if (std::isnan(want)) wrong += !std::isnan(floats[k]) || !std::isnan(static_cast<float>(back[k]));
        else wrong += !(floats[k] == want) || back[k].bits() != all[k].bits();
    }
    CHECK(wrong == 0);
}

TEST_CASE("a copy of halves keeps every bit, also of the NaNs: transposed, of a window and into one") {
    std::vector<std::uint16_t> all(65536), turned(65536);
    for (std::size_t bits = 0; bits < all.size(); ++bits) {
        all[bits] = static_cast<std::uint16_t>(bits);
        turned[bits % 256 * 256 + bits / 256] = all[bits];
    }
    const auto bits_of = [](const gpu::Array<half>& x) {
        std::vector<std::uint16_t> bits;
        for (const half value : gpu::to_host(x)) bits.push_back(value.bits());
        return bits;
    };
    std::vector<half> halves;
    for (const std::uint16_t bits : all) halves.push_back(half::from_bits(bits));
    const auto x = gpu::to_device({256, 256}, halves);
    const gpu::Array<half> transposed = x.transpose();
    CHECK(bits_of(transposed) == turned);
    gpu::Array<half> wide = gpu::zeros<half>({256, 512});
    auto window = wide(gpu::all, gpu::slice(0, 512, 2));
    window = x;
    const gpu::Array<half> narrow = window;
    CHECK(bits_of(narrow) == all);
}

TEST_CASE("floats and doubles are rounded to the nearest half, ties to even, on the device as on the host") {
    std::vector<float> floats;
    std::vector<double> doubles;
    for (unsigned bits = 0; bits < 0x7c00; bits += 7) {
        const double low = half::from_bits(static_cast<std::uint16_t>(bits));
        const double high = half::from_bits(static_cast<std::uint16_t>(bits + 1));
        const double tie = std::isinf(high) ? 65520 : (low + high) / 2;
        for (double value : {tie, -tie}) {
            floats.push_back(static_cast<float>(value));
            floats.push_back(std::nextafter(static_cast<float>(value), 1e9f));
            floats.push_back(std::nextafter(static_cast<float>(value), -1e9f));
            doubles.push_back(value);
            doubles.push_back(std::nextafter(value, 1e9));
            doubles.push_back(std::nextafter(value, -1e9));
        }
    }
    doubles.insert(doubles.end(), {1e300, -1e300, 5e-324, 65519.99999999999, 2.9802322387695312e-08});
    const auto from_floats = gpu::to_host(gpu::to_device(floats).astype<half>());
    const auto from_doubles = gpu::to_host(gpu::to_device(doubles).astype<half>());
    int wrong = 0;
    for (std::size_t k = 0; k < floats.size(); ++k) wrong += from_floats[k].bits() != half(floats[k]).bits();
    for (std::size_t k = 0; k < doubles.size(); ++k) wrong += from_doubles[k].bits() != half(doubles[k]).bits();
    CHECK(wrong == 0);
}

TEST_CASE("complex numbers have std::complex's layout and operators") {
    //! [complex]
    std::vector<std::complex<float>> host{{1, 2}, {3, -4}};
    gpu::Array<gpu::complex<float>> z = gpu::to_device(host);
    gpu::Array<gpu::complex<float>> w = z * z + std::complex<float>(0, 1);
    //! [complex]
    CHECK(gpu::to_host(w) == std::vector<c64>{{-3, 5}, {-7, -23}});
    std::complex<float> back = gpu::to_host(z)[1];
    CHECK(back == host[1]);
    gpu::Array<c128> mixed = z * gpu::to_device({0.5, 0.25});
    CHECK(gpu::to_host(mixed) == std::vector<c128>{{0.5, 1}, {0.75, -1}});
    gpu::Array<c64> turned = gpu::to_device({1.f, 2.f}) * c128(0, 1);
    CHECK(gpu::to_host(turned) == std::vector<c64>{{0, 1}, {0, 2}});
    gpu::Array<c64> quotient = z / z + 1;
    CHECK(gpu::to_host(quotient) == std::vector<c64>{{2, 0}, {2, 0}});
    gpu::Array<bool> same = z == gpu::to_device({c64(1, 2), c64(3, 4)});
    CHECK(gpu::to_host(same) == std::vector<std::uint8_t>{1, 0});
    CHECK((gpu::to_device({c64(1, 2)})(0).item() == c64(1, 2)));
}

TEST_CASE("arrays of the new types are made on the device") {
    CHECK(gpu::to_host(gpu::zeros<half>({2})) == std::vector<half>{half(0), half(0)});
    CHECK(gpu::to_host(gpu::ones<c64>({2})) == std::vector<c64>{{1, 0}, {1, 0}});
    CHECK(gpu::to_host(gpu::full<c128>({2}, c128(1, -2))) == std::vector<c128>{{1, -2}, {1, -2}});
    CHECK(gpu::to_host(gpu::arange<half>(3)) == std::vector<half>{half(0), half(1), half(2)});
    CHECK(gpu::to_host(gpu::arange<c64>(2)) == std::vector<c64>{{0, 0}, {1, 0}});
}

TEST_CASE("Eigen's complex matrices and halves come as libgpu's") {
    Eigen::MatrixXcf m(2, 2);
    m << std::complex<float>(1, 2), 3, 4, std::complex<float>(5, -6);
    gpu::Array<c64> z = gpu::to_device(m);
    CHECK(z.shape() == gpu::Shape{2, 2});
    gpu::Array<c64> doubled = z + z;
    CHECK(gpu::to_eigen(doubled) == 2 * m);
    Eigen::Matrix<Eigen::half, Eigen::Dynamic, 1> h(3);
    h << Eigen::half(1), Eigen::half(2.5f), Eigen::half(-3);
    gpu::Array<half> x = gpu::to_device(h);
    CHECK(gpu::to_host(x) == std::vector<half>{half(1), half(2.5), half(-3)});
}

TEST_CASE("kernels of all three kinds take halves and complex numbers") {
    gpu::ElementwiseKernel scale("T x, T factor", "T y", "y = x * factor", "scale");
    auto x = gpu::to_device({half(1), half(2)});
    gpu::Array<half> y = scale(x, 1.5f);
    CHECK(gpu::to_host(y) == std::vector<half>{half(1.5), half(3)});
    auto z = gpu::to_device({c128(1, 1), c128(0, 2)});
    gpu::Array<c128> w = scale(z, c128(0, 1));
    CHECK(gpu::to_host(w) == std::vector<c128>{{-1, 1}, {-2, 0}});
    CHECK_THROWS_AS((void)scale(x, c128(0, 1)), gpu::DTypeError);
    gpu::ReductionKernel total("T x", "T y", "x", "a + b", "y = a", "0", "total");
    gpu::Array<c128> all = total(z);
    CHECK(all.item() == c128(1, 3));
    gpu::RawKernel<void(const gpu::complex<float>*, gpu::complex<float>, float*)> weight(
        "__global__ void weight(const complex<float>* z, complex<float> w, float* out) {\n"
        "    out[threadIdx.x] = abs(z[threadIdx.x] * w);\n}\n",
        "weight");
    auto lengths = gpu::zeros<float>({2});
    weight({.grid = 1, .block = 2}, gpu::to_device({c64(3, 4), c64(0, 1)}), c64(0, 2), lengths);
    CHECK(gpu::to_host(lengths) == std::vector<float>{10, 2});
}

TEST_CASE("a cast cuts off, and what doesn't fit becomes the nearest that does") {
    //! [astype]
    auto x = gpu::to_device({2.9f, -2.9f, 300.f, -1e20f, NAN});
    gpu::Array<int> whole = x.astype<int>();               // 2 -2 300 INT_MIN 0
    gpu::Array<std::uint8_t> bytes = x.astype<std::uint8_t>();   // 2 0 255 0 0
    //! [astype]
    CHECK(gpu::to_host(whole) == std::vector<int>{2, -2, 300, INT_MIN, 0});
    CHECK(gpu::to_host(bytes) == std::vector<std::uint8_t>{2, 0, 255, 0, 0});
    CHECK(gpu::to_host(x(gpu::slice(2, gpu::none, -1)).astype<int>()) == std::vector<int>{300, -2, 2});
    const auto& only_read = x;
    CHECK(gpu::to_host(only_read(gpu::slice(0, 2)).astype<int>()) == std::vector<int>{2, -2});
    // C++'s other names of a type give libgpu's.
    const gpu::Array<std::int64_t> longs = x(gpu::slice(0, 3)).astype<long long>();
    CHECK(gpu::to_host(longs) == std::vector<std::int64_t>{2, -2, 300});
    static_assert(std::is_same_v<decltype((x + x).astype<std::complex<double>>()), gpu::Expr<gpu::complex<double>>>);
    static_assert(std::is_same_v<decltype(gpu::astype<unsigned long long>(x)), gpu::Expr<std::uint64_t>>);
    CHECK(gpu::AnyArray(longs).astype<long long>()(0).item() == 2);
    CHECK(gpu::AnyArray(gpu::sum(longs)).item<long long>() == 300);
    CHECK(gpu::AnyArray(longs).to_host<long long>() == std::vector<long long>{2, -2, 300});
}

TEST_CASE_TEMPLATE("floating numbers saturate to every integer type, NaN is 0", T, std::int8_t, std::int16_t,
                   std::int32_t, std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t) {
    constexpr T least = std::numeric_limits<T>::min(), most = std::numeric_limits<T>::max();
    const std::vector<double> host{1e300, -1e300, INFINITY, -INFINITY, NAN, 1.999, -0.999, 100.5};
    const std::vector<T> want{most, least, most, least, 0, 1, 0, 100};
    auto x = gpu::to_device(host);
    CHECK(gpu::to_host(x.astype<T>()) == want);
    CHECK(gpu::to_host(x.astype<float>().template astype<T>()) == want);
    CHECK(gpu::to_host(gpu::full<double>({1}, 1e300).template astype<T>())[0] == most);
    // The last numbers that fit, and the first that don't.
    const double end = static_cast<double>(most) + 1;
    auto edges = gpu::to_device({end, std::nextafter(end, 0.), static_cast<double>(least)});
    const auto got = gpu::to_host(edges.template astype<T>());
    CHECK(got[0] == most);
    CHECK(got[1] == static_cast<T>(std::nextafter(end, 0.)));
    CHECK(got[2] == least);
}

TEST_CASE("other casts: integers wrap, only 0 is false, halves overflow to infinity") {
    auto i = gpu::to_device({300, -1, 0, 65536});
    CHECK(gpu::to_host(i.astype<std::uint8_t>()) == std::vector<std::uint8_t>{44, 255, 0, 0});
    CHECK(gpu::to_host(i.astype<std::int16_t>()) == std::vector<std::int16_t>{300, -1, 0, 0});
    CHECK(gpu::to_host(i.astype<bool>()) == std::vector<std::uint8_t>{1, 1, 0, 1});
    CHECK(gpu::to_host(gpu::to_device({0.25f, -0.f, NAN}).astype<bool>()) == std::vector<std::uint8_t>{1, 0, 1});
    CHECK(std::isinf(static_cast<float>(gpu::to_host(i.astype<gpu::half>())[3])));
    using Z = gpu::complex<float>;
    CHECK(gpu::to_host(i.astype<Z>()) == std::vector<Z>{{300, 0}, {-1, 0}, {0, 0}, {65536, 0}});
    auto z = gpu::to_device({Z(0, 0), Z(0, 1)});
    CHECK(gpu::to_host(z.astype<bool>()) == std::vector<std::uint8_t>{0, 1});
    CHECK((gpu::to_host(z.astype<gpu::complex<double>>())[1] == gpu::complex<double>(0, 1)));
    CHECK(gpu::to_host(gpu::astype<int>(i(gpu::slice(0, 2)) * 1.5).eval()) == std::vector<int>{450, -1});
}

// Functions of complex numbers on a grid of points: on the axes, on both sides of the cuts, near 0 and 1, tiny, large
// and infinite. Compared part by part with the C++ library in long double. One kernel computes all, a row each.
namespace {

using Exact = std::complex<long double>;
constexpr long double ln2 = 0.693147180559945309417232121458176568L;

// Near |z| = 1 what is left of |z|^2 - 1 is a few digits: they are kept.
long double exact_length_log(long double d, long double y) {  // of 1 + d + iy
    const long double length = std::hypot(1 + d, y);
    if (!(length > 0.5L && length < 2)) return std::log(length);
    __extension__ using Wide = __float128;
    const Wide wide_d = d, wide_y = y;
    return std::log1p(static_cast<long double>(wide_d * (2 + wide_d) + wide_y * wide_y)) / 2;
}
Exact exact_log1p(const Exact& z) { return {exact_length_log(z.real(), z.imag()), std::atan2(z.imag(), 1 + z.real())}; }
Exact exact_log(const Exact& z) {
    const long double x = std::fabs(z.real()), y = std::fabs(z.imag()), length = std::hypot(x, y);
    const bool is_near_1 = length > 0.5L && length < 2;
    return {is_near_1 ? exact_length_log(std::max(x, y) - 1, std::min(x, y)) : std::log(length), std::arg(z)};
}
Exact exact_exp(const Exact& z) {
    const long double length = std::exp(z.real());
    if (z.imag() == 0) return {length, z.imag()};
    return {length * std::cos(z.imag()), length * std::sin(z.imag())};
}
Exact exact_expm1(const Exact& z) {
    const long double s = std::sin(z.imag() / 2);
    return {std::expm1(z.real()) * std::cos(z.imag()) - 2 * s * s, exact_exp(z).imag()};
}
Exact exact_exp2(const Exact& z) { return exact_exp({z.real() * ln2, z.imag() * ln2}); }
Exact exact_log2(const Exact& z) { return exact_log(z) / ln2; }
Exact exact_log10(const Exact& z) { return exact_log(z) / std::log(10.0L); }
Exact exact_sign(const Exact& z) { return z == 0.0L ? Exact() : z / std::abs(z); }
Exact exact_asin(const Exact& z) { return std::asin(z); }
Exact exact_acos(const Exact& z) { return std::acos(z); }
Exact exact_atan(const Exact& z) { return std::atan(z); }
Exact exact_asinh(const Exact& z) { return std::asinh(z); }
Exact exact_acosh(const Exact& z) { return std::acosh(z); }
Exact exact_atanh(const Exact& z) { return std::atanh(z); }

template <class T>
struct ComplexRow {
    std::string name;
    gpu::Expr<gpu::complex<T>> value;
    Exact (*want)(const Exact&);
    bool is_inverse = true;  ///< defined everywhere; else asked where angles and exponents are small
    bool part_by_part = true;
};

template <class T>
std::vector<ComplexRow<T>> rows_of(const gpu::Array<gpu::complex<T>>& z) {
    return {{"asin", gpu::asin(z), exact_asin},        {"acos", gpu::arccos(z), exact_acos},
            {"atan", gpu::atan(z), exact_atan},        {"asinh", gpu::arcsinh(z), exact_asinh},
            {"acosh", gpu::acosh(z), exact_acosh},     {"atanh", gpu::atanh(z), exact_atanh},
            {"log", gpu::log(z), exact_log},           {"log2", gpu::log2(z), exact_log2},
            {"log10", gpu::log10(z), exact_log10},     {"log1p", gpu::log1p(z), exact_log1p},
            {"sign", gpu::sign(z), exact_sign},        {"exp", gpu::exp(z), exact_exp, false},
            {"exp2", gpu::exp2(z), exact_exp2, false}, {"expm1", gpu::expm1(z), exact_expm1, false, false}};
}

template <class T>
std::vector<T> coordinates() {
    using Limits = std::numeric_limits<T>;
    const T eps = Limits::epsilon();
    std::vector<T> list;
    for (const T x : {T(0),
                      Limits::min(),
                      Limits::min() * 64,
                      std::sqrt(Limits::min()),
                      eps,
                      T(1e-3),
                      T(0.25),
                      T(0.6),
                      T(0.8),
                      1 - eps,
                      T(1),
                      1 + eps,
                      T(1.5),
                      T(3),
                      T(20),
                      T(700),
                      T(1e6),
                      1 / eps,
                      std::sqrt(Limits::max()),
                      Limits::max() / 16,
                      Limits::max(),
                      Limits::infinity()}) {
        list.push_back(x);
        list.push_back(-x);
    }
    return list;
}

template <class T>
bool is_near(T got, long double want, long double slack) {
    if (std::fabs(want) > static_cast<long double>(std::numeric_limits<T>::max()) * 1.0001L)
        return std::isinf(got) && std::signbit(got) == std::signbit(want);
    if (std::isinf(want)) return got == static_cast<T>(want);
    return std::fabs(static_cast<long double>(got) - want) <= slack;  // not so for NaN
}

}  // namespace

TEST_CASE_TEMPLATE("complex functions agree with the C++ library's, part by part", T, float, double) {
    std::vector<std::complex<T>> points;
    for (const T re : coordinates<T>()) {
        for (const T im : coordinates<T>()) points.emplace_back(re, im);
    }
    auto z = gpu::to_device(points);
    const auto rows = rows_of<T>(z);
    auto row = gpu::arange<int>(static_cast<double>(rows.size())).reshape({rows.size(), 1});
    gpu::Expr<gpu::complex<T>> value = rows[0].value;
    for (std::size_t k = 1; k < rows.size(); ++k) value = gpu::where(row == static_cast<int>(k), rows[k].value, value);
    const gpu::Array<gpu::complex<T>> all = gpu::where(row >= 0, value, z);
    const std::vector<gpu::complex<T>> got = gpu::to_host(all);
    constexpr long double eps = std::numeric_limits<T>::epsilon(), least = std::numeric_limits<T>::min() * eps;
    for (std::size_t k = 0; k < rows.size(); ++k) {
        for (std::size_t j = 0; j < points.size(); ++j) {
            const Exact at(points[j].real(), points[j].imag());
            if (!rows[k].is_inverse && (std::fabs(at.imag()) > 1000 || std::fabs(at.real()) > 1e7L)) continue;
            if (rows[k].name == "sign" && std::isinf(std::abs(at))) continue;  // below
            const Exact want = rows[k].want(at);
            const std::complex<T> value_at = got[k * points.size() + j];
            const long double whole = rows[k].part_by_part ? 0 : std::abs(want);
            const bool re =
                is_near(value_at.real(), want.real(), 12 * eps * std::max(std::fabs(want.real()), whole) + 4 * least);
            const bool im =
                is_near(value_at.imag(), want.imag(), 12 * eps * std::max(std::fabs(want.imag()), whole) + 4 * least);
            const bool sides = !rows[k].is_inverse || rows[k].name == "sign" || std::fabs(want.imag()) > 0 ||
                               std::signbit(value_at.imag()) == std::signbit(want.imag());
            CHECK_MESSAGE((re && im && sides), rows[k].name << "(" << at.real() << ", " << at.imag() << ") = ("
                                                            << value_at.real() << ", " << value_at.imag() << "), not ("
                                                            << want.real() << ", " << want.imag() << ")");
        }
    }
}

TEST_CASE("the sign of a complex number has length 1, as NumPy's") {
    //! [sign]
    auto z = gpu::to_device(std::vector<std::complex<double>>{{3, -4}, {-2, 0}, {0, 0}});
    gpu::Array<gpu::complex<double>> turn = gpu::sign(z);  // z / |z|: {0.6, -0.8}, {-1, 0}, {0, 0}
    gpu::Array<double> angles = gpu::arg(z);               // -0.93, 3.14, 0
    gpu::Array<bool> same = angles == gpu::angle(z);       // NumPy's name
    //! [sign]
    CHECK(gpu::all(same).item());
    CHECK(gpu::to_host(angles)[0] == doctest::Approx(std::atan2(-4., 3.)));
    const auto got = gpu::to_host(turn);
    CHECK(std::abs(std::complex<double>(got[0]) - std::complex<double>(0.6, -0.8)) < 1e-15);
    CHECK(got[1] == gpu::complex<double>(-1, 0));
    CHECK(got[2] == gpu::complex<double>(0, 0));
    const std::vector<std::complex<double>> far_away{{-INFINITY, 1}, {1, INFINITY}, {INFINITY, INFINITY}, {NAN, 1}};
    const auto far = gpu::to_host(gpu::sign(gpu::to_device(far_away)).eval());
    CHECK(far[0] == gpu::complex<double>(-1, 0));
    CHECK(far[1] == gpu::complex<double>(0, 1));
    CHECK((std::isnan(far[2].real()) && std::isnan(far[2].imag())));
    CHECK((std::isnan(far[3].real()) && std::isnan(far[3].imag())));
}

TEST_CASE("a complex number with an infinite part is infinite; 0 times what overflows is 0") {
    using Z = gpu::complex<double>;
    constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    auto z = gpu::to_device({Z(inf, nan), Z(nan, -inf), Z(nan, 1), Z(1, 2), Z(0, inf), Z(-3, -inf)});
    CHECK(gpu::to_host(gpu::isinf(z).eval()) == std::vector<std::uint8_t>{1, 1, 0, 0, 1, 1});
    const auto roots = gpu::to_host(gpu::sqrt(z).eval());
    CHECK(roots[1] == Z(inf, -inf));
    CHECK(roots[4] == Z(inf, inf));
    CHECK(roots[5] == Z(inf, -inf));
    auto real = gpu::to_device({Z(1000, 0), Z(-1000, 0)}), imaginary = gpu::to_device({Z(0, 1000), Z(0, -1000)});
    CHECK(gpu::to_host(gpu::cosh(real).eval()) == std::vector<Z>{Z(inf, 0), Z(inf, 0)});
    CHECK(gpu::to_host(gpu::sinh(real).eval()) == std::vector<Z>{Z(inf, 0), Z(-inf, 0)});
    CHECK(gpu::to_host(gpu::cos(imaginary).eval()) == std::vector<Z>{Z(inf, 0), Z(inf, 0)});
    CHECK(gpu::to_host(gpu::sin(imaginary).eval()) == std::vector<Z>{Z(0, inf), Z(0, -inf)});
}

TEST_CASE_TEMPLATE("exp, tanh, sinh and cosh of infinities and NaN are those of C, Annex G", T, float, double) {
    using Z = gpu::complex<T>;
    constexpr T inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
    // Equal, or both NaN; a zero's sign counts only where `signs` says so.
    const auto same = [](T got, T want, bool signs) {
        if (std::isnan(want)) return std::isnan(got);
        return got == want && (!signs || std::signbit(got) == std::signbit(want));
    };
    struct Case {
        Z at, want;
        bool signs = true;
    };
    const auto check = [&](const char* name, const std::vector<Case>& cases, auto function) {
        std::vector<Z> points;
        for (const Case& one : cases) points.push_back(one.at);
        const std::vector<Z> got = gpu::to_host(function(gpu::to_device(points)).eval());
        for (std::size_t k = 0; k < cases.size(); ++k) {
            CAPTURE(name);
            CAPTURE(k);
            CAPTURE(got[k].real());
            CAPTURE(got[k].imag());
            CHECK(same(got[k].real(), cases[k].want.real(), cases[k].signs));
            CHECK(same(got[k].imag(), cases[k].want.imag(), cases[k].signs));
        }
    };
    check("exp",
          {{Z(0, 0), Z(1, 0)},
           {Z(1, inf), Z(nan, nan)},
           {Z(-1000, inf), Z(nan, nan)},
           {Z(1, nan), Z(nan, nan)},
           {Z(inf, 0), Z(inf, 0)},
           {Z(inf, -T(0)), Z(inf, -T(0))},
           {Z(-inf, 2), Z(-T(0), 0)},
           {Z(-inf, -2), Z(-T(0), -T(0))},
           {Z(inf, 2), Z(-inf, inf)},
           {Z(-inf, inf), Z(0, 0), false},
           {Z(-inf, nan), Z(0, 0), false},
           {Z(inf, inf), Z(inf, nan)},
           {Z(inf, nan), Z(inf, nan)},
           {Z(nan, 0), Z(nan, 0)},
           {Z(nan, 1), Z(nan, nan)},
           {Z(nan, nan), Z(nan, nan)}},
          [](const auto& z) { return gpu::exp(z); });
    check("tanh",
          {{Z(0, 0), Z(0, 0)},
           {Z(1, inf), Z(nan, nan)},
           {Z(50, inf), Z(nan, nan)},
           {Z(1, nan), Z(nan, nan)},
           {Z(inf, 1), Z(1, 0)},
           {Z(inf, 2), Z(1, -T(0))},
           {Z(-inf, 1), Z(-1, 0)},
           {Z(inf, inf), Z(1, 0), false},
           {Z(-inf, nan), Z(-1, 0), false},
           {Z(nan, 0), Z(nan, 0)},
           {Z(nan, -T(0)), Z(nan, -T(0))},
           {Z(nan, 1), Z(nan, nan)},
           {Z(nan, nan), Z(nan, nan)}},
          [](const auto& z) { return gpu::tanh(z); });
    check("sinh",
          {{Z(inf, nan), Z(inf, nan)},
           {Z(-inf, inf), Z(-inf, nan)},
           {Z(inf, 2), Z(-inf, inf)},
           {Z(inf, 0), Z(inf, 0)},
           {Z(0, inf), Z(0, nan), false},
           {Z(1, inf), Z(nan, nan)},
           {Z(nan, 0), Z(nan, 0), false},
           {Z(nan, 1), Z(nan, nan)}},
          [](const auto& z) { return gpu::sinh(z); });
    check("cosh",
          {{Z(inf, nan), Z(inf, nan)},
           {Z(-inf, inf), Z(inf, nan)},
           {Z(-inf, 1), Z(inf, -inf)},
           {Z(inf, 0), Z(inf, 0)},
           {Z(0, inf), Z(nan, 0), false},
           {Z(nan, 0), Z(nan, 0), false},
           {Z(nan, 1), Z(nan, nan)}},
          [](const auto& z) { return gpu::cosh(z); });
}

TEST_CASE("tanh far from 0: the imaginary part is small, not 0") {
    using Z = gpu::complex<double>;
    const auto z = gpu::to_host(gpu::tanh(gpu::to_device({Z(50, 1), Z(-50, 1), Z(41, -0.5), Z(400, 1)})).eval());
    CHECK(z[0].real() == 1);
    CHECK(z[0].imag() == doctest::Approx(2 * std::sin(2.) * std::exp(-100.)).epsilon(1e-14));
    CHECK(z[1].real() == -1);
    CHECK(z[1].imag() == doctest::Approx(2 * std::sin(2.) * std::exp(-100.)).epsilon(1e-14));
    CHECK(z[2].imag() == doctest::Approx(-2 * std::sin(1.) * std::exp(-82.)).epsilon(1e-14));
    CHECK(z[3].imag() == 0);
}

// Each name once; property/property_test.cpp compares their values for all types and shapes.
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
