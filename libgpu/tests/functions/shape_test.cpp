// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdint>
#include <limits>
#include <tuple>
#include <type_traits>
#include <vector>

#include <doctest/doctest.h>

#include <gpu/gpu.hpp>

#include "functions/host_array.hpp"
#include "support/messages.hpp"

// pad, rot90, broadcast_arrays and gradient, against loops that follow their definitions.
namespace {

using gpu::PadMode;
using Ints = std::vector<int>;
using Doubles = std::vector<double>;

// The place in an axis of n elements that a padded place shows, a step at a time; -1: none.
std::int64_t shown(std::int64_t at, std::int64_t n, PadMode mode) {
    while (at < 0 || at >= n) {
        const bool is_before = at < 0;
        switch (mode) {
            case PadMode::edge: at = is_before ? 0 : n - 1; break;
            case PadMode::wrap: at += is_before ? n : -n; break;
            case PadMode::symmetric: at = is_before ? -1 - at : 2 * n - 1 - at; break;
            case PadMode::reflect: at = n == 1 ? 0 : is_before ? -at : 2 * (n - 1) - at; break;
            default: return -1;
        }
    }
    return at;
}

template <class T>
HostArray<T> padded(const HostArray<T>& x, const std::vector<gpu::PadWidth>& widths, PadMode mode, T number) {
    gpu::Shape shape;
    for (int axis = 0; axis < x.shape.rank(); ++axis) {
        const gpu::PadWidth& width = widths[static_cast<std::size_t>(axis)];
        shape.append(width.before + x.shape[axis] + width.after);
    }
    HostArray<T> made(shape);
    for_each_index(shape, [&](const Index& index) {
        Index from = index;
        bool is_inside = true;
        for (std::size_t k = 0; k < index.size(); ++k) {
            from[k] = shown(index[k] - widths[k].before, x.shape[static_cast<int>(k)], mode);
            is_inside = is_inside && from[k] >= 0;
        }
        made.values[made.place(index)] = is_inside ? x(from) : number;
    });
    return made;
}

template <class T>
void check_random_pads(unsigned seed) {
    Drawn drawn(seed);
    for (const PadMode mode : {PadMode::constant, PadMode::edge, PadMode::reflect, PadMode::symmetric, PadMode::wrap}) {
        for (int round = 0; round < 12; ++round) {
            const gpu::Array<T> x = drawn.array<T>(drawn.shape(1, 3, 1, 4));
            std::vector<gpu::PadWidth> widths;
            for (int axis = 0; axis < x.rank(); ++axis) widths.push_back({drawn.integer(0, 9), drawn.integer(0, 3)});
            CAPTURE(static_cast<int>(mode));
            CAPTURE(gpu::to_string(x.shape()));
            CHECK(is_equal(gpu::pad(x, gpu::PadWidths(widths), {.mode = mode, .value = 1}),
                           padded(HostArray<T>(x), widths, mode, T(1))));
        }
    }
}

}  // namespace

TEST_CASE("pad surrounds an array") {
    const gpu::Array<int> v = gpu::to_device({1, 2, 3});
    //! [pad]
    gpu::Array<int> image = gpu::arange<int>(6).reshape({2, 3});
    auto framed = gpu::pad(image, 1);                                    // a frame of zeros
    auto longer = gpu::pad(v, {2, 4}, {.mode = gpu::PadMode::reflect});  // 3 2 1 2 3 2 1 2 3
    auto rows = gpu::pad(image, {{1, 0}, {0, 2}}, {.mode = gpu::PadMode::constant, .value = -1});
    //! [pad]
    CHECK(gpu::to_host(framed) == Ints{0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 3, 4, 5, 0, 0, 0, 0, 0, 0});
    CHECK(gpu::to_host(longer) == Ints{3, 2, 1, 2, 3, 2, 1, 2, 3});
    CHECK(gpu::to_host(rows) == Ints{-1, -1, -1, -1, -1, 0, 1, 2, -1, -1, 3, 4, 5, -1, -1});
    CHECK(gpu::to_host(gpu::pad(v, 2, {.mode = PadMode::edge})) == Ints{1, 1, 1, 2, 3, 3, 3});
    CHECK(gpu::to_host(gpu::pad(v, {{2, 2}}, {.mode = PadMode::symmetric})) == Ints{2, 1, 1, 2, 3, 3, 2});
    CHECK(gpu::to_host(gpu::pad(v, 2, {.mode = PadMode::wrap})) == Ints{2, 3, 1, 2, 3, 1, 2});
    const gpu::Array<int> room = gpu::pad(v, {1, 1}, {.mode = PadMode::empty});
    CHECK(gpu::to_host(room(gpu::slice(1, 4))) == Ints{1, 2, 3});
}

TEST_CASE("pad, random arrays and widths in every mode") {
    check_random_pads<double>(1);
    check_random_pads<float>(2);
    check_random_pads<int>(3);
    check_random_pads<std::uint8_t>(4);
    check_random_pads<bool>(5);
    check_random_pads<gpu::half>(6);
    check_random_pads<gpu::complex<float>>(7);
}

TEST_CASE("pad takes views and expressions, arrays without axes and without elements") {
    Drawn drawn(8);
    const gpu::Array<double> x = drawn.array<double>({4, 5});
    const auto view = x.transpose()(gpu::slice(gpu::none, gpu::none, -2));
    const gpu::Array<double> plain = view;
    for (const PadMode mode : {PadMode::constant, PadMode::edge, PadMode::wrap}) {
        CHECK(is_equal(gpu::pad(view, {1, 2}, {.mode = mode}),
                       padded(HostArray<double>(plain), {{1, 2}, {1, 2}}, mode, 0.0)));
        CHECK(is_equal(gpu::pad(2 * x, 1, {.mode = mode}),
                       padded(HostArray<double>(gpu::Array<double>(2 * x)), {{1, 1}, {1, 1}}, mode, 0.0)));
    }
    const gpu::Array<int> single = gpu::pad(gpu::full<int>({}, 7), 3, {.mode = PadMode::edge});
    CHECK(single.item() == 7);
    CHECK(gpu::to_host(gpu::pad(gpu::zeros<int>({0}), {1, 2}, {.value = 4})) == Ints{4, 4, 4});
    CHECK(gpu::pad(gpu::zeros<int>({0, 2}), {{0, 0}, {1, 2}}, {.mode = PadMode::edge}).shape() == gpu::Shape{0, 5});
    const gpu::Array<int> same = gpu::pad(gpu::to_device({1, 2}), 0, {.mode = PadMode::wrap});
    CHECK(gpu::to_host(same) == Ints{1, 2});
    // a copy, even where nothing is added
    gpu::Array<int> source = gpu::to_device({1, 2});
    gpu::Array<int> copy = gpu::pad(source, 0, {.mode = PadMode::edge});
    source = 9;
    CHECK(gpu::to_host(copy) == Ints{1, 2});
}

TEST_CASE("pad's constant is a number of the elements' type") {
    const double infinity = std::numeric_limits<double>::infinity();
    CHECK(gpu::to_host(gpu::pad(gpu::ones<double>({1}), {1, 0}, {.value = infinity}))[0] == infinity);
    CHECK(std::isnan(gpu::to_host(gpu::pad(gpu::ones<float>({1}), {1, 0}, {.value = std::nan("")}))[0]));
    CHECK(gpu::to_host(gpu::pad(gpu::ones<std::uint64_t>({1}), {1, 0}, {.value = 0x1p63}))[0] == std::uint64_t{1}
                                                                                                     << 63);
    using Complex = gpu::complex<double>;
    CHECK(gpu::to_host(gpu::pad(gpu::ones<Complex>({1}), {1, 0}, {.value = Complex(1, 2)}))[0] == Complex(1, 2));
    CHECK(gpu::to_host(gpu::pad(gpu::zeros<bool>({1}), {1, 0}, {.value = 1}))[0]);
    const gpu::Array<int> v = gpu::to_device({1});
    CHECK_THROWS_WITH_AS((void)gpu::pad(v, 1, {.value = 0.5}),
                         "pad: the value 0.5 doesn't fit int32, the elements' type", gpu::DTypeError);
    CHECK_THROWS_AS((void)gpu::pad(v, 1, {.value = 1e10}), gpu::DTypeError);
    CHECK_THROWS_AS((void)gpu::pad(v, 1, {.value = infinity}), gpu::DTypeError);
    CHECK_THROWS_AS((void)gpu::pad(v, 1, {.value = std::nan("")}), gpu::DTypeError);
    CHECK_THROWS_AS((void)gpu::pad(gpu::zeros<bool>({1}), 1, {.value = 2}), gpu::DTypeError);
    CHECK_THROWS_AS((void)gpu::pad(gpu::ones<float>({1}), 1, {.value = Complex(0, 1)}), gpu::DTypeError);
}

TEST_CASE("pad says what is wrong with widths") {
    const gpu::Array<int> x = gpu::zeros<int>({2, 3});
    CHECK_THROWS_WITH_AS((void)gpu::pad(x, {{1, 2}, {0, 0}, {3, 4}}),
                         "pad: 3 pairs of widths for an array of shape (2,3): give one for each axis, or one for all",
                         gpu::ShapeError);
    CHECK_THROWS_WITH_AS((void)gpu::pad(x, {{1, 2}, {0, -1}}),
                         "pad: widths {0, -1} for axis 1 of an array of shape (2,3): a width can't be negative",
                         gpu::ShapeError);
    CHECK_THROWS_WITH_AS((void)gpu::pad(gpu::zeros<int>({0}), 1, {.mode = PadMode::edge}),
                         "pad: widths {1, 1} for axis 0 of an array of shape (0,): there is no element to repeat; use "
                         "PadMode::constant",
                         gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::pad(x, std::numeric_limits<std::int64_t>::max()), gpu::ShapeError);
}

TEST_CASE("rot90 turns an array, as a view") {
    //! [rot90]
    gpu::Array<int> image = gpu::arange<int>(6).reshape({2, 3});  // 0 1 2 / 3 4 5
    gpu::Array<int> left = image.rot90();                         // 2 5 / 1 4 / 0 3
    gpu::Array<int> right = image.rot90(-1);                      // 3 0 / 4 1 / 5 2
    //! [rot90]
    CHECK(left.shape() == gpu::Shape{3, 2});
    CHECK(gpu::to_host(left) == Ints{2, 5, 1, 4, 0, 3});
    CHECK(gpu::to_host(right) == Ints{3, 0, 4, 1, 5, 2});
    CHECK(gpu::to_host(image.rot90(2)) == Ints{5, 4, 3, 2, 1, 0});
    CHECK(gpu::to_host(image.rot90(4)) == gpu::to_host(image));
    CHECK(gpu::to_host(image.rot90(-6)) == Ints{5, 4, 3, 2, 1, 0});
    image.rot90()(0, 0) = 9;
    CHECK(gpu::to_host(image) == Ints{0, 1, 9, 3, 4, 5});
    const auto& fixed = image;
    static_assert(std::is_same_v<decltype(fixed.rot90()), gpu::View<const int>>);

    Drawn drawn(11);
    for (int round = 0; round < 20; ++round) {
        const gpu::Array<int> x = drawn.array<int>(drawn.shape(2, 4, 1, 4));
        const int axis1 = drawn.integer(0, x.rank() - 1), axis2 = (axis1 + drawn.integer(1, x.rank() - 1)) % x.rank();
        const HostArray<int> from(x), once(gpu::Array<int>(x.rot90(1, axis1, axis2 - x.rank())));
        // element (i, j) of the plane comes from (j, n - 1 - i)
        const auto a = static_cast<std::size_t>(axis1), b = static_cast<std::size_t>(axis2);
        for_each_index(once.shape, [&](const Index& index) {
            Index place = index;
            place[a] = index[b];
            place[b] = x.shape()[axis2] - 1 - index[a];
            REQUIRE(once(index) == from(place));
        });
        CHECK(gpu::to_host(x.rot90(3, axis1, axis2)) == gpu::to_host(x.rot90(1, axis2, axis1)));
    }
    CHECK_THROWS_AS((void)gpu::zeros<int>({3}).rot90(), gpu::AxisError);
    CHECK_THROWS_AS((void)image.rot90(1, 0, 0), gpu::AxisError);
    CHECK_THROWS_AS((void)image.rot90(1, 0, -2), gpu::AxisError);
}

TEST_CASE("broadcast_arrays gives views of one shape") {
    //! [broadcast_arrays]
    gpu::Array<float> column = gpu::to_device({1.f, 2.f}).reshape({2, 1});
    gpu::Array<int> row = gpu::to_device({10, 20, 30});
    auto [c, r] = gpu::broadcast_arrays(column, row);  // both (2, 3)
    //! [broadcast_arrays]
    static_assert(std::is_same_v<decltype(c), gpu::View<const float>>);
    static_assert(std::is_same_v<decltype(r), gpu::View<const int>>);
    CHECK(gpu::to_host(c) == std::vector<float>{1, 1, 1, 2, 2, 2});
    CHECK(gpu::to_host(r) == Ints{10, 20, 30, 10, 20, 30});
    CHECK(c.strides() == gpu::Strides{1, 0});
    const auto [x, y, z] = gpu::broadcast_arrays(row, gpu::full<int>({}, 7), column.transpose()(0)(gpu::slice(0, 1)));
    CHECK(gpu::to_host(y) == Ints{7, 7, 7});
    CHECK(z.shape() == x.shape());
    const auto [empty, one] = gpu::broadcast_arrays(gpu::zeros<int>({0, 3}), gpu::ones<int>({1, 1}));
    CHECK(one.shape() == gpu::Shape{0, 3});
    CHECK(empty.size() == 0);
    CHECK_THROWS_AS((void)gpu::broadcast_arrays(row, gpu::ones<int>({2})), gpu::ShapeError);
}

TEST_CASE("gradient along an axis, and along several") {
    //! [gradient]
    const gpu::Array<double> f = gpu::to_device({1., 2., 4., 7., 11., 16.});
    gpu::Array<double> slope = gpu::gradient(f, {.spacing = 0.5});  // 2 3 5 7 9 10
    gpu::Array<float> image = gpu::arange<float>(6).reshape({2, 3});
    auto slopes = gpu::gradient(image, {.axes = {0, 1}});  // slopes[0] is all 3, slopes[1] all 1
    //! [gradient]
    CHECK(gpu::to_host(slope) == Doubles{2, 3, 5, 7, 9, 10});
    CHECK(gpu::to_host(gpu::gradient(f, 0.5)) == Doubles{2, 3, 5, 7, 9, 10});
    CHECK(gpu::to_host(gpu::gradient(f, 2)) == Doubles{0.5, 0.75, 1.25, 1.75, 2.25, 2.5});
    CHECK(gpu::to_host(gpu::pad(image(0), 1, gpu::PadMode::edge)) == std::vector<float>{0, 0, 1, 2, 2});
    REQUIRE(slopes.size() == 2);
    CHECK(gpu::to_host(slopes[0]) == std::vector<float>(6, 3.f));
    CHECK(gpu::to_host(slopes[1]) == std::vector<float>(6, 1.f));
    const auto all = gpu::gradient(image, gpu::GradientAxes{.spacing = {1, 0.5}});
    CHECK(gpu::to_host(all[1]) == std::vector<float>(6, 2.f));

    //! [gradient_at]
    gpu::Array<double> x = gpu::to_device({0., 1., 3.});
    gpu::Array<double> at = gpu::gradient(x * x, x);  // 1 2 4: exact inside for a parabola
    //! [gradient_at]
    CHECK(gpu::to_host(at) == Doubles{1, 2, 4});
}

namespace {

// Along one axis, with coordinates; the reference is in double.
template <class T>
HostArray<std::complex<double>> slopes_of(const gpu::Array<T>& array, int axis, const Doubles& x) {
    const HostArray<T> f(array);
    HostArray<std::complex<double>> made(f.shape);
    const auto k = static_cast<std::size_t>(axis);
    for_each_index(f.shape, [&](const Index& index) {
        const std::int64_t at = index[k], last = f.shape[axis] - 1;
        const auto value = [&](std::int64_t place) {
            Index other = index;
            other[k] = place;
            return as_complex(f(other));
        };
        const auto coordinate = [&](std::int64_t place) { return x[static_cast<std::size_t>(place)]; };
        const auto between = [&](std::int64_t a, std::int64_t b) {
            return (value(b) - value(a)) / (coordinate(b) - coordinate(a));
        };
        std::complex<double> slope;
        if (at == 0)
            slope = between(0, 1);
        else if (at == last)
            slope = between(last - 1, last);
        else {  // the slopes on both sides, weighted by the other side's distance
            const double before = coordinate(at) - coordinate(at - 1), after = coordinate(at + 1) - coordinate(at);
            slope = (after * between(at - 1, at) + before * between(at, at + 1)) / (before + after);
        }
        made.values[made.place(index)] = slope;
    });
    return made;
}

template <class T>
void check_random_gradients(unsigned seed, double tolerance) {
    Drawn drawn(seed);
    for (int round = 0; round < 12; ++round) {
        const gpu::Array<T> f = drawn.array<T>(drawn.shape(1, 3, 2, 6));
        const int axis = drawn.integer(0, f.rank() - 1);
        const auto n = f.shape()[axis];
        const double spacing = round % 2 == 0 ? 1 : 0.75;
        Doubles even, uneven;
        for (std::int64_t k = 0; k < n; ++k) {
            even.push_back(spacing * static_cast<double>(k));
            uneven.push_back(static_cast<double>(k) + drawn.integer(0, 3) / 4.0);
        }
        CAPTURE(gpu::to_string(f.shape()));
        CAPTURE(axis);
        CHECK(is_close(gpu::gradient(f, {.axis = axis - f.rank(), .spacing = spacing}), slopes_of(f, axis, even),
                       tolerance));
        CHECK(
            is_close(gpu::gradient(f, gpu::to_device(uneven), {.axis = axis}), slopes_of(f, axis, uneven), tolerance));
    }
}

}  // namespace

TEST_CASE("gradient, random arrays") {
    check_random_gradients<double>(21, 1e-12);
    check_random_gradients<float>(22, 2e-5);
    check_random_gradients<int>(23, 1e-12);
    check_random_gradients<std::uint8_t>(24, 1e-12);
    check_random_gradients<gpu::complex<double>>(25, 1e-12);
    check_random_gradients<gpu::half>(26, 2e-2);
}

TEST_CASE("gradient of views and expressions, with NaN, and its errors") {
    const gpu::Array<double> x = gpu::arange<double>(12).reshape({3, 4});
    CHECK(gpu::to_host(gpu::gradient(x.transpose().flip({0}), {.axis = 0})) == Doubles(12, -1));
    CHECK(gpu::to_host(gpu::gradient(x + 1, {.axis = 0})) == Doubles(12, 4));
    const auto two = gpu::gradient(gpu::to_device({3., 5.}));
    CHECK(gpu::to_host(two) == Doubles{2, 2});
    CHECK(gpu::to_host(gpu::gradient(gpu::to_device({3., 5.}), gpu::to_device({0, 4}))) == Doubles{0.5, 0.5});
    const double nan = std::nan("");
    const Doubles spread = gpu::to_host(gpu::gradient(gpu::to_device({0., 1., nan, 3., 4., 5.})));
    for (const std::size_t k : {1u, 3u}) CHECK(std::isnan(spread[k]));
    CHECK(spread[0] == 1);
    CHECK(spread[2] == 1);
    CHECK(spread[4] == 1);
    CHECK(gpu::gradient(gpu::zeros<float>({2, 0}), {.axis = 0}).shape() == gpu::Shape{2, 0});
    CHECK_THROWS_WITH_AS((void)gpu::gradient(gpu::zeros<float>({1, 3}), {.axis = 0}),
                         "gradient: axis 0 of an array of shape (1,3) has length 1; a difference needs 2 elements",
                         gpu::ShapeError);
    CHECK_THROWS_WITH_AS((void)gpu::gradient(x, gpu::zeros<double>({3})),
                         "gradient: axis 1 of an array of shape (3,4) has length 4, the coordinates have shape (3,)",
                         gpu::ShapeError);
    CHECK_THROWS_WITH_AS((void)gpu::gradient(x, {.axes = {0, 1}, .spacing = {1, 2, 3}}),
                         "gradient: 3 distances for 2 axes: give one for each, or one for all", gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::gradient(x, {.axis = 2}), gpu::AxisError);
    CHECK_THROWS_AS((void)gpu::gradient(x, {.axes = {0, -2}}), gpu::AxisError);
    CHECK_THROWS_AS((void)gpu::gradient(gpu::full<double>({}, 1)), gpu::AxisError);
}

TEST_CASE("these functions work where their arrays are, and refuse two devices") {
    if (gpu::Device::count() < 2) return;
    const auto [x, v, p] = [] {
        const gpu::DeviceGuard guard(gpu::Device(1));
        return std::tuple(gpu::ones<float>({4, 5}), gpu::ones<float>({5}), gpu::ones<double>({4}));
    }();
    const gpu::Array<float> here = gpu::ones<float>({5});
    const gpu::Device there = gpu::Device(1);
    gpu::random::Generator rng(1);
    CHECK(gpu::pad(x, 1).device() == there);
    CHECK(gpu::pad(x, 1, {.mode = PadMode::reflect}).device() == there);
    CHECK(gpu::gradient(x).device() == there);
    CHECK(gpu::gradient(x, v).device() == there);
    CHECK(gpu::trapezoid(x, v).device() == there);
    CHECK(gpu::interp(x, v, v).device() == there);
    CHECK(gpu::take_along_axis(x, x.astype<int>()).device() == there);
    CHECK(gpu::kron(x, v).device() == there);
    CHECK(gpu::einsum("ij,j->i", x, v).device() == there);
    CHECK(gpu::softmax(x).device() == there);
    CHECK(gpu::logsumexp(x).device() == there);
    CHECK(gpu::logsumexp(x(gpu::slice(0, 0))).device() == there);
    CHECK(gpu::signal::convolve(v, v).device() == there);
    CHECK(gpu::signal::separable(x, v, v).device() == there);
    CHECK(gpu::signal::gaussian_filter(x, 1).device() == there);
    CHECK(gpu::signal::sobel(x).device() == there);
    CHECK(rng.choice(4, {3}, {.p = p}).device() == there);
    CHECK(rng.choice(4, {3}, {.replace = false, .p = p}).device() == there);
    CHECK(rng.choice(x, {3}).device() == there);
    CHECK_THROWS_AS((void)gpu::gradient(x, here), gpu::DeviceError);
    CHECK_THROWS_AS((void)gpu::trapezoid(x, here), gpu::DeviceError);
    CHECK_THROWS_AS((void)gpu::interp(x, here, here), gpu::DeviceError);
    CHECK_THROWS_AS((void)gpu::take_along_axis(v, here.astype<int>()), gpu::DeviceError);
    CHECK_THROWS_AS((void)gpu::kron(x, here), gpu::DeviceError);
    CHECK_THROWS_AS((void)gpu::einsum("ij,j->i", x, here), gpu::DeviceError);
    CHECK_THROWS_AS((void)gpu::signal::convolve(v, here), gpu::DeviceError);
    CHECK_THROWS_AS((void)gpu::signal::separable(x, here, v), gpu::DeviceError);
    CHECK_THROWS_AS((void)rng.choice(here, {3}, {.p = v}), gpu::DeviceError);
}
