// SPDX-License-Identifier: MIT
// convolve2d and correlate2d: the types of elements.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "signal_reference.hpp"

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
