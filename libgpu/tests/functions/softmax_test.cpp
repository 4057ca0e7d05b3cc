// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include <doctest/doctest.h>

#include <gpu/gpu.hpp>

#include "functions/host_array.hpp"

// softmax, logsumexp and trapezoid.
namespace {

using Doubles = std::vector<double>;
constexpr double infinity = std::numeric_limits<double>::infinity();
const double not_a_number = std::nan("");

// The index with the reduced axes at 0.
Index kept(Index index, const std::vector<int>& axes) {
    for (const int axis : axes) index[static_cast<std::size_t>(axis)] = 0;
    return index;
}

struct Sums {
    HostArray<double> largest, sum;  // of exp(x - largest), by kept index

    template <class T>
    Sums(const HostArray<T>& x, const std::vector<int>& axes) {
        gpu::Shape shape = x.shape;
        for (const int axis : axes) shape[axis] = 1;
        largest = sum = HostArray<double>(shape);
        for (double& each : largest.values) each = -infinity;
        for_each_index(x.shape, [&](const Index& index) {
            double& most = largest.values[largest.place(kept(index, axes))];
            most = std::max(most, static_cast<double>(x(index)));
        });
        for_each_index(x.shape, [&](const Index& index) {
            const std::size_t at = sum.place(kept(index, axes));
            sum.values[at] += std::exp(static_cast<double>(x(index)) - largest.values[at]);
        });
    }
};

template <class T>
void check_random_sums(unsigned seed, double tolerance) {
    Drawn drawn(seed);
    for (int round = 0; round < 12; ++round) {
        const gpu::Array<T> x = drawn.array<T>(drawn.shape(1, 4, 1, 5));
        std::vector<int> axes, negative;
        for (int axis = 0; axis < x.rank(); ++axis) {
            if (drawn.integer(0, 1) == 0 && !(axes.empty() && axis + 1 == x.rank())) continue;
            axes.push_back(axis);
            negative.push_back(axis - x.rank());
        }
        const gpu::Axes over{std::span<const int>(negative)};
        const HostArray<T> host(x);
        const Sums sums(host, axes);
        HostArray<double> parts(x.shape()), logs(sums.sum.shape);
        for_each_index(x.shape(), [&](const Index& index) {
            const Index at = kept(index, axes);
            parts.values[parts.place(index)] =
                std::exp(static_cast<double>(host(index)) - sums.largest(at)) / sums.sum(at);
        });
        for (std::size_t k = 0; k < logs.values.size(); ++k)
            logs.values[k] = sums.largest.values[k] + std::log(sums.sum.values[k]);
        CAPTURE(gpu::to_string(x.shape()));
        CHECK(is_close(gpu::softmax(x, {.axis = over}), parts, tolerance));
        CHECK(is_close(gpu::logsumexp(x, {.axis = over, .keepdims = true}), logs, 200 * tolerance));
        CHECK(gpu::to_host(gpu::logsumexp(x, {.axis = over})) ==
              gpu::to_host(gpu::logsumexp(x, {.axis = over, .keepdims = true})));
    }
}

Doubles softmax_of(const Doubles& x) { return gpu::to_host(gpu::softmax(gpu::to_device(x))); }
double logsumexp_of(const Doubles& x) { return gpu::logsumexp(gpu::to_device(x)).item(); }
bool all_nan(const Doubles& x) {
    return std::all_of(x.begin(), x.end(), [](double each) { return std::isnan(each); });
}

}  // namespace

TEST_CASE("softmax makes probabilities of scores") {
    //! [softmax]
    gpu::Array<float> scores = gpu::to_device({1.f, 1.f, 1000.f, 1000.f, 0.f, 0.f}).reshape({3, 2});
    auto each = gpu::softmax(scores, {.axis = 1});  // of each row: all 0.5
    auto whole = gpu::softmax(scores);              // of all: 0 0 0.5 0.5 0 0
    //! [softmax]
    CHECK(gpu::to_host(each) == std::vector<float>(6, 0.5f));
    CHECK(gpu::to_host(whole) == std::vector<float>{0, 0, 0.5f, 0.5f, 0, 0});
}

TEST_CASE("logsumexp adds numbers given by their logarithms") {
    //! [logsumexp]
    gpu::Array<double> logs = gpu::to_device({-1000., -1000.});
    auto sum = gpu::logsumexp(logs);  // -1000 + log(2), where exp(-1000) is 0
    //! [logsumexp]
    CHECK(sum.item() == doctest::Approx(-1000 + std::log(2.0)).epsilon(1e-15));
}

TEST_CASE("softmax and logsumexp, random arrays and axes") {
    check_random_sums<double>(1, 1e-15);
    check_random_sums<float>(2, 5e-7);
    check_random_sums<int>(3, 1e-15);
    check_random_sums<std::uint8_t>(4, 1e-15);
    check_random_sums<gpu::half>(5, 1e-3);
}

TEST_CASE("softmax and logsumexp of NaN, infinities and nothing, as in SciPy") {
    CHECK(all_nan(softmax_of({0, not_a_number, 1})));
    CHECK(all_nan(softmax_of({0, infinity, 1})));
    CHECK(all_nan(softmax_of({-infinity, -infinity})));
    CHECK(softmax_of({-infinity, 3}) == Doubles{0, 1});
    CHECK(std::isnan(logsumexp_of({0, not_a_number, 1})));
    CHECK(std::isnan(logsumexp_of({infinity, not_a_number})));
    CHECK(logsumexp_of({0, infinity, infinity}) == infinity);
    CHECK(logsumexp_of({infinity, -infinity}) == infinity);
    CHECK(logsumexp_of({-infinity, -infinity}) == -infinity);
    CHECK(logsumexp_of({-infinity, 2.5}) == 2.5);
    CHECK(logsumexp_of({1e308, -1e308}) == 1e308);
    // a small rest beside 0 isn't lost: log(1 + 2e-30)
    CHECK(logsumexp_of({0, std::log(2e-30)}) == doctest::Approx(2e-30).epsilon(1e-13));
    CHECK(gpu::logsumexp(gpu::zeros<double>({0})).item() == -infinity);
    CHECK(gpu::to_host(gpu::logsumexp(gpu::zeros<float>({2, 0}), {.axis = 1})) ==
          std::vector<float>(2, -std::numeric_limits<float>::infinity()));
    CHECK(gpu::logsumexp(gpu::zeros<float>({0, 2}), {.axis = 1, .keepdims = true}).shape() == gpu::Shape{0, 1});
    CHECK(gpu::softmax(gpu::zeros<float>({0, 2}), {.axis = 1}).shape() == gpu::Shape{0, 2});
    CHECK_THROWS_AS((void)gpu::softmax(gpu::zeros<float>({0, 2}), {.axis = 0}), gpu::ShapeError);
    // rows don't disturb each other
    const Doubles rows =
        gpu::to_host(gpu::softmax(gpu::to_device({not_a_number, 1., 0., 0.}).reshape({2, 2}), {.axis = 1}));
    CHECK(std::isnan(rows[0]));
    CHECK(rows[2] == 0.5);
}

TEST_CASE("softmax and logsumexp of views and expressions, other types and axes that aren't there") {
    const gpu::Array<double> x = gpu::arange<double>(6).reshape({2, 3});
    const auto turned = gpu::softmax(x.transpose(), {.axis = 0});
    CHECK(gpu::to_host(gpu::Array<double>(turned.transpose())) == gpu::to_host(gpu::softmax(x, {.axis = 1})));
    CHECK(gpu::to_host(gpu::softmax(x + 1000, {.axis = 1})) == gpu::to_host(gpu::softmax(x, {.axis = 1})));
    CHECK(gpu::logsumexp(x * 0).item() == doctest::Approx(std::log(6.0)));
    static_assert(std::is_same_v<decltype(gpu::softmax(gpu::zeros<int>({1}))), gpu::Array<double>>);
    static_assert(std::is_same_v<decltype(gpu::logsumexp(gpu::zeros<gpu::half>({1}))), gpu::Array<gpu::half>>);
    CHECK(gpu::softmax(gpu::full<float>({}, 3.f)).item() == 1.f);
    CHECK(gpu::logsumexp(gpu::full<float>({}, 3.f)).item() == 3.f);
    CHECK_THROWS_AS((void)gpu::softmax(x, {.axis = 2}), gpu::AxisError);
    CHECK_THROWS_AS((void)gpu::logsumexp(x, {.axis = {0, 0}}), gpu::AxisError);
    CHECK_THROWS_AS((void)gpu::logsumexp(gpu::zeros<float>({0}), {.axis = 1}), gpu::AxisError);
}

namespace {

template <class T>
void check_random_integrals(unsigned seed, double tolerance) {
    Drawn drawn(seed);
    for (int round = 0; round < 12; ++round) {
        const gpu::Array<T> y = drawn.array<T>(drawn.shape(1, 3, 0, 6));
        const int axis = drawn.integer(0, y.rank() - 1);
        const auto k = static_cast<std::size_t>(axis);
        Doubles line;
        for (std::int64_t place = 0; place < y.shape()[axis]; ++place) line.push_back(drawn.integer(0, 64) / 8.0);
        const gpu::Array<double> grid = drawn.array<double>(y.shape());
        const HostArray<T> values(y);
        const HostArray<double> places(grid);
        gpu::Shape shape;
        for (int other = 0; other < y.rank(); ++other) {
            if (other != axis) shape.append(y.shape()[other]);
        }
        HostArray<std::complex<double>> even(shape), along(shape), everywhere(shape);
        for_each_index(y.shape(), [&](const Index& index) {
            if (index[k] == 0) return;
            Index before = index, to = index;
            --before[k];
            to.erase(to.begin() + axis);
            const std::complex<double> mean = (as_complex(values(index)) + as_complex(values(before))) / 2.0;
            const auto at = static_cast<std::size_t>(index[k]);
            even.values[even.place(to)] += 0.25 * mean;
            along.values[along.place(to)] += (line[at] - line[at - 1]) * mean;
            everywhere.values[everywhere.place(to)] += (places(index) - places(before)) * mean;
        });
        CAPTURE(gpu::to_string(y.shape()));
        CAPTURE(axis);
        CHECK(is_close(gpu::trapezoid(y, {.axis = axis - y.rank(), .dx = 0.25}), even, tolerance));
        CHECK(is_close(gpu::trapezoid(y, gpu::to_device(line), {.axis = axis}), along, tolerance));
        CHECK(is_close(gpu::trapezoid(y, grid, {.axis = axis}), everywhere, tolerance));
    }
}

}  // namespace

TEST_CASE("trapezoid integrates") {
    //! [trapezoid]
    const gpu::Array<double> x = gpu::to_device({0., 1., 3.});
    auto area = gpu::trapezoid(x * x, x);            // (0 + 1) / 2 + 2 (1 + 9) / 2
    auto even = gpu::trapezoid(x * x, {.dx = 0.5});  // ((0 + 1) / 2 + (1 + 9) / 2) / 2
    //! [trapezoid]
    CHECK(area.item() == 10.5);
    CHECK(even.item() == 2.75);
}

TEST_CASE("trapezoid, random arrays") {
    check_random_integrals<double>(11, 1e-12);
    check_random_integrals<float>(12, 1e-4);
    check_random_integrals<int>(13, 1e-10);
    check_random_integrals<std::uint8_t>(14, 1e-10);
    check_random_integrals<gpu::complex<double>>(15, 1e-12);
}

TEST_CASE("trapezoid of views, expressions and few elements, and its errors") {
    const gpu::Array<double> y = gpu::arange<double>(6).reshape({2, 3});
    CHECK(gpu::to_host(gpu::trapezoid(y.transpose(), {.axis = 0})) == Doubles{2, 8});
    CHECK(gpu::to_host(gpu::trapezoid(y.flip({1}), gpu::to_device({2, 1, 0}))) == Doubles{-2, -8});
    CHECK(gpu::trapezoid(gpu::to_device({5.})).item() == 0);
    CHECK(gpu::trapezoid(gpu::zeros<float>({0})).item() == 0);
    CHECK(std::isnan(gpu::trapezoid(gpu::to_device({5., not_a_number})).item()));
    static_assert(
        std::is_same_v<decltype(gpu::trapezoid(gpu::zeros<float>({2}), gpu::zeros<float>({2}))), gpu::Array<float>>);
    CHECK_THROWS_WITH_AS((void)gpu::trapezoid(y, gpu::zeros<double>({2})),
                         "trapezoid: axis 1 of an array of shape (2,3): the coordinates have shape (2,); they are a "
                         "vector of length 3, or an array of the same shape",
                         gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::trapezoid(y, {.axis = 2}), gpu::AxisError);
    CHECK_THROWS_AS((void)gpu::trapezoid(gpu::full<double>({}, 1)), gpu::AxisError);
}
