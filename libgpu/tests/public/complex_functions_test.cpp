// SPDX-License-Identifier: MIT
// Functions of complex numbers on a grid of points: on the axes, on both sides of the cuts, near 0 and 1, tiny, large
// and infinite. Compared part by part with the C++ library in long double. One kernel computes all, a row each.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include <gpu/gpu.hpp>

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
struct Row {
    std::string name;
    gpu::Expr<gpu::complex<T>> value;
    Exact (*want)(const Exact&);
    bool is_inverse = true;  ///< defined everywhere; else asked where angles and exponents are small
    bool part_by_part = true;
};

template <class T>
std::vector<Row<T>> rows_of(const gpu::Array<gpu::complex<T>>& z) {
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
