// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include <doctest/doctest.h>

#include <gpu/gpu.hpp>

#include "functions/host_array.hpp"

// take_along_axis and interp.
namespace {

using gpu::IndexMode;
using Ints = std::vector<int>;
using Doubles = std::vector<double>;
constexpr double infinity = std::numeric_limits<double>::infinity();
const double not_a_number = std::nan("");

template <class T, class I>
void check_random_indices(unsigned seed) {
    Drawn drawn(seed);
    for (int round = 0; round < 16; ++round) {
        const gpu::Shape whole = drawn.shape(1, 4, 1, 4);
        const int axis = drawn.integer(0, whole.rank() - 1);
        gpu::Shape of_array = whole, of_index = whole;
        for (int k = 0; k < whole.rank(); ++k) {
            if (k == axis) continue;
            if (drawn.integer(0, 3) == 0) of_array[k] = 1;
            if (drawn.integer(0, 3) == 0) of_index[k] = 1;
        }
        of_index[axis] = drawn.integer(0, 5);
        const gpu::Array<T> x = drawn.array<T>(of_array);
        const auto n = static_cast<int>(of_array[axis]);
        std::vector<I> positions;
        for (std::int64_t k = 0; k < of_index.size(); ++k)
            positions.push_back(static_cast<I>(drawn.integer(std::is_signed_v<I> ? -n : 0, n - 1)));
        const gpu::Array<I> index = gpu::to_device(positions).reshape(gpu::TargetShape(of_index));
        gpu::Shape shape = gpu::broadcast(
            [&] {
                gpu::Shape other = of_array;
                other[axis] = 1;
                return other;
            }(),
            [&] {
                gpu::Shape other = of_index;
                other[axis] = 1;
                return other;
            }());
        shape[axis] = of_index[axis];
        const HostArray<T> from(x);
        const HostArray<I> places(index);
        HostArray<T> want(shape);
        for_each_index(shape, [&](const Index& at) {
            Index a = at, b = at;
            for (int k = 0; k < shape.rank(); ++k) {
                if (of_array[k] == 1) a[static_cast<std::size_t>(k)] = 0;
                if (of_index[k] == 1 && k != axis) b[static_cast<std::size_t>(k)] = 0;
            }
            const auto place = static_cast<std::int64_t>(places(b));
            a[static_cast<std::size_t>(axis)] = place < 0 ? place + n : place;
            want.values[want.place(at)] = from(a);
        });
        CAPTURE(gpu::to_string(of_array));
        CAPTURE(gpu::to_string(of_index));
        CAPTURE(axis);
        CHECK(is_equal(gpu::take_along_axis(x, index, {.axis = axis - whole.rank()}), want));
    }
}

// Rows move 16, 8, 4 or 2 bytes at a time, as their lengths and addresses allow.
template <class T>
void check_whole_rows() {
    for (const int columns : {1, 2, 3, 4, 6, 8, 12, 16, 40}) {
        for (const int beside : {0, 1, 2, 8}) {
            CAPTURE(columns);
            CAPTURE(beside);
            const std::int64_t rows = 5, width = columns + beside, n = rows * width;
            std::vector<T> host;
            for (std::int64_t k = 0; k < n; ++k) host.push_back(static_cast<T>(static_cast<float>(k % 100)));
            const gpu::Array<T> whole = gpu::to_device(host).reshape({rows, width});
            const auto window = whole(gpu::all, gpu::slice(beside, width));
            const std::vector<std::int64_t> places{4, 0, -2, 0};
            const gpu::Array<std::int64_t> index = gpu::to_device(places);
            const auto at = [&](std::int64_t row, int column) {
                return static_cast<std::size_t>((row + rows) % rows * width + beside + column);
            };
            std::vector<T> want;
            for (const std::int64_t row : places)
                for (int column = 0; column < columns; ++column) want.push_back(host[at(row, column)]);
            CHECK(gpu::to_host(gpu::take(window, index, {.axis = 0})) == want);

            // Written from rows, from one row for all, and from one number.
            const gpu::Array<T> rows_of_values = gpu::take(window, gpu::to_device({1, 2, 3}), {.axis = 0});
            for (const int kind : {0, 1, 2}) {
                gpu::Array<T> changed = whole.copy();
                auto target = changed(gpu::all, gpu::slice(beside, width));
                const gpu::Array<int> where = gpu::to_device({3, 0, 2});
                if (kind == 0) target.put(where, rows_of_values, {.axis = 0});
                if (kind == 1) target.put(where, rows_of_values(1), {.axis = 0});
                if (kind == 2) target.put(where, static_cast<T>(7.F), {.axis = 0});
                std::vector<T> put = host;
                for (int row = 0; row < 3; ++row)
                    for (int column = 0; column < columns; ++column)
                        put[at(std::vector{3, 0, 2}[static_cast<std::size_t>(row)], column)] =
                            kind == 2 ? static_cast<T>(7.F) : host[at(kind == 1 ? 2 : row + 1, column)];
                CHECK(gpu::to_host(changed) == put);
            }
        }
    }
}

}  // namespace

TEST_CASE("take and put move whole rows, wherever they begin and however long they are") {
    check_whole_rows<std::uint8_t>();
    check_whole_rows<std::int16_t>();
    check_whole_rows<float>();
    check_whole_rows<double>();
    check_whole_rows<gpu::complex<double>>();
    // along a middle axis, and a column-major array's
    const gpu::Array<int> x = gpu::arange<int>(3 * 5 * 8).reshape({3, 5, 8});
    const gpu::Array<int> index = gpu::to_device({4, 1});
    const std::vector<int> middle = gpu::to_host(gpu::take(x, index, {.axis = 1}));
    const std::vector<int> turned = gpu::to_host(gpu::take(x.reshape({15, 8}).transpose(), index, {.axis = 1}));
    for (int k = 0; k < 48; ++k) CHECK(middle[k] == k / 16 * 40 + (k / 8 % 2 == 0 ? 4 : 1) * 8 + k % 8);
    for (int k = 0; k < 16; ++k) CHECK(turned[k] == (k % 2 == 0 ? 4 : 1) * 8 + k / 2);
}

TEST_CASE("take_along_axis takes an element for each index") {
    //! [take_along_axis]
    gpu::Array<float> scores = gpu::to_device({3.f, 1.f, 2.f, 6.f, 5.f, 4.f}).reshape({2, 3});
    auto order = gpu::argsort(scores);                  // along the last axis
    auto sorted = gpu::take_along_axis(scores, order);  // 1 2 3 / 4 5 6
    auto best = gpu::argmax(scores, {.axis = 1, .keepdims = true});
    auto largest = gpu::take_along_axis(scores, best);  // 3 / 6
    //! [take_along_axis]
    CHECK(gpu::to_host(sorted) == std::vector<float>{1, 2, 3, 4, 5, 6});
    CHECK(gpu::to_host(largest) == std::vector<float>{3, 6});
    CHECK(largest.shape() == gpu::Shape{2, 1});
}

TEST_CASE("take_along_axis, random arrays and indices that broadcast") {
    check_random_indices<double, std::int64_t>(1);
    check_random_indices<int, int>(2);
    check_random_indices<bool, std::int8_t>(3);
    check_random_indices<gpu::complex<double>, std::uint8_t>(4);
    check_random_indices<gpu::half, std::uint64_t>(5);
}

TEST_CASE("take_along_axis of views and expressions, and indices out of bounds") {
    const gpu::Array<int> x = gpu::arange<int>(12).reshape({3, 4});
    const gpu::Array<int> index = gpu::to_device({0, 1, 2, 3}).reshape({4, 1});
    CHECK(gpu::to_host(gpu::take_along_axis(x.transpose(), index % 3)) == Ints{0, 5, 10, 3});
    CHECK(gpu::to_host(gpu::take_along_axis(10 * x, gpu::to_device({-1, 0, 2}).reshape({3, 1}))) == Ints{30, 40, 100});
    const gpu::Array<int> beyond = gpu::to_device({5, -9, 1}).reshape({3, 1});
    CHECK(gpu::to_host(gpu::take_along_axis(x, beyond, {.mode = IndexMode::wrap})) == Ints{1, 7, 9});
    CHECK(gpu::to_host(gpu::take_along_axis(x, beyond, {.mode = IndexMode::clip})) == Ints{3, 4, 9});
    const auto wait = [&] {
        const gpu::Array<int> taken = gpu::take_along_axis(x, gpu::to_device({0, 4, 1}).reshape({3, 1}), {.axis = 1});
        gpu::synchronize();
    };
    CHECK_THROWS_WITH_AS(wait(), doctest::Contains("axis 1"), gpu::IndexError);
    CHECK(gpu::take_along_axis(gpu::zeros<int>({0, 3}), gpu::zeros<int>({0, 5})).shape() == gpu::Shape{0, 5});
    CHECK_THROWS_AS((void)gpu::take_along_axis(gpu::zeros<int>({3, 0}), gpu::zeros<int>({3, 1})), gpu::IndexError);
    CHECK_THROWS_WITH_AS(
        (void)gpu::take_along_axis(x, gpu::to_device({0})),
        "take_along_axis: an index array of shape (1,) for an array of shape (3,4): both must have the "
        "same number of axes",
        gpu::ShapeError);
    CHECK_THROWS_WITH_AS((void)gpu::take_along_axis(x, gpu::zeros<int>({2, 4})),
                         "take_along_axis: an index array of shape (2,4) for an array of shape (3,4): axis 0 must have "
                         "the same length in both, or length 1 in one",
                         gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::take_along_axis(x, x, {.axis = 2}), gpu::AxisError);
    CHECK_THROWS_AS((void)gpu::take_along_axis(gpu::full<int>({}, 1), gpu::full<int>({}, 0)), gpu::AxisError);
}

namespace {

// From the definition: a linear search, and the line through both points.
double interpolated(double x, const Doubles& xp, const Doubles& fp, const gpu::InterpOptions& options) {
    if (std::isnan(x)) return x;
    if (x < xp.front()) return options.left.value_or(fp.front());
    if (x > xp.back()) return options.right.value_or(fp.back());
    std::size_t k = xp.size() - 1;
    while (xp[k] > x) --k;
    if (k + 1 == xp.size() || xp[k] == x) return fp[k];
    const double slope = (fp[k + 1] - fp[k]) / (xp[k + 1] - xp[k]);
    volatile double product = slope * (x - xp[k]);  // rounded by itself, as NumPy's
    return product + fp[k];
}

template <class T>
void check_random_points(unsigned seed, double tolerance) {
    Drawn drawn(seed);
    for (int round = 0; round < 25; ++round) {
        Doubles xp{drawn.number()}, fp{drawn.number()};
        const int count = drawn.integer(0, 40);
        for (int k = 0; k < count; ++k) {
            xp.push_back(xp.back() + drawn.integer(1, 64) / 16.0);
            fp.push_back(drawn.number());
        }
        std::vector<T> places, values;
        for (double& number : xp) number = static_cast<double>(places.emplace_back(static_cast<T>(number)));
        for (double& number : fp) number = static_cast<double>(values.emplace_back(static_cast<T>(number)));
        gpu::Array<T> x = drawn.array<T>(drawn.shape(0, 3, 0, 6));
        x = x * T(10);
        if (x.size() > 0) x.reshape({-1})(0) = places[places.size() / 2];
        gpu::InterpOptions options;
        if (round % 2 == 0) options.left = -7;
        if (round % 3 == 0) options.right = 0.5;
        HostArray<double> want(x.shape());
        const HostArray<T> at(x);
        for (std::size_t k = 0; k < want.values.size(); ++k)
            want.values[k] = interpolated(static_cast<double>(at.values[k]), xp, fp, options);
        CAPTURE(round);
        CHECK(is_close(gpu::interp(x, gpu::to_device(places), gpu::to_device(values), options), want, tolerance));
    }
}

}  // namespace

TEST_CASE("interp finds values between points") {
    //! [interp]
    const gpu::Array<double> xp = gpu::to_device({0., 1., 3.});
    const gpu::Array<double> fp = gpu::to_device({10., 20., 0.});
    const gpu::Array<double> x = gpu::to_device({-1., 0.5, 2., 3., 9.});
    auto y = gpu::interp(x, xp, fp);                             // 10 15 10 0 0
    auto z = gpu::interp(x, xp, fp, {.left = -1, .right = 99});  // -1 15 10 0 99
    //! [interp]
    CHECK(gpu::to_host(y) == Doubles{10, 15, 10, 0, 0});
    CHECK(gpu::to_host(z) == Doubles{-1, 15, 10, 0, 99});
    CHECK(gpu::to_host(gpu::interp(x, {0, 1, 3}, {10, 20, 0})) == Doubles{10, 15, 10, 0, 0});
    CHECK(gpu::to_host(gpu::interp(x, {0, 1, 3}, {10, 20, 0}, {.left = -1, .right = 99})) ==
          Doubles{-1, 15, 10, 0, 99});
    CHECK(gpu::to_host(gpu::interp(gpu::to_device({1, 2}), {0, 4}, {0, 1})) == Doubles{0.25, 0.5});
}

TEST_CASE("interp, random points: doubles bit by bit") {
    check_random_points<double>(11, 0);
    check_random_points<float>(12, 1e-4);
}

TEST_CASE("interp of other types, views and expressions, NaN and infinities") {
    const gpu::Array<int> points = gpu::to_device({0, 10}), values = gpu::to_device({0, 5});
    const gpu::Array<double> halves = gpu::interp(gpu::to_device({1, 3}), points, values);
    CHECK(gpu::to_host(halves) == Doubles{0.5, 1.5});
    static_assert(
        std::is_same_v<decltype(gpu::interp(gpu::zeros<float>({1}), gpu::zeros<float>({1}), gpu::zeros<float>({1}))),
                       gpu::Array<float>>);
    const gpu::Array<gpu::half> h = gpu::to_device({1.f, 2.f}).astype<gpu::half>();
    CHECK(static_cast<float>(gpu::interp(h(gpu::slice(0, 1)), h, h).item()) == 1.f);
    const gpu::Array<double> down = gpu::to_device({3., 2., 1., 0.});
    const gpu::Array<double> x = gpu::to_device({0.5, 2.5}).reshape({2, 1});
    const auto y = gpu::interp(x.transpose(), down.flip(), 2 * down.flip());
    CHECK(y.shape() == gpu::Shape{1, 2});
    CHECK(gpu::to_host(y) == Doubles{1, 5});
    const auto one = gpu::interp(gpu::to_device({-1., 0., 1.}), gpu::zeros<double>({1}), gpu::full<double>({1}, 4));
    CHECK(gpu::to_host(one) == Doubles{4, 4, 4});
    // as np.interp([nan, inf, -inf, 0.5, 1.5, 2.5], [0, 1, 2, 3], [1, inf, inf, 2]) gives them
    const Doubles wild =
        gpu::to_host(gpu::interp(gpu::to_device({not_a_number, infinity, -infinity, 0.5, 1.5, 2.5}),
                                 gpu::to_device({0., 1., 2., 3.}), gpu::to_device({1., infinity, infinity, 2.})));
    CHECK(std::isnan(wild[0]));
    CHECK(wild[1] == 2);
    CHECK(wild[2] == 1);
    CHECK(wild[3] == infinity);
    CHECK(wild[4] == infinity);
    CHECK(wild[5] == infinity);
    // two points of one coordinate are a step
    const auto step =
        gpu::interp(gpu::to_device({0.5, 1., 1.5}), gpu::to_device({0., 1., 1., 2.}), gpu::to_device({0., 0., 8., 8.}));
    CHECK(gpu::to_host(step) == Doubles{0, 8, 8});
    CHECK(gpu::interp(gpu::zeros<double>({0, 3}), gpu::ones<double>({1}), gpu::ones<double>({1})).shape() ==
          gpu::Shape{0, 3});
}

TEST_CASE("interp says what is wrong with points") {
    const gpu::Array<double> x = gpu::to_device({1.}), none = gpu::zeros<double>({0});
    CHECK_THROWS_WITH_AS(
        (void)gpu::interp(x, gpu::zeros<double>({3}), gpu::zeros<double>({4})),
        "interp: xp has shape (3,) and fp shape (4,): each point needs a coordinate and a value, in two "
        "vectors",
        gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::interp(x, gpu::zeros<double>({2, 2}), gpu::zeros<double>({2, 2})), gpu::ShapeError);
    CHECK_THROWS_WITH_AS((void)gpu::interp(x, none, none),
                         "interp: xp has shape (0,) and fp shape (0,): there must be a point", gpu::ShapeError);
}
