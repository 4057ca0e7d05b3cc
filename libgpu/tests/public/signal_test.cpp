// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "signal/convolve.hpp"
#include "support/signal_reference.hpp"

// convolve2d and correlate2d: modes, boundaries, sizes and layouts, against the definition and SciPy's numbers.
namespace {

using gpu::signal::Boundary;
using gpu::signal::ConvolveOptions;
using gpu::signal::Mode;
using Ints = std::vector<int>;

constexpr Mode modes[] = {Mode::full, Mode::same, Mode::valid};
constexpr Boundary boundaries[] = {Boundary::fill, Boundary::wrap, Boundary::symm};

// Small whole numbers without a pattern: sums of them are exact.
Image drawn(std::int64_t rows, std::int64_t columns, unsigned seed) {
    Image image{rows, columns, {}};
    unsigned state = seed * 2654435761u + 12345u;
    for (std::int64_t k = 0; k < rows * columns; ++k) {
        state = state * 1664525u + 1013904223u;
        image.values.emplace_back(static_cast<double>(state >> 24) - 100);
    }
    return image;
}

template <class T>
gpu::Array<T> on_device(const Image& image) {
    std::vector<T> values;
    for (const auto& z : image.values) values.push_back(static_cast<T>(z.real()));
    return gpu::to_device(values).reshape({image.rows, image.columns});
}

template <class T>
bool same_values(const gpu::Array<T>& got, const Image& want) {
    if (!(got.shape() == gpu::Shape{want.rows, want.columns})) return false;
    const auto values = gpu::to_host(got);
    for (std::size_t k = 0; k < values.size(); ++k) {
        if (!(static_cast<double>(values[k]) == want.values[k].real())) return false;
    }
    return true;
}

bool agrees(const Image& image, const Image& filter, const ConvolveOptions& options) {
    const gpu::Array<int> x = on_device<int>(image), w = on_device<int>(filter);
    return same_values(gpu::signal::convolve2d(x, w, options), Reference{false, options}(image, filter)) &&
           same_values(gpu::signal::correlate2d(x, w, options), Reference{true, options}(image, filter));
}

bool fits_valid(std::int64_t rows, std::int64_t columns, std::int64_t p, std::int64_t q) {
    return (rows >= p && columns >= q) || (p >= rows && q >= columns);
}

}  // namespace

TEST_CASE("convolve2d blurs an image") {
    const gpu::Array<float> image = gpu::arange<float>(20).reshape({4, 5});
    //! [convolve2d]
    const gpu::Array<float> box = gpu::full<float>({3, 3}, 1.f / 9);
    const gpu::Array<float> blurred =
        gpu::signal::convolve2d(image, box, {.mode = gpu::signal::Mode::same, .boundary = gpu::signal::Boundary::symm});
    //! [convolve2d]
    CHECK(blurred.shape() == image.shape());
    const auto values = gpu::to_host(blurred);
    CHECK(values[6] == doctest::Approx(6));  // inside the mean of its neighbours
    CHECK(values[0] == doctest::Approx((0 + 0 + 1 + 0 + 0 + 1 + 5 + 5 + 6) / 9.0));
}

TEST_CASE("correlate2d finds a pattern") {
    //! [correlate2d]
    gpu::Array<int> image = gpu::zeros<int>({6, 7});
    const gpu::Array<int> pattern = gpu::to_device({1, 2, 3, 4}).reshape({2, 2});
    image(gpu::slice(3, 5), gpu::slice(2, 4)) = pattern;
    const gpu::Array<int> score = gpu::signal::correlate2d(image, pattern, {.mode = gpu::signal::Mode::valid});
    const std::int64_t best = gpu::argmax(score).item();  // row 3, column 2 of 6 columns
    //! [correlate2d]
    CHECK(best == 3 * 6 + 2);
}

TEST_CASE("convolve2d gives the numbers of SciPy's own tests") {
    const gpu::Array<int> a = gpu::to_device({1, 2, 3, 3, 4, 5}).reshape({2, 3});
    const gpu::Array<int> b = gpu::to_device({2, 3, 4, 4, 5, 6}).reshape({2, 3});
    CHECK(gpu::to_host(gpu::signal::convolve2d(a, b)) ==
          Ints{2, 7, 16, 17, 12, 10, 30, 62, 58, 38, 12, 31, 58, 49, 30});
    CHECK(gpu::to_host(gpu::signal::convolve2d(a, b, {.fillvalue = 1})) ==
          Ints{24, 26, 31, 34, 32, 28, 40, 62, 64, 52, 32, 46, 67, 62, 48});
    CHECK(gpu::to_host(gpu::signal::convolve2d(a, b, {.boundary = Boundary::wrap})) ==
          Ints{80, 80, 74, 80, 80, 68, 68, 62, 68, 68, 80, 80, 74, 80, 80});
    CHECK(gpu::to_host(gpu::signal::convolve2d(a, b, {.boundary = Boundary::symm})) ==
          Ints{34, 30, 44, 62, 66, 52, 48, 62, 80, 84, 82, 78, 92, 110, 114});
    const gpu::Array<int> e = gpu::to_device({2, 3, 4, 5, 6, 7, 8, 4, 5, 6, 7, 8, 9, 10}).reshape({2, 7});
    CHECK(gpu::to_host(gpu::signal::convolve2d(e, a, {.mode = Mode::valid})) == Ints{62, 80, 98, 116, 134});
    CHECK(gpu::to_host(gpu::signal::convolve2d(a, e, {.mode = Mode::valid})) == Ints{62, 80, 98, 116, 134});
    CHECK(gpu::to_host(gpu::signal::convolve2d(a, e, {.mode = Mode::same})) == Ints{22, 28, 34, 80, 98, 116});
}

TEST_CASE("every mode, boundary and parity of the filter is as the definition says") {
    const Image image = drawn(5, 6, 1);
    for (const Mode mode : modes) {
        for (const Boundary boundary : boundaries) {
            for (std::int64_t rows = 1; rows <= 4; ++rows) {
                for (std::int64_t columns = 1; columns <= 4; ++columns) {
                    CAPTURE(static_cast<int>(mode));
                    CAPTURE(static_cast<int>(boundary));
                    CAPTURE(rows);
                    CAPTURE(columns);
                    CHECK(agrees(image, drawn(rows, columns, 2), {.mode = mode, .boundary = boundary, .fillvalue = 3}));
                }
            }
        }
    }
}

TEST_CASE("a filter may be larger than the image, many times") {
    const std::int64_t sizes[][4] = {{1, 1, 5, 4}, {2, 3, 9, 11}, {3, 2, 4, 1},
                                     {1, 7, 6, 2}, {4, 4, 4, 4},  {2, 5, 13, 3}};
    for (const auto& size : sizes) {
        for (const Mode mode : modes) {
            if (mode == Mode::valid && !fits_valid(size[0], size[1], size[2], size[3])) continue;
            for (const Boundary boundary : boundaries) {
                CAPTURE(size[0]);
                CAPTURE(size[2]);
                CAPTURE(static_cast<int>(mode));
                CAPTURE(static_cast<int>(boundary));
                CHECK(agrees(drawn(size[0], size[1], 3), drawn(size[2], size[3], 4),
                             {.mode = mode, .boundary = boundary, .fillvalue = -2}));
            }
        }
    }
}

TEST_CASE("random sizes around those of tiles and strips") {
    unsigned state = 7;
    const auto next = [&](unsigned most) {
        return static_cast<std::int64_t>((state = state * 1664525u + 1013904223u) >> 16) % most + 1;
    };
    for (int trial = 0; trial < 40; ++trial) {
        const std::int64_t rows = next(70), columns = next(70), p = next(9), q = next(9);
        const Mode mode = modes[trial % 3];
        const Boundary boundary = boundaries[trial / 3 % 3];
        if (mode == Mode::valid && !fits_valid(rows, columns, p, q)) continue;
        CAPTURE(rows);
        CAPTURE(columns);
        CAPTURE(p);
        CAPTURE(q);
        CHECK(agrees(drawn(rows, columns, 5), drawn(p, q, 6), {.mode = mode, .boundary = boundary}));
    }
}

TEST_CASE("windows of any layout and expressions are convolved, in one launch") {
    const Image large = drawn(12, 14, 8), filter = drawn(3, 2, 9);
    const gpu::Array<int> x = on_device<int>(large), w = on_device<int>(filter);
    const auto check = [&](const auto& view, const auto& small) {
        const gpu::Array<int> dense_view = view, dense_small = small;
        for (const Boundary boundary : boundaries) {
            const gpu::Counts before = gpu::counts();
            const gpu::Array<int> got =
                gpu::signal::convolve2d(view, small, {.mode = Mode::same, .boundary = boundary});
            CHECK((gpu::counts() - before).launches == 1);
            const gpu::Array<int> want =
                gpu::signal::convolve2d(dense_view, dense_small, {.mode = Mode::same, .boundary = boundary});
            CHECK(gpu::to_host(got) == gpu::to_host(want));
        }
    };
    check(x.transpose(), w);
    check(x(gpu::slice(1, 11, 2), gpu::slice(12, 2, -3)), w.transpose());
    check(x.flip({0, 1}), w.flip({0}));
    check(x(2, gpu::all).broadcast_to({5, 14}), w(0, 0).broadcast_to({2, 2}));
    const gpu::Array<int> column_major = x.copy(gpu::Layout::column_major);
    check(column_major, w.copy(gpu::Layout::column_major));
    const gpu::Array<int> sum = x * 2 + 1;
    CHECK(gpu::to_host(gpu::signal::convolve2d(x * 2 + 1, -w)) == gpu::to_host(gpu::signal::convolve2d(sum, -w)));
    CHECK(same_values(gpu::signal::correlate2d(x, w), Reference{true, {}}(large, filter)));
}

TEST_CASE("tiles and strips give the same") {
    using gpu::detail::Convolution;
    const std::int64_t filters[][2] = {{1, 1}, {3, 3}, {4, 5}, {8, 8}, {1, 40}, {33, 2}, {31, 31}};
    const Image image = drawn(67, 199, 10);
    const gpu::Array<int> x = on_device<int>(image);
    for (const auto& size : filters) {
        const Image filter = drawn(size[0], size[1], 11);
        const gpu::Array<int> w = on_device<int>(filter);
        for (const Boundary boundary : boundaries) {
            CAPTURE(size[0]);
            CAPTURE(size[1]);
            CAPTURE(static_cast<int>(boundary));
            const ConvolveOptions options{
                .mode = size[0] % 2 == 1 ? Mode::same : Mode::full, .boundary = boundary, .fillvalue = 5};
            const auto by = [&](Convolution::Method method) {
                return gpu::to_host(gpu::Array<int>(gpu::detail::convolved(
                    {.method = method}, gpu::DType::int32, gpu::detail::to_node(x), gpu::detail::to_node(w), options)));
            };
            const Ints plain = by(Convolution::Method::plain);
            CHECK(by(Convolution::Method::small) == plain);
            CHECK(by(Convolution::Method::tiled) == plain);
            CHECK(by(Convolution::Method::tall) == plain);
            CHECK(by(Convolution::Method::automatic) == plain);
        }
    }
}

namespace {

// Windows that begin at each place of a group of 16 bytes, of images whose rows are whole groups or aren't.
template <class T>
void check_small_filters(std::int64_t columns) {
    using gpu::detail::Convolution;
    const gpu::Array<T> whole = on_device<T>(drawn(41, columns, 16));
    for (std::int64_t first = 0; first < 5; ++first) {
        for (const auto& [rows, filter_columns] : {std::pair{3, 3}, {1, 5}, {4, 2}, {1, 1}}) {
            const gpu::Array<T> w = on_device<T>(drawn(rows, filter_columns, 17));
            const auto x = whole(gpu::slice(first % 3, 40), gpu::slice(first, columns - 1 + first % 2));
            const auto by = [&](Convolution::Method method, Boundary boundary) {
                return gpu::to_host(gpu::Array<T>(gpu::detail::convolved(
                    {.method = method}, gpu::dtype_of<T>, gpu::detail::to_node(x), gpu::detail::to_node(w),
                    {.mode = Mode::same, .boundary = boundary, .fillvalue = 2})));
            };
            for (const Boundary boundary : boundaries) {
                const std::vector<T> plain = by(Convolution::Method::plain, boundary);
                const std::vector<T> small = by(Convolution::Method::small, boundary);
                REQUIRE(small.size() == plain.size());
                bool same = true;
                for (std::size_t k = 0; k < plain.size(); ++k) same = same && small[k] == plain[k];
                CHECK(same);
            }
        }
    }
}

}  // namespace

TEST_CASE("small filters on windows that begin anywhere, of every size of elements") {
    for (const std::int64_t columns : {300, 301}) {
        check_small_filters<float>(columns);
        check_small_filters<double>(columns);
        check_small_filters<std::uint8_t>(columns);
        check_small_filters<std::int16_t>(columns);
        check_small_filters<gpu::complex<float>>(columns);
    }
}

TEST_CASE("an element outside a small filter's reach has no part in a result, not even as NaN") {
    gpu::Array<float> x = gpu::ones<float>({40, 200});
    x(20, 100) = NAN;
    x(30, 7) = INFINITY;
    for (const std::int64_t n : {3, 7}) {
        const auto got = gpu::to_host(gpu::signal::convolve2d(x, gpu::ones<float>({n, n}), {.mode = Mode::same}));
        std::int64_t nans = 0, infinities = 0;
        for (const float value : got) {
            nans += std::isnan(value);
            infinities += std::isinf(value);
        }
        CHECK(nans == n * n);
        CHECK(infinities == n * n);
    }
}

TEST_CASE("check mode finds nothing in tiles and strips") {
    if (gpu::Device::current().kind() == gpu::BackendKind::cuda) {
        std::puts("SKIP: convolution in check mode: that is the host backend's");
        return;
    }
    using gpu::detail::Convolution;
    const gpu::Array<float> x = gpu::ones<float>({40, 35}), w = gpu::ones<float>({4, 3});
    for (const auto method : {Convolution::Method::plain, Convolution::Method::small, Convolution::Method::tiled,
                              Convolution::Method::tall}) {
        const gpu::CheckReport report = gpu::check([&] {
            (void)gpu::detail::convolved({.method = method}, gpu::DType::float32, gpu::detail::to_node(x),
                                         gpu::detail::to_node(w), {.boundary = Boundary::wrap});
        });
        CHECK_MESSAGE(report.clean(), report.to_text());
    }
}

TEST_CASE("a filter that no tile has room for") {
    const Image image = drawn(130, 20, 12), filter = drawn(120, 130, 13);
    CHECK(agrees(image, filter, {.mode = Mode::same, .boundary = Boundary::symm}));
}

TEST_CASE("a convolution of an array that was written after the expression was built says so") {
    gpu::Array<float> x = gpu::ones<float>({4, 4});
    const auto twice = 2.f * x;
    x(0, 0) = 5.f;
    CHECK_THROWS_AS((void)gpu::signal::convolve2d(twice, gpu::ones<float>({2, 2})), gpu::ExpressionError);
}

TEST_CASE("an image of another device than the current one is convolved where it is") {
    const gpu::Device other(gpu::Device::count() - 1);
    const Image image = drawn(6, 5, 14), filter = drawn(2, 3, 15);
    const gpu::Array<int> x = on_device<int>(image).to(other), w = on_device<int>(filter);
    const gpu::Array<int> got = gpu::signal::convolve2d(x, w.to(other));
    CHECK(got.device() == other);
    CHECK(same_values(got, Reference{false, {}}(image, filter)));
    if (gpu::Device::count() > 1) CHECK_THROWS_AS((void)gpu::signal::convolve2d(x, w), gpu::DeviceError);
}

TEST_CASE("what can't be convolved is reported with both shapes") {
    const gpu::Array<float> x = gpu::ones<float>({4, 5}), w = gpu::ones<float>({5, 4}), line = gpu::ones<float>({5});
    CHECK_THROWS_WITH_AS((void)gpu::signal::convolve2d(x, line),
                         "convolve2d: an image of shape (4,5) and a filter of shape (5,): both must have two axes",
                         gpu::ShapeError);
    CHECK_THROWS_WITH_AS(
        (void)gpu::signal::correlate2d(x, w, {.mode = Mode::valid}),
        "correlate2d: an image of shape (4,5) and a filter of shape (5,4): in mode valid one must be at "
        "least as large as the other along both axes",
        gpu::ShapeError);
    CHECK_THROWS_WITH_AS(
        (void)gpu::signal::convolve2d(x, gpu::ones<float>({0, 3})),
        "convolve2d: an image of shape (4,5) and a filter of shape (0,3): neither may be without elements",
        gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::signal::convolve2d(gpu::ones<float>({0, 3}), x), gpu::ShapeError);
    const gpu::Array<int> i = gpu::ones<int>({3, 3});
    CHECK_THROWS_WITH_AS((void)gpu::signal::convolve2d(i, i, {.fillvalue = 0.5}),
                         "convolve2d: the fill value 0.5 doesn't fit int32, the type of the result", gpu::DTypeError);
    CHECK_THROWS_AS((void)gpu::signal::convolve2d(i, i, {.fillvalue = 3e9}), gpu::DTypeError);
    CHECK_THROWS_AS((void)gpu::signal::convolve2d(x, x, {.fillvalue = gpu::complex<double>(0, 1)}), gpu::DTypeError);
    CHECK(gpu::signal::convolve2d(i, i, {.boundary = Boundary::wrap, .fillvalue = 0.5}).size() == 25);  // not used
}

// convolve2d and correlate2d: the types of elements.
namespace {

using gpu::signal::Boundary;
using gpu::signal::ConvolveOptions;
using gpu::signal::Mode;

template <class T>
gpu::Array<T> numbers(std::int64_t rows, std::int64_t columns, int from) {
    std::vector<T> values;
    for (std::int64_t k = 0; k < rows * columns; ++k) {
        const int number = static_cast<int>(k * 7 % 23) + from;
        if constexpr (is_complex(gpu::dtype_of<T>))
            values.push_back(
                T(static_cast<typename T::value_type>(number), static_cast<typename T::value_type>(3 - number % 5)));
        else
            values.push_back(static_cast<T>(number));
    }
    return gpu::to_device(values).reshape({rows, columns});
}

template <class T>
Image on_host(const gpu::Array<T>& array) {
    Image image{array.shape()[0], array.shape()[1], {}};
    for (const T& value : gpu::to_host(array)) {
        if constexpr (is_complex(gpu::dtype_of<T>))
            image.values.emplace_back(value.real(), value.imag());
        else
            image.values.emplace_back(static_cast<double>(value));
    }
    return image;
}

double roundoff(gpu::DType type) {
    switch (real_dtype(type)) {
        case gpu::DType::float16: return 0x1p-11;
        case gpu::DType::float32: return 0x1p-24;
        case gpu::DType::float64: return 0x1p-53;
        default: return 0;
    }
}

// The error of each element is at most so many roundings of the sum of magnitudes; whole numbers are exact.
template <class T>
void check_close(const gpu::Array<T>& got, const Image& want, const Image& magnitudes, double roundings) {
    REQUIRE(got.shape() == gpu::Shape{want.rows, want.columns});
    const Image values = on_host(got);
    bool close = true;
    for (std::size_t k = 0; k < values.values.size(); ++k) {
        const double allowed = roundings * roundoff(gpu::dtype_of<T>) * magnitudes.values[k].real();
        close = close && std::abs(values.values[k] - want.values[k]) <= allowed;
    }
    CHECK(close);
}

template <class T, class U = T>
void check_type(int from = -9) {
    const gpu::Array<T> x = numbers<T>(9, 37, from);
    const gpu::Array<U> w = numbers<U>(3, 4, 1);
    CAPTURE(name(gpu::dtype_of<T>));
    CAPTURE(name(gpu::dtype_of<U>));
    const ConvolveOptions all[] = {
        {.mode = Mode::full, .fillvalue = 2}, {.mode = Mode::same, .boundary = Boundary::symm}, {.mode = Mode::valid}};
    for (const ConvolveOptions& options : all) {
        const double roundings = 2 * 12 + 4;
        check_close(gpu::signal::convolve2d(x, w, options), Reference{false, options}(on_host(x), on_host(w)),
                    Reference{false, options, true}(on_host(x), on_host(w)), roundings);
        check_close(gpu::signal::correlate2d(x, w, options), Reference{true, options}(on_host(x), on_host(w)),
                    Reference{true, options, true}(on_host(x), on_host(w)), roundings);
    }
}

}  // namespace

TEST_CASE("convolutions of every type") {
    check_type<short>();
    check_type<int>();
    check_type<std::int64_t>();
    check_type<unsigned short>(0);
    check_type<unsigned>(0);
    check_type<std::uint64_t>(0);
    check_type<gpu::half>();
    check_type<float>();
    check_type<double>();
    check_type<gpu::complex<float>>();
    check_type<gpu::complex<double>>();
}

TEST_CASE("the result's type is that of a sum of both") {
    const gpu::Array<int> i = gpu::ones<int>({3, 3});
    const gpu::Array<float> f = gpu::ones<float>({2, 2});
    static_assert(std::is_same_v<decltype(gpu::signal::convolve2d(i, f)), gpu::Array<double>>);
    static_assert(std::is_same_v<decltype(gpu::signal::convolve2d(f, f)), gpu::Array<float>>);
    static_assert(std::is_same_v<decltype(gpu::signal::correlate2d(i > 0, f)), gpu::Array<float>>);
    static_assert(std::is_same_v<decltype(gpu::signal::convolve2d(i, i.astype<std::int8_t>())), gpu::Array<int>>);
    check_type<int, float>();
    check_type<std::uint8_t, std::int8_t>(0);  // as int16
    check_type<float, gpu::complex<float>>();
    check_type<gpu::complex<double>, int>();
    const gpu::Array<float> counted = gpu::signal::convolve2d(i > 0, f, {.mode = Mode::valid});
    CHECK(gpu::to_host(counted) == std::vector<float>(4, 4));
}

TEST_CASE("whole numbers wrap around") {
    const gpu::Array<std::int8_t> x = gpu::full<std::int8_t>({4, 40}, std::int8_t{100});
    const gpu::Array<std::int8_t> w = gpu::full<std::int8_t>({2, 2}, std::int8_t{-3});
    const gpu::Array<std::int8_t> got = gpu::signal::convolve2d(x, w, {.mode = Mode::valid});
    CHECK(gpu::to_host(got) == std::vector<std::int8_t>(3 * 39, static_cast<std::int8_t>(-1200 & 0xff)));
    const gpu::Array<std::int64_t> large = gpu::full<std::int64_t>({2, 2}, std::int64_t{1} << 62);
    CHECK(gpu::signal::convolve2d(large, gpu::ones<std::int64_t>({2, 2}), {.mode = Mode::valid}).item() == 0);
}

TEST_CASE("a correlation conjugates the second of two complex images, whichever is larger") {
    using Z = gpu::complex<double>;
    const gpu::Array<Z> small = numbers<Z>(2, 3, 1), large = numbers<Z>(5, 6, -4);
    const ConvolveOptions valid{.mode = Mode::valid};
    const auto check = [&](const gpu::Array<Z>& a, const gpu::Array<Z>& b) {
        check_close(gpu::signal::correlate2d(a, b, valid), Reference{true, valid}(on_host(a), on_host(b)),
                    Reference{true, valid, true}(on_host(a), on_host(b)), 20);
        check_close(gpu::signal::convolve2d(a, b, valid), Reference{false, valid}(on_host(a), on_host(b)),
                    Reference{false, valid, true}(on_host(a), on_host(b)), 20);
    };
    check(small, large);
    check(large, small);
    const gpu::Array<Z> one = gpu::full<Z>({1, 1}, Z(0, 1));
    CHECK(gpu::signal::correlate2d(one, one).item() == Z(1, 0));
    CHECK(gpu::signal::convolve2d(one, one, {.fillvalue = Z(0, 2)}).item() == Z(-1, 0));
}

TEST_CASE("a NaN reaches as far as the filter") {
    gpu::Array<float> x = gpu::ones<float>({5, 40});
    x(2, 20) = std::nanf("");
    const gpu::Array<bool> reached =
        gpu::isnan(gpu::signal::convolve2d(x, gpu::ones<float>({3, 3}), {.mode = Mode::same}));
    CHECK(gpu::count_nonzero(reached).item() == 9);
    CHECK(reached(1, 19).item());
    CHECK(!reached(2, 22).item());
}
