// SPDX-License-Identifier: MIT
// gpu::xp: templates that are written once, called with Eigen's arrays, libgpu's arrays and numbers.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include <gpu/gpu.hpp>
#include <gpu/xp.hpp>

namespace {

//! [xp]
template <class A>
auto softplus(const A& x) {
    using namespace gpu::xp;
    return max(x, 0) + log1p(exp(-abs(x)));
}
//! [xp]

double softplus_of(double x) { return (x > 0 ? x : 0) + std::log1p(std::exp(-std::abs(x))); }

const std::vector<double> points{-3.5, -1.25, -0.5, 0, 0.75, 2.5};

// What comes back, on the host, in double.
template <class A>
std::vector<double> values_of(const A& result) {
    std::vector<double> values;
    if constexpr (std::is_arithmetic_v<A>) {
        values.push_back(static_cast<double>(result));
    } else if constexpr (requires { result.derived(); }) {
        const typename A::PlainObject plain = result;
        for (Eigen::Index k = 0; k < plain.size(); ++k) values.push_back(static_cast<double>(plain.data()[k]));
    } else {
        const auto host = gpu::to_host(gpu::Array<typename A::value_type>(result));
        for (const auto value : host) values.push_back(static_cast<double>(value));
    }
    return values;
}

bool close(const std::vector<double>& got, const std::vector<double>& want, double tolerance) {
    if (got.size() != want.size()) return false;
    for (std::size_t k = 0; k < got.size(); ++k) {
        if (std::isnan(want[k]) ? !std::isnan(got[k])
                                : !(std::abs(got[k] - want[k]) <= tolerance * (1 + std::abs(want[k])))) {
            return false;
        }
    }
    return true;
}

// Calls a function with every kind of argument that holds these points, and compares with the same in double.
template <class F, class G>
void check_everywhere(F function, G plain, const std::vector<double>& at) {
    std::vector<double> want;
    for (const double x : at) want.push_back(static_cast<double>(plain(x)));
    const double eps = 4 * 0x1p-23, eps64 = 16 * 0x1p-52;

    for (std::size_t k = 0; k < at.size(); ++k) {
        CHECK(close(values_of(function(at[k])), {want[k]}, eps64));
        CHECK(close(values_of(function(static_cast<float>(at[k]))), {want[k]}, eps));
    }
    Eigen::ArrayXd doubles = Eigen::Map<const Eigen::ArrayXd>(at.data(), static_cast<Eigen::Index>(at.size()));
    const Eigen::ArrayXf floats = doubles.cast<float>();
    const Eigen::ArrayXXd matrix = doubles.reshaped(2, doubles.size() / 2);
    const Eigen::Map<const Eigen::ArrayXd> map(at.data(), doubles.size());
    const Eigen::Ref<const Eigen::ArrayXd> ref(doubles);
    CHECK(close(values_of(function(doubles)), want, eps64));
    CHECK(close(values_of(function(floats)), want, eps));
    CHECK(close(values_of(function(matrix)), want, eps64));
    CHECK(close(values_of(function(map)), want, eps64));
    CHECK(close(values_of(function(ref)), want, eps64));
    CHECK(close(values_of(function(doubles.head(2))), {want[0], want[1]}, eps64));

    const gpu::Array<double> x = gpu::to_device(at);
    const gpu::Array<float> y = x.astype<float>();
    const auto is_one_launch = [&](const auto& argument) {
        const gpu::Counts before = gpu::counts();
        const auto got = values_of(function(argument));
        CHECK((gpu::counts() - before).launches == 1);
        return got;
    };
    CHECK(close(is_one_launch(x), want, eps64));
    CHECK(close(is_one_launch(y), want, eps));
    CHECK(close(is_one_launch(x(gpu::all)), want, eps64));  // a view
}

}  // namespace

TEST_CASE("softplus is written once for Eigen, libgpu and numbers") {
    check_everywhere([](const auto& x) { return softplus(x); }, softplus_of, points);
    const gpu::Array<double> x = gpu::to_device(points);
    const gpu::Counts before = gpu::counts();
    const gpu::Array<double> of_expression = softplus(2. * (x / 2.));
    CHECK((gpu::counts() - before).launches == 1);
    CHECK(gpu::to_host(of_expression) == gpu::to_host(gpu::Array<double>(softplus(x))));
    static_assert(std::is_same_v<decltype(softplus(1.f)), float>);
    static_assert(std::is_same_v<decltype(softplus(std::declval<gpu::Array<float>>())), gpu::Expr<float>>);
    static_assert(std::is_same_v<decltype(softplus(std::declval<Eigen::ArrayXf>()))::Scalar, float>);
}

#define everywhere(function, ...)                                                         \
    SUBCASE(#function) {                                                                  \
        check_everywhere(                                                                 \
            [](const auto& x) {                                                           \
                using namespace gpu::xp;                                                  \
                return function(x);                                                       \
            },                                                                            \
            [](double x) { return std::function(x); }, std::vector<double>{__VA_ARGS__}); \
    }

TEST_CASE("functions of real numbers are the same everywhere") {
    everywhere(abs, -2, 0, 1.5, 7);
    everywhere(sqrt, 0, 0.25, 2, 1000);
    everywhere(exp, -3, 0, 0.5, 5);
    everywhere(expm1, -3, 0, 0.001953125, 2);
    everywhere(log, 0.125, 1, 2.5, 1000);
    everywhere(log1p, -0.5, 0, 0.001953125, 9);
    everywhere(log2, 0.125, 1, 3, 1024);
    everywhere(log10, 0.125, 1, 3, 1000);
    everywhere(sin, -2, 0, 0.5, 3);
    everywhere(cos, -2, 0, 0.5, 3);
    everywhere(tan, -1, 0, 0.5, 1.25);
    everywhere(asin, -1, 0, 0.5, 1);
    everywhere(acos, -1, 0, 0.5, 1);
    everywhere(atan, -4, 0, 0.5, 2);
    everywhere(sinh, -2, 0, 0.5, 3);
    everywhere(cosh, -2, 0, 0.5, 3);
    everywhere(tanh, -2, 0, 0.5, 3);
    everywhere(asinh, -2, 0, 0.5, 3);
    everywhere(acosh, 1, 1.5, 2, 9);
    everywhere(atanh, -0.5, 0, 0.25, 0.75);
    everywhere(floor, -1.5, -1, 0.5, 2.75);
    everywhere(ceil, -1.5, -1, 0.5, 2.75);
    everywhere(rint, -1.5, 0.5, 1.5, 2.75);
}

TEST_CASE("functions that C++ has only for arrays or only in other words") {
    check_everywhere(
        [](const auto& x) {
            using namespace gpu::xp;
            return square(x);
        },
        [](double x) { return x * x; }, points);
    check_everywhere(
        [](const auto& x) {
            using namespace gpu::xp;
            return rsqrt(x);
        },
        [](double x) { return 1 / std::sqrt(x); }, {0.25, 1, 2, 100});
    check_everywhere(
        [](const auto& x) {
            using namespace gpu::xp;
            return sign(x);
        },
        [](double x) { return (x > 0) - (x < 0); }, points);
    check_everywhere(
        [](const auto& x) {
            using namespace gpu::xp;
            return pow(x, 3);
        },
        [](double x) { return x * x * x; }, points);
    check_everywhere(
        [](const auto& x) {
            using namespace gpu::xp;
            return pow(x, 0.5f);
        },
        [](double x) { return std::sqrt(x); }, {0.25, 1, 2, 100});
    check_everywhere(
        [](const auto& x) {
            using namespace gpu::xp;
            return astype<int>(x);
        },
        [](double x) { return std::trunc(x); }, points);
}

TEST_CASE("max, min, clip and where take arrays and numbers in any order") {
    const auto check = [](auto function, auto plain) { check_everywhere(function, plain, points); };
    check(
        [](const auto& x) {
            using namespace gpu::xp;
            return max(x, 1);
        },
        [](double x) { return std::max(x, 1.); });
    check(
        [](const auto& x) {
            using namespace gpu::xp;
            return max(1, x);
        },
        [](double x) { return std::max(x, 1.); });
    check(
        [](const auto& x) {
            using namespace gpu::xp;
            return maximum(0, x);
        },
        [](double x) { return std::max(x, 0.); });
    check(
        [](const auto& x) {
            using namespace gpu::xp;
            return min(x, 0.5);
        },
        [](double x) { return std::min(x, 0.5); });
    check(
        [](const auto& x) {
            using namespace gpu::xp;
            return minimum(0.5, x);
        },
        [](double x) { return std::min(x, 0.5); });
    check(
        [](const auto& x) {
            using namespace gpu::xp;
            return max(x, -x);
        },
        [](double x) { return std::abs(x); });
    check(
        [](const auto& x) {
            using namespace gpu::xp;
            return min(x, x + 1);
        },
        [](double x) { return x; });
    check(
        [](const auto& x) {
            using namespace gpu::xp;
            return clip(x, -1, 2);
        },
        [](double x) { return std::min(std::max(x, -1.), 2.); });
    check(
        [](const auto& x) {
            using namespace gpu::xp;
            return where(x > 0, x, 0);
        },
        [](double x) { return x > 0 ? x : 0; });
    check(
        [](const auto& x) {
            using namespace gpu::xp;
            return where(x > 0, 1, x);
        },
        [](double x) { return x > 0 ? 1 : x; });
    check(
        [](const auto& x) {
            using namespace gpu::xp;
            return where(x > 0, x, -x);
        },
        [](double x) { return std::abs(x); });
    check(
        [](const auto& x) {
            using namespace gpu::xp;
            return where(x < 1, 2.5, -1);
        },
        [](double x) { return x < 1 ? 2.5 : -1; });
}

TEST_CASE("a NaN wins in max and min, is kept by clip, and is found") {
    const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
    const std::vector<double> odd{nan, 1, inf, -inf};
    const auto check = [&](auto function, auto plain) { check_everywhere(function, plain, odd); };
    check(
        [](const auto& x) {
            using namespace gpu::xp;
            return isnan(x);
        },
        [](double x) { return std::isnan(x); });
    check(
        [](const auto& x) {
            using namespace gpu::xp;
            return isinf(x);
        },
        [](double x) { return std::isinf(x); });
    check(
        [](const auto& x) {
            using namespace gpu::xp;
            return isfinite(x);
        },
        [](double x) { return std::isfinite(x); });
    const std::vector<double> with_nan{nan, 1, -2, 5};
    const auto larger = [](double x) { return std::isnan(x) ? x : std::max(x, 0.); };
    check_everywhere(
        [](const auto& x) {
            using namespace gpu::xp;
            return max(x, 0);
        },
        larger, with_nan);
    check_everywhere(
        [](const auto& x) {
            using namespace gpu::xp;
            return max(0, x);
        },
        larger, with_nan);
    check_everywhere(
        [](const auto& x) {
            using namespace gpu::xp;
            return min(0, x);
        },
        [](double x) { return std::isnan(x) ? x : std::min(x, 0.); }, with_nan);
    check_everywhere(
        [](const auto& x) {
            using namespace gpu::xp;
            return clip(x, 0, 2);
        },
        [](double x) { return std::isnan(x) ? x : std::min(std::max(x, 0.), 2.); }, with_nan);
}

namespace {

// |z|, the angle, and z times its mirror image.
template <class Z>
auto parts(const Z& z) {
    using namespace gpu::xp;
    return abs(z) + 2 * arg(z) + real(z * conj(z)) - imag(z);
}

}  // namespace

TEST_CASE("complex numbers") {
    using Z = std::complex<double>;
    const std::vector<Z> z{{3, 4}, {-1, 2}, {0, -1}, {2, 0}};
    std::vector<double> want;
    for (const Z& each : z) want.push_back(std::abs(each) + 2 * std::arg(each) + std::norm(each) - each.imag());
    const Eigen::ArrayXcd host = Eigen::Map<const Eigen::ArrayXcd>(z.data(), 4);
    const gpu::Array<gpu::complex<double>> device = gpu::to_device(host);
    CHECK(close(values_of(parts(host)), want, 1e-14));
    CHECK(close(values_of(parts(device)), want, 1e-14));
    for (std::size_t k = 0; k < z.size(); ++k) CHECK(std::abs(parts(z[k]) - want[k]) <= 1e-14 * 10);
}
