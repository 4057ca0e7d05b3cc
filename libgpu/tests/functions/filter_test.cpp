// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <gpu/gpu.hpp>

#include "functions/host_array.hpp"
#include "support/signal_reference.hpp"

// Signals with one axis, and filters by passes: against their definitions.
namespace {

using gpu::signal::Boundary;
using gpu::signal::Mode;
using Ints = std::vector<int>;
using Doubles = std::vector<double>;
using Complex = std::complex<double>;

constexpr Mode modes[] = {Mode::full, Mode::same, Mode::valid};
constexpr Boundary boundaries[] = {Boundary::fill, Boundary::wrap, Boundary::symm};

template <class T>
std::vector<Complex> numbers_of(const gpu::Array<T>& array) {
    std::vector<Complex> numbers;
    for (const T& each : gpu::to_host(array)) numbers.push_back(as_complex(each));
    return numbers;
}

// The whole convolution, then the part of it that SciPy's convolve returns.
HostArray<Complex> convolved(std::vector<Complex> x, std::vector<Complex> filter, Mode mode) {
    const auto n = static_cast<std::int64_t>(x.size()), m = static_cast<std::int64_t>(filter.size());
    std::vector<Complex> full(x.size() + filter.size() - 1);
    for (std::size_t i = 0; i < x.size(); ++i) {
        for (std::size_t k = 0; k < filter.size(); ++k) full[i + k] += x[i] * filter[k];
    }
    std::int64_t first = 0, count = n + m - 1;
    if (mode == Mode::same) {
        first = (m - 1) / 2;
        count = n;
    } else if (mode == Mode::valid) {
        first = std::min(n, m) - 1;
        count = std::max(n, m) - std::min(n, m) + 1;
    }
    HostArray<Complex> made(gpu::Shape{count});
    for (std::int64_t k = 0; k < count; ++k)
        made.values[static_cast<std::size_t>(k)] = full[static_cast<std::size_t>(first + k)];
    return made;
}

template <class T>
void check_random_signals(unsigned seed, double tolerance) {
    Drawn drawn(seed);
    for (int round = 0; round < 20; ++round) {
        const gpu::Array<T> x = drawn.array<T>({drawn.integer(1, 40)}), w = drawn.array<T>({drawn.integer(1, 12)});
        std::vector<Complex> turned = numbers_of(w);
        std::reverse(turned.begin(), turned.end());
        for (Complex& each : turned) each = std::conj(each);
        for (const Mode mode : modes) {
            CAPTURE(static_cast<int>(mode));
            CAPTURE(gpu::to_string(x.shape()));
            CAPTURE(gpu::to_string(w.shape()));
            CHECK(is_close(gpu::signal::convolve(x, w, {.mode = mode}), convolved(numbers_of(x), numbers_of(w), mode),
                           tolerance));
            CHECK(is_close(gpu::signal::correlate(x, w, {.mode = mode}), convolved(numbers_of(x), turned, mode),
                           tolerance));
        }
    }
}

template <class T>
Image image_of(const gpu::Array<T>& array) {
    return {array.shape()[0], array.rank() == 2 ? array.shape()[1] : 1, numbers_of(array)};
}

template <class T>
void check_random_separable(unsigned seed, double tolerance) {
    Drawn drawn(seed);
    for (int round = 0; round < 10; ++round) {
        const gpu::Array<T> x = drawn.array<T>({drawn.integer(4, 9), drawn.integer(4, 12)});
        const gpu::Array<T> column = drawn.array<T>({drawn.integer(1, 4)}), row = drawn.array<T>({drawn.integer(1, 4)});
        Image filter{column.size(), row.size(), {}};
        for (const Complex& a : numbers_of(column)) {
            for (const Complex& b : numbers_of(row)) filter.values.push_back(a * b);
        }
        for (const Mode mode : modes) {
            for (const Boundary boundary : boundaries) {
                const Image made = Reference{false, {.mode = mode, .boundary = boundary}}(image_of(x), filter);
                HostArray<Complex> want(gpu::Shape{made.rows, made.columns});
                want.values = made.values;
                CAPTURE(static_cast<int>(mode));
                CAPTURE(static_cast<int>(boundary));
                CHECK(is_close(gpu::signal::separable(x, column, row, {.mode = mode, .boundary = boundary}), want,
                               tolerance));
            }
        }
    }
}

// One pass: weights around each element, along an axis.
HostArray<Complex> passed(const HostArray<Complex>& x, const Doubles& weights, int axis, Boundary boundary,
                          double beyond) {
    HostArray<Complex> made(x.shape);
    const auto k = static_cast<std::size_t>(axis);
    const auto radius = static_cast<std::int64_t>(weights.size() / 2);
    for_each_index(x.shape, [&](const Index& index) {
        Complex sum = 0;
        for (std::int64_t step = -radius; step <= radius; ++step) {
            Index from = index;
            from[k] = reference_place(index[k] + step, x.shape[axis], boundary);
            sum += weights[static_cast<std::size_t>(step + radius)] * (from[k] < 0 ? beyond : x(from));
        }
        made.values[made.place(index)] = sum;
    });
    return made;
}

HostArray<Complex> blurred(HostArray<Complex> x, const Doubles& sigma, double truncate, Boundary boundary,
                           double beyond) {
    for (int axis = 0; axis < x.shape.rank(); ++axis) {
        const double own = sigma[sigma.size() == 1 ? 0 : static_cast<std::size_t>(axis)];
        const int radius = static_cast<int>(truncate * own + 0.5);
        if (own == 0) continue;
        Doubles weights;
        double sum = 0;
        for (int k = -radius; k <= radius; ++k) sum += weights.emplace_back(std::exp(-k * k / (2 * own * own)));
        for (double& each : weights) each /= sum;
        x = passed(x, weights, axis, boundary, beyond);
    }
    return x;
}

template <class T>
HostArray<Complex> as_numbers(const gpu::Array<T>& array) {
    HostArray<Complex> made(array.shape());
    made.values = numbers_of(array);
    return made;
}

template <class T>
void check_random_images(unsigned seed, double tolerance) {
    Drawn drawn(seed);
    for (int round = 0; round < 15; ++round) {
        const gpu::Array<T> x = drawn.array<T>(drawn.shape(1, 3, 1, 8));
        Doubles sigma{drawn.integer(0, 10) / 4.0};
        if (round % 2 == 0) {
            sigma.clear();
            for (int axis = 0; axis < x.rank(); ++axis) sigma.push_back(drawn.integer(0, 10) / 4.0);
        }
        const Boundary boundary = boundaries[round % 3];
        const double truncate = round % 4 == 0 ? 2 : 4;
        CAPTURE(gpu::to_string(x.shape()));
        CAPTURE(static_cast<int>(boundary));
        CHECK(is_close(
            gpu::signal::gaussian_filter(x, sigma, {.truncate = truncate, .boundary = boundary, .fillvalue = 2}),
            blurred(as_numbers(x), sigma, truncate, boundary, 2), tolerance));
        const int axis = drawn.integer(0, x.rank() - 1);
        HostArray<Complex> edges = passed(as_numbers(x), {-1, 0, 1}, axis, boundary, 3);
        for (int other = 0; other < x.rank(); ++other) {
            if (other != axis) edges = passed(edges, {1, 2, 1}, other, boundary, 3);
        }
        if constexpr (std::is_integral_v<T>) {  // wraps around
            for (Complex& each : edges.values)
                each = static_cast<double>(static_cast<T>(static_cast<std::int64_t>(each.real())));
        }
        CHECK(is_close(gpu::signal::sobel(x, {.axis = axis - x.rank(), .boundary = boundary, .fillvalue = 3}), edges,
                       std::is_integral_v<T> ? 0 : 16 * tolerance));
    }
}

}  // namespace

TEST_CASE("convolve and correlate signals") {
    //! [convolve]
    const gpu::Array<float> x = gpu::to_device({0.f, 1.f, 2.f, 3.f});
    const gpu::Array<float> w = gpu::to_device({1.f, 10.f});
    auto whole = gpu::signal::convolve(x, w);                                       // 0 1 12 23 30
    auto inner = gpu::signal::correlate(x, w, {.mode = gpu::signal::Mode::valid});  // 10 21 32
    //! [convolve]
    CHECK(gpu::to_host(whole) == std::vector<float>{0, 1, 12, 23, 30});
    CHECK(gpu::to_host(inner) == std::vector<float>{10, 21, 32});
    // scipy.signal.correlate([1, 2, 3, 4], [1, 10], 'same'), an even filter
    const gpu::Array<int> a = gpu::to_device({1, 2, 3, 4}), b = gpu::to_device({1, 10});
    CHECK(gpu::to_host(gpu::signal::correlate(a, b, {.mode = Mode::same})) == Ints{10, 21, 32, 43});
    CHECK(gpu::to_host(gpu::signal::convolve(a, b, {.mode = Mode::same})) == Ints{1, 12, 23, 34});
}

TEST_CASE("a mode without a name, and a filter in a list") {
    //! [positions]
    const gpu::Array<float> x = gpu::to_device({0.f, 1.f, 2.f, 3.f});
    auto smooth = gpu::signal::convolve(x, {0.25, 0.5, 0.25}, gpu::signal::Mode::same);  // 0.25 1 2 2
    //! [positions]
    static_assert(std::is_same_v<decltype(smooth), gpu::Array<float>>);
    CHECK(gpu::to_host(smooth) == std::vector<float>{0.25f, 1, 2, 2});
    CHECK(gpu::to_host(gpu::signal::correlate(x, {1, 10})) == std::vector<float>{0, 10, 21, 32, 3});
    CHECK(gpu::to_host(gpu::signal::correlate(x, {1, 10}, Mode::valid)) == std::vector<float>{10, 21, 32});
    CHECK(gpu::to_host(gpu::signal::convolve(x, x, Mode::valid)) == std::vector<float>{4});
    const gpu::Array<int> whole = gpu::to_device({1, 2, 3});
    CHECK(gpu::to_host(gpu::signal::convolve(whole, {1, -1})) == Ints{1, 1, 1, -3});
    CHECK(gpu::to_host(gpu::signal::convolve(whole, {0.5}, {.mode = Mode::same})) == std::vector<double>{0.5, 1, 1.5});
    CHECK_THROWS_AS((void)gpu::signal::convolve(gpu::ones<std::uint8_t>({3}), {1, -1}), gpu::DTypeError);
    const gpu::Array<float> image = gpu::arange<float>(12).reshape({3, 4}), box = gpu::ones<float>({2, 2});
    using gpu::signal::Boundary;
    CHECK(gpu::array_equal(gpu::signal::convolve2d(image, box, Mode::same, Boundary::wrap),
                           gpu::signal::convolve2d(image, box, {.mode = Mode::same, .boundary = Boundary::wrap}))
              .item());
    CHECK(gpu::array_equal(gpu::signal::correlate2d(image, box, Mode::same, Boundary::fill, 3),
                           gpu::signal::correlate2d(image, box, {.mode = Mode::same, .fillvalue = 3}))
              .item());
}

TEST_CASE("convolve and correlate, random signals") {
    check_random_signals<double>(1, 1e-10);
    check_random_signals<float>(2, 1e-3);
    check_random_signals<int>(3, 0);
    check_random_signals<gpu::complex<double>>(4, 1e-10);
}

TEST_CASE("convolve of other types, views and expressions, NaN, and its errors") {
    const gpu::Array<int> x = gpu::arange<int>(10);
    const gpu::Array<int> w = gpu::to_device({1, 1});
    const auto odd = x(gpu::slice(gpu::none, gpu::none, -2));  // 9 7 5 3 1
    CHECK(gpu::to_host(gpu::signal::convolve(odd, w + 1, {.mode = Mode::valid})) == Ints{32, 24, 16, 8});
    static_assert(std::is_same_v<decltype(gpu::signal::convolve(x, gpu::zeros<float>({1}))), gpu::Array<double>>);
    const gpu::Array<std::uint8_t> bytes = gpu::full<std::uint8_t>({2}, 200);
    CHECK(gpu::to_host(gpu::signal::convolve(bytes, bytes)) == std::vector<std::uint8_t>{64, 128, 64});
    const Doubles spread = gpu::to_host(gpu::signal::convolve(gpu::to_device({1., std::nan(""), 1., 1.}),
                                                              gpu::to_device({1., 1.}), {.mode = Mode::valid}));
    CHECK(std::isnan(spread[0]));
    CHECK(std::isnan(spread[1]));
    CHECK(spread[2] == 2);
    CHECK_THROWS_WITH_AS((void)gpu::signal::convolve(gpu::zeros<int>({2, 2}), w),
                         "convolve: the signal has shape (2,2); it must have one axis, with elements", gpu::ShapeError);
    CHECK_THROWS_WITH_AS((void)gpu::signal::correlate(x, gpu::zeros<int>({0})),
                         "correlate: the filter has shape (0,); it must have one axis, with elements", gpu::ShapeError);
}

TEST_CASE("separable is convolve2d by two passes") {
    const gpu::Array<float> image = gpu::arange<float>(20).reshape({4, 5});
    //! [separable]
    const gpu::Array<float> binomial = gpu::to_device({0.25f, 0.5f, 0.25f});
    auto smooth = gpu::signal::separable(image, binomial, binomial,
                                         {.mode = gpu::signal::Mode::same, .boundary = gpu::signal::Boundary::symm});
    //! [separable]
    const auto once = gpu::signal::convolve2d(image, gpu::outer(binomial, binomial),
                                              {.mode = Mode::same, .boundary = Boundary::symm});
    CHECK(gpu::allclose(smooth, once).item());
}

TEST_CASE("separable, random images and filters") {
    check_random_separable<double>(11, 1e-10);
    check_random_separable<float>(12, 1e-3);
    check_random_separable<int>(13, 0);
    check_random_separable<gpu::complex<double>>(14, 1e-10);
}

TEST_CASE("separable takes views and expressions, rounds halves once, and says what doesn't fit") {
    const gpu::Array<int> x = gpu::arange<int>(12).reshape({3, 4}), w = gpu::to_device({1, 2});
    const auto turned = gpu::signal::separable(x.transpose(), w, 2 * w, {.mode = Mode::valid});
    CHECK(gpu::to_host(turned) ==
          gpu::to_host(gpu::signal::convolve2d(x.transpose(), gpu::outer(w, 2 * w), {.mode = Mode::valid})));
    const gpu::Array<gpu::half> fine = gpu::full<gpu::half>({1, 1}, gpu::half(2049.f / 2048 * 2048 / 1024));
    const gpu::Array<gpu::half> up = gpu::full<gpu::half>({1}, gpu::half(40000.f)),
                                down = gpu::full<gpu::half>({1}, gpu::half(0.5f));
    CHECK(std::isfinite(static_cast<float>(gpu::signal::separable(fine, up, down).item())));
    CHECK_THROWS_WITH_AS(
        (void)gpu::signal::separable(x, gpu::zeros<int>({4}), w, {.mode = Mode::valid}),
        "separable: an image of shape (3,4) and a filter of shape (4,2): in mode valid the filter can't "
        "be larger",
        gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::signal::separable(w, w, w), gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::signal::separable(gpu::zeros<int>({0, 3}), w, w), gpu::ShapeError);
    CHECK_THROWS_WITH_AS((void)gpu::signal::separable(x, x, w),
                         "separable: the column has shape (3,4); it must have one axis, with elements",
                         gpu::ShapeError);
}

TEST_CASE("gaussian_filter blurs an image") {
    //! [gaussian_filter]
    gpu::Array<float> image = gpu::zeros<float>({9, 9});
    image(4, 4) = 1;
    auto blurred = gpu::signal::gaussian_filter(image, 1);      // in all directions
    auto streak = gpu::signal::gaussian_filter(image, {0, 2});  // along the rows only
    auto ring = gpu::signal::gaussian_filter(image, 1, {.truncate = 3, .boundary = gpu::signal::Boundary::wrap});
    //! [gaussian_filter]
    CHECK(gpu::sum(blurred).item() == doctest::Approx(1));
    CHECK(gpu::sum(ring).item() == doctest::Approx(1));
    // scipy.ndimage.gaussian_filter(image, 1)[4, 4:6]
    CHECK(blurred(4, 4).item() == doctest::Approx(0.15915589));
    CHECK(blurred(4, 5).item() == doctest::Approx(0.09653293));
    CHECK(gpu::count_nonzero(streak, {.axis = 1})(3).item() == 0);
    CHECK(streak(4, 3).item() == streak(4, 5).item());
}

TEST_CASE("sobel finds edges") {
    const gpu::Array<int> image = gpu::to_device({0, 0, 9, 0, 0, 9, 0, 0, 9}).reshape({3, 3});
    //! [sobel]
    auto across = gpu::signal::sobel(image);  // along the rows
    auto down = gpu::signal::sobel(image, {.axis = 0});
    //! [sobel]
    CHECK(gpu::to_host(across) == Ints{0, 36, 36, 0, 36, 36, 0, 36, 36});
    CHECK(gpu::to_host(down) == Ints(9, 0));
}

TEST_CASE("gaussian_filter and sobel, random arrays of one to three axes") {
    check_random_images<double>(21, 1e-13);
    check_random_images<float>(22, 1e-5);
    check_random_images<int>(23, 1e-11);
    check_random_images<std::uint8_t>(24, 1e-11);
    check_random_images<gpu::half>(25, 4e-3);
}

TEST_CASE("gaussian_filter and sobel of views, expressions, arrays without elements or axes, and their errors") {
    Drawn drawn(31);
    const gpu::Array<double> x = drawn.array<double>({5, 6, 4});
    const auto view = x.transpose({2, 0, 1})(gpu::slice(gpu::none, gpu::none, -1));
    const gpu::Array<double> plain = view;
    CHECK(is_close(gpu::signal::gaussian_filter(view, 1), as_numbers(gpu::signal::gaussian_filter(plain, 1)), 1e-15));
    CHECK(is_close(gpu::signal::sobel(2 * view), as_numbers(gpu::signal::sobel(gpu::Array<double>(2 * plain))), 1e-14));
    const gpu::Array<gpu::complex<double>> z = drawn.array<gpu::complex<double>>({4, 5});
    CHECK(is_close(gpu::signal::gaussian_filter(z, 0.8), blurred(as_numbers(z), {0.8}, 4, Boundary::symm, 0), 1e-13));
    // nothing to do: a copy
    gpu::Array<double> source = gpu::to_device({1., 5.});
    const gpu::Array<double> copy = gpu::signal::gaussian_filter(source, 0);
    source = 0;
    CHECK(gpu::to_host(copy) == Doubles{1, 5});
    CHECK(gpu::signal::gaussian_filter(gpu::full<float>({}, 3.f), 2).item() == 3.f);
    CHECK(gpu::signal::gaussian_filter(gpu::zeros<float>({0, 3}), 2).shape() == gpu::Shape{0, 3});
    CHECK(gpu::signal::sobel(gpu::zeros<float>({0, 3})).shape() == gpu::Shape{0, 3});
    static_assert(std::is_same_v<decltype(gpu::signal::gaussian_filter(gpu::zeros<int>({1}), 1)), gpu::Array<double>>);
    static_assert(std::is_same_v<decltype(gpu::signal::sobel(gpu::zeros<int>({1}))), gpu::Array<int>>);
    CHECK_THROWS_WITH_AS(
        (void)gpu::signal::gaussian_filter(x, -1),
        "gaussian_filter: a sigma of -1 and a truncate of 4: neither may be negative, and their product "
        "is at most 1e8",
        gpu::Error);
    CHECK_THROWS_AS((void)gpu::signal::gaussian_filter(x, std::nan("")), gpu::Error);
    CHECK_THROWS_AS((void)gpu::signal::gaussian_filter(x, std::numeric_limits<double>::infinity()), gpu::Error);
    CHECK_THROWS_AS((void)gpu::signal::gaussian_filter(x, 1, {.truncate = -1}), gpu::Error);
    CHECK_THROWS_WITH_AS(
        (void)gpu::signal::gaussian_filter(x, {1, 2}),
        "gaussian_filter: 2 standard deviations for an array of shape (5,6,4): give one for each axis, "
        "or one for all",
        gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::signal::sobel(x, {.axis = 3}), gpu::AxisError);
    CHECK_THROWS_AS((void)gpu::signal::sobel(gpu::full<float>({}, 1.f)), gpu::AxisError);
    CHECK_THROWS_AS((void)gpu::signal::sobel(gpu::zeros<int>({3}), {.boundary = Boundary::fill, .fillvalue = 0.5}),
                    gpu::DTypeError);
}
